"""The baseline: Breakthrough and Othello on a list of lists, in plain Python.

This is a straightforward program, as a student of Monte Carlo search writes it first: a board that
is a list of lists, with a Zobrist key `h` for a later table; Move objects with a method `valid`;
`legalMoves()`, `play()`, `terminal()`, `score()`, `playout()` with `random.randint`, and
`copy.deepcopy` before every game. It is "list-board Python" in docs/speed.md and "plain Python" in
the README. A faster list-board program is possible: one that counts the men, makes only legal Move
objects, has no key and copies rows by hand plays Breakthrough a little over twice as fast.

    python benchmarks/list_board.py        # checks its rules against known perft figures
"""

from __future__ import annotations

import copy
import random
import sys

EMPTY, FIRST, SECOND = 0, 1, 2


KEYS = [[[random.getrandbits(64) for _ in range(8)] for _ in range(8)] for _ in range(3)]
TURN_KEY = random.getrandbits(64)


class Move:
    """A move of Breakthrough: the man of `color` on (x1, y1) goes to (x2, y2)."""

    def __init__(self, color: int, x1: int, y1: int, x2: int, y2: int) -> None:
        self.color = color
        self.x1 = x1
        self.y1 = y1
        self.x2 = x2
        self.y2 = y2

    def valid(self, board: Breakthrough) -> bool:
        """Whether it stays on the board, takes no own man and captures diagonally only."""
        if self.x2 < 0 or self.x2 >= board.rows or self.y2 < 0 or self.y2 >= board.cols:
            return False
        target = board.board[self.x2][self.y2]
        if self.y1 == self.y2:
            return target == EMPTY
        return target != self.color


class Breakthrough:
    """Breakthrough, two full rows of men each; the first player moves to higher rows."""

    def __init__(self, rows: int = 8, cols: int = 8) -> None:
        self.rows = rows
        self.cols = cols
        self.turn = FIRST
        self.h = 0
        self.men = [0, 2 * cols, 2 * cols]
        self.board = [[EMPTY] * cols for _ in range(rows)]
        for y in range(cols):
            self.board[0][y] = self.board[1][y] = FIRST
            self.board[rows - 2][y] = self.board[rows - 1][y] = SECOND

    def copy(self) -> Breakthrough:
        """Another board with the same position."""
        return copy.deepcopy(self)

    def legalMoves(self) -> list[Move]:
        """All moves: one row forward, straight or diagonally; the game must not be over."""
        moves: list[Move] = []
        forward = 1 if self.turn == FIRST else -1
        for x in range(self.rows):
            for y in range(self.cols):
                if self.board[x][y] == self.turn:
                    for dy in (-1, 0, 1):
                        move = Move(self.turn, x, y, x + forward, y + dy)
                        if move.valid(self):
                            moves.append(move)
        return moves

    def play(self, move: Move) -> None:
        """Play a legal move, and keep the key up to date."""
        taken = self.board[move.x2][move.y2]
        if taken != EMPTY:
            self.men[taken] -= 1
            self.h ^= KEYS[taken][move.x2][move.y2]
        self.h ^= KEYS[move.color][move.x1][move.y1]
        self.h ^= KEYS[move.color][move.x2][move.y2]
        self.h ^= TURN_KEY
        self.board[move.x1][move.y1] = EMPTY
        self.board[move.x2][move.y2] = move.color
        self.turn = SECOND if self.turn == FIRST else FIRST

    def terminal(self) -> bool:
        """Whether a man has arrived, or a side has no men left."""
        if FIRST in self.board[self.rows - 1] or SECOND in self.board[0]:
            return True
        return self.men[FIRST] == 0 or self.men[SECOND] == 0

    def score(self) -> float:
        """The result of a finished game for the first player."""
        return 1.0 if FIRST in self.board[self.rows - 1] or self.men[SECOND] == 0 else 0.0

    def playout(self) -> float:
        """Play random moves on this board to the end of the game and return the result."""
        while True:
            if self.terminal():
                return self.score()
            moves = self.legalMoves()
            n = random.randint(0, len(moves) - 1)
            self.play(moves[n])


DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class Disc:
    """A move of Othello: a disc on (x, y) that turns over the discs on `flips`."""

    def __init__(self, x: int, y: int, flips: list[tuple[int, int]]) -> None:
        self.x = x
        self.y = y
        self.flips = flips


class Othello:
    """Othello on `size` x `size` squares; black, the first player, moves first."""

    def __init__(self, size: int = 8) -> None:
        self.size = size
        self.turn = FIRST
        self.board = [[EMPTY] * size for _ in range(size)]
        middle = size // 2
        self.board[middle - 1][middle - 1] = self.board[middle][middle] = SECOND
        self.board[middle - 1][middle] = self.board[middle][middle - 1] = FIRST

    def copy(self) -> Othello:
        """Another board with the same position."""
        return copy.deepcopy(self)

    def flips(self, x: int, y: int) -> list[tuple[int, int]]:
        """The discs that the side to move would turn over by playing on the empty (x, y)."""
        board, size, turn = self.board, self.size, self.turn
        opponent = SECOND if turn == FIRST else FIRST
        flips: list[tuple[int, int]] = []
        for dx, dy in DIRECTIONS:
            i, j = x + dx, y + dy
            if not (0 <= i < size and 0 <= j < size) or board[i][j] != opponent:
                continue
            line: list[tuple[int, int]] = []
            while 0 <= i < size and 0 <= j < size and board[i][j] == opponent:
                line.append((i, j))
                i += dx
                j += dy
            if 0 <= i < size and 0 <= j < size and board[i][j] == turn:
                flips += line
        return flips

    def legalMoves(self) -> list[Disc]:
        """All moves of the side to move; an empty list means that it passes or the game is over."""
        moves: list[Disc] = []
        for x in range(self.size):
            for y in range(self.size):
                if self.board[x][y] == EMPTY:
                    flips = self.flips(x, y)
                    if flips:
                        moves.append(Disc(x, y, flips))
        return moves

    def play(self, move: Disc) -> None:
        """Play a legal move."""
        self.board[move.x][move.y] = self.turn
        for x, y in move.flips:
            self.board[x][y] = self.turn
        self.swap()

    def swap(self) -> None:
        """Give the move to the other side: the second half of a move, and all of a pass."""
        self.turn = SECOND if self.turn == FIRST else FIRST

    def score(self) -> float:
        """The result of a finished game for the first player."""
        first = sum(row.count(FIRST) for row in self.board)
        second = sum(row.count(SECOND) for row in self.board)
        return 0.5 if first == second else float(first > second)

    def playout(self) -> float:
        """Play random moves on this board to the end of the game and return the result."""
        passed = False
        while True:
            moves = self.legalMoves()
            if moves:
                n = random.randint(0, len(moves) - 1)
                self.play(moves[n])
                passed = False
            elif passed:
                return self.score()
            else:
                self.swap()
                passed = True


def breakthrough_perft(board: Breakthrough, depth: int) -> int:
    """The number of move sequences of length `depth`; a finished game has none."""
    if depth == 0:
        return 1
    if board.terminal():
        return 0
    total = 0
    for move in board.legalMoves():
        child = board.copy()
        child.play(move)
        total += breakthrough_perft(child, depth - 1)
    return total


def othello_perft(board: Othello, depth: int, passed: bool = False) -> int:
    """The same for Othello: a pass is a move, and a finished game is one leaf."""
    if depth == 0:
        return 1
    moves = board.legalMoves()
    if not moves:
        other = board.copy()
        other.swap()
        return 1 if passed else othello_perft(other, depth - 1, passed=True)
    total = 0
    for move in moves:
        child = board.copy()
        child.play(move)
        total += othello_perft(child, depth - 1)
    return total


BREAKTHROUGH_PERFT = {
    (5, 5): [13, 156, 1924, 23084],
    (6, 6): [16, 256, 4308],
    (8, 8): [22, 484, 11132],
    (6, 5): [13, 169, 2331],
}
OTHELLO_PERFT = {
    4: [4, 12, 44, 128, 424, 1256, 3624, 9116],
    6: [4, 12, 56, 244, 1364],
    8: [4, 12, 56, 244, 1396],
}


def main() -> int:
    """Compare perft with the known figures; 1 if one differs."""
    agreed = True
    for (rows, cols), known in BREAKTHROUGH_PERFT.items():
        found = [breakthrough_perft(Breakthrough(rows, cols), d + 1) for d in range(len(known))]
        agreed &= report(f"Breakthrough {rows}x{cols}", found, known)
    for size, known in OTHELLO_PERFT.items():
        found = [othello_perft(Othello(size), d + 1) for d in range(len(known))]
        agreed &= report(f"Othello {size}x{size}", found, known)
    return 0 if agreed else 1


def report(title: str, found: list[int], known: list[int]) -> bool:
    """Print the figures found; whether they are right."""
    print(title, *found, "ok" if found == known else f"WRONG, should be {known}")
    return found == known


if __name__ == "__main__":
    sys.exit(main())
