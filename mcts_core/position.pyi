from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, Self, SupportsIndex, overload, type_check_only

import numpy as np
from numpy.typing import NDArray

from mcts_core.board import Board

class Move(str):
    """A move is its text; `raw` is the game's own code of it."""

    raw: int
    def __new__(cls, text: str, raw: int) -> Self: ...
    @property
    def original(self) -> Any:
        """The move as its game has it: the object of a game in Python; else this move itself."""

class Moves(tuple[Move, ...]):
    """A tuple of moves."""

class LegalMoves(Sequence[Move]):
    """The legal moves of one position, in the game's order. It behaves like a tuple, and makes moves when asked."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Move: ...
    @overload
    def __getitem__(self, index: slice, /) -> tuple[Move, ...]: ...
    def __iter__(self) -> Iterator[Move]: ...
    def __reversed__(self) -> Iterator[Move]: ...
    def __contains__(self, move: object, /) -> bool: ...
    def index(self, move: object, start: int = 0, stop: int = ...) -> int:
        """Return the place of a move. Raises ValueError if it is not legal."""
    def count(self, move: object) -> int:
        """Return 1 if a move is legal, 0 if not."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@type_check_only
class Drawing(Protocol):
    def random(self) -> float: ...

class Position:
    """A position of some game, with the moves that led to it."""
    # supplied by the game
    def move_text(self, raw: int) -> str:
        """Return the text of a move given in the game's own code. It must not depend on the position."""
    def normal_text(self, text: str) -> str:
        """Return the text of a move as `move_text` would write it."""
    @property
    def fen(self) -> str:
        """The position and the side to move, in one line."""
    @classmethod
    def from_fen(cls, fen: str) -> Self: ...
    @property
    def board(self) -> Board:
        """The board that `str` and the SVG picture show: an `mcts_core.board.Board`."""

    # facts
    @property
    def turn(self) -> int:
        """0: the first player is to move, 1: the second."""
    @property
    def is_over(self) -> bool: ...
    @property
    def result(self) -> float | None:
        """1.0, 0.5 or 0.0 for the first player; None while the game goes on."""
    @property
    def key(self) -> int:
        """The 64-bit Zobrist key of the position and the side to move."""
    @property
    def n_codes(self) -> int:
        """The number of the game's AMAF codes."""
    @property
    def capsule(self) -> Any:
        """The game's C functions, for other compiled code: a capsule "mcts_core.game_t"."""
    @property
    def history(self) -> Moves:
        """The moves pushed so far."""

    # moves
    @property
    def legal_moves(self) -> Sequence[Move]:
        """The legal moves in the game's order; none when the game is over."""
    def line(self, raw_moves: Iterable[int]) -> Moves:
        """Return moves that engines give in the game's own code, in the order in which they are played from here."""
    def find_move(self, move: str) -> Move:
        """Return the legal move of that text, upper or lower case; IllegalMove if there is none."""
    def code(self, move: str) -> int:
        """Return the AMAF code of a legal move."""
    def push(self, move: str) -> Move:
        """Play a move, given as a Move or its text, and return it."""
    def push_index(self, move_index: SupportsIndex) -> Move:
        """Play `legal_moves[move_index]` and return it. The fastest way to play a move."""
    def random_move(self, rng: Drawing) -> Move:
        """Return a legal move drawn uniformly by `rng.random()`, which `random` and numpy's generators have."""
    def pop(self) -> Move:
        """Take the last move back and return it."""
    def children(self) -> list[Self]:
        """Return the position after each legal move, in the order of `legal_moves`."""
    def check(self) -> None:
        """Raise the failure of the game's own functions, if there was one. Searches call this after each batch."""
    def private(self, like: Self | None = None) -> Self:
        """Return a copy for one search, independent of failures of the game in other searches."""
    def copy(self, *, past: bool = True) -> Self:
        """Return an independent position, with the same past or, to save memory, with none."""
    def planes(self) -> NDArray[np.uint8]:
        """Return the board as uint8 [2, rows, cols]: 1 where the mover has a man, then where the opponent has one."""
    @property
    def legal_mask(self) -> NDArray[np.bool_]:
        """The actions that are legal here, as bool [n_codes]. An action is the AMAF code of a move."""
    def action(self, move: str) -> int:
        """Return the action of a legal move: its AMAF code, a number below `n_codes`."""
    def move_of(self, action: SupportsIndex) -> Move:
        """Return the legal move of an action; the first one if several moves share their code."""
    def perft(self, plies: int) -> int:
        """Return the number of move sequences of that length: the classical check of move generation."""
    def _repr_svg_(self) -> str | None: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def rebuild(kind: type[Position], fen: str, moves: list[str]) -> Position:
    """Return a position from its pickled text. Every move is checked like any other."""
