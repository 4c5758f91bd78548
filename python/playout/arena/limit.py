"""How much a player may think, as work or time: `10000`, `50000n`, `2s`, `60+0.5s`, `10000,2s`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from mcts_core.errors import BadMethod, shown
from playout.arguments import number, whole_number
from playout.task import MOST_PLAYOUTS

MOST_NODES = 2**62
LEVELS = "playouts (@10000), nodes (@50000n), seconds (@2s) or a clock (@60+0.5s)"

WHOLE = r"(?:[0-9]_?){0,19}[0-9]"
REAL = r"(?:[0-9]{1,20}(?:\.[0-9]{0,20})?(?:e[+-]?[0-9]{1,3})?|\.[0-9]{1,20})"
PLAYOUTS = re.compile(WHOLE)
NODES = re.compile(rf"({WHOLE})\s*+n")
SECONDS = re.compile(rf"({REAL})\s*+s")
CLOCK = re.compile(rf"({REAL})\s*+\+\s*+({REAL})\s*+s")

# How a clock is shared out: the moves that are still to come, and what is kept for accidents.
MOVES_TO_GO = 20
LARGEST_SHARE = 0.5  # of the time left
RESERVE = 0.02  # seconds
LEAST = 1e-4  # seconds: what a search needs to find any move


@dataclass(frozen=True, slots=True)
class Limit:
    """What ends a player's thinking about a move: the first of those that are given."""

    playouts: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    clock: float | None = None  # seconds for all moves of a game
    increment: float = 0.0  # seconds that each move adds to the clock

    def __post_init__(self) -> None:
        if self.playouts is not None:
            self._set("playouts", whole_number("playouts", self.playouts, 1, MOST_PLAYOUTS))
        if self.nodes is not None:
            self._set("nodes", whole_number("nodes", self.nodes, 1, MOST_NODES))
        for name in ("seconds", "clock"):
            if getattr(self, name) is not None:
                self._set(name, number(name, getattr(self, name), 0.0, above=True))
        self._set("increment", number("increment", self.increment))
        if self.increment and self.clock is None:
            raise ValueError("increment= is added to a clock: give clock= too")

    def _set(self, name: str, value: float) -> None:
        object.__setattr__(self, name, value)

    @property
    def is_given(self) -> bool:
        """Whether there is any limit."""
        return self != NO_LIMIT

    @property
    def counts_work(self) -> bool:
        """Whether it means the same on every machine."""
        return self.is_given and self.seconds is None and self.clock is None

    def scaled(self, factor: float) -> Limit:
        """The limit on a machine that needs `factor` times as long."""
        return replace(
            self,
            seconds=None if self.seconds is None else self.seconds * factor,
            clock=None if self.clock is None else self.clock * factor,
            increment=self.increment * factor,
        )

    def budget(self, left: float | None, moves: int = MOVES_TO_GO) -> float | None:
        """Seconds for a move, where `left` seconds are on the player's clock; None: no limit.

        The clock is to last for that many moves.

        >>> Limit(seconds=2).budget(None), Limit(clock=60, increment=1).budget(60.0)
        (2.0, 3.95)
        """
        if left is None:
            return self.seconds
        share = min(left / moves + 0.95 * self.increment, LARGEST_SHARE * left)
        share = max(min(share, left - RESERVE), left / moves / 2, LEAST)
        return share if self.seconds is None else min(share, self.seconds)

    def __str__(self) -> str:
        """As `limit_from` reads it.

        >>> print(Limit(playouts=1000), Limit(seconds=0.1), Limit(nodes=9, clock=60, increment=0.5))
        1000 0.1s 9n,60+0.5s
        """
        parts = []
        if self.playouts is not None:
            parts.append(str(self.playouts))
        if self.nodes is not None:
            parts.append(f"{self.nodes}n")
        if self.seconds is not None:
            parts.append(f"{plain(self.seconds)}s")
        if self.clock is not None:
            parts.append(f"{plain(self.clock)}+{plain(self.increment)}s")
        return ",".join(parts)

    @property
    def words(self) -> str:
        """As a person would say it.

        >>> Limit(playouts=10_000).words, Limit(clock=60, increment=0.5).words
        ('10,000 playouts a move', '60 s a game and 0.5 s a move')
        """
        parts = []
        if self.clock is not None:
            more = f" and {self.increment:g} s a move" if self.increment else ""
            parts.append(f"{self.clock:g} s a game{more}")
        if self.seconds is not None:
            parts.append(f"{self.seconds:g} s a move")
        if self.nodes is not None:
            parts.append(f"{self.nodes:,} nodes a move")
        if self.playouts is not None:
            parts.append(f"{self.playouts:,} playouts a move")
        return ", ".join(parts)


NO_LIMIT = Limit()


def plain(seconds: float) -> str:
    """Exactly this number, in a form that `limit_from` reads."""
    return repr(seconds).removesuffix(".0")


def limit_from(level: str, where: str) -> Limit:
    """The limit that a text names; `where` it stands, for the message.

    >>> limit_from("2s", "").seconds
    2.0
    >>> limit_from("1000,2s", "")
    Limit(playouts=1000, nodes=None, seconds=2.0, clock=None, increment=0.0)
    >>> limit_from("fast", "'uct@fast': ")
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: 'uct@fast': after @ comes a level, playouts (@10000), nodes \
(@50000n), seconds (@2s) or a clock (@60+0.5s), not 'fast'
    """
    settings: dict[str, Any] = {}
    for text in level.split(","):
        part = _part(text)
        if not part or part.keys() & settings.keys():
            raise BadMethod(f"{where}after @ comes a level, {LEVELS}, not {shown(level)}")
        settings |= part
    return Limit(**settings)


def _part(text: str) -> dict[str, Any]:
    """One of the limits that a comma separates; empty if it is none."""
    if PLAYOUTS.fullmatch(text):
        return {"playouts": int(text)}
    if found := NODES.fullmatch(text):
        return {"nodes": int(found[1])}
    if found := SECONDS.fullmatch(text):
        return {"seconds": float(found[1])}
    if found := CLOCK.fullmatch(text):
        return {"clock": float(found[1]), "increment": float(found[2])}
    return {}
