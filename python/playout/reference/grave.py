"""GRAVE: generalized RAVE, which uses the AMAF tallies of an ancestor.

RAVE's AMAF tallies are weakest where they matter most, in positions with few visits. GRAVE
(Cazenave, 2015) takes them from higher up: from the nearest position on the walk from the root with
more than `ref` visits. Its tallies belong to a somewhat different position, but contain many more
results. An entry must therefore count the moves of both players, also those that are not legal in
its position.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .base import Task
from .rave import RAVE, RAVESearch
from .record import Entry


@dataclass(frozen=True)
class GRAVE:
    """RAVE with the "mse" schedule and AMAF tallies from an entry with more than `ref` visits."""

    ref: int = 50
    bias: float = 1e-5
    c: float = 0.0
    ties: str = "random"
    lanes: int = 1


class GRAVESearch(RAVESearch):
    """A tree in which entries with few visits use the AMAF tallies of an ancestor."""

    def __init__(self, task: Task, method: GRAVE) -> None:
        settings = RAVE(bias=method.bias, c=method.c, ties=method.ties, lanes=method.lanes)
        super().__init__(task, settings)
        self.ref = method.ref

    def amaf_source(self, walk: Sequence[Entry]) -> Entry:
        """The nearest entry, this one included, with more than `ref` visits; else the root."""
        return next((entry for entry in reversed(walk) if entry.total > self.ref), walk[0])
