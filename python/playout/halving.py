"""Sequential halving: a schedule for the playouts at the root of any tree method."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from mcts_core.errors import BadMethod, shown
from mcts_core.position import Position
from mcts_core.search.driver import Driver
from mcts_core.search.tree import TreeSearch
from playout.arguments import number
from playout.method import Method
from playout.methods import SCHEDULED, UCT, TreeMethod, method_of
from playout.policies import AnyPolicy


@dataclass(frozen=True, slots=True, repr=False)
class Halving(Method):
    """Sequential halving at the root, and another tree method below it.

    The playouts are shared out in rounds. In each round all moves still in get equally many, and
    the better half stays. So no playouts go to separating moves that are clearly worse, and few to
    confirming a favourite. It needs `playouts=`, because the rounds are planned from the start;
    `seconds=` may end it before its last round, and a snapshot shows it between rounds. It runs on
    one thread. With a solver, moves that are struck out get no more playouts.

    `method` is UCT, RAVE or GRAVE, or another tree method. Moves are compared by their means. With
    `amaf` above 0 the comparison adds `amaf * A / n`, the AMAF mean of the root over the playouts
    of the move. `Halving(GRAVE(), amaf=128)` is SHUSS (Fabiano and Cazenave, 2021).

    >>> import playout as po
    >>> result = po.search(po.Breakthrough(5), po.Halving(po.GRAVE()), playouts=1000, seed=1)
    >>> sorted(result.moves["visits"].tolist())
    [19, 19, 19, 19, 19, 19, 54, 54, 54, 117, 117, 244, 246]
    """

    key: ClassVar[str] = "halving"
    engine: ClassVar[type[Driver]] = TreeSearch
    grows_tree: ClassVar[bool] = True

    method: Method = field(default_factory=UCT)
    amaf: float = 0.0

    def __post_init__(self) -> None:
        Method.__post_init__(self)
        object.__setattr__(self, "method", method_of(self.method))
        if not isinstance(self.method, TreeMethod):
            raise BadMethod(
                f"Halving shares out the playouts of a tree, and {shown(self.method)} grows none: "
                "use UCT, RAVE or GRAVE"
            )
        self._check("amaf", number)
        if self.amaf and "amaf_mean" not in self.method.shown:
            raise BadMethod(
                f"Halving: amaf weighs AMAF means, and {self.method!r} has none: use RAVE or GRAVE"
            )

    def options(self) -> dict[str, Any]:
        """The settings as the engine takes them: those of the method, and the schedule."""
        return {**self.method.options(), "ties": self.ties, "halving": self.amaf}

    def parts(self, position: Position) -> dict[str, Any]:
        """The compiled parts of the method below the root."""
        return self.method.parts(position)

    def check_policy(self, policy: AnyPolicy) -> None:
        """Take the policies that the method takes."""
        self.method.check_policy(policy)

    @property
    def shown(self) -> tuple[str, ...]:
        """The columns of a result of this method."""
        return self.method.shown

    @property
    def is_random(self) -> bool:
        """Whether the method below the root is."""
        return self.method.is_random

    @property
    def flight(self) -> int:
        """The number of simulations in a flight."""
        return self.method.flight

    def check_use(self, threads: int, solver: bool) -> None:
        """Refuse several threads."""
        self.method.check_use(threads, solver)
        if threads > 1:
            raise BadMethod(
                "Halving chooses each playout's move by all those before it, so it runs on one "
                f"thread: use executor= for several searches at once, or {self.method!r} alone"
            )


SCHEDULED["halving"] = Halving  # so that it can be named like the other methods
