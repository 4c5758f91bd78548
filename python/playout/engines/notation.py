"""Positions and moves as others write them.

UCI: `Dialect` by `Dialect`, in Fairy-Stockfish's way: its FEN, its moves, and a description of the
boards that it does not know. GTP and NBoard write moves as this package does, in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from mcts_core.errors import BadMethod
from mcts_core.position import Position
from playout.games import Size, game_of

PASS = "pass"


@dataclass(frozen=True)
class Dialect:
    """How a UCI engine writes one game."""

    variant: str
    """The value of its option UCI_Variant."""
    known: tuple[Size, ...]
    """The boards that it knows by this name."""
    pieces: dict[str, str]
    """Its characters for ours."""
    pocket: bool
    """Whether men are dropped from a pocket."""
    rules: Callable[[int, int], str]
    """What a variants file says of a board with these rows and columns, beyond size and start."""
    write: Callable[[str, Position], str]
    """Its text for a move of ours, before the move is played."""
    read: Callable[[str, Position], str]
    """Our text for its move."""

    def fen(self, position: Position) -> str:
        """A position.

        >>> import playout as po
        >>> dialect_of(po.Breakthrough(5)).fen(po.Breakthrough(5))
        'ppppp/ppppp/5/PPPPP/PPPPP w 0 1'
        """
        men = "".join(self.pieces.get(man, man) for row in _rows(position) for man in row)
        columns = size_of(position)[1]
        rows = (men[i : i + columns] for i in range(0, len(men), columns))
        board = "/".join(map(_counted, rows))
        empty = men.count(".")
        pocket = f"[{'P' * empty}{'p' * empty}]" if self.pocket else ""
        return f"{board}{pocket} {'wb'[position.turn]} 0 1"

    def variants_file(self, name: str, start: Position) -> str:
        """The text that describes a board by a name."""
        rows, columns = size_of(start)
        head = f"maxRank = {rows}\nmaxFile = {columns}\nstartFen = {self.fen(start)}\n"
        parent = f":{self.variant}" if self.known else ""
        return f"[{name}{parent}]\n{head}{self.rules(rows, columns)}"


def dialect_of(position: Position) -> Dialect:
    """The dialect of a position's game."""
    game = game_of(position)
    if game is None or game.name not in DIALECTS:
        raise BadMethod(f"UCI engines are asked about {', '.join(DIALECTS)}, not about this game")
    return DIALECTS[game.name]


def size_of(position: Position) -> Size:
    """Rows and columns."""
    rows = position.board.rows
    return len(rows), len(rows[0])


def root_of(position: Position) -> Position:
    """The position in which its moves began."""
    root = position.copy()
    while root.history:
        root.pop()
    return root


def is_from_start(position: Position) -> bool:
    """Whether its moves lead to it from the usual start position."""
    return root_of(position) == usual_start(position)


def usual_start(position: Position) -> Position:
    """The start position of its game and board."""
    game = game_of(position)
    assert game is not None
    return game.start(*size_of(position))


def _rows(position: Position) -> list[str]:
    """The squares, the top row first."""
    squares = position.fen.split()[0]
    if "/" in squares:
        return squares.split("/")
    columns = size_of(position)[1]
    return [squares[i : i + columns] for i in range(0, len(squares), columns)]


def _counted(row: str) -> str:
    """A row with numbers in place of empty squares."""
    parts = ((man, len(list(group))) for man, group in groupby(row))
    return "".join(str(n) if man == "." else man * n for man, n in parts)


# Breakthrough: moves are the same


def _breakthrough_rules(rows: int, columns: int) -> str:
    return f"flagRegionWhite = *{rows}\nflagRegionBlack = *1\n"


def _same(text: str, position: Position) -> str:
    return text


def _small(text: str, position: Position) -> str:
    return text.lower()


# Othello: a man is dropped, and row 1 is at the bottom


def _othello_rules(rows: int, columns: int) -> str:
    low, high = rows // 2, rows // 2 + 1
    left, right = "abcdefgh"[low - 1], "abcdefgh"[high - 1]
    return f"enclosingDropStart = {left}{low} {right}{low} {left}{high} {right}{high}\n"


def _othello_write(text: str, position: Position) -> str:
    return f"P@{text[0]}{size_of(position)[0] + 1 - int(text[1:])}"


def _othello_read(text: str, position: Position) -> str:
    found = DROP.fullmatch(text)
    if found is None:
        return _unread(text)
    return f"{found[1].lower()}{size_of(position)[0] + 1 - int(found[2])}"


DROP = re.compile(r"[Pp]@([a-iA-I])([1-9])")


def _unread(text: str) -> str:
    """A move that is not written as a drop: no legal move, with the reason in it."""
    return f"{text} (which is not like P@d3)"


# Connect Four: a man is dropped on the lowest empty square of a column


def _connect_four_rules(rows: int, columns: int) -> str:
    return (
        "immobile = p\npieceDrops = true\nmustDrop = true\ndropOnTop = true\nconnectN = 4\n"
        "castling = false\ndoubleStep = false\nstalemateValue = draw\n"
    )


def _connect_four_write(text: str, position: Position) -> str:
    column = int(text) - 1
    height = sum(row[column] != "." for row in _rows(position))
    return f"P@{'abcdefghi'[column]}{height + 1}"


def _connect_four_read(text: str, position: Position) -> str:
    found = DROP.fullmatch(text)
    if found is None:
        return _unread(text)
    move = str("abcdefghi".index(found[1].lower()) + 1)
    is_possible = move in position.legal_moves
    if is_possible and _connect_four_write(move, position) != f"P@{found[1].lower()}{found[2]}":
        return f"{text} (which floats)"
    return move


DIALECTS = {
    "breakthrough": Dialect(
        "breakthrough",
        ((8, 8),),
        {"w": "P", "b": "p"},
        False,
        _breakthrough_rules,
        _same,
        _small,
    ),
    "othello": Dialect(
        "flipello",
        ((8, 8),),
        {"X": "P", "O": "p", "-": "."},
        True,
        _othello_rules,
        _othello_write,
        _othello_read,
    ),
    "connect-four": Dialect(
        "connect4",
        (),
        {"x": "P", "o": "p"},
        True,
        _connect_four_rules,
        _connect_four_write,
        _connect_four_read,
    ),
}
