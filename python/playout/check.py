"""Tests on random games whether a game keeps its contract: `playout.check_game`."""

from __future__ import annotations

import operator
import reprlib
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from mcts_core.errors import BadGame, BadPosition, bad_game, place
from mcts_core.games import check as game_check
from mcts_core.games.python_game import PythonPosition
from mcts_core.games.python_rules import copy_of
from mcts_core.position import Position
from mcts_core.rng import seed_sequence
from playout.arguments import Seed, whole_number
from playout.task import PythonGame

Answer = TypeVar("Answer")

MUST_NOT_FAIL = "no function may fail for a legal position and a legal move"
MADE_AGAIN = (
    "when the same moves are made again",
    "a position must be in its object alone, and not in its class or module",
)


@dataclass(frozen=True, slots=True)
class Checked:
    """What `check_game` has checked and found right."""

    games: int
    positions: int
    functions: tuple[str, ...]

    def __repr__(self) -> str:
        return (
            f"<{self.games} games, {self.positions} positions: "
            f"{', '.join(self.functions)} keep the contract>"
        )


def check_game(game: Position | PythonGame, *, games: int = 20, seed: Seed = 1) -> Checked:
    """Play random games from a position and check all that the engine relies on.

    The position is one of a compiled game, built in or your own, or an object of a class in plain
    Python. BadGame names the first fault: what breaks the contract, after which moves, and what to
    do about it. A game with a fault can crash a search, or give wrong results without an error.

    It checks

    - the number of moves, codes, results, keys, turns and the length of games;
    - that functions other than `play` change nothing and return the same when called again;
    - that `play` depends only on the state and the move;
    - that `playout`, `guided` and `batch` of a compiled game play by its rules.

    Compiled code that writes far out of bounds can still crash it, and code that never returns
    makes it hang.

    >>> import playout as po
    >>> po.check_game(po.Othello(4), games=5).positions
    67
    """
    games = whole_number("games", games, 1, 10**6)
    sequence = seed_sequence(seed)
    if isinstance(game, type):
        raise BadPosition(f"check a position of the game, {game.__name__}(), and not the class")
    if isinstance(game, Position) and not isinstance(game, PythonPosition):
        positions, functions = game_check.check(game, games, sequence)
        return Checked(games, positions, tuple(functions))
    position = game.object if isinstance(game, PythonPosition) else game
    checker = PythonChecker(position)
    draw = np.random.Generator(np.random.SFC64(sequence))
    for number in range(games):
        checker.check_line(draw, every_move=number == 0)
    return Checked(games, checker.positions, checker.functions())


class Facts(NamedTuple):
    """What a game in Python returns for a position."""

    legal_moves: list[str]
    turn: int
    key: Hashable
    code: list[int]
    result: float | None


class PythonChecker:
    """Checks a game in plain Python."""

    def __init__(self, start: Any) -> None:
        try:
            wrapped = PythonPosition(start)  # checks the sizes
        except BadPosition as error:
            raise BadGame(str(error)) from error
        except MemoryError:
            raise
        except Exception as error:
            raise bad_game(f"the game raised {error!r}", [], MUST_NOT_FAIL) from error
        self.start = start
        self.most_plies = game_check.most_plies(wrapped)
        self.has_codes = callable(getattr(start, "code", None))
        self.positions = 0
        self.known: dict[Hashable, tuple[Facts, list[str]]] = {}
        self.path: list[str] = []  # the moves that lead to the position being checked

    def functions(self) -> tuple[str, ...]:
        """The names of the functions that are checked."""
        names = ("legal_moves", "play", "is_over", "turn", "key", "code", "copy", "result")
        return tuple(name for name in names if name != "code" or self.has_codes)

    def fault(self, fault: str, remedy: str) -> BadGame:
        """The error for a fault in the position being checked."""
        return bad_game(fault, self.path, remedy)

    def call(self, name: str, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Call a function of the game. An exception is a fault."""
        try:
            return function(*arguments)
        except MemoryError:
            raise
        except Exception as error:
            raise self.fault(f"{name}() raised {error!r}", MUST_NOT_FAIL) from error

    # A position

    def look(self, position: Any) -> tuple[list[Any], Facts]:
        """The legal moves of a position, and its facts, asked twice and compared."""
        moves, facts = self.ask(position)
        _, again = self.ask(position)
        self.expect(
            facts, again, "when asked again", "only play() may change what is said of a position"
        )
        known, path = self.known.setdefault(facts.key, (facts, list(self.path)))
        if path == self.path:
            self.expect(facts, known, *MADE_AGAIN)
        self.expect(
            facts,
            known,
            f"in another position with the same key(), {place(path)}",
            "key() must tell all positions apart, and whose move it is",
        )
        return moves, facts

    def expect(self, facts: Facts, other: Facts, when: str, remedy: str) -> None:
        """Raise if two answers that must be the same are not."""
        for name, one, two in zip(Facts._fields, facts, other, strict=True):
            if one != two:
                raise self.fault(
                    f"{name} is {reprlib.repr(one)}, and {reprlib.repr(two)} {when}", remedy
                )

    def ask(self, position: Any) -> tuple[list[Any], Facts]:
        """The legal moves of a position, and its facts, checked against their limits."""
        over = self.call("is_over", position.is_over)
        moves = self.call("legal_moves", lambda: list(position.legal_moves()))
        if bool(over) != (not moves):
            raise self.fault(
                f"is_over() is {over!r} and legal_moves() has {len(moves)} moves",
                "there must be none when the game is over, and at least one before",
            )
        facts = Facts(
            self.texts_of(moves),
            self.turn_of(position),
            self.key_of(position),
            [self.code_of(position, move) for move in moves] if self.has_codes else [],
            self.result_of(position) if over else None,
        )
        return moves, facts

    def texts_of(self, moves: list[Any]) -> list[str]:
        """The texts of the moves, which must differ."""
        if len(moves) > game_check.MOST_MOVES:
            raise self.fault(
                f"legal_moves() has {len(moves)} moves",
                f"the engine takes at most {game_check.MOST_MOVES}",
            )
        texts = [self.call("str", str, move) for move in moves]
        for text, times in Counter(texts).items():
            if times > 1:
                raise self.fault(
                    f"{times} of legal_moves() are written {text!r}",
                    "give each move once, and let str() tell moves apart",
                )
        return texts

    def turn_of(self, position: Any) -> int:
        """Whose move it is."""
        turn = getattr(position, "turn", 0)
        if turn not in (0, 1):
            raise self.fault(
                f"turn is {turn!r}",
                "it must be 0 or 1, for the first or the second player: an attribute, not a method",
            )
        return int(turn)

    def key_of(self, position: Any) -> Hashable:
        """The key, which must be hashable."""
        key: Hashable = self.call("key", position.key)
        self.call("hash of key", hash, key)
        return key

    def code_of(self, position: Any, move: Any) -> int:
        """The AMAF code of a move."""
        code = self.call("code", position.code, move)
        n_codes = self.start.n_codes
        if not hasattr(code, "__index__") or not 0 <= code < n_codes:
            raise self.fault(
                f"code({move!r}) is {code!r}",
                f"it must be an int in range(n_codes), and n_codes is {n_codes}",
            )
        return operator.index(code)

    def result_of(self, position: Any) -> float:
        """The result of a finished game."""
        result = self.call("float of result", float, self.call("result", position.result))
        if not 0.0 <= result <= 1.0:
            raise self.fault(
                f"the game is over and result() is {result!r}",
                "it must lie between 0 and 1, as the first player sees it",
            )
        return result

    # A move

    def played(self, position: Any, move: Any) -> Any:
        """A copy of a position after a move."""
        twin = self.call("copy", copy_of, position)
        self.call("play", twin.play, move)
        return twin

    def check_play(self, position: Any, move: Any, facts: Facts) -> Any:
        """The position after a move, which must differ; the original must not change."""
        after = self.played(position, move)
        self.expect(
            facts,
            self.ask(position)[1],
            f"after play({move!r}) on a copy",
            "copy() must share nothing that play() changes",
        )
        if self.key_of(after) == facts.key:
            raise self.fault(
                f"play({move!r}) leaves key() as it was",
                "play() must change its own object, and key() must tell positions apart",
            )
        return after

    # A game

    def check_line(self, draw: np.random.Generator, *, every_move: bool) -> None:
        """A random game, checked at every ply; then the same moves again."""
        self.path, position = [], self.start
        line: list[tuple[Facts, int]] = []
        plies: dict[Hashable, int] = {}
        moves, facts = self.look(position)
        if not moves:
            raise BadPosition(game_check.GAME_IS_OVER)
        while moves:
            self.expect_new(plies, facts.key)
            chosen = int(draw.integers(len(moves)))
            line.append((facts, chosen))
            if every_move:
                self.check_moves(position, moves, facts)
            position = self.check_play(position, moves[chosen], facts)
            self.path.append(facts.legal_moves[chosen])
            moves, facts = self.look(position)
        self.positions += len(line) + 1
        self.check_again(line, facts)

    def expect_new(self, plies: dict[Hashable, int], key: Hashable) -> None:
        """Refuse a game that returns to a position or never ends."""
        ply = plies.setdefault(key, len(plies))
        if ply < len(self.path):
            raise self.fault(
                f"the position of ply {ply} has come back",
                "no game may return to a position: count plies in key() if the rules let it",
            )
        if len(self.path) == self.most_plies:
            raise self.fault(
                f"the game goes on, and max_plies is {self.most_plies}",
                "set max_plies higher, or end the game by then",
            )

    def check_moves(self, position: Any, moves: list[Any], facts: Facts) -> None:
        """Check each move."""
        for move, text in zip(moves, facts.legal_moves, strict=True):
            after = self.check_play(position, move, facts)
            self.path.append(text)
            self.look(after)
            self.path.pop()

    def check_again(self, line: list[tuple[Facts, int]], end: Facts) -> None:
        """Check that the same moves lead through the same positions."""
        self.path, position = [], self.start
        for facts, chosen in line:
            moves = self.check_same(position, facts)
            position = self.played(position, moves[chosen])
            self.path.append(facts.legal_moves[chosen])
        self.check_same(position, end)

    def check_same(self, position: Any, facts: Facts) -> list[Any]:
        """The legal moves of a position, which must be as it was the first time."""
        moves, again = self.ask(position)
        self.expect(facts, again, *MADE_AGAIN)
        return moves
