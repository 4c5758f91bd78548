"""The selection formulas, one small function each, shared by the searches and formulas.pyx.

Where a formula takes the logarithm of all playouts, the caller computes it once for all moves.
"""
from libc.math cimport M_PI, cos, exp, log, sqrt

from mcts_core.rng cimport rng_t, uniform


cdef inline double ucb1(double mean, double visits, double log_total, double c) noexcept nogil:
    """Return UCB1 (Auer, Cesa-Bianchi, Fischer 2002) with the constant c; there it is sqrt(2)."""
    return mean + c * sqrt(log_total / visits)


cdef inline double ucb_tuned(double mean, double mean_square, double visits, double log_total) noexcept nogil:
    """Return UCB1-tuned (same paper): the bonus follows an upper bound of the variance, at most 1/4."""
    cdef double variance = mean_square - mean * mean + sqrt(2.0 * log_total / visits)
    return mean + sqrt(log_total / visits * min(0.25, variance))


cdef inline double ucb_bayes(double wins, double visits, double log_total, double c) noexcept nogil:
    """Return mean + c sqrt(2 ln i) deviations of the posterior Beta(1 + wins, 1 + losses)."""
    cdef double a = 1.0 + wins, b = 1.0 + (visits - wins)
    cdef double mu = a / (a + b)
    cdef double sigma = sqrt(a * b / ((a + b) * (a + b) * (a + b + 1.0)))
    return mu + c * sqrt(2.0 * log_total) * sigma


cdef inline double kl_ucb(double mean, double visits, double log_total, double c) noexcept nogil:
    """Return KL-UCB (Garivier and Cappe 2011): the largest q whose divergence KL(mean, q) is at most c * ln i / n.

    Newton's method from above: the divergence is convex in q, so each step is an upper bound, and four to six are
    enough. It starts from the lower of two bounds: Pinsker's, and that of KL(p, q) >= p ln p + (1-p) ln((1-p)/(1-q)).
    """
    cdef double allowed = c * log_total / visits
    cdef double rest = 1.0 - mean, entropy, q, step
    cdef int _
    if mean >= 1.0 or allowed < 1e-12:      # q is the mean, to within the accuracy of the steps
        return mean
    entropy = (mean * log(mean) if mean > 0.0 else 0.0) + rest * log(rest)
    q = min(mean + sqrt(allowed / 2.0), 1.0 - exp((entropy - allowed) / rest))
    for _ in range(16):
        if q >= 1.0:
            return 1.0
        step = (entropy - mean * log(q) - rest * log(1.0 - q) - allowed) * q * (1.0 - q) / (q - mean)
        q -= step
        if step < 1e-9:
            break
    return q


cdef inline double beta_mse(double n, double amaf_n, double bias) noexcept nogil:
    """Return the beta of least mean squared error (Gelly and Silver 2011), for a squared AMAF bias of bias / 4."""
    return amaf_n / (n + amaf_n + bias * n * amaf_n)


cdef inline double beta_heuristic(double n, double amaf_n) noexcept nogil:
    """Return `beta_mse` with a squared AMAF bias of n, so that AMAF counts for the first few visits only."""
    return amaf_n / (n + amaf_n + 4.0 * n * n * amaf_n)


cdef inline double beta_hand(double total, double k) noexcept nogil:
    """Return Gelly and Silver's hand-selected schedule: equal weights after k visits of the entry."""
    return sqrt(k / (3.0 * total + k))


cdef inline double beta_from(double variance, double amaf_variance, double bias_squared) noexcept nogil:
    """Return the weight of least squared error, from the variances of the two means and the AMAF bias."""
    return variance / (variance + amaf_variance + bias_squared)


cdef inline double variance_of_mean(double wins, double n) noexcept nogil:
    """Return the variance of a mean of n results, smoothed by one win and one loss so that it is never 0."""
    cdef double mean = (wins + 1.0) / (n + 2.0)
    return mean * (1.0 - mean) / (n + 2.0)


cdef inline double beta_variance(double wins, double n, double amaf_wins, double amaf_n,
                                 double min_samples) noexcept nogil:
    """Return `beta_from` with estimates from the data. The squared bias is 0.1 until both means have min_samples."""
    cdef double gap = amaf_wins / amaf_n - wins / n
    cdef double bias_squared = gap * gap if n >= min_samples and amaf_n >= min_samples else 0.1
    return beta_from(variance_of_mean(wins, n), variance_of_mean(amaf_wins, amaf_n), bias_squared)


# Draws for Thompson sampling

cdef inline double normal(rng_t* rng) noexcept nogil:
    """Draw from the standard normal distribution: Box and Muller, one of the pair."""
    cdef double u1 = uniform(rng)
    cdef double u2 = uniform(rng)
    return sqrt(-2.0 * log(1.0 - u1)) * cos(2.0 * M_PI * u2)


cdef inline double gamma(rng_t* rng, double shape) noexcept nogil:
    """Draw from the gamma distribution with a shape of 1 or more: Marsaglia and Tsang 2000."""
    cdef double d = shape - 1.0 / 3.0
    cdef double k = 1.0 / sqrt(9.0 * d)
    cdef double z, v, u
    while True:
        z = normal(rng)
        v = 1.0 + k * z
        if v <= 0.0:
            continue
        v = v * v * v
        u = 1.0 - uniform(rng)
        if log(u) < 0.5 * z * z + d - d * v + d * log(v):
            return d * v


cdef inline double beta_draw(rng_t* rng, double a, double b) noexcept nogil:
    cdef double x = gamma(rng, a)
    cdef double y = gamma(rng, b)
    return x / (x + y)
