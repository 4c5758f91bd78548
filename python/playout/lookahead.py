"""What alpha-beta and best-first minimax share: they evaluate positions and play nothing out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import BadMethod, shown
from mcts_core.position import Position
from playout.arguments import memory_size, number, on_this_machine, whole_number
from playout.columns import as_table
from playout.method import Method
from playout.names import Ties
from playout.request import Request
from playout.result import Result
from playout.task import searchable

MOST_NODES = 2**62
MEMORY = 2**28  # bytes, the default limit of the table or the tree


@dataclass(frozen=True, slots=True, repr=False)
class Lookahead(Method):
    """The base class of AlphaBeta and BestFirst."""

    columns: ClassVar[tuple[str, ...]] = ("value", "exact", "nodes", "line")
    counted: ClassVar[str] = "nodes"
    plays_out: ClassVar[bool] = False

    ties: Ties = field(default="first", kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.ties, str) or self.ties != "first":
            raise BadMethod(
                f"{type(self).__name__} draws no lots: ties={shown(self.ties)} is for playouts"
            )

    @classmethod
    def suits(cls, position: Position) -> bool:
        """Not by default: a comparison shows what more playouts give, and here there are none."""
        return False

    def check_use(self, threads: int, solver: bool) -> None:
        """Refuse searches that need playouts."""
        raise BadMethod(
            f"{shown(self)} plays no games out: it is for playout.search and playout.analysis only"
        )


class Engine(Protocol):
    """A compiled search with an evaluation."""

    @property
    def position(self) -> Position:
        """The root."""

    @property
    def nodes(self) -> int:
        """Positions visited so far."""

    @property
    def bytes(self) -> int:
        """Memory of the table or the tree."""

    @property
    def depth(self) -> int:
        """Plies of the search so far; 0 before there is a result."""

    def root(self) -> tuple[dict[str, NDArray[Any]], list[list[int]]]:
        """The root's moves, best first, as columns, and their lines."""


class LookaheadRun:
    """The limits of a search, and its results."""

    engine: Engine

    def __init__(self, method: Lookahead, request: Request) -> None:
        _refuse_what_plays_out(method, request)
        position, seconds, nodes = request.position, request.seconds, request.nodes
        if not isinstance(position, Position) and not callable(getattr(method, "evaluation", None)):
            raise BadMethod(
                f"{method!r} needs an evaluation, and there is none for {type(position).__name__}: "
                "give evaluation= a function, use UCT or RAVE, or playout.solve for small boards"
            )
        self.method = method
        self.position = searchable(position)  # a copy, because another thread may change it
        self.seconds = None if seconds is None else number("seconds", seconds, 0.0, above=True)
        self.nodes = None if nodes is None else whole_number("nodes", nodes, 1, MOST_NODES)
        self.memory = MEMORY if request.memory is None else memory_size("memory", request.memory)
        on_this_machine(self.memory)
        self.is_stopped = False
        self.began = perf_counter()

    @property
    def is_limited(self) -> bool:
        """Whether the search has a limit in seconds or nodes."""
        return self.seconds is not None or self.nodes is not None

    @property
    def seconds_left(self) -> float | None:
        """The rest of the time."""
        return None if self.seconds is None else self.seconds - (perf_counter() - self.began)

    def kept(self) -> Result | None:
        """The result so far, after Ctrl-C."""
        return self.found("interrupted") if self.engine.depth else None

    def found(self, reason: str) -> Result:
        """The result so far."""
        seconds = perf_counter() - self.began
        columns, lines = self.engine.root()
        position = self.engine.position.copy()  # the user may push moves onto it
        pvs: Sequence[Any] = [position.line(line) for line in lines]
        table: dict[str, Any] = {
            "move": np.array([str(pv[0]) for pv in pvs]),
            **columns,
            "line": np.array([" ".join(pv) for pv in pvs]),
        }
        return Result(
            position=position,
            method=self.method,
            move=pvs[0][0],
            value=float(columns["value"][0]),
            pv=pvs[0],
            moves=as_table(table),
            playouts=0,
            seconds=seconds,
            seed=None,
            reason=reason,
            nodes=self.engine.nodes,
            bytes=self.engine.bytes,
            depth=self.engine.depth,
        )


def _refuse_what_plays_out(method: Lookahead, request: Request) -> None:
    for name in ("playouts", "until_sure", "executor", "every", "solver"):
        value = getattr(request, name)
        if value is not None and value is not False:
            raise BadMethod(
                f"{type(method).__name__} plays no games out, so {name}= has no meaning for it: "
                "limit it by seconds= or nodes=, or AlphaBeta by its depth"
            )
    for name, usual in (("policy", "random"), ("rewards", "result")):
        if getattr(request, name) != usual:
            raise BadMethod(
                f"{type(method).__name__} plays no games out, so {name}= has no meaning for it"
            )
