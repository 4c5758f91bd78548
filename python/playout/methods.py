"""The search methods and their settings.

A method is a small immutable object that only holds settings. Pass it to `playout.search`.

>>> import playout as po
>>> po.UCT(c=0.7)
UCT(c=0.7)
>>> po.UCB(rule="tunde")
Traceback (most recent call last):
mcts_core.errors.BadMethod: UCB: rule must be one of 'ucb1', 'tuned', 'bayes', 'kl', \
'thompson', 'greedy', not 'tunde'; did you mean 'tuned'?

In the formulas `n` and `w` are the playouts of a move and the sum of their results, `Q = w / n`;
`ñ` and `w̃` count every playout in which the move occurred at all, `A = w̃ / ñ` (AMAF: all moves as
first); `t` is the number of playouts through the position. Results are seen by the player to move:
1 a win, 0.5 a draw, 0 a loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, get_args

import numpy as np

from mcts_core.errors import BadMethod, did_you_mean, shown, whole
from mcts_core.position import Position
from mcts_core.rule import MOST_BIASES, has_amaf, rule_of
from mcts_core.search.bandits import RULES
from mcts_core.search.driver import MOST_LANES, Driver
from mcts_core.search.flat import FlatSearch
from mcts_core.search.flat_amaf import FlatAMAFSearch
from mcts_core.search.rules import rave
from mcts_core.search.tree import TreeSearch
from mcts_core.search.ucb import UCBSearch
from playout import knowledge
from playout.arguments import MOST, number, one_of, whole_number
from playout.method import Method, check_solver
from playout.names import BanditRule, BetaRule, BiasScale, FlatSchedule, MethodName, Prior
from playout.policies import AnyPolicy

PLAYED = ("visits", "mean", "stderr")  # columns of every search with playouts
AMAF_PLAYED = ("amaf_visits", "amaf_mean")
SCHEDULES = get_args(FlatSchedule)
BETAS = tuple(rave.BETAS)
SCALES = get_args(BiasScale)
MOST_BIAS = 1e100


@dataclass(frozen=True, slots=True, repr=False)
class TreeMethod(Method):
    """The base class of UCT, RAVE and GRAVE.

    With `lanes` above 1, this number of simulations (a flight) walk down the tree before their
    playouts are played. If the game has a kernel, the playouts run together in the lanes of
    vectors. To a walk, the visits of earlier walks of the flight look like losses.

    Other settings add knowledge of positions to the results of playouts. Each works alone and with
    the others, in every tree method:

    - `tactics`: a position whose result the game's own tactics prove counts as finished;
    - `cut`: playouts end after this many plies, and their last position is evaluated. With 0 there
      are no playouts: each new position is evaluated;
    - `minimax`: new positions are evaluated, and scores mix in the minimax of these values
      (implicit minimax): `(1 - minimax) * score + minimax * value`;
    - `prior="shallow"`: a move begins with `prior_visits` visits of the result that an evaluation
      one ply ahead expects. Results show visits without these. UCTTuned, which also learns from the
      squares of results, does not take it;
    - `proof`: scores get up to this much more for moves that look easy to prove a win with;
    - `evaluation`: used by `cut`, `minimax` and `prior`; None: the strongest of the package for the
      board (see `AlphaBeta`); it may be a capsule or a function of yours. Captures and the like are
      played out before a position is evaluated.
    """

    engine: ClassVar[type[Driver]] = TreeSearch
    columns: ClassVar[tuple[str, ...]] = (*PLAYED, "score")
    grows_tree: ClassVar[bool] = True

    lanes: int = field(default=1, kw_only=True)
    evaluation: Any = field(default=None, kw_only=True)
    cut: int | None = field(default=None, kw_only=True)
    minimax: float = field(default=0.0, kw_only=True)
    prior: Prior | None = field(default=None, kw_only=True)
    prior_visits: int = field(default=knowledge.PRIOR_VISITS, kw_only=True)
    tactics: bool = field(default=False, kw_only=True)
    proof: float = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        Method.__post_init__(self)
        self._check("lanes", whole_number, 1, MOST_LANES)
        knowledge.check(self)

    def options(self) -> dict[str, Any]:
        """The settings as the engine takes them; knowledge only if there is some."""
        own = Method.options(self)
        return own | knowledge.settings(self) if knowledge.knows(self) else own

    @classmethod
    @cache
    def _settings(cls) -> tuple[str, ...]:
        """The names of the settings without those of knowledge."""
        names = (setting.name for setting in fields(cls))
        return tuple(name for name in names if name not in knowledge.SETTINGS)

    def parts(self, position: Position) -> dict[str, Any]:
        """The compiled evaluation."""
        is_used = knowledge.evaluates(self)
        return {"evaluator": knowledge.evaluator(self, position)} if is_used else {}

    @property
    def shown(self) -> tuple[str, ...]:
        """The columns of a result of this method."""
        return (*self.columns, *knowledge.columns(self))

    def check_policy(self, policy: AnyPolicy) -> None:
        """Refuse a policy beside playouts that are cut short."""
        knowledge.check_policy(self, policy)

    @property
    def is_random(self) -> bool:
        """Whether there are playouts: evaluations of new positions are not random."""
        return self.cut != 0

    @property
    def flight(self) -> int:
        """The number of simulations in a flight."""
        return self.lanes

    def check_use(self, threads: int, solver: bool) -> None:
        """Accept any number of threads, with and without solver."""
        check_solver(solver)


@dataclass(frozen=True, slots=True, repr=False)
class Flat(Method):
    """Flat Monte Carlo: the same number of playouts for every move; the best mean wins.

    The simplest method, and a baseline for the others. Its statistics are unbiased and equally
    reliable for all moves, which is useful to study a position. As a player it wastes most of its
    playouts on bad moves: UCB and UCT are stronger.

    With `schedule="recent"` later playouts of a move weigh more. A weight halves every `half_life`
    playouts: `sum(v_i * L**(n-i)) / sum(L**(n-i))`, `L = 0.5**(1/half_life)`.

    >>> import playout as po
    >>> po.search(po.Breakthrough(5), po.Flat(schedule="recent"), playouts=1000, seed=1).move
    Move('c2d3')
    """

    key: ClassVar[str] = "flat"
    engine: ClassVar[type[Driver]] = FlatSearch
    columns: ClassVar[tuple[str, ...]] = PLAYED

    schedule: FlatSchedule = "uniform"
    half_life: float = 100.0

    def __post_init__(self) -> None:
        Method.__post_init__(self)
        self._check("schedule", one_of, SCHEDULES)
        self._check("half_life", number, 0.0, above=True)


@dataclass(frozen=True, slots=True, repr=False)
class UCB(Method):
    """Upper confidence bounds: playouts go to moves that are good or uncertain; most visits win.

    Much better than `Flat` with the same number of playouts, and as simple: no tree, no memory. It
    does not see the opponent's best answers: for play, use `UCT` or `RAVE`. Playout number i goes
    to the move with the highest score. `rule` chooses the score:

    - "ucb1": `Q + c * sqrt(ln i / n)`, an untried move first;
    - "tuned": `Q + sqrt(ln i / n * min(1/4, V))`, where `V` is the move's variance
      `+ sqrt(2 ln i / n)`: explores less where results vary little; no `c`;
    - "bayes": mean and deviation of the posterior Beta(1+w, 1+n-w): `mu + c*sqrt(2 ln i)*sigma`;
    - "kl": KL-UCB, the largest q with `KL(Q, q) <= c * ln i / n` (Kullback-Leibler divergence of
      two coins): close to `Q` where `Q` is near 0 or 1; the paper has `c=1`;
    - "thompson": one draw from each move's posterior;
    - "greedy": the best `Q`, but with probability `epsilon` a random move: a baseline.

    >>> import playout as po
    >>> po.search(po.Breakthrough(5), po.UCB(rule="tuned"), playouts=1000, seed=1).move
    Move('b2c3')
    """

    key: ClassVar[str] = "ucb"
    engine: ClassVar[type[Driver]] = UCBSearch
    columns: ClassVar[tuple[str, ...]] = (*PLAYED, "score")
    has_regret: ClassVar[bool] = True

    rule: BanditRule = "ucb1"
    c: float = 0.4
    epsilon: float = 0.1

    def __post_init__(self) -> None:
        Method.__post_init__(self)
        self._check("rule", one_of, RULES)
        self._check("c", number)
        self._check("epsilon", _probability)

    def check_use(self, threads: int, solver: bool) -> None:
        """Refuse a solver, and several threads."""
        Method.check_use(self, threads, solver)
        if threads > 1:
            raise BadMethod(
                "UCB chooses each playout by all those before it, so it runs on one thread: "
                "use executor= for several searches at once, or UCT, which shares its tree"
            )


@dataclass(frozen=True, slots=True, repr=False)
class AMAF(Method):
    """All moves as first, without a tree: the best `A = w̃ / ñ` wins.

    Playouts start from the position itself, and each one counts for every move that the player
    makes anywhere in it. That gives many more observations from the same work, but with a bias:
    a good move later need not be good now. Use it when there is time for only a few playouts.
    `playout.compare_estimates` shows bias and gain.

    >>> import playout as po
    >>> po.search(po.Breakthrough(5), po.AMAF(), playouts=1000, seed=1).move
    Move('b2b3')
    """

    key: ClassVar[str] = "amaf"
    engine: ClassVar[type[Driver]] = FlatAMAFSearch
    columns: ClassVar[tuple[str, ...]] = (*PLAYED, *AMAF_PLAYED)
    values: ClassVar[tuple[str, ...]] = ("amaf_mean",)
    counted: ClassVar[str] = "amaf_visits"
    needs_codes: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, repr=False)
class UCT(TreeMethod):
    """UCB in every position of a growing tree: `Q + c * sqrt(ln t / n)`; most visits win.

    The standard method, and the one to start with: it converges to the best move. A larger `c`
    explores more; 0.4 works well for these games.

    `fpu` (first-play urgency) is the score of an untried move. With a number, good moves are
    followed before all others were tried. None: every move of a position is tried once first.

    >>> import playout as po
    >>> po.search(po.Breakthrough(5), po.UCT(c=0.5), playouts=1000, seed=1).move
    Move('e2e3')
    """

    key: ClassVar[str] = "uct"

    c: float = 0.4
    fpu: float | None = None

    def __post_init__(self) -> None:
        TreeMethod.__post_init__(self)
        self._check("c", number)
        if self.fpu is not None:
            self._check("fpu", number)


@dataclass(frozen=True, slots=True, repr=False)
class UCTTuned(UCT):
    """UCT that explores less where results vary little: `Q + c * sqrt(ln t / n * min(1/4, V))`.

    UCB1-Tuned in every position: `V` is the variance of the move's results `+ sqrt(2 ln t / n)`,
    and `c=1` is the paper's. Compare it with `UCT` where many results are certain, or in a game
    whose results are more than a win, a draw or a loss. It takes 8 bytes more for each move.

    >>> import playout as po
    >>> po.search(po.Breakthrough(5), po.UCTTuned(), playouts=1000, seed=1).move
    Move('e2e3')
    """

    key: ClassVar[str] = "ucttuned"

    c: float = 1.0


@dataclass(frozen=True, slots=True, repr=False)
class RAVE(TreeMethod):
    """UCT's tree with AMAF values where playouts are still few: `(1-beta)*Q + beta*A`.

    Stronger than UCT when there are few playouts per move (up to about 10,000 in Breakthrough).
    `beta` falls from 1 to 0 as `n` grows:

    - "mse": `ñ / (n + ñ + bias*n*ñ)`: least squared error if AMAF's bias is `b`, `bias = 4*b*b`;
    - "heuristic": `ñ / (n + ñ + 4*n*n*ñ)`: drops AMAF very soon;
    - "hand": `sqrt(k / (3*t + k))`: equal weights at `t = k`;
    - "variance": `s² / (s² + s̃² + b²)`, estimated for each move: the variances of both means, and
      `b² = (A - Q)²` once both have `min_samples` playouts (0.1 before).

    `c` adds UCT's term, `c * sqrt(ln t / n)`. With `scale`, "mse" takes a sequence as `bias`.
    `scale="kind"`: one number for each kind of move (Breakthrough: straight, diagonal, capture;
    Othello: inside, edge, corner; Connect Four: by the column's distance from the edge).
    `scale="phase"`: one number for each of several equal parts of the game.

    >>> RAVE(bias=[1e-5, 1e-4, 1e-3], scale="kind")
    RAVE(bias=(1e-05, 0.0001, 0.001), scale='kind')
    """

    key: ClassVar[str] = "rave"
    columns: ClassVar[tuple[str, ...]] = (*PLAYED, "score", *AMAF_PLAYED, "beta")
    needs_codes: ClassVar[bool] = True

    beta: BetaRule = "mse"
    bias: float | Sequence[float] = 1e-5
    k: float = 1000.0
    min_samples: int = 10
    c: float = 0.0
    scale: BiasScale | None = None

    def __post_init__(self) -> None:
        TreeMethod.__post_init__(self)
        self._check("beta", one_of, BETAS)
        self._check("k", number, 0.0, above=True)
        self._check("min_samples", whole_number, 1, MOST)
        self._check("c", number)
        if self.scale is not None:
            self._check("scale", one_of, SCALES)
        self._check("bias", _bias, self.scale)
        if self.scale is not None and self.beta != "mse":
            raise BadMethod(
                f"RAVE: scale belongs to beta='mse'; beta={self.beta!r} has no bias to scale"
            )

    def options(self) -> dict[str, Any]:
        """The settings as the engine takes them: `bias` is a list."""
        bias = self.bias if isinstance(self.bias, tuple) else (self.bias,)
        return {**TreeMethod.options(self), "bias": list(bias)}


@dataclass(frozen=True, slots=True, repr=False)
class GRAVE(TreeMethod):
    """RAVE with AMAF values from higher up in the tree.

    `A` and `ñ` in `(1-beta)*Q + beta*A`, `beta = ñ / (n + ñ + bias*n*ñ)`, are those of the
    nearest position on the path from the root, this one included, with more than `ref` playouts;
    the root always qualifies.

    Near the leaves RAVE's AMAF values rest on a handful of playouts. Those of an ancestor fit less
    well but are far more reliable. Use GRAVE like RAVE: often a little stronger, but slower and
    with more memory.

    >>> import playout as po
    >>> po.search(po.Breakthrough(5), po.GRAVE(ref=25), playouts=1000, seed=1).move
    Move('d2c3')
    """

    key: ClassVar[str] = "grave"
    columns: ClassVar[tuple[str, ...]] = (*PLAYED, "score", *AMAF_PLAYED, "beta")
    needs_codes: ClassVar[bool] = True

    ref: int = 50
    bias: float = 1e-5
    c: float = 0.0

    def __post_init__(self) -> None:
        TreeMethod.__post_init__(self)
        self._check("ref", whole_number, 0, MOST)
        self._check("bias", _one_bias)
        self._check("c", number)

    def options(self) -> dict[str, Any]:
        """The settings as the engine takes them: `bias` is a list."""
        return {**TreeMethod.options(self), "bias": [self.bias]}


@dataclass(frozen=True, slots=True, repr=False)
class Rule(TreeMethod):
    """A tree method of your own: a `rule_t` that was compiled against `mcts_core/rule.pxd`.

    `capsule` holds the rule; `mcts_core.rule.rule_capsule` makes one. `name` is its name in
    results. The rule works with all options of a tree method: solver, lanes, threads, memory. Its
    results cannot be pickled, because it is compiled code of this process.

    >>> import playout as po
    >>> po.Rule("uct")
    Traceback (most recent call last):
    TypeError: a rule is a capsule made by mcts_core.rule.rule_capsule, not an object of type str
    """

    key: ClassVar[str] = "rule"

    capsule: Any
    name: str = "rule"

    def __post_init__(self) -> None:
        TreeMethod.__post_init__(self)
        rule_of(self.capsule)

    @property
    def shown(self) -> tuple[str, ...]:
        """UCT's columns, and those of AMAF if the rule has AMAF statistics."""
        columns = RAVE.columns if has_amaf(self.capsule) else self.columns
        return (*columns, *knowledge.columns(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> Rule:
        return self  # nothing in it changes

    def __repr__(self) -> str:
        return f"Rule({self.name})"

    def __reduce__(self) -> Any:
        raise BadMethod(
            f"{self!r} is compiled code of this process and cannot be sent to another one: "
            "use threads= or an executor of threads, or make the Rule in each process"
        )


METHODS: dict[str, type[Method]] = {
    kind.key: kind for kind in (Flat, UCB, AMAF, UCT, RAVE, GRAVE, UCTTuned)
}

SCHEDULED: dict[str, type[Method]] = {}  # others with names: not compared by default


def method_of(method: MethodName | str | Method) -> Method:
    """A method by name, with default settings or others; an object is returned as it is.

    >>> method_of("Rave"), method_of("RAVE(bias=0.01)")
    (RAVE(), RAVE(bias=0.01))
    >>> method_of("uctt")
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: there is no method 'uctt'; did you mean 'uct'? \
Known: flat, ucb, amaf, uct, rave, grave, ucttuned, alphabeta, halving, best, bestfirst
    """
    if isinstance(method, Method) and type(method) is not Method:
        return method
    known = ", ".join(METHODS | SCHEDULED)
    if isinstance(method, type) and issubclass(method, Method):
        raise BadMethod(f"{method.__name__} is a class: write {method.__name__}()")
    if not isinstance(method, str):
        limit = "" if whole(method) is None else f"; a limit has a name: playouts={shown(method)}"
        raise BadMethod(
            f"a method is one of {known} by name, or an object such as UCT(), "
            f"not {shown(method)}{limit}"
        )
    if "(" in method:
        from playout.method_text import method_from  # imported here: it imports this module

        return method_from(method)
    name = method.strip().lower()
    kinds = METHODS | SCHEDULED
    if name not in kinds:
        raise BadMethod(
            f"there is no method {shown(method)}{did_you_mean(name, list(kinds))} Known: {known}"
        )
    return _default(name)


@cache
def _default(name: str) -> Method:
    """The method of that name with default settings, made once because settings never change."""
    return (METHODS | SCHEDULED)[name]()


def _probability(name: str, value: float) -> float:
    found = number(name, value)
    if found > 1.0:
        raise ValueError(f"{name} is a probability: a number from 0 to 1, not {shown(value)}")
    return found


def _bias(
    name: str, value: float | Sequence[float], scale: str | None
) -> float | tuple[float, ...]:
    """One number, or with a scale a tuple of numbers."""
    given: Any = value.tolist() if isinstance(value, np.ndarray) else value
    is_one = isinstance(given, (str, bytes)) or not isinstance(given, Sequence)
    if is_one:
        if scale is not None:
            raise ValueError(f"scale={scale!r} needs {name} to be a sequence, not {shown(given)}")
        return _one_bias(name, given)
    if scale is None:
        raise ValueError(f"several values of {name} need scale='kind' or scale='phase'")
    if len(given) == 0:
        raise ValueError(f"{name} is empty: give one number for each {scale}")
    if len(given) > MOST_BIASES:
        raise ValueError(f"{name} has {len(given)} numbers, and there is room for {MOST_BIASES}")
    return tuple(_one_bias(f"{name}[{i}]", one) for i, one in enumerate(given))


def _one_bias(name: str, value: float) -> float:
    """Check one number. A larger one would make products with visits infinite, and scores nan."""
    found = number(name, value)
    if found > MOST_BIAS:
        raise ValueError(f"{name} must be at most {MOST_BIAS:g}, not {shown(value)}")
    return found
