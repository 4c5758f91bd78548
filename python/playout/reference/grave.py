"""GRAVE: generalized RAVE, which asks an ancestor.

RAVE's AMAF tallies are poor where they are needed most, at positions that were visited a few times.
GRAVE (Cazenave, 2015) takes them from further up: from the nearest position on the walk from the
root that has been visited more than `ref` times. Its tallies are about a somewhat different
position, but there are many more of them. For this an entry must count the moves of both players,
legal there or not, since it may be asked about any of them.
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
    """A tree in which young entries use the AMAF tallies of their elders."""

    def __init__(self, task: Task, method: GRAVE) -> None:
        settings = RAVE(bias=method.bias, c=method.c, ties=method.ties, lanes=method.lanes)
        super().__init__(task, settings)
        self.ref = method.ref

    def amaf_source(self, walk: Sequence[Entry]) -> Entry:
        """The nearest entry, this one included, with more than `ref` visits; else the root."""
        return next((entry for entry in reversed(walk) if entry.total > self.ref), walk[0])
