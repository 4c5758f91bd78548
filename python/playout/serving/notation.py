"""Moves and positions as UCI programs write them, by variant: functions from text and to text.

UCI calls a game on a board of one size a variant. Breakthrough differs from this library only in
how a FEN counts empty squares. In Othello, which UCI calls flipello, ranks are mirrored, a move is
a drop such as `P@e3`, and a pass moves a disc of the player to where it stands.

>>> from playout import Othello
>>> fen = fen_of(Othello(4))
>>> fen
'4/1pP1/1Pp1/4[PPPPPPPPPPPPpppppppppppp] w 0 1'
>>> position_of("flipello4", fen) == Othello(4)
True
>>> uci_move(Othello(8), "f5"), own_move(Othello(8), "P@f4")
('P@f4', 'f5')
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mcts_core.errors import BadPosition, shown
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.games.othello import Othello
from mcts_core.position import Position

PASS = "pass"
NULL = "0000"  # how UCI writes no move
DROP = re.compile(r"[Pp]?@([a-h])([1-8])")
STAYS = re.compile(r"([a-h][1-8])\1")
FIELDS = re.compile(r"([^\s\[\]]+)(?:\[[^\s\]]*\])?\s+([wb])(?:\s.*)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Variant:
    """A game on a board of one size."""

    game: str
    """Its name in `playout.games`."""
    size: int
    start: Callable[[], Position]


VARIANTS = {
    "breakthrough": Variant("breakthrough", 8, Breakthrough),
    "breakthrough7": Variant("breakthrough", 7, lambda: Breakthrough(7)),
    "breakthrough6": Variant("breakthrough", 6, lambda: Breakthrough(6)),
    "breakthrough5": Variant("breakthrough", 5, lambda: Breakthrough(5)),
    "flipello": Variant("othello", 8, Othello),
    "flipello6": Variant("othello", 6, lambda: Othello(6)),
    "flipello4": Variant("othello", 4, lambda: Othello(4)),
}


def fen_of(position: Position, number: int = 1) -> str:
    """The FEN of a position, in the move of that number.

    >>> fen_of(Breakthrough(5))
    'ppppp/ppppp/5/PPPPP/PPPPP w 0 1'
    """
    men = _discs(position) if isinstance(position, Othello) else _men(position)
    board = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in men)
    hand = ""
    if isinstance(position, Othello):  # whoever moves, there is a disc for each empty square
        empty = "".join(men).count(".")
        hand = f"[{'P' * empty}{'p' * empty}]"
    return f"{board}{hand} {'wb'[position.turn]} 0 {number}"


def _men(position: Position) -> list[str]:
    """The rows of Breakthrough, the last one first."""
    return position.fen.split()[0].replace("w", "P").replace("b", "p").split("/")


def _discs(position: Othello) -> list[str]:
    """The rows of Othello: ours begin at the top, and so do those of a FEN."""
    squares, size = position.fen.split()[0].translate(str.maketrans("XO-", "Pp.")), position.size
    return [squares[row * size : (row + 1) * size] for row in range(size)]


def position_of(name: str, fen: str) -> Position:
    """The position of a FEN; BadPosition if it is none of that variant."""
    variant = VARIANTS[name]
    found = FIELDS.fullmatch(fen.strip())
    if not found:
        raise BadPosition(
            f"a FEN is a board, the side to move (w or b) and counters, such as "
            f"{shown(fen_of(variant.start()))}, not {shown(fen)}"
        )
    rows = [_squares(row) for row in found[1].split("/")]
    size = variant.size
    if [len(row) for row in rows] != [size] * size:
        raise BadPosition(
            f"the board of {name} is {size}x{size}, and this FEN has rows of "
            f"{', '.join(str(len(row)) for row in rows[:10])}: choose the right UCI_Variant"
        )
    if variant.game == "othello":
        squares = "".join(rows).translate(str.maketrans("Pp.", "XO-"))
        return Othello.from_fen(f"{squares} {'XO'['wb'.index(found[2])]}")
    board = "/".join(rows).replace("p", "b").replace("P", "w")
    return Breakthrough.from_fen(f"{board} {found[2]}")


def _squares(row: str) -> str:
    """A row with a dot for each empty square."""
    squares = re.sub("[0-9]", lambda count: "." * int(count[0]), row)
    if wrong := squares.strip("Pp."):
        raise BadPosition(f"a FEN has men P and p and counts of empty squares, not {wrong[0]!r}")
    return squares


def own_move(position: Position, text: str) -> str:
    """A move of UCI as this library writes it; it may be illegal here.

    >>> own_move(Breakthrough(), "h2g3"), own_move(Othello(), "a1a1")
    ('h2g3', 'pass')
    """
    if not isinstance(position, Othello):
        return text
    if drop := DROP.fullmatch(text):
        return f"{drop[1]}{position.size + 1 - int(drop[2])}"
    return PASS if STAYS.fullmatch(text) or text in (NULL, PASS) else text


def uci_move(position: Position, move: str) -> str:
    """A legal move as UCI writes it.

    >>> uci_move(Breakthrough(), "h2g3")
    'h2g3'
    """
    if not isinstance(position, Othello):
        return str(move)
    if move != PASS:
        return f"P@{move[0]}{position.size + 1 - int(move[1])}"
    return _stay(position, position.turn)


def last_passes(position: Position) -> list[str]:
    """The passes of both players with which UCI ends a game that is over on a board with room.

    >>> last_passes(Othello.from_fen("XXXO------------ O")), last_passes(Breakthrough())
    (['d4d4', 'a4a4'], [])
    """
    if not isinstance(position, Othello) or not position.is_over or 0 in position.discs:
        return []
    is_full = "-" not in position.fen
    return [] if is_full else [_stay(position, turn) for turn in (position.turn, 1 - position.turn)]


def _stay(position: Othello, turn: int) -> str:
    """A pass: the player's first disc, from a1 to h8 on UCI's board, goes to where it stands."""
    rows = _discs(position)[::-1]
    own = "Pp"[turn]
    row = next(number for number, row in enumerate(rows) if own in row)
    square = f"{'abcdefgh'[rows[row].index(own)]}{row + 1}"
    return square + square
