"""Players: you, or a method with a level. Written as `you`, `rave@10000`, `'UCT(c=0.7)@2s'`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcts_core.errors import BadMethod, shown
from mcts_core.position import Position
from playout.arguments import number, whole_number
from playout.cli.methods import method_from
from playout.methods import UCT, Method
from playout.result import Result
from playout.searching import analysis, search
from playout.task import MOST_PLAYOUTS

YOU = ("you", "human", "me")
PLAYOUTS = re.compile(r"(?:[0-9]_?){0,19}[0-9]")
SECONDS = re.compile(r"([0-9]{1,20}(?:\.[0-9]{0,20})?(?:e[+-]?[0-9]{1,3})?|\.[0-9]{1,20})\s*+s")


@dataclass(frozen=True)
class Player:
    """How a side finds its moves. Without a method, the user types them."""

    method: Method | None = None
    playouts: int | None = None
    seconds: float | None = None

    @property
    def is_you(self) -> bool:
        """Whether the user types the moves."""
        return self.method is None

    def choose(self, position: Position, seed: np.random.SeedSequence, policy: str) -> Result:
        """The search of a position, with the move to play."""
        assert self.method is not None
        return search(position, self.method, **self._settings(policy), seed=seed)

    def check(self, position: Position, policy: str) -> None:
        """Raise BadMethod if this player cannot play the game."""
        if self.method is not None and not position.is_over:
            analysis(position, self.method, **self._settings(policy))  # only checks

    def _settings(self, policy: str) -> dict[str, Any]:
        assert self.method is not None
        if not self.method.plays_out:
            return {"seconds": self.seconds}
        return {"playouts": self.playouts, "seconds": self.seconds, "policy": policy}

    def __str__(self) -> str:
        if self.method is None:
            return "you"
        level = "" if self.playouts is None else f"@{self.playouts}"
        return f"{self.method!r}{level if self.seconds is None else f'@{_plain(self.seconds)}s'}"

    @property
    def words(self) -> str:
        """A description for people."""
        if self.method is None:
            return "you"
        if self.seconds is not None:
            return f"{self.method!r}, {self.seconds:g} s a move"
        return f"{self.method!r}" + (
            f", {self.playouts:,} playouts a move" if self.playouts else ""
        )


def _plain(seconds: float) -> str:
    """Exactly this number, as short text that `player_from` reads."""
    return repr(seconds).removesuffix(".0")


def player_from(text: str, playouts: int | None = None, seconds: float | None = None) -> Player:
    """The player that a text names. `playouts` and `seconds` are the level if the text has none.

    >>> print(player_from("rave", playouts=1000), player_from("UCT(c=0.7)@2s"), player_from("you"))
    RAVE()@1000 UCT(c=0.7)@2s you
    >>> player_from("uct@fast")
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: 'uct@fast': after @ comes a level, playouts (@10000) or seconds \
(@2s), not 'fast'
    """
    name, at, level = text.strip().rpartition("@")
    if not at:
        name, level = level, ""
    if name.lower() in YOU:
        if level:
            raise BadMethod(f"{shown(text)}: {name} needs no level")
        return Player()
    method = method_from(name)
    if level:
        playouts = seconds = None
        if found := SECONDS.fullmatch(level):
            seconds = float(found[1])
        elif PLAYOUTS.fullmatch(level):
            playouts = int(level)
        else:
            raise BadMethod(
                f"{shown(text)}: after @ comes a level, playouts (@10000) or seconds (@2s), "
                f"not {shown(level)}"
            )
    if not method.plays_out and level and playouts is not None:
        raise BadMethod(
            f"{shown(text)}: alpha-beta counts no playouts: write AlphaBeta(depth=6), or "
            "@2s for seconds"
        )
    if playouts is not None:
        playouts = whole_number("playouts", playouts, 1, MOST_PLAYOUTS)
    if seconds is not None:
        seconds = number("seconds", seconds, 0.0, above=True)
    return Player(method, playouts if method.plays_out else None, seconds)


def adviser(opponent: Player, playouts: int) -> Player:
    """The player that answers `hint`: the opponent's method, or UCT if that is a person."""
    return Player(UCT(), playouts) if opponent.is_you else opponent
