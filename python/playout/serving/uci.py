"""The engine as a UCI program: `playout uci`.

Commands are obeyed in order on the thread that reads them; a search runs on a thread of its own and
writes its answers itself. What is wrong with a command is told as `info string error: ...`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mcts_core.errors import BadPosition
from mcts_core.position import Position
from playout import __version__
from playout.games import PASS
from playout.notation import fen_of, last_passes, own_move, position_of
from playout.result import Result
from playout.serving.faults import in_one_line, obey
from playout.serving.lines import Lines, Output, command_in
from playout.serving.mind import Mind
from playout.serving.reports import Reports
from playout.serving.thinking import Thinking
from playout.serving.uci_go import Go, go_from
from playout.serving.uci_info import NO_MOVE, best_move, info_lines
from playout.serving.uci_options import OPTIONS, VARIANTS, Settings, changed


class UCI:
    """One conversation with a program."""

    def __init__(self, settings: Settings, out: Output) -> None:
        self._settings = settings
        self._out = out
        self._mind = Mind(settings.player)
        self._position: Position | None = VARIANTS[settings.variant]()  # None: a wrong one
        self._passed = 0  # passes after the end of the game, of which UCI has two
        self._thinking: Thinking | None = None
        self._go = Go()
        self._is_endless = False
        self._commands: dict[str, Callable[[str], None]] = {
            "uci": self._introduce,
            "isready": lambda words: self._out.write("readyok"),
            "setoption": self._set_option,
            "ucinewgame": self._new_game,
            "position": self._set_position,
            "go": self._think,
            "stop": lambda words: self._end(),
            "ponderhit": self._ponder_hit,
            "d": self._show,
        }

    def serve(self, lines: Lines) -> None:
        """Obey until `quit`, which ends a search, or the end of input, which waits for its limit.

        Commands that UCI does not have are ignored.
        """
        try:
            for line in lines:
                name, words = command_in(line)
                if name == "quit":
                    return
                if name in self._commands:
                    obey(self._commands[name], words, self._complain)
            if self._thinking is not None and not self._is_endless:
                self._thinking.wait()
        finally:
            self._end()

    def _introduce(self, words: str) -> None:
        options = "\n".join(option.declared(self._settings) for option in OPTIONS)
        self._out.write(
            f"id name playout {__version__}\nid author the playout developers\n\n{options}\nuciok"
        )

    def _set_option(self, words: str) -> None:
        before = self._settings
        self._settings = changed(before, words)
        if self._settings.variant != before.variant:
            self._begin_game()

    def _begin_game(self) -> None:
        self._position, self._passed = VARIANTS[self._settings.variant](), 0

    def _new_game(self, words: str) -> None:
        self._end()
        self._mind.forget()
        self._begin_game()

    def _set_position(self, words: str) -> None:
        self._position = None  # no move in another position than the one that was meant
        self._position, self._passed = played(self._settings.variant, words)

    def _show(self, words: str) -> None:
        position = self._known_position()
        self._out.write(f"{position}\nFen: {fen_of(position)}\nKey: {position.key:016X}")

    def _known_position(self) -> Position:
        if self._position is None:
            raise BadPosition("there is no position, because the last one was wrong")
        return self._position

    def _think(self, words: str) -> None:
        self._end()
        try:
            self._go = go_from(words.split())
            position = self._known_position().copy()
            self._mind.player = self._settings.player
        except ValueError:
            self._out.write(NO_MOVE)
            raise
        if position.is_over:
            self._pass_at_end(position)
            return
        lines = self._settings.lines
        effort = self._go.effort(position.turn, lines)
        self._is_endless = effort.is_endless
        self._thinking = Thinking(
            partial(self._mind.begin, position, effort),
            Reports(self._out, partial(info_lines, lines=lines)).report,
            self._answer,
            is_held=self._go.is_held,
        )

    def _pass_at_end(self, position: Position) -> None:
        self._out.write("info string the game is over")
        passes = last_passes(position)[self._passed :]
        self._out.write(f"bestmove {passes[0]}" if passes else NO_MOVE)

    def _answer(self, result: Result | None, fault: Exception | None) -> None:
        if fault is not None:
            self._complain(fault)
        self._out.write(NO_MOVE if result is None else best_move(result))

    def _ponder_hit(self, words: str) -> None:
        if self._thinking is not None:
            turn = self._known_position().turn
            self._thinking.release(self._go.seconds(turn))

    def _end(self) -> None:
        if self._thinking is not None:
            self._thinking.stop()
            self._thinking = None

    def _complain(self, fault: Exception) -> None:
        self._out.write(f"info string error: {in_one_line(fault)}")


def played(variant: str, words: str) -> tuple[Position, int]:
    """The position that `position` names: `startpos` or `fen ...`, and perhaps `moves ...`.

    Passes after the end are counted.

    >>> position, passed = played("breakthrough5", "startpos moves a2a3 a4b3")
    >>> print(*position.history)
    a2a3 a4b3
    """
    start, _, moves = words.partition("moves")
    kind, _, fen = start.strip().partition(" ")
    if kind == "startpos" and not fen:
        position = VARIANTS[variant]()
    elif kind == "fen":
        position = position_of(VARIANTS[variant](), fen)
    else:
        raise BadPosition("write: position startpos moves ..., or position fen FEN moves ...")
    passed = 0
    for text in moves.split():
        move = own_move(position, text)
        if move == PASS and passed < len(last_passes(position)):
            passed += 1
        else:
            position.push(move)
    return position, passed
