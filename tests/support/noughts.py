"""Tic-tac-toe in plain Python: the game that `tests/games/tictactoe.pyx` plays in Cython."""

from __future__ import annotations

ROWS = slice(0, 3), slice(3, 6), slice(6, 9)
COLUMNS = slice(0, 9, 3), slice(1, 9, 3), slice(2, 9, 3)
LINES = (*ROWS, *COLUMNS, slice(0, 9, 4), slice(2, 7, 2))


class Noughts:
    """The squares have the same order as in `tictactoe.pyx`."""

    n_codes = 18

    def __init__(self, squares: str = "." * 9, turn: int = 0) -> None:
        self.squares = squares
        self.turn = turn

    def won(self, man: str) -> bool:
        return 3 * man in [self.squares[line] for line in LINES]

    def legal_moves(self) -> list[int]:
        return [] if self.is_over() else [i for i in range(9) if self.squares[i] == "."]

    def play(self, square: int) -> None:
        men = list(self.squares)
        men[square] = "xo"[self.turn]
        self.squares, self.turn = "".join(men), 1 - self.turn

    def is_over(self) -> bool:
        return self.won("x") or self.won("o") or "." not in self.squares

    def result(self) -> float:
        return 1.0 if self.won("x") else 0.0 if self.won("o") else 0.5

    def key(self) -> object:
        return self.squares, self.turn

    def code(self, square: int) -> int:
        return 9 * self.turn + square

    def copy(self) -> Noughts:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin
