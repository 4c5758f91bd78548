"""The registry of games: what the Python layer knows about each game, beyond its rules.

To add a game, add an entry to `GAMES`. Commands, checks and exact solving look games up here; they
never test the class of a position.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcts_core.errors import BadPosition, IllegalMove
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.games.connect_four import ConnectFour
from mcts_core.games.othello import Othello
from mcts_core.minimax.endgame import FINISHER, EndgameSolver
from mcts_core.minimax.finisher import Finisher
from mcts_core.position import Position
from playout.arguments import one_of

Size = tuple[int, int]  # rows and columns
UNKNOWN = "?"  # a player that a text does not name
PASS = "pass"  # the move of a player who has no other


def _without_lines(rows: Sequence[str], turn: int) -> str:
    raise BadPosition("boards of this game cannot be edited: it has no lines of text")


@dataclass(frozen=True, kw_only=True)
class Game:
    """One game. Many games do not need the fields with a default."""

    name: str
    """As the command line takes it: lower case, words joined by hyphens."""
    aliases: tuple[str, ...] = ()
    """Other names that the command line understands."""
    position: type[Position]
    title: str
    rules: str = ""
    """How it is played, in a few short sentences."""

    sizes: str
    """The sizes of its boards, for the help."""
    default: Size
    """The default board."""
    start: Callable[..., Position]
    """Makes the start position, from rows, columns and the keyword arguments in `options`."""
    options: tuple[str, ...] = ()
    """Names of further arguments of `start`."""

    example: str
    """A position as a line of text."""
    line: re.Pattern[str]
    """Recognises lines of this game, also faulty ones, and no line of another game."""
    read: Callable[[str], Position]
    """Reads a position from a line."""
    names: Callable[[str], tuple[str, str]] = lambda line: (UNKNOWN, UNKNOWN)
    """The players that a line names."""
    write: Callable[[Position], str] = lambda position: position.fen
    """Writes a position as a line that `read` takes."""
    example_moves: str
    """Some moves from the start position, in the form that `play` reads."""
    play: Callable[[Any, str], Position]
    """Plays a text of moves from a position."""
    line_of: Callable[[Sequence[str], int], str] = _without_lines
    """The line of a position, from the rows of its `Board` and the side to move."""
    formats: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    """What only this game is written as: the position with the moves before it, as text."""
    files: Mapping[str, Callable[[bytes], Sequence[Position]]] = field(default_factory=dict)
    """Readers of files of many games, by the suffix of their names: the last position of each."""

    sides: tuple[str, str]
    """The names of the first player and the second."""
    numbered: int = 2
    """How many moves have one number where moves are listed: in chess 2, in Othello 1."""
    backgrounds: tuple[str, str]
    """The two colours of squares in a terminal. Black and white men are visible on both."""

    benchmarks: tuple[Size, ...]
    """The boards that `playout bench` measures."""
    perft: tuple[Size, list[int]]
    """A board, and its known perft numbers at depths 1, 2, 3, ..."""

    endgame: type[EndgameSolver] | None = None
    """Its own exact solver, if it has one. The general solver takes any game."""
    finisher: Finisher | None = None
    """An exact solver for the leaves of alpha-beta, if it has one."""
    most_men: Callable[[Size], int] = lambda size: size[0] * size[1]
    """The most men that can be on a board of this size."""
    turns: bool = False
    """Whether a position that is turned by 90 degrees is worth the same."""
    points: str = ""
    """The unit of exact scores, such as discs; empty if a game is only won, drawn or lost."""

    @property
    def twin(self) -> Any:
        """The same game in plain Python: a class of `playout.reference`."""
        return getattr(importlib.import_module("playout.reference"), self.position.__name__)


def game_of(position: object) -> Game | None:
    """The game of a position; None for a game outside this package.

    >>> found = game_of(Othello())
    >>> found.name, found.sides
    ('othello', ('black', 'white'))
    """
    return next((game for game in GAMES.values() if isinstance(position, game.position)), None)


def game_named(name: str, what: str = "game") -> Game:
    """The game of a name or alias, in upper or lower case.

    >>> game_named("Reversi").name
    'othello'
    """
    word = name.strip().lower()
    by_alias = {alias: game.name for game in GAMES.values() for alias in game.aliases}
    found = by_alias.get(word, word)
    return GAMES[found if found in GAMES else one_of(what, name, list(GAMES))]


def size_of(position: Position) -> Size:
    """The rows and columns of a position's board.

    >>> size_of(ConnectFour())
    (6, 7)
    """
    rows = position.board.rows
    return len(rows), len(rows[0])


def numbered(position: Position, ply: int) -> str:
    """The number of move `ply`, 1 for the first, as players of the game count.

    >>> numbered(Breakthrough(5), 3), numbered(Breakthrough(5), 4), numbered(Othello(), 4)
    ('2.', '2...', '4.')
    """
    game = game_of(position)
    shared = 2 if game is None else game.numbered
    return f"{-(-ply // shared)}{'...' if ply % shared == 0 and shared > 1 else '.'}"


def root_of(position: Position) -> Position:
    """The position in which its moves began."""
    root = position.copy()
    while root.history:
        root.pop()
    return root


def usual_start(position: Position) -> Position:
    """The start position of its game, on a board of its size."""
    game = game_of(position)
    assert game is not None
    return game.start(*size_of(position))


def size_text(size: Size) -> str:
    """A size as text.

    >>> size_text((6, 7))
    '6x7'
    """
    return "x".join(map(str, size))


def board_text(position: object) -> str:
    """The game and the size of the board, as messages and tables name them.

    >>> board_text(ConnectFour())
    'Connect Four 6x7'
    """
    game = game_of(position)
    if game is None or not isinstance(position, Position):
        return type(position).__name__
    return f"{game.title} {size_text(size_of(position))}"


# Start positions and moves


def _breakthrough(rows: int, columns: int, first_rows: int | None = None) -> Position:
    if first_rows is None:
        first_rows = 1 if rows == 3 else 2  # 3 rows have no room for 2
    return Breakthrough(rows, columns, first_rows=first_rows)


def _othello(rows: int, columns: int) -> Position:
    if rows != columns:
        raise BadPosition(f"an Othello board is square: {rows}x{rows}, not {rows}x{columns}")
    return Othello(rows)


def _othello_line(text: str) -> Position:
    from playout import formats  # imported here: it takes 2 ms

    read = formats.read_ggf if text.startswith("(;") else formats.read_obf
    return read(text).position


def _othello_names(text: str) -> tuple[str, str]:
    from playout import formats

    tags = formats.read_ggf(text).tags if text.startswith("(;") else {}
    black, white = (" ".join(tags.get(tag, "").split()) for tag in ("PB", "PW"))
    return black or UNKNOWN, white or UNKNOWN


def _othello_moves(start: Othello, text: str) -> Position:
    from playout import formats

    return formats.read_moves(text, start=start)


def _wthor(data: bytes) -> Sequence[Position]:
    from playout import wthor

    return [record.position for record in wthor.read(data).records]


def play_moves(start: Position, text: str) -> Position:
    """Play moves separated by spaces or commas."""
    return _played(start, re.findall(r"[^\s,]+", text))


def _columns(start: Position, text: str) -> Position:
    """Play moves of one digit each, optionally separated by spaces or commas."""
    return _played(start, re.findall(r"[^\s,]", text))


def _played(start: Position, moves: list[str]) -> Position:
    position = start.copy()
    for number, move in enumerate(moves, start=1):
        try:
            position.push(move)
        except IllegalMove as fault:
            raise IllegalMove(f"move {number}: {fault}") from None
    return position


# Lines and formats


def _line_of(men: str, letters: str, between: str = "/") -> Callable[[Sequence[str], int], str]:
    """Writes rows of men as a line: both players' men and the empty square, in other letters."""
    names = str.maketrans(men, letters)

    def line(rows: Sequence[str], turn: int) -> str:
        squares = between.join(row.translate(names) for row in rows)
        return f"{squares} {letters[turn]}"

    return line


def _othello_text(writer: str) -> Callable[[Position], str]:
    """A function of `playout.formats`, which is imported when it is called."""

    def text(position: Position) -> str:
        from playout import formats

        written: str = getattr(formats, writer)(position)
        return written

    return text


# The games. The first is the default of the commands.

WOOD = ("#b5835a", "#96693f")
GREEN = ("#3f8f5f", "#357f53")
PLUM = ("#8a6a9a", "#7d5f8d")  # the last move is marked in blue

GAMES = {
    game.name: game
    for game in (
        Game(
            name="breakthrough",
            position=Breakthrough,
            title="Breakthrough",
            rules="A man moves one square ahead, straight or diagonally, and captures diagonally "
            "ahead. The first to reach the last row, or to capture all men, wins.",
            sizes="3 to 8 rows and columns",
            default=(8, 8),
            start=_breakthrough,
            options=("first_rows",),
            example="bbb/.../www w",
            line=re.compile(r"(?!\(;)(?=[^/]*+/)[^wb]*+[wb]", re.IGNORECASE),
            read=Breakthrough.from_fen,
            example_moves="a2a3 d7d6",
            play=play_moves,
            line_of=_line_of("wb.", "wb."),
            sides=("white", "black"),
            backgrounds=WOOD,
            benchmarks=((5, 5), (6, 6), (8, 8)),
            most_men=lambda size: 4 * size[1],
            perft=((5, 5), [13, 156, 1924, 23084, 289828]),
        ),
        Game(
            name="othello",
            aliases=("reversi",),
            position=Othello,
            title="Othello",
            rules="Place a disc so that it encloses discs of the other side in a line; these are "
            "turned over. A side that cannot do so passes. When neither can, more discs win.",
            sizes="4, 6 or 8 rows and as many columns",
            default=(8, 8),
            start=_othello,
            example="-----OX--XO----- X",
            line=re.compile(r"\(;|[XO*0-][^/]*+$", re.IGNORECASE),
            read=_othello_line,
            names=_othello_names,
            example_moves="f5d6c3",
            play=_othello_moves,
            line_of=_line_of("bw.", "XO-", between=""),
            formats={
                "GGF": _othello_text("write_ggf"),
                "OBF": _othello_text("write_obf"),
                "moves": _othello_text("write_moves"),
            },
            files={".wtb": _wthor},
            sides=("black", "white"),
            numbered=1,
            backgrounds=GREEN,
            benchmarks=((8, 8),),
            perft=((8, 8), [4, 12, 56, 244, 1396, 8200, 55092]),
            endgame=EndgameSolver,
            finisher=FINISHER,
            turns=True,
            points="discs",
        ),
        Game(
            name="connect-four",
            position=ConnectFour,
            title="Connect Four",
            rules="Drop a disc into a column. Four in a row, in any direction, win.",
            sizes="4 to 9 rows and columns with (rows + 1) * columns up to 64",
            default=(6, 7),
            start=ConnectFour,
            example="..../..../..../.xo. x",
            line=re.compile(r"(?!\(;)[^/wb]*+/[^wb]*+$", re.IGNORECASE),
            read=ConnectFour.from_fen,
            example_moves="4435",
            play=_columns,
            line_of=_line_of("wb.", "xo."),
            sides=("white", "black"),
            numbered=1,
            backgrounds=PLUM,
            benchmarks=((6, 7),),
            perft=((6, 7), [7, 49, 343, 2401, 16807, 117649, 823536]),
        ),
    )
}
DEFAULT = next(iter(GAMES.values()))
