"""What every search method has in common: settings, and what the Python layer must know of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import BadMethod, shown
from mcts_core.position import Position
from mcts_core.search.driver import Driver
from playout.arguments import one_of
from playout.names import Ties
from playout.policies import AnyPolicy
from playout.request import KeptRun, Request
from playout.running import PlayoutRun
from playout.task import is_learner

if TYPE_CHECKING:
    from playout.many import Searches

TIES = get_args(Ties)


@dataclass(frozen=True, slots=True, repr=False)
class Method:
    """The base class of all methods.

    `ties` says which of several equally good moves is played in the end: "random", a move drawn
    from the search's own stream, or "first", the first in `legal_moves` order.
    """

    # What the Python layer needs to know about a method. Each class sets its own.
    key: ClassVar[str]  # its name in commands and for the engine
    engine: ClassVar[type[Driver]]  # the compiled search
    columns: ClassVar[tuple[str, ...]]  # of the result table, after the move
    values: ClassVar[tuple[str, ...]] = ("proven", "mean", "amaf_mean")  # value: the first known
    counted: ClassVar[str] = "visits"  # the column with the number of playouts of the value
    needs_codes: ClassVar[bool] = False  # needs AMAF codes
    grows_tree: ClassVar[bool] = False
    plays_out: ClassVar[bool] = True  # minimax searches do not
    has_regret: ClassVar[bool] = False

    ties: Ties = field(default="random", kw_only=True)

    def __post_init__(self) -> None:
        self._check("ties", one_of, TIES)

    def _check(self, name: str, check: Callable[..., Any], *bounds: Any, **more: Any) -> None:
        """Replace a field by its checked value. Raises BadMethod if it is wrong."""
        try:
            value = check(name, getattr(self, name), *bounds, **more)
        except ValueError as fault:
            raise BadMethod(f"{type(self).__name__}: {fault}") from None
        object.__setattr__(self, name, value)

    def options(self) -> dict[str, Any]:
        """The settings as the engine takes them.

        >>> from playout import UCT
        >>> UCT().options()
        {'method': 'uct', 'ties': 'random', 'lanes': 1, 'c': 0.4, 'fpu': None}
        """
        return {"method": self.key, **{name: getattr(self, name) for name in self._settings()}}

    @classmethod
    @cache
    def _settings(cls) -> tuple[str, ...]:
        """The names of the settings."""
        return tuple(setting.name for setting in fields(cls))

    def parts(self, position: Position) -> dict[str, Any]:
        """More options for the engine: compiled parts, which depend on the position."""
        return {}

    @property
    def shown(self) -> tuple[str, ...]:
        """The columns of a result of this method."""
        return self.columns

    @property
    def is_random(self) -> bool:
        """Whether searches with different seeds differ."""
        return True

    @property
    def flight(self) -> int:
        """The number of simulations in a flight."""
        return 1

    @classmethod
    def suits(cls, position: Position) -> bool:
        """Whether `playout.compare` includes this method by default for the position."""
        return position.n_codes > 0 or not cls.needs_codes

    def check_use(self, threads: int, solver: bool) -> None:
        """Raise if the method cannot use these arguments of `playout.search`."""
        check_solver(solver)
        if solver:
            raise BadMethod(
                f"solver=True needs a tree, and {self!r} grows none: use UCT, RAVE or GRAVE"
            )

    def check_policy(self, policy: AnyPolicy) -> None:
        """Raise if the method cannot use this policy of playouts."""
        if is_learner(policy):
            raise BadMethod(
                f"policy={policy!r} learns while a tree grows, and {self!r} grows none: "
                "use UCT, RAVE or GRAVE"
            )

    def begin(self, request: Request) -> KeptRun:
        """The search for a request."""
        return PlayoutRun(self, request)

    def search_many(self, request: Request) -> Searches:
        """Search several positions at once."""
        raise BadMethod(
            f"{self!r} searches one position at a time, not a list: call search for each, or use "
            "PUCT or Gumbel"
        )

    def worth(self, row: dict[str, Any]) -> float:
        """The value of a move, from its row of the result table; 0.5 if nothing is known."""
        known = (row[name] for name in self.values if not math.isnan(row.get(name, math.nan)))
        return float(next(known, 0.5))

    def worth_of_best(self, table: NDArray[np.void]) -> float:
        """The value of the first move of a result table."""
        names = [name for name in self.values if name in (table.dtype.names or ())]
        return self.worth({name: table[name].item(0) for name in names})

    def __reduce__(self) -> Any:
        """Unpickling calls the class again, so that the settings are checked."""
        return _made, (type(self), {own.name: getattr(self, own.name) for own in fields(self)})

    def __repr__(self) -> str:
        """The expression that makes it: settings with a default value are left out.

        >>> from playout import GRAVE, RAVE
        >>> RAVE(), GRAVE(ref=25, ties="first")
        (RAVE(), GRAVE(ref=25, ties='first'))
        """
        own = sorted(fields(self), key=lambda setting: setting.kw_only is True)
        values = [(setting, getattr(self, setting.name)) for setting in own]
        changed = [f"{s.name}={value!r}" for s, value in values if value != s.default]
        return f"{type(self).__name__}({', '.join(changed)})"


def _made(kind: type[Method], settings: dict[str, Any]) -> Method:
    return kind(**settings)


def check_solver(solver: bool) -> None:
    """Raise if `solver` is not a bool."""
    if not isinstance(solver, bool):
        raise ValueError(f"solver must be True or False, not {shown(solver)}")
