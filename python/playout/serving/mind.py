"""A player that keeps its tree: the next position of a game is searched on from what is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from mcts_core.position import Position
from playout.arena.limit import Limit
from playout.arena.players import Searching
from playout.method import Method
from playout.request import Request, Run
from playout.result import Result
from playout.searching import Searcher
from playout.task import MOST_PLAYOUTS

INTERVAL = 0.05  # seconds between two results; with a larger one less is seen of a search
FOREVER = 1e7  # seconds, four months
COPIED = 2**27  # bytes of a tree that are copied in half of a second, on a busy machine
MOST_DEPTH = 31  # of playouts: 2**31


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to think about a move; a search ends at the first of these."""

    seconds: float = FOREVER
    work: int | None = None  # playouts, or nodes of alpha-beta
    depth: int | None = None  # plies of alpha-beta, or doublings of playouts: 10 are 1,024
    lines: int = 1  # that alpha-beta shows
    hurry: float | None = None  # seconds to which a search while the opponent thinks may be cut

    @property
    def soonest(self) -> float:
        """Seconds after which a move may have to be ready."""
        return self.seconds if self.hurry is None else self.hurry

    @property
    def is_endless(self) -> bool:
        """Whether there is no limit."""
        return self.seconds >= FOREVER and self.work is None and self.depth is None


class Mind:
    """Searches for one player, a position after the other."""

    def __init__(self, player: Searching) -> None:
        self._player = player
        self._searcher: Searcher | None = None

    @property
    def player(self) -> Searching:
        """Who searches. Another one begins without a tree."""
        return self._player

    @player.setter
    def player(self, player: Searching) -> None:
        if player != self._player:
            self.forget()
            self._player = player

    def forget(self) -> None:
        """Give the tree up, because another game begins."""
        if self._searcher is not None:
            self._searcher.close()
            self._searcher = None

    def begin(self, position: Position, effort: Effort) -> Run:
        """A search of this position, no longer than the player's own limit. One runs at a time."""
        began, limit = perf_counter(), limited(self._player, effort)
        if self._player.method.grows_tree:
            soonest = min(limit.seconds or FOREVER, effort.soonest)
            return _TreeRun(self._searcher_at(position, soonest), limit, began)
        method = deepened(self._player.method, effort)
        settings = UNUSED | replace(self._player, method=method, limit=limit).settings(None)
        return method.begin(Request(position=position, interval=INTERVAL, **settings))

    def decide(self, position: Position, effort: Effort) -> Result:
        """Search to the end: by default a second, and hardly at all if there is one move."""
        if len(position.legal_moves) == 1:
            effort = AT_ONCE
        elif effort.is_endless and not self._has_end:
            effort = DEFAULT
        return self.begin(position, effort).result()

    @property
    def _has_end(self) -> bool:
        """Whether the player's searches end by themselves."""
        return (
            self._player.limit.is_given or getattr(self._player.method, "depth", None) is not None
        )

    def _searcher_at(self, position: Position, soonest: float) -> Searcher:
        """The searcher with its tree, if this position comes after the one it knows.

        To move on copies the tree, so a large one is given up if there is little time.
        """
        known = self._searcher
        if known is not None and known.result.bytes <= COPIED * soonest:
            moves = moves_between(known.position, position)
            if moves is not None:
                for move in moves:
                    known.advance(move)
                return known
        self.forget()
        player = self._player
        self._searcher = Searcher(
            position,
            player.method,
            threads=player.threads,
            memory=player.memory,
            policy=player.policy,
            solver=player.solver,
        )
        return self._searcher


AT_ONCE = Effort(work=1)
DEFAULT = Effort(seconds=1.0)

# What a request has beyond the settings of a player, and what alpha-beta does not take
UNUSED: dict[str, Any] = {"playouts": None, "until_sure": None, "nodes": None, "seed": None}
UNUSED |= {"policy": "random", "solver": False}


def limited(player: Searching, effort: Effort) -> Limit:
    """The limits of a move: the player's own, and those of the effort."""
    own = player.limit
    seconds = min(effort.seconds, own.seconds or FOREVER, own.clock or FOREVER)
    if not player.method.plays_out:
        return Limit(nodes=_least(own.nodes, effort.work), seconds=seconds)
    doubled = None if effort.depth is None else 2 ** min(effort.depth, MOST_DEPTH)
    work = _least(own.playouts, effort.work, doubled)
    return Limit(playouts=None if work is None else min(work, MOST_PLAYOUTS), seconds=seconds)


def deepened(method: Method, effort: Effort) -> Method:
    """The method with the depth and the lines of an effort, if it looks ahead by depth."""
    if method.plays_out:
        return method
    settings: dict[str, Any] = {"multi_pv": effort.lines}
    if effort.depth is not None:
        settings["depth"] = _least(getattr(method, "depth", None), effort.depth)
    return replace(method, **{name: settings[name] for name in settings if hasattr(method, name)})


def _least(*limits: int | None) -> Any:
    return min((limit for limit in limits if limit is not None), default=None)


class _TreeRun:
    """A search on from the tree of a searcher, slice by slice. Its time began earlier: to move on
    in a large tree takes time too.
    """

    def __init__(self, searcher: Searcher, limit: Limit, began: float) -> None:
        self._searcher, self._began = searcher, began
        self._playouts = limit.playouts or MOST_PLAYOUTS
        self._seconds = limit.seconds or FOREVER
        self._is_stopped = False

    def stop(self) -> None:
        """End the search soon, from another thread."""
        self._is_stopped = True
        self._searcher.stop()

    def result(self) -> Result:
        """Search to the end."""
        return list(self.results())[-1]

    def results(self) -> Iterator[Result]:
        """Search on. `playouts` and `seconds` of the results are those of all slices so far."""
        played, is_over = 0, False
        while not is_over:
            elapsed = perf_counter() - self._began
            # `stop` may have come between two slices, when there was no search to end.
            left = 0.0 if self._is_stopped else self._seconds - elapsed
            pause = min(INTERVAL, max(left, 1e-6))
            found = self._searcher.search(playouts=self._playouts - played, seconds=pause)
            played, elapsed = played + found.playouts, perf_counter() - self._began
            is_over = self._is_stopped or found.reason in ENDINGS or elapsed >= self._seconds
            reason = found.reason if is_over else "running"
            yield replace(found, playouts=played, seconds=elapsed, reason=reason)


ENDINGS = ("playouts", "proven", "sure")


def moves_between(before: Position, after: Position) -> list[str] | None:
    """The moves from one position to a later one of the same game; None if it is not later.

    >>> from playout import Breakthrough
    >>> later = Breakthrough(5)
    >>> moves = later.push("a2a3"), later.push("b4b3")
    >>> print(*moves_between(Breakthrough(5), later))
    a2a3 b4b3
    """
    walk = after.copy()
    moves: list[str] = []
    while walk != before:
        if not walk.history:
            return None
        moves.append(walk.pop())
    return moves[::-1]
