"""NBoard version 2, the protocol of Othello programs such as Edax, Ntest and Logistello's heirs.

The whole game is sent before each move, as GGF, so that the program can begin anywhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcts_core.errors import BadMethod
from mcts_core.games.othello import Othello
from mcts_core.position import Position
from playout.arena.players import Choice
from playout.engines.client import Client, refuse_limits
from playout.formats import write_ggf
from playout.games import PASS

if TYPE_CHECKING:
    from playout.engines.engine import Engine

DISCS = 10  # of advantage for which a player with 10 times the wins is ahead
MOVE = re.compile(r"===\s*([^\s/]+)(?:[\s/]+([+-]?[0-9]{1,6}(?:\.[0-9]{0,9})?))?")


class NBoard(Client):
    """A program that speaks NBoard."""

    _pings = 0

    @classmethod
    def check(cls, engine: Engine, position: Position) -> None:
        """It plays Othello, to a depth."""
        if not isinstance(position, Othello):
            raise BadMethod(f"NBoard is for Othello: {engine.name} cannot play another game")
        refuse_limits(engine, ("nodes", "clock"), "give depth=, and seconds= as the most it takes")
        if engine.depth is None:
            raise BadMethod(f"{engine.name} has no depth: NBoard asks for one, such as depth=6")

    def shake(self) -> None:
        """The version, and the options."""
        self.child.send("nboard 2")
        for name, value in self.engine.settings:
            self.child.send(f"set {name} {value}")
        self._wait()

    def begin(self, start: Position) -> None:
        """The depth, which may be another than in the last game."""
        self.child.send(f"set depth {self.engine.depth}")
        self._wait()

    def ask(self, position: Position, left: float | None) -> Choice:
        """The game, `go`, and all up to `===`."""
        assert isinstance(position, Othello)
        self.child.skip()
        self.child.send(f"set game {write_ggf(position, {'PC': 'playout'})}")
        self.child.send("go")
        lines = self.child.until(lambda line: line.startswith("==="), self.allowed(left))
        found = MOVE.match(lines[-1])
        if found is None:
            raise self.child.fault("moves without a move")
        move = found[1].lower()
        return Choice(PASS if move in ("pa", "ps") else move, _expected(found[2]))

    def _wait(self) -> None:
        """Until it has read all so far."""
        self._pings += 1
        self.child.send(f"ping {self._pings}")
        self.child.until(
            lambda line: line.split() == ["pong", str(self._pings)], self.engine.patience
        )


def _expected(discs: str | None) -> float | None:
    """The mover's result, from the discs by which it sees itself ahead.

    >>> _expected("+0.00"), _expected("")
    (0.5, None)
    """
    return float(1 / (1 + 10 ** (-max(min(float(discs), 64), -64) / DISCS))) if discs else None
