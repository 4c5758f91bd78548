"""The methods of search, as settings: what each does, when to use it, and what can be tuned.

A method is a small immutable object. It searches nothing by itself: hand it to `playout.search`.

>>> import playout as po
>>> po.UCT(c=0.7)
UCT(c=0.7)
>>> po.UCB(rule="tunde")
Traceback (most recent call last):
mcts_core.errors.BadMethod: UCB: rule must be one of 'ucb1', 'tuned', 'bayes', 'kl', \
'thompson', 'greedy', not 'tunde'; did you mean 'tuned'?

In the formulas `n` and `w` are the playouts of a move and the sum of their results, `Q = w / n`;
`ñ` and `w̃` count every playout in which the move occurred at all, `A = w̃ / ñ` (AMAF: all moves as
first); `t` is the number of playouts through the position. Results are those of the player to
move: 1 a win, 0.5 a draw, 0 a loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar

import numpy as np

from mcts_core.errors import BadMethod, did_you_mean, shown
from mcts_core.position import Position
from mcts_core.rule import MOST_BIASES, has_amaf, rule_of
from mcts_core.search.bandits import RULES
from mcts_core.search.driver import MOST_LANES, Driver
from mcts_core.search.flat import FlatSearch
from mcts_core.search.flat_amaf import FlatAMAFSearch
from mcts_core.search.rules import rave
from mcts_core.search.tree import TreeSearch
from mcts_core.search.ucb import UCBSearch
from playout.arguments import MOST, number, one_of, whole_number
from playout.request import Request, Run
from playout.running import PlayoutRun

PLAYED = ("visits", "mean", "stderr")  # columns of every search by playouts
AMAF_PLAYED = ("amaf_visits", "amaf_mean")
TIES = ("random", "first")
SCHEDULES = ("uniform", "recent")
BETAS = tuple(rave.BETAS)
SCALES = ("kind", "phase")
MOST_BIAS = 1e100


@dataclass(frozen=True, slots=True, repr=False)
class Method:
    """What all methods share.

    `ties` says which of several equally good moves is played in the end: "random", one drawn from
    the search's own stream, or "first", the first in `legal_moves` order.
    """

    # What the thin layer asks of a method. Each class sets its own.
    key: ClassVar[str]  # its name in commands, and to the compiled searches
    engine: ClassVar[type[Driver]]  # its compiled search
    columns: ClassVar[tuple[str, ...]]  # of a result's table, after the move
    values: ClassVar[tuple[str, ...]] = ("proven", "mean", "amaf_mean")  # the first known counts
    counted: ClassVar[str] = "visits"  # the column of the playouts behind the value
    needs_codes: ClassVar[bool] = False  # AMAF codes of the game's moves
    grows_tree: ClassVar[bool] = False
    plays_out: ClassVar[bool] = True  # alpha-beta does not
    has_regret: ClassVar[bool] = False

    ties: str = field(default="random", kw_only=True)

    def __post_init__(self) -> None:
        self._check("ties", one_of, TIES)

    def _check(self, name: str, check: Callable[..., Any], *bounds: Any, **more: Any) -> None:
        """Replace a field by its checked value, or say what is wrong with it."""
        try:
            value = check(name, getattr(self, name), *bounds, **more)
        except ValueError as fault:
            raise BadMethod(f"{type(self).__name__}: {fault}") from None
        object.__setattr__(self, name, value)

    def options(self) -> dict[str, Any]:
        """The settings as the compiled searches take them.

        >>> UCT().options()
        {'method': 'uct', 'ties': 'random', 'lanes': 1, 'c': 0.4, 'fpu': None}
        """
        return {"method": self.key, **asdict(self)}

    @property
    def shown(self) -> tuple[str, ...]:
        """The columns of a result of this method."""
        return self.columns

    @property
    def flight(self) -> int:
        """How many playouts are begun together."""
        return 1

    @classmethod
    def suits(cls, position: Position) -> bool:
        """Whether it is worth comparing with other methods on a position of this game."""
        return position.n_codes > 0 or not cls.needs_codes

    def check_use(self, threads: int, solver: bool) -> None:
        """Raise where the method cannot be used as `playout.search` is asked to."""
        _check_solver(solver)
        if solver:
            raise BadMethod(
                f"solver=True needs a tree, and {self!r} grows none: use UCT, RAVE or GRAVE"
            )

    def begin(self, request: Request) -> Run:
        """The search that a request asks for."""
        return PlayoutRun(self, request)

    def worth(self, row: dict[str, Any]) -> float:
        """The value of a move by its row in a result's table; 0.5 if nothing is known."""
        known = (row[name] for name in self.values if not math.isnan(row.get(name, math.nan)))
        return float(next(known, 0.5))

    def __reduce__(self) -> Any:
        """Loading makes the method again, so that its settings are checked like any others."""
        return _made, (type(self), {own.name: getattr(self, own.name) for own in fields(self)})

    def __repr__(self) -> str:
        """What one would write to make it: the settings that are not the default ones.

        >>> RAVE(), GRAVE(ref=25, ties="first")
        (RAVE(), GRAVE(ref=25, ties='first'))
        """
        own = sorted(fields(self), key=lambda setting: setting.kw_only is True)
        values = [(setting, getattr(self, setting.name)) for setting in own]
        changed = [f"{s.name}={value!r}" for s, value in values if value != s.default]
        return f"{type(self).__name__}({', '.join(changed)})"


@dataclass(frozen=True, slots=True, repr=False)
class TreeMethod(Method):
    """What UCT, RAVE and GRAVE share.

    With `lanes` above 1, this number of simulations walk down the tree before their playouts are
    played, in the lanes of vectors if the game has a kernel for that, and counted. Each walk sees
    the visits of the walks before it in its flight, without results, as if they were lost.
    """

    engine: ClassVar[type[Driver]] = TreeSearch
    columns: ClassVar[tuple[str, ...]] = (*PLAYED, "score")
    grows_tree: ClassVar[bool] = True

    lanes: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        Method.__post_init__(self)
        self._check("lanes", whole_number, 1, MOST_LANES)

    @property
    def flight(self) -> int:
        """How many playouts are begun together."""
        return self.lanes

    def check_use(self, threads: int, solver: bool) -> None:
        """Accept any number of threads, with and without solver."""
        _check_solver(solver)


@dataclass(frozen=True, slots=True, repr=False)
class Flat(Method):
    """Flat Monte Carlo: the same number of playouts for every move; the best mean wins.

    The simplest method and a fair yardstick; its statistics are unbiased and equally reliable for
    all moves, which suits the study of a position. As a player it wastes most of its playouts on
    bad moves: UCB and UCT are stronger.

    `schedule="recent"`: of a move's playouts later ones weigh more, each weight halved
    `half_life` playouts later: `sum(v_i * L**(n-i)) / sum(L**(n-i))`, `L = 0.5**(1/half_life)`.
    """

    key: ClassVar[str] = "flat"
    engine: ClassVar[type[Driver]] = FlatSearch
    columns: ClassVar[tuple[str, ...]] = PLAYED

    schedule: str = "uniform"
    half_life: float = 100.0

    def __post_init__(self) -> None:
        Method.__post_init__(self)
        self._check("schedule", one_of, SCHEDULES)
        self._check("half_life", number, 0.0, above=True)


@dataclass(frozen=True, slots=True, repr=False)
class UCB(Method):
    """Upper confidence bounds: playouts go to moves that are good or uncertain; most visits win.

    Much better than `Flat` for the same number of playouts, and as simple: no tree, no memory. It
    does not see the opponent's best answers: for play, use `UCT` or `RAVE`. Playout number i goes
    to the move with the best of these, by `rule`:

    - "ucb1": `Q + c * sqrt(ln i / n)`, an untried move first;
    - "tuned": `Q + sqrt(ln i / n * min(1/4, V))`, `V` the move's variance `+ sqrt(2 ln i / n)`:
      explores less where results vary little; nothing to tune;
    - "bayes": mean and deviation of the posterior Beta(1+w, 1+n-w): `mu + c*sqrt(2 ln i)*sigma`;
    - "kl": KL-UCB, the largest q with `KL(Q, q) <= c * ln i / n`, the divergence of one coin from
      another: close to `Q` where `Q` is near 0 or 1; `c=1` is the paper's;
    - "thompson": one draw from each move's posterior;
    - "greedy": the best `Q`, but with probability `epsilon` any move: the yardstick.
    """

    key: ClassVar[str] = "ucb"
    engine: ClassVar[type[Driver]] = UCBSearch
    columns: ClassVar[tuple[str, ...]] = (*PLAYED, "score")
    has_regret: ClassVar[bool] = True

    rule: str = "ucb1"
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
    makes anywhere in it: many more observations from the same work, at the price of a bias,
    since a good move later need not be good now. Use it when there is time for few playouts only,
    and `playout.compare_estimates` to see bias and gain.
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

    The standard method, the right one to begin with and to compare others with: it converges to the
    best move. A larger `c` explores more; 0.4 is near the best for these games.

    `fpu` (first-play urgency): None tries every move of a position once before any other;
    a number is the score of a move not tried yet instead, so that good moves are followed sooner.
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
class RAVE(TreeMethod):
    """UCT's tree with AMAF values where playouts are still few: `(1-beta)*Q + beta*A`.

    Stronger than UCT when there are few playouts per move (up to some 10,000 in Breakthrough).
    `beta` falls from 1 to 0 as `n` grows:

    - "mse": `ñ / (n + ñ + bias*n*ñ)`, the least squared error for a bias `b`, `bias = 4*b*b`;
    - "heuristic": `ñ / (n + ñ + 4*n*n*ñ)`: forgets AMAF very soon;
    - "hand": `sqrt(k / (3*t + k))`: equal weights at `t = k`;
    - "variance": `s² / (s² + s̃² + b²)` from the data of each move: variances of both means, and
      `b² = (A - Q)²` once both have `min_samples` (0.1 before).

    `c` adds UCT's term, `c * sqrt(ln t / n)`. With `scale`, "mse" takes a `bias` for each case:
    `scale="kind"` by the kind of move (Breakthrough: straight, diagonal, capture; Othello: inside,
    edge, corner), `scale="phase"` by how far the game has gone, in as many equal parts as given.

    >>> RAVE(bias=[1e-5, 1e-4, 1e-3], scale="kind")
    RAVE(bias=(1e-05, 0.0001, 0.001), scale='kind')
    """

    key: ClassVar[str] = "rave"
    columns: ClassVar[tuple[str, ...]] = (*PLAYED, "score", *AMAF_PLAYED, "beta")
    needs_codes: ClassVar[bool] = True

    beta: str = "mse"
    bias: float | Sequence[float] = 1e-5
    k: float = 1000.0
    min_samples: int = 10
    c: float = 0.0
    scale: str | None = None

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
        """The settings as the compiled searches take them: `bias` is a list."""
        bias = self.bias if isinstance(self.bias, tuple) else (self.bias,)
        return {**Method.options(self), "bias": list(bias)}


@dataclass(frozen=True, slots=True, repr=False)
class GRAVE(TreeMethod):
    """RAVE with AMAF values from higher up in the tree.

    `A` and `ñ` in `(1-beta)*Q + beta*A`, `beta = ñ / (n + ñ + bias*n*ñ)`, are those of the
    nearest position on the path from the root, this one included, with more than `ref` playouts.

    Near the leaves RAVE's AMAF values rest on a handful of playouts; an ancestor's are less to the
    point but far more reliable. Use it where RAVE is used: often a little stronger, with more
    memory.
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
        """The settings as the compiled searches take them: `bias` is a list."""
        return {**Method.options(self), "bias": [self.bias]}


@dataclass(frozen=True, slots=True, repr=False)
class Rule(TreeMethod):
    """A tree method of your own: a `rule_t` that was compiled against `mcts_core/rule.pxd`.

    `capsule` holds the rule; `mcts_core.rule.rule_capsule` makes one. `name` is what results call
    it. The rule works with everything that a tree method has: solver, lanes, threads, memory. Its
    results cannot be pickled, because it is compiled code of this process.
    """

    key: ClassVar[str] = "rule"

    capsule: Any
    name: str = "rule"

    def __post_init__(self) -> None:
        TreeMethod.__post_init__(self)
        rule_of(self.capsule)

    def options(self) -> dict[str, Any]:
        """The settings as the compiled searches take them."""
        settings = {setting.name: getattr(self, setting.name) for setting in fields(self)}
        return {"method": self.key, **settings}

    @property
    def shown(self) -> tuple[str, ...]:
        """UCT's columns, and AMAF's if the rule has statistics of AMAF."""
        return RAVE.columns if has_amaf(self.capsule) else self.columns

    def __deepcopy__(self, memo: dict[int, Any]) -> Rule:
        return self  # nothing in it changes

    def __repr__(self) -> str:
        return f"Rule({self.name})"

    def __reduce__(self) -> Any:
        raise BadMethod(
            f"{self!r} is compiled code of this process and cannot be sent to another one: "
            "use threads= or an executor of threads, or make the Rule in each process"
        )


METHODS: dict[str, type[Method]] = {kind.key: kind for kind in (Flat, UCB, AMAF, UCT, RAVE, GRAVE)}


def _made(kind: type[Method], settings: dict[str, Any]) -> Method:
    return kind(**settings)


def method_of(method: str | Method) -> Method:
    """A method by name, with its defaults; a method is returned as it is.

    >>> method_of("Rave")
    RAVE()
    >>> method_of("uctt")
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: there is no method 'uctt'; did you mean 'uct'? \
Known: flat, ucb, amaf, uct, rave, grave, alphabeta
    """
    if isinstance(method, Method) and type(method) is not Method:
        return method
    known = ", ".join(METHODS)
    if isinstance(method, type) and issubclass(method, Method):
        raise BadMethod(f"{method.__name__} is a class: write {method.__name__}()")
    if not isinstance(method, str):
        raise BadMethod(
            f"a method is one of {known} by name, or an object such as UCT(), not {shown(method)}"
        )
    name = method.strip().lower()
    if name not in METHODS:
        hint = did_you_mean(name, list(METHODS))
        raise BadMethod(f"there is no method {shown(method)}{hint} Known: {known}")
    return METHODS[name]()


def _check_solver(solver: bool) -> None:
    if not isinstance(solver, bool):
        raise ValueError(f"solver must be True or False, not {shown(solver)}")


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
    """With more, products with visits would be infinite, and RAVE's value no number."""
    found = number(name, value)
    if found > MOST_BIAS:
        raise ValueError(f"{name} must be at most {MOST_BIAS:g}, not {shown(value)}")
    return found
