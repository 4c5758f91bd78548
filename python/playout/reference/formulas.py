"""The formulas of the searches, one small function each.

All of them use these symbols:

    n    `visits`: playouts that began with the move (in a tree: at its position)
    w    `wins`: the sum of their results, as the player to move sees them; a draw counts 0.5
    Q    w / n, the Monte Carlo estimate of the move
    n~   `amaf_visits`: playouts in which the move was made at any time (all moves as first)
    w~   `amaf_wins`: the sum of their results
    A    w~ / n~, the AMAF estimate of the move
    t    `total`: the visits of all moves together
    c    the weight of exploration

Expressions are evaluated in the order written, in double precision. The compiled engine does the
same, so both agree to the last bit.
"""

from collections.abc import Sequence
from math import exp, fsum, log, pi, sqrt

# Bandits: which move to try next


def exploration(visits: float, total: float, c: float) -> float:
    """The exploration bonus of a move: `c sqrt(ln t / n)`.

    It grows slowly while other moves are tried and falls when this move is tried.
    """
    return c * sqrt(log(total) / visits) if total else 0.0


def ucb1(wins: float, visits: float, total: float, c: float = 0.4) -> float:
    """The upper confidence bound `Q + c sqrt(ln t / n)`.

    Auer, Cesa-Bianchi and Fischer (2002) prove for c = sqrt(2) that the regret grows only with ln
    t. In games a smaller c works better. Kocsis and Szepesvari (2006) use it in UCT. Example: of
    three moves after ten playouts, the least visited is next.

    >>> [round(ucb1(w, n, total=10), 3) for w, n in ((3.2, 5), (1.8, 3), (1.1, 2))]
    [0.911, 0.95, 0.979]
    """
    return wins / visits + exploration(visits, total, c)


def tuned(wins: float, squares: float, visits: float, total: float, c: float = 1.0) -> float:
    """UCB1-tuned: `Q + c sqrt(ln t / n min(1/4, V))`, by the same authors.

    V is an upper bound on the variance of the results, computed from the mean of their squares
    (`squares / n`). The variance of numbers between 0 and 1 is at most 1/4. Moves whose results
    vary little are explored less. The authors have no c, which means c = 1.

    >>> round(tuned(50, 50, 100, total=1000), 3), round(tuned(99, 99, 100, total=1000), 3)
    (0.631, 1.121)
    """
    mean = wins / visits
    variance = squares / visits - mean * mean + sqrt(2.0 * log(total) / visits)
    return mean + c * sqrt(log(total) / visits * min(0.25, variance))


def bayes(wins: float, visits: float, total: float, c: float = 0.4) -> float:
    """Bayesian UCB: `mu + c sqrt(2 ln t) sigma` (Tesauro, Rajan and Segal, 2010).

    Before the first playout all values of a move are equally likely. After w wins in n playouts its
    value has the distribution Beta(1 + w, 1 + n - w), with mean mu and standard deviation sigma,
    which are also defined for an untried move.

    >>> round(bayes(0, 0, total=10), 3), round(bayes(3.2, 5, total=10), 3)
    (0.748, 0.749)
    """
    a = 1 + wins
    b = 1 + (visits - wins)
    mu = a / (a + b)
    sigma = sqrt(a * b / ((a + b) * (a + b) * (a + b + 1.0)))
    return mu + c * sqrt(2.0 * log(total)) * sigma


def kl_ucb(wins: float, visits: float, total: float, c: float = 0.4) -> float:
    """KL-UCB: the largest q with `KL(Q, q) <= c ln t / n` (Garivier and Cappe, 2011).

    `KL(p, q) = p ln(p/q) + (1-p) ln((1-p)/(1-q))` measures how unlikely a mean of p is if the true
    mean is q. So the score is the highest value that is still plausible. Near 0 and 1 it is much
    closer to Q than UCB1's. The paper has c = 1, with the least possible regret in the long run.

    There is no closed form. Newton's method starts at an upper bound and stays above the result.

    >>> round(kl_ucb(3.2, 5, total=10), 3), round(kl_ucb(0, 5, total=10), 3)
    (0.877, 0.168)
    """
    mean = wins / visits
    allowed = c * log(total) / visits
    rest = 1.0 - mean
    if mean >= 1.0 or allowed < 1e-12:
        return mean
    entropy = (mean * log(mean) if mean > 0.0 else 0.0) + rest * log(rest)
    q = min(mean + sqrt(allowed / 2.0), 1.0 - exp((entropy - allowed) / rest))
    for _ in range(16):
        if q >= 1.0:
            return 1.0
        divergence = entropy - mean * log(q) - rest * log(1.0 - q)
        step = (divergence - allowed) * q * (1.0 - q) / (q - mean)
        q -= step
        if step < 1e-9:
            break
    return q


def regret(tried: Sequence[tuple[int, float]]) -> float:
    """The cost of trying worse moves: `sum of n (best mean - mean)`.

    Each move is given as (visits, mean). The true means are unknown, so these are the final
    estimates.

    >>> round(regret([(8, 0.75), (2, 0.5)]), 3)
    0.5
    """
    best = max(mean for _, mean in tried)
    return fsum(visits * (best - mean) for visits, mean in tried)


def regret_bound(means: Sequence[float], playouts: int) -> float:
    """UCB1's bound on the expected regret: `8 sum(ln N / D) + (1 + pi^2 / 3) sum(D)`.

    D is the distance of a worse move's mean from the best mean; N is the number of playouts.

    >>> round(regret_bound([0.75, 0.5], playouts=10), 2)
    74.76
    """
    best = max(means)
    shortfalls = [best - mean for mean in means if best - mean > 0]
    logarithms = fsum(log(playouts) / shortfall for shortfall in shortfalls)
    return 8 * logarithms + (1 + pi * pi / 3) * fsum(shortfalls)


# RAVE: how to weigh two estimates of the same move


def rave_value(beta: float, mean: float, amaf_mean: float) -> float:
    """`(1 - beta) Q + beta A`: all Monte Carlo at beta = 0, all AMAF at beta = 1.

    >>> rave_value(0.25, 0.5, 0.75)
    0.5625
    """
    return (1.0 - beta) * mean + beta * amaf_mean


def rave_value_mse(
    wins: float, visits: float, amaf_wins: float, amaf_visits: float, bias: float
) -> float:
    """`rave_value` with `beta_mse`, multiplied out: `(w + w bias n~ + w~) / (n + n~ + bias n n~)`.

    The same value with one division instead of three, which is faster. It is also right if one of
    the estimates is missing.

    >>> beta = beta_mse(10, 100, bias=0.01)
    >>> round(rave_value(beta, 4 / 10, 60 / 100), 6), round(rave_value_mse(4, 10, 60, 100, 0.01), 6)
    (0.566667, 0.566667)
    >>> rave_value_mse(0, 0, 3, 4, 0.01), rave_value_mse(1, 2, 0, 0, 0.01)
    (0.75, 0.5)
    """
    weight = bias * amaf_visits
    return (wins + wins * weight + amaf_wins) / (visits + amaf_visits + visits * weight)


def squared_error(beta: float, variance: float, amaf_variance: float, bias_squared: float) -> float:
    """The expected squared error of `rave_value`: variance plus squared bias.

    Q is right on average but varies much, because it has few playouts. A varies little but has a
    bias b, because the value of a move depends on when it is played. Together:

        e^2 = (1 - beta)^2 s^2 + beta^2 s~^2 + beta^2 b^2

    with s^2 and s~^2 the variances of Q and of A.

    >>> [round(squared_error(beta, 0.25, 0.04, 0.01), 4) for beta in (0, 0.5, 0.8333, 1)]
    [0.25, 0.075, 0.0417, 0.05]
    """
    return (1 - beta) ** 2 * variance + beta**2 * amaf_variance + beta**2 * bias_squared


def beta_from(variance: float, amaf_variance: float, bias_squared: float) -> float:
    """The beta with the least squared error: `s^2 / (s^2 + s~^2 + b^2)`.

    There the derivative of the error, `-2 (1 - beta) s^2 + 2 beta (s~^2 + b^2)`, is zero.

    >>> round(beta_from(0.25, 0.04, 0.01), 4)
    0.8333
    """
    return variance / (variance + amaf_variance + bias_squared)


def beta_mse(visits: float, amaf_visits: float, bias: float = 1e-5) -> float:
    """`n~ / (n + n~ + bias n n~)`: least squared error if all playouts have the same variance.

    It follows from `beta_from` with s^2 = v / n and s~^2 = v / n~, where v = 1/4 is the variance of
    an even game, and bias = 4 b^2 (Gelly and Silver, 2011).

    >>> beta_mse(10, 100)
    0.9090082719752749
    >>> b_squared = 1e-5 / 4
    >>> round(beta_from(0.25 / 10, 0.25 / 100, b_squared), 12) == round(beta_mse(10, 100), 12)
    True
    """
    return amaf_visits / (visits + amaf_visits + bias * visits * amaf_visits)


def beta_heuristic(visits: float, amaf_visits: float) -> float:
    """A rule of thumb, `n~ / (n + n~ + 4 n^2 n~)`, which drops AMAF after very few playouts.

    >>> [round(beta_heuristic(n, 100), 4) for n in (0, 1, 10)]
    [1.0, 0.1996, 0.0025]
    """
    return amaf_visits / (visits + amaf_visits + 4.0 * visits * visits * amaf_visits)


def beta_hand(total: float, k: float = 1000.0) -> float:
    """The hand-selected `sqrt(k / (3 t + k))` of Gelly and Silver (2007).

    At t = k playouts both estimates have the same weight.

    >>> [round(beta_hand(t), 3) for t in (0, 1000, 100_000)]
    [1.0, 0.5, 0.058]
    """
    return sqrt(k / (3.0 * total + k))


def beta_variance(
    visits: float, wins: float, amaf_visits: float, amaf_wins: float, min_samples: int = 10
) -> float:
    """`beta_from` with both variances and the bias estimated from the playouts.

    >>> round(beta_variance(10, 6, 100, 55), 3)
    0.804
    """
    return beta_from(
        variance_of_mean(visits, wins),
        variance_of_mean(amaf_visits, amaf_wins),
        bias_squared(visits, wins, amaf_visits, amaf_wins, min_samples),
    )


def variance_of_mean(visits: float, wins: float) -> float:
    """The variance of an estimate: `m (1 - m) / (n + 2)` with `m = (w + 1) / (n + 2)`.

    Results of 0 or 1 with mean m have variance m (1 - m), and a mean of n results has 1/n of that.
    The mean is smoothed by one additional win and loss. Otherwise a single playout would have
    variance 0, as if its result were certain.

    >>> [round(variance_of_mean(n, n), 4) for n in (0, 1, 10, 100)]
    [0.125, 0.0741, 0.0064, 0.0001]
    """
    mean = (wins + 1) / (visits + 2)
    return mean * (1 - mean) / (visits + 2)


def bias_squared(
    visits: float, wins: float, amaf_visits: float, amaf_wins: float, min_samples: int = 10
) -> float:
    """The estimate `(A - Q)^2` of the squared bias; 0.1 below `min_samples` playouts.

    >>> bias_squared(20, 15, 100, 50), bias_squared(9, 9, 100, 50)
    (0.0625, 0.1)
    """
    if visits < min_samples or amaf_visits < min_samples:
        return 0.1
    bias = amaf_wins / amaf_visits - wins / visits
    return bias * bias
