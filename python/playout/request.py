"""The arguments of a search, and the interface of a search that is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from mcts_core.position import Position
from playout.arguments import AnySeed
from playout.names import Rewards
from playout.policies import AnyPolicy
from playout.task import PythonGame

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from playout.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The unchecked arguments of `playout.search` and `playout.analysis`."""

    position: Position | PythonGame
    playouts: int | None
    seconds: float | None
    until_sure: float | None
    nodes: int | None
    seed: AnySeed | None
    threads: int
    memory: int | str | None
    policy: AnyPolicy
    rewards: Rewards = "result"
    solver: bool
    # of `search` only
    more: Sequence[Position | PythonGame] = ()  # positions of a list after the first
    executor: Executor | None = None
    workers: int = 1
    # of `analysis` only
    interval: float | None = None
    every: int | None = None


class Run(Protocol):
    """A search with checked arguments. Call one of its methods, once."""

    def result(self) -> Result:
        """Search to the end."""

    def results(self) -> Iterator[Result]:
        """Search and yield snapshots. The last one is the result."""

    def stop(self) -> None:
        """End the search soon, from another thread. Before the first snapshot it has no effect."""


class KeptRun(Run, Protocol):
    """A search whose work is not lost when Ctrl-C ends it."""

    def kept(self) -> Result | None:
        """The result so far, after Ctrl-C has ended `result`; None if there is none yet."""
