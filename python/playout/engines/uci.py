"""UCI, as Fairy-Stockfish and most engines of chess-like games speak it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter, sleep
from typing import TYPE_CHECKING

from mcts_core.errors import BadMethod, did_you_mean, shown
from mcts_core.position import Position
from playout.arena.players import Choice
from playout.engines.client import Client
from playout.engines.variants import description, is_known, variant_of
from playout.games import PASS, usual_start
from playout.notation import dialect_of, fen_of, own_move, uci_move

if TYPE_CHECKING:
    from playout.engines.engine import Engine

WORDS = ("name", "type", "default", "min", "max", "var")  # of a line `option ...`
MOST_SHOWN = 20  # values that an error lists
PAWN = 400  # hundredths of a pawn for which a player with 10 times the wins is ahead
THINKING = 0.2  # seconds before `stop`, where that is tried out


@dataclass
class Option:
    """An option that an engine says it has."""

    name: str
    kind: str = "string"
    least: int | None = None
    most: int | None = None
    values: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, line: str) -> Option:
        """From a line such as `option name Hash type spin default 16 min 1 max 64`."""
        parts = re.split(rf"\s+({'|'.join(WORDS)})(?=\s|$)", " " + line.removeprefix("option"))
        found = list(zip(parts[1::2], map(str.strip, parts[2::2]), strict=True))
        told = dict(found)
        option = cls(told.get("name", ""), told.get("type", "string"))
        option.values = [value for word, value in found if word == "var"]
        if option.kind == "spin":
            option.least, option.most = _whole(told.get("min")), _whole(told.get("max"))
        return option

    def refuse(self, value: str) -> str | None:
        """What is wrong with a value, if anything; engines themselves say nothing."""
        if self.kind == "combo" and self.values and value not in self.values:
            more = "" if len(self.values) <= MOST_SHOWN else ", ..."
            return f"one of {', '.join(map(shown, self.values[:MOST_SHOWN]))}{more}"
        if self.kind == "check" and value not in ("true", "false"):
            return "true or false"
        if self.kind == "spin":
            n = _whole(value)
            low = self.least is None or (n is not None and n >= self.least)
            high = self.most is None or (n is not None and n <= self.most)
            if n is None or not low or not high:
                return f"a whole number from {self.least} to {self.most}"
        return None


def _whole(text: str | None) -> int | None:
    is_whole = text is not None and re.fullmatch(r"[+-]?[0-9]{1,18}", text)
    return int(text) if text is not None and is_whole else None


class Uci(Client):
    """An engine that speaks UCI."""

    _variant = ""  # as the engine knows it now

    @classmethod
    def check(cls, engine: Engine, position: Position) -> None:
        """It needs a limit, and a game that its dialect can write."""
        dialect_of(position)
        if not engine.is_limited:
            raise BadMethod(
                f"{engine.name} has no limit: give seconds=, nodes=, depth= or clock=, or a level "
                "such as @0.1s"
            )

    def shake(self) -> None:
        """`uci` and the options."""
        self.child.send("uci")
        lines = self.child.until(_is("uciok"), self.engine.patience)
        read = (Option.read(line) for line in lines if line.startswith("option "))
        self.options = {option.name.lower(): option for option in read}
        for name, value in self.engine.settings:
            self._set(name, value)
        self._wait()

    def begin(self, start: Position) -> None:
        """Set the variant and forget the last game."""
        knows_board = self._choose_variant(start)
        self._start = usual_start(start) if knows_board else None
        self.child.send("ucinewgame")
        self._wait()

    def ask(self, position: Position, left: float | None) -> Choice:
        """`position`, `go`, and all up to `bestmove`."""
        self.child.skip()
        self.child.send(self._position(position))
        self.child.send(self._go(left))
        return self._answer(position, self.allowed(left))

    def stop(self, position: Position) -> float | None:
        """`go infinite` and `stop`."""
        self.child.send(self._position(position))
        self.child.send("go infinite")
        sleep(THINKING)
        began = perf_counter()
        self.child.send("stop")
        self._answer(position, self.engine.patience)
        return perf_counter() - began

    def _answer(self, position: Position, seconds: float) -> Choice:
        lines = self.child.until(_is("bestmove"), seconds)
        words = lines[-1].split()
        move = own_move(position, words[1]) if len(words) > 1 else lines[-1]
        return Choice(move, _expected(lines))

    def _position(self, position: Position) -> str:
        """The position by its moves; from the last pass on, because nobody agrees on passes."""
        base, moves = position.copy(), []
        while base.history and base.history[-1] != PASS:
            move = base.pop()
            moves.append(uci_move(base, move))
        place = "startpos" if base == self._start else f"fen {fen_of(base)}"
        tail = f" moves {' '.join(reversed(moves))}" if moves else ""
        return f"position {place}{tail}"

    def _go(self, left: float | None) -> str:
        engine, words = self.engine, ["go"]
        if left is not None:
            time, more = _milliseconds(left), _milliseconds(engine.increment, 0)
            words.append(f"wtime {time} btime {time} winc {more} binc {more}")
        if engine.seconds is not None:
            words.append(f"movetime {_milliseconds(engine.seconds)}")
        if engine.nodes is not None:
            words.append(f"nodes {engine.nodes}")
        if engine.depth is not None:
            words.append(f"depth {engine.depth}")
        return " ".join(words)

    def _set(self, name: str, value: str) -> None:
        """Set an option, if the engine has it and takes the value."""
        option = self.options.get(name.lower())
        if option is None:
            names = [option.name for option in self.options.values()]
            raise BadMethod(
                f"{self.engine.name} has no option {shown(name)}{did_you_mean(name, names)}"
            )
        wrong = option.refuse(value)
        if wrong is not None:
            raise BadMethod(
                f"{self.engine.name}: {option.name} must be {wrong}, not {shown(value)}"
            )
        button = "" if option.kind == "button" else f" value {value}"
        self.child.send(f"setoption name {option.name}{button}")

    def _choose_variant(self, start: Position) -> bool:
        """Have the engine play this game on this board, if it plays more than one.

        Returns whether it knows the board's start position.
        """
        variant = dialect_of(start).variant
        name = self.engine.variant or variant
        is_described = "variantpath" in self.options and name == variant
        if is_described and not is_known(start):
            name = variant_of(start)
            if name != self._variant:
                self._describe(name, start)
        elif "uci_variant" in self.options and name != self._variant:
            self._set("UCI_Variant", name)
        self._variant = name
        return is_known(start) or is_described

    def _describe(self, name: str, start: Position) -> None:
        """Give the engine a file that describes a board, and play on that."""
        with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
            file.write(description(usual_start(start)))
            file.flush()
            self.child.send(f"setoption name VariantPath value {file.name}")
            self._wait()
        self.child.send(f"setoption name UCI_Variant value {name}")

    def _wait(self) -> None:
        self.child.send("isready")
        self.child.until(_is("readyok"), self.engine.patience)


def _is(word: str) -> Callable[[str], bool]:
    """Whether a line's first word is this one."""
    return lambda line: line.startswith(word) and line.split(maxsplit=1)[0] == word


def _milliseconds(seconds: float, least: int = 1) -> int:
    return max(round(seconds * 1000), least)


def _expected(lines: list[str]) -> float | None:
    """The mover's result as the last line with a score has it."""
    for line in reversed(lines):
        found = SCORE.search(line) if line.startswith("info ") else None
        if found is not None and not OTHER_LINE.search(line):
            return _result(found, WINS.search(line))
    return None


SCORE = re.compile(r" score (cp|mate) ([+-]?[0-9]{1,9})\b")
WINS = re.compile(r" wdl ([0-9]{1,4}) ([0-9]{1,4}) ([0-9]{1,4})\b")
OTHER_LINE = re.compile(r" multipv (?!1\b)")


def _result(score: re.Match[str], wins: re.Match[str] | None) -> float:
    """1 for a win: from wins, draws and losses if they are told, or from the score.

    >>> _result(SCORE.search("info score cp 0"), None)
    0.5
    """
    n = int(score[2])
    if score[1] == "mate":
        return 1.0 if n > 0 else 0.0
    if wins is not None:
        won, drawn, lost = map(int, wins.groups())
        if won + drawn + lost:
            return (won + drawn / 2) / (won + drawn + lost)
    return float(1 / (1 + 10 ** (-max(min(n, 100_000), -100_000) / PAWN)))
