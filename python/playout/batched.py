"""Searches with a network of your own: PUCT and Gumbel, whose leaves are evaluated many at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from numpy.typing import NDArray

from mcts_core.batched.search import MOST_BATCH, BatchedSearch
from mcts_core.errors import BadMethod, shown
from mcts_core.search.driver import MOST_LANES, Driver
from playout.arguments import number, whole_number
from playout.many import Searches, search_many
from playout.method import Method, check_solver
from playout.policies import AnyPolicy
from playout.request import KeptRun, Request

Evaluator: TypeAlias = Callable[[NDArray[Any], NDArray[Any]], tuple[Any, Any]]
"""From planes [n, 2, rows, cols] and mask [n, actions] to logits [n, actions] and value [n]."""


@dataclass(frozen=True, slots=True, repr=False)
class Batched(Method):
    """The base class of PUCT and Gumbel.

    `evaluator` is a function of two arrays: `planes`, uint8 [n, 2, rows, cols], as `po.stack` makes
    them, and `mask`, bool [n, actions], the actions that are legal. It returns two: logits [n,
    actions], of which only those of legal actions are read, and the expected result of the side to
    move [n], from 0 (a loss) to 1 (a win). n differs from call to call. The arrays that it gets are
    filled again for the next call, so it must not keep them; those that it returns it may use
    again. Anything that numpy can read is taken, such as tensors of torch on the CPU or of JAX.

    `batch` is the most positions in one call.
    """

    engine: ClassVar[type[Driver]] = BatchedSearch
    columns: ClassVar[tuple[str, ...]] = ("visits", "mean", "prior", "score")
    needs_codes: ClassVar[bool] = True
    grows_tree: ClassVar[bool] = True

    evaluator: Evaluator
    batch: int = field(default=1024, kw_only=True)

    def __post_init__(self) -> None:
        Method.__post_init__(self)
        if not callable(self.evaluator) or isinstance(self.evaluator, type):
            raise BadMethod(
                f"{type(self).__name__} needs an evaluator: a function of (planes, mask) that "
                f"returns (logits, value), not {shown(self.evaluator)}"
            )
        self._check("batch", whole_number, 1, MOST_BATCH)

    def options(self) -> dict[str, Any]:
        """The settings as the engine takes them; a list of positions is added by `search_many`."""
        return {"lanes": 1, "temperature": 0.0, "more": [], **Method.options(self)}

    def check_use(self, threads: int, solver: bool) -> None:
        """Refuse several threads: threads share out trees, and one position has one tree."""
        check_solver(solver)
        if threads > 1:
            raise BadMethod(
                f"{type(self).__name__} shares out trees over threads, and one position has one "
                "tree: search a list of positions, or let the evaluator use several threads"
            )

    def check_policy(self, policy: AnyPolicy) -> None:
        """Refuse policies: there are no playouts by moves."""
        if policy != "random":
            raise BadMethod(
                f"{type(self).__name__} plays no games out, so policy= has no meaning for it"
            )

    def search_many(self, request: Request) -> Searches:
        """Search several positions at once."""
        return search_many(self, request)

    def __repr__(self) -> str:
        """The evaluator is shown by its name."""
        name = getattr(self.evaluator, "__qualname__", type(self.evaluator).__name__)
        text = Method.__repr__(self)
        return text.replace(f"evaluator={self.evaluator!r}", name, 1)


@dataclass(frozen=True, slots=True, repr=False)
class PUCT(Batched):
    """AlphaZero's search: a network's policy steers it, and its value replaces playouts.

    A walk goes to the move with the highest `Q + c * P / (n + 1)`, where `P` is its probability by
    the network and `c = (pb_c_init + ln((N + pb_c_base + 1) / pb_c_base)) * sqrt(N)`. Names and
    defaults are those of AlphaZero's pseudocode and of mctx:

    - `pb_c_init`, `pb_c_base`: how much the policy counts;
    - `dirichlet_fraction`, `dirichlet_alpha`: the share of noise in the policy at the root;
    - `temperature`: the move played is drawn in proportion to `visits ** (1 / temperature)`; with 0
      the most visited one is played;
    - `fpu`: the value Q of an untried move, 0 a loss;
    - `lanes`: walks of a tree in a batch; to a walk, the visits of those before it look like losses
      (virtual loss).

    The defaults are for self-play. For the strongest play leave noise and temperature out:
    `PUCT(net, dirichlet_fraction=0, temperature=0)`. `docs/networks.md` has examples.

    >>> import numpy as np
    >>> import playout as po
    >>> def even(planes, mask):
    ...     return np.zeros(mask.shape), np.full(len(mask), 0.5)
    >>> result = po.search(po.Breakthrough(5), po.PUCT(even), playouts=100, seed=1)
    >>> int(result.moves["visits"].sum())
    100
    """

    key: ClassVar[str] = "puct"

    pb_c_init: float = field(default=1.25, kw_only=True)
    pb_c_base: float = field(default=19652.0, kw_only=True)
    dirichlet_fraction: float = field(default=0.25, kw_only=True)
    dirichlet_alpha: float = field(default=0.3, kw_only=True)
    temperature: float = field(default=1.0, kw_only=True)
    fpu: float = field(default=0.0, kw_only=True)
    lanes: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        Batched.__post_init__(self)
        self._check("pb_c_init", number)
        self._check("pb_c_base", number, 0.0, above=True)
        self._check("dirichlet_fraction", _share)
        self._check("dirichlet_alpha", number, 0.0, above=True)
        self._check("temperature", number)
        self._check("fpu", _share)
        self._check("lanes", whole_number, 1, MOST_LANES)

    @property
    def is_random(self) -> bool:
        """Whether there is noise, or the move is drawn."""
        return self.dirichlet_fraction > 0.0 or self.temperature > 0.0

    @property
    def flight(self) -> int:
        """The number of walks of a tree in a batch."""
        return self.lanes


@dataclass(frozen=True, slots=True, repr=False)
class Gumbel(Batched):
    """Gumbel search: a better policy than the network's, with any number of simulations.

    At the root it considers the `num_considered` moves with the highest logits plus noise, and
    halves their number in rounds (sequential halving). Below, visits follow the improved policy
    `softmax(logits + s(q))`, which `weight` and `Searches.weights` give for the root: what the
    network should learn. It is the policy improvement of Danihelka et al. (2022), as in mctx, one
    simulation of a tree at a time. It needs `playouts=`, because its rounds are planned.

    - `gumbel_scale`: the noise at the root; 0 for the strongest play;
    - `value_scale`, `maxvisit_init`: how much values count against logits:
      `s(q) = (maxvisit_init + most visits) * value_scale * q`, with q scaled to 0..1.

    >>> import numpy as np
    >>> import playout as po
    >>> def even(planes, mask):
    ...     return np.zeros(mask.shape), np.full(len(mask), 0.5)
    >>> result = po.search(po.Breakthrough(5), po.Gumbel(even), playouts=100, seed=1)
    >>> round(float(result.moves["weight"].sum()), 6)
    1.0
    """

    key: ClassVar[str] = "gumbel"
    columns: ClassVar[tuple[str, ...]] = ("visits", "mean", "prior", "score", "weight")

    num_considered: int = field(default=16, kw_only=True)
    gumbel_scale: float = field(default=1.0, kw_only=True)
    value_scale: float = field(default=0.1, kw_only=True)
    maxvisit_init: float = field(default=50.0, kw_only=True)

    def __post_init__(self) -> None:
        Batched.__post_init__(self)
        self._check("num_considered", whole_number, 1, 2**16)
        for name in ("gumbel_scale", "value_scale", "maxvisit_init"):
            self._check(name, number)

    @property
    def is_random(self) -> bool:
        """Whether there is noise."""
        return self.gumbel_scale > 0.0

    def begin(self, request: Request) -> KeptRun:
        """Refuse executors: sums of several searches with different noise mean nothing."""
        if request.executor is not None:
            raise BadMethod(
                "Gumbel plans its playouts for one search, so several cannot be added up: leave "
                "executor= out, or search a list of positions"
            )
        return Method.begin(self, request)


def _share(name: str, value: float) -> float:
    found = number(name, value)
    if found > 1.0:
        raise ValueError(f"{name} must be a number from 0 to 1, not {shown(value)}")
    return found
