"""The engine as an NBoard program, version 2: `playout nboard`.

A hint goes on until it is deep enough or another line arrives; a move that is asked for by `go` is
always answered. A fault is answered by `status error: ...`. Unknown lines are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter

from mcts_core.errors import BadPosition
from mcts_core.games.othello import Othello
from playout.arena.players import Searching
from playout.result import Result
from playout.serving.faults import in_one_line, obey
from playout.serving.lines import Lines, Output, command_in
from playout.serving.mind import Effort, Mind
from playout.serving.nboard_game import NBoardGame, game_from, nboard_move, points, search_lines
from playout.serving.reports import Reports
from playout.serving.scores import variations
from playout.serving.thinking import Thinking

DEPTH = 12  # before NBoard sets one
MOST_DEPTH = 60
MOST_HINTS = 64


class NBoard:
    """One conversation with a program."""

    def __init__(self, player: Searching, out: Output) -> None:
        self._mind = Mind(player)
        self._out = out
        self._game: NBoardGame | None = NBoardGame(Othello())  # None: what was sent is wrong
        self._depth = DEPTH
        self._hint: Thinking | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "nboard": self._introduce,
            "set": self._set,
            "move": self._move,
            "hint": self._give_hint,
            "go": self._go,
            "ping": lambda words: self._out.write(f"pong {words}".rstrip()),
            "learn": lambda words: self._out.write("learned"),
            "analyze": self._analyze,
        }

    def serve(self, lines: Lines) -> None:
        """Obey until `quit`, which ends a hint, or the end of input, which waits for its depth."""
        try:
            for line in lines:
                name, words = command_in(line)
                if name == "quit":
                    return
                if name in self._commands:
                    self._end_hint()
                    obey(self._commands[name], words, self._complain)
            if self._hint is not None:
                self._hint.wait()
        finally:
            self._end_hint()

    def _introduce(self, words: str) -> None:
        self._out.write("set myname playout\nstatus")

    def _set(self, words: str) -> None:
        name, _, value = words.partition(" ")
        if name == "depth":
            self._depth = min(max(1, _whole(value, "set depth")), MOST_DEPTH)
        elif name == "game":
            self._game = None  # no move in another position than the one that was meant
            self._game = game_from(value)

    def _move(self, words: str) -> None:
        game, self._game = self._known_game(), None
        game.play(words)
        self._game = game

    def _known_game(self) -> NBoardGame:
        if self._game is None:
            raise BadPosition("there is no game, because the last one was wrong: set game")
        return self._game

    def _give_hint(self, words: str) -> None:
        position = self._known_game().position.copy()
        if position.is_over:
            raise BadPosition("the game is over")
        lines = min(max(1, _whole(words or "1", "hint")), MOST_HINTS)
        self._out.write("status thinking")
        self._hint = Thinking(
            partial(self._mind.begin, position, Effort(depth=self._depth, lines=lines)),
            Reports(self._out, partial(search_lines, most=lines)).report,
            self._finish_hint,
        )

    def _finish_hint(self, result: Result | None, fault: Exception | None) -> None:
        if fault is not None:
            self._complain(fault)
        if result is not None:
            self._out.write(stats(result))
        self._out.write("status")

    def _end_hint(self) -> None:
        if self._hint is not None:
            self._hint.stop()
            self._hint = None

    def _go(self, words: str) -> None:
        game = self._known_game()
        if game.position.is_over:
            raise BadPosition("the game is over")
        began = perf_counter()
        self._out.write("status thinking")
        try:
            effort = Effort(game.seconds(), depth=self._depth)
            result = self._mind.decide(game.position.copy(), effort)
            value = points(variations(result, 1)[0])
            spent = perf_counter() - began
            self._out.write(f"=== {nboard_move(result.move)}/{value}/{spent:.2f}\n{stats(result)}")
        finally:
            self._out.write("status")

    def _analyze(self, words: str) -> None:
        raise BadPosition("analyze is not supported: ask for hints, move by move")

    def _complain(self, fault: Exception) -> None:
        self._out.write(f"status error: {in_one_line(fault)}")


def stats(result: Result) -> str:
    """Nodes, or playouts, and seconds."""
    work = result.playouts if result.method.plays_out else result.nodes
    return f"nodestats {work} {result.seconds:.2f}"


def _whole(text: str, name: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadPosition(f"{name} needs a whole number, not {text[:20]!r}")
    return int(text)
