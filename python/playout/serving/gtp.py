"""The engine as a GTP program, version 2: `playout gtp`.

Each command has one answer, and answers come in order: `quit` waits for those before it. An
analysis alone goes on until the next line arrives.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from time import perf_counter

from mcts_core.errors import BadPosition, shown
from playout import __version__
from playout.arena.players import Searching
from playout.games import GAMES, Game
from playout.result import Result
from playout.serving.faults import in_one_line
from playout.serving.gtp_game import GTPGame, TimeSettings, game_named, vertex
from playout.serving.lines import Lines, Output
from playout.serving.mind import Effort, Mind
from playout.serving.reports import EVERY, Reports
from playout.serving.scores import variations
from playout.serving.thinking import Thinking

COMMAND = re.compile(r"(?:([0-9]{1,18})(?=\s|$)\s*)?(\S*)\s*(.*)", re.DOTALL)
CONTROL = dict.fromkeys((*range(32), 127)) | {ord("\t"): " "}
SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
ANALYSIS = ("playout-analyze", "lz-analyze")
MOST_MOVES = 10  # that an analysis tells of
GOGUI = """string/Rules Game/gogui-rules_game_id
string/Rules Result/gogui-rules_final_result
string/Board/showboard"""

Command = Callable[[list[str]], str]


class GTP:
    """One conversation with a program."""

    def __init__(self, player: Searching, game: Game, size: int, out: Output) -> None:
        self._mind = Mind(player)
        self._game = GTPGame(game, size)
        self._out = out
        self._commands: dict[str, Command] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: "playout",
            "version": lambda words: __version__,
            "known_command": lambda words: str(_first(words) in self._known).lower(),
            "list_commands": lambda words: "\n".join(self._known),
            "quit": lambda words: "",
            "boardsize": self._board_size,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._generate,
            "reg_genmove": self._propose,
            "undo": self._undo,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": lambda words: self._game.score(),
            "showboard": lambda words: f"\n{self._game.position}",
            "set_game": self._set_game,
            "list_games": lambda words: "\n".join(game.title for game in GAMES.values()),
            "loadsgf": self._load_sgf,
            "gogui-analyze_commands": lambda words: GOGUI,
            "gogui-rules_game_id": lambda words: self._game.game.title,
            "gogui-rules_board": lambda words: self._game.board(),
            "gogui-rules_board_size": lambda words: str(self._game.size),
            "gogui-rules_legal_moves": self._legal_moves,
            "gogui-rules_side_to_move": lambda words: self._game.side_to_move(),
            "gogui-rules_final_result": lambda words: self._game.finished(),
        }
        self._known = (*self._commands, *ANALYSIS)

    def serve(self, lines: Lines) -> None:
        """Answer until `quit` or the end."""
        for line in lines:
            number, name, words = parsed(line)
            if name in ANALYSIS:
                self._analyze(number, words, lines)
            elif name:
                self._answer(number, name, words)
            if name == "quit":
                return

    def _answer(self, number: str, name: str, words: list[str]) -> None:
        try:
            if name not in self._commands:
                raise BadPosition("unknown command")
            answer = self._commands[name](words)
        except Exception as fault:  # also MemoryError
            self._refuse(number, fault)
        else:
            self._out.write(f"={number} {answer}".rstrip() + "\n")

    def _refuse(self, number: str, fault: Exception) -> None:
        self._out.write(f"?{number} {in_one_line(fault)}\n")

    # The game

    def _board_size(self, words: list[str]) -> str:
        text = _first(words)
        try:
            self._begin(self._game.game, int(text) if re.fullmatch("[0-9]{1,3}", text) else 0)
        except ValueError:
            raise BadPosition("unacceptable size") from None
        return ""

    def _clear_board(self, words: list[str]) -> str:
        self._begin(self._game.game, self._game.size)
        return ""

    def _set_game(self, words: list[str]) -> str:
        game = game_named(" ".join(words))
        self._begin(game, game.default[0])
        return ""

    def _begin(self, game: Game, size: int) -> None:
        self._game = GTPGame(game, size, self._game.time)
        self._mind.forget()

    def _play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise BadPosition("write: play COLOR MOVE")
        self._game.play(self._game.player(words[0]), words[1])
        return ""

    def _undo(self, words: list[str]) -> str:
        if not self._game.position.history:
            raise BadPosition("cannot undo")
        self._game.position.pop()
        return ""

    def _komi(self, words: list[str]) -> str:
        _number(words, "komi")  # these games have none, so any will do
        return ""

    def _load_sgf(self, words: list[str]) -> str:
        raise BadPosition("loadsgf is not supported: send the moves by play")

    def _legal_moves(self, words: list[str]) -> str:
        position = self._game.position
        return "" if position.is_over else " ".join(map(vertex, position.legal_moves))

    # The clock

    def _time_settings(self, words: list[str]) -> str:
        if len(words) != 3:
            raise BadPosition("write: time_settings MAIN OVERTIME STONES, in seconds")
        main, overtime, stones = (_number(words[i:], "time_settings") for i in range(3))
        self._game.set_time(TimeSettings(main, overtime, int(stones)))
        return ""

    def _time_left(self, words: list[str]) -> str:
        if len(words) != 3:
            raise BadPosition("write: time_left COLOR SECONDS STONES")
        seconds, stones = _number(words[1:], "time_left"), _number(words[2:], "time_left")
        self._game.set_left(self._game.player(words[0]), seconds, int(stones))
        return ""

    # Moves

    def _generate(self, words: list[str]) -> str:
        turn, began = self._game.player(_first(words)), perf_counter()
        move = self._move(turn)
        self._game.position.push(move)
        self._game.spend(turn, perf_counter() - began)
        return vertex(move)

    def _propose(self, words: list[str]) -> str:
        position = self._game.position.copy()
        try:
            return vertex(self._move(self._game.player(_first(words))))
        finally:
            self._game.position = position

    def _move(self, turn: int) -> str:
        self._game.come_to(turn)
        found = self._mind.decide(self._game.position, Effort(self._game.seconds(turn)))
        return str(found.move)

    def _analyze(self, number: str, words: list[str], lines: Lines) -> None:
        """Tell what is known, `lz-analyze [COLOR] [INTERVAL]`, until there is another line."""
        try:
            interval = EVERY
            for word in words:
                if SECONDS.fullmatch(word):
                    interval = float(word) / 100
                else:
                    self._game.come_to(self._game.player(word))
            if self._game.position.is_over:
                raise BadPosition("the game is over")
        except ValueError as fault:
            self._refuse(number, fault)
            return
        self._out.write(f"={number}")
        thinking = Thinking(
            partial(self._mind.begin, self._game.position.copy(), Effort()),
            Reports(self._out, lambda result: [analysis_line(result)], interval).report,
            lambda result, fault: self._out.write("" if fault is None else f"# {fault}\n"),
            is_held=True,
        )
        try:
            lines.wait()
        finally:
            thinking.stop()


def analysis_line(result: Result) -> str:
    """The best moves as Leela Zero's `lz-analyze` tells of them: win rates count to 10,000."""
    parts = []
    for order, found in enumerate(variations(result, MOST_MOVES)):
        value = f"score {found.centipawns}"
        if found.expected is not None:
            value = f"winrate {round(10_000 * found.expected)}"
        line = " ".join(map(vertex, found.moves))
        parts.append(
            f"info move {vertex(found.moves[0])} visits {found.work} {value} "
            f"order {order} pv {line}"
        )
    return " ".join(parts)


def parsed(line: str) -> tuple[str, str, list[str]]:
    """The id, the name and the words of a command; without comments and control characters.

    >>> parsed("12 play black F5 # the first one")
    ('12', 'play', ['black', 'F5'])
    """
    text = line.translate(CONTROL).partition("#")[0].strip()
    found = COMMAND.fullmatch(text)
    assert found is not None  # every text is a command
    return found[1] or "", found[2], found[3].split()


def _first(words: list[str]) -> str:
    if not words:
        raise BadPosition("syntax error: a word is missing")
    return words[0]


def _number(words: list[str], name: str) -> float:
    text = _first(words)
    if not SECONDS.fullmatch(text.removeprefix("-")):
        raise BadPosition(f"{name} needs a number, not {shown(text)}")
    return max(0.0, float(text))
