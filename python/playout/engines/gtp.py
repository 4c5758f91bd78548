"""GTP version 2, the protocol of Go programs, which some of Othello speak too.

A command a line; a reply begins with `=`, or with `?` for an error, and ends with an empty line.
There is no word for a position: the game is played over from the start where it has to be.
"""

from __future__ import annotations

import math
from time import monotonic
from typing import TYPE_CHECKING

from mcts_core.errors import BadMethod, shown
from mcts_core.position import Position
from playout.arena.players import Choice
from playout.engines.client import Client, refuse_limits
from playout.games import PASS, game_of, root_of, size_of, usual_start

if TYPE_CHECKING:
    from playout.engines.engine import Engine


class Gtp(Client):
    """A program that speaks GTP."""

    _moves: list[str]  # that it has been given, or made itself

    @classmethod
    def check(cls, engine: Engine, position: Position) -> None:
        """The game is from the usual start, on a square board."""
        refuse_limits(
            engine, ("nodes", "depth"), "give the program's own arguments, or seconds= or clock="
        )
        rows, columns = size_of(position)
        if rows != columns or root_of(position) != usual_start(position):
            raise BadMethod(
                f"GTP tells a game by its moves on a square board: {engine.name} cannot begin at "
                f"{position.fen}"
            )

    def shake(self) -> None:
        """What it knows; its options are commands."""
        self._known = set(self._told("list_commands", self.engine.patience).split())
        for name, value in self.engine.settings:
            self._demand(f"{name} {value}".rstrip())

    def begin(self, start: Position) -> None:
        """The game, the board and the time."""
        game = game_of(start)
        assert game is not None
        if "set_game" in self._known:
            self._demand(f"set_game {game.title}")
        self._colours = "".join(side[0] for side in game.sides)
        self._demand(f"boardsize {size_of(start)[0]}")
        self._clear()
        limit = self.engine.limit
        if "time_settings" in self._known and (limit.seconds or limit.clock):
            whole, each, stones = limit.clock or 0, limit.seconds or 0, int(limit.clock is None)
            self._command(f"time_settings {math.ceil(whole)} {math.ceil(each)} {stones}")

    def ask(self, position: Position, left: float | None) -> Choice:
        """`play` what is new to it, and `genmove`."""
        self._follow([str(move) for move in position.history])
        colour = self._colours[position.turn]
        if left is not None and "time_left" in self._known:
            self._command(f"time_left {colour} {math.ceil(left)} 0")
        move = self._told(f"genmove {colour}", self.allowed(left)).strip().lower()
        self._moves.append(move)
        return Choice(move)

    def allowed(self, left: float | None) -> float:
        """GTP counts whole seconds."""
        seconds = self.engine.seconds
        extra = 0.0 if seconds is None or left is not None else math.ceil(seconds) - seconds
        return super().allowed(left) + extra

    def _follow(self, moves: list[str]) -> None:
        """Have it at the position after these moves."""
        known = len(self._moves)
        if self._moves != moves[:known]:
            self._clear()
            known = 0
        for ply, move in enumerate(moves[known:], start=known):
            line = f"play {self._colours[ply % 2]} {move.upper()}"
            is_taken, reply = self._command(line)
            if not is_taken and move != PASS:  # some find passes by themselves, and take none
                raise self.child.fault(f"refuses a legal move, {line!r}, with {shown(reply)}")
        self._moves = moves

    def _clear(self) -> None:
        self._demand("clear_board")
        self._moves = []

    def _demand(self, command: str) -> None:
        """A command that has to be taken for a game to be played."""
        is_taken, reply = self._command(command)
        if not is_taken:
            raise BadMethod(f"{self.engine.name} answers {shown(reply)} to {command!r}")

    def _told(self, command: str, seconds: float) -> str:
        """The reply to a command."""
        is_taken, reply = self._command(command, seconds)
        if not is_taken:
            raise self.child.fault(f"answers {shown(reply)} to {command!r}")
        return reply

    def _command(self, command: str, seconds: float | None = None) -> tuple[bool, str]:
        """Whether it takes a command, and its reply; lines outside of replies are skipped."""
        self.child.skip()
        self.child.send(command)
        deadline = monotonic() + (self.engine.patience if seconds is None else seconds)
        line = self.child.line(deadline)
        while not line.startswith(("=", "?")):
            line = self.child.line(deadline)
        is_taken, reply = line[0] == "=", [line[1:].strip()]
        while line.strip():
            line = self.child.line(deadline)
            reply.append(line)
        return is_taken, "\n".join(reply[:-1])
