"""Moves and positions as UCI programs write them, in the way of Fairy-Stockfish.

A FEN has P and p for the men of the first player and the second. Breakthrough writes moves as this
library does. In Othello, which UCI calls flipello, and in Connect Four a move is a drop such as
`P@e3`, and row 1 is at the bottom, so the ranks of Othello are mirrored. A pass moves a disc of the
player to where it stands.

>>> from playout import Othello
>>> fen_of(Othello(4))
'4/1pP1/1Pp1/4[PPPPPPPPPPPPpppppppppppp] w 0 1'
>>> position_of(Othello(4), fen_of(Othello(4))) == Othello(4)
True
>>> uci_move(Othello(), "f5"), own_move(Othello(), "P@f4"), own_move(Othello(), "a1a1")
('P@f4', 'f5', 'pass')
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mcts_core.errors import BadMethod, BadPosition, shown
from mcts_core.position import Position
from playout.games import PASS, game_of, size_of

NULL = "0000"  # how UCI writes no move
DROP = re.compile(r"[Pp]?@([a-iA-I])([1-9])")
STAYS = re.compile(r"([a-h][1-8])\1")
FIELDS = re.compile(r"([^\s\[\]]+)(?:\[[^\s\]]*\])?\s+([wb])(?:\s.*)?", re.DOTALL)
FILES = "abcdefghi"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How UCI writes one game."""

    variant: str
    """The value of the option UCI_Variant."""
    men: str
    """What our FEN has for P, p and an empty square."""
    between: str
    """What our FEN has between two rows."""
    has_pocket: bool
    """Whether men are dropped, from a pocket with one for each empty square."""
    has_passes: bool
    """Whether a player without a move passes."""
    write: Callable[[Position, str], str]
    """Its text for a move of ours."""
    read: Callable[[Position, str], str]
    """Our text for its move, which may be illegal."""


def dialect_of(position: Position) -> Dialect:
    """The dialect of a position's game."""
    game = game_of(position)
    if game is None or game.name not in DIALECTS:
        raise BadMethod(f"UCI is for {', '.join(DIALECTS)}, not for this game")
    return DIALECTS[game.name]


def uci_move(position: Position, move: str) -> str:
    """A legal move as UCI writes it."""
    return dialect_of(position).write(position, move)


def own_move(position: Position, text: str) -> str:
    """A move of UCI as this library writes it; it may be illegal here."""
    return dialect_of(position).read(position, text)


# Positions


def fen_of(position: Position) -> str:
    """The FEN of a position.

    >>> from playout import Breakthrough
    >>> fen_of(Breakthrough(5))
    'ppppp/ppppp/5/PPPPP/PPPPP w 0 1'
    """
    dialect, rows = dialect_of(position), _rows(position)
    board = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    empty = "".join(rows).count(".")
    pocket = f"[{'P' * empty}{'p' * empty}]" if dialect.has_pocket else ""
    return f"{board}{pocket} {'wb'[position.turn]} 0 1"


def _rows(position: Position) -> list[str]:
    """The rows in letters of a FEN, the top row first; a dot is an empty square."""
    game = game_of(position)
    assert game is not None
    first, second = game.sides
    letters = str.maketrans(first[0] + second[0], "Pp")
    return [row.translate(letters) for row in position.board.rows]


def position_of(start: Position, fen: str) -> Position:
    """The position of a FEN, in the game and on the board of `start`; BadPosition if it is none."""
    found = FIELDS.fullmatch(fen.strip())
    if not found:
        raise BadPosition(
            "a FEN is a board, the side to move (w or b) and counters, such as "
            f"{shown(fen_of(start))}, not {shown(fen)}"
        )
    rows = [_squares(row) for row in found[1].split("/")]
    n_rows, n_columns = size_of(start)
    if [len(row) for row in rows] != [n_columns] * n_rows:
        raise BadPosition(
            f"the board is {n_rows}x{n_columns}, and this FEN has rows of "
            f"{', '.join(str(len(row)) for row in rows[:10])}: choose the right UCI_Variant"
        )
    dialect = dialect_of(start)
    board = dialect.between.join(rows).translate(str.maketrans("Pp.", dialect.men))
    return type(start).from_fen(f"{board} {dialect.men['wb'.index(found[2])]}")


def _squares(row: str) -> str:
    """A row with a dot for each empty square."""
    squares = re.sub("[0-9]", lambda count: "." * int(count[0]), row)
    if wrong := squares.strip("Pp."):
        raise BadPosition(f"a FEN has men P and p and counts of empty squares, not {wrong[0]!r}")
    return squares


# Breakthrough: moves are the same


def _same(position: Position, move: str) -> str:
    return str(move)


def _small(position: Position, text: str) -> str:
    return text.lower()


# Othello: ranks are mirrored


def _write_disc(position: Position, move: str) -> str:
    return _stay(position, position.turn) if move == PASS else f"P@{_mirrored(position, move)}"


def _read_disc(position: Position, text: str) -> str:
    if drop := DROP.fullmatch(text):
        return _mirrored(position, (drop[1] + drop[2]).lower())
    return PASS if STAYS.fullmatch(text) or text in (NULL, PASS) else _unread(text)


def _mirrored(position: Position, square: str) -> str:
    return f"{square[0]}{size_of(position)[0] + 1 - int(square[1:])}"


def _unread(text: str) -> str:
    """A move that is no drop: no legal move, even if its square is one in our coordinates."""
    return f"{text} (which is not like P@d3)"


def _stay(position: Position, turn: int) -> str:
    """A pass: the player's first disc, from a1 to h8 on UCI's board, goes to where it stands."""
    rows = _rows(position)[::-1]
    row, column = next(
        (row, men.index("Pp"[turn])) for row, men in enumerate(rows) if "Pp"[turn] in men
    )
    return 2 * f"{FILES[column]}{row + 1}"


def last_passes(position: Position) -> list[str]:
    """The passes of both players with which UCI ends a game that is over on a board with room.

    >>> from playout import Breakthrough, Othello
    >>> last_passes(Othello.from_fen("XXXO------------ O")), last_passes(Breakthrough())
    (['d4d4', 'a4a4'], [])
    """
    if not (dialect_of(position).has_passes and position.is_over):
        return []
    men = "".join(_rows(position))
    if not {*"Pp."} <= {*men}:  # a full board, or a player without a disc to move
        return []
    return [_stay(position, turn) for turn in (position.turn, 1 - position.turn)]


# Connect Four: a man falls on the lowest empty square of a column


def _write_column(position: Position, move: str) -> str:
    column = int(move) - 1
    height = sum(row[column] != "." for row in _rows(position))
    return f"P@{FILES[column]}{height + 1}"


def _read_column(position: Position, text: str) -> str:
    drop = DROP.fullmatch(text)
    if drop is None:
        return _unread(text)
    square = (drop[1] + drop[2]).lower()
    move = str(FILES.index(square[0]) + 1)
    if move in position.legal_moves and _write_column(position, move) != f"P@{square}":
        return f"{text} (which floats)"
    return move


DIALECTS = {
    "breakthrough": Dialect("breakthrough", "wb.", "/", False, False, _same, _small),
    "othello": Dialect("flipello", "XO-", "", True, True, _write_disc, _read_disc),
    "connect-four": Dialect("connect4", "xo.", "/", True, False, _write_column, _read_column),
}
