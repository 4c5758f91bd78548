"""The yardstick: Breakthrough and Othello on a list of lists, in plain Python.

This is the program that a student writes from lecture notes: a board that is a list of lists, Move
objects, `legalMoves()`, `play()`, `playout()` with `random.randint`, `score()`. The ratios "times
faster than list-board Python" in the README refer to it, so it is meant to be fair: ordinary code
that does nothing twice. In particular, where the notes call `copy.deepcopy` it copies the rows, it
looks only at moves that go forward, and it keeps count of the men instead of searching for them.

    python benchmarks/list_board.py        # checks its rules against known perft figures
"""

from __future__ import annotations

import random
import sys

EMPTY, FIRST, SECOND = 0, 1, 2


class Move:
    """A move of Breakthrough: the man on (x1, y1) goes to (x2, y2)."""

    def __init__(self, x1: int, y1: int, x2: int, y2: int) -> None:
        self.x1 = x1
        self.y1 = y1
        self.x2 = x2
        self.y2 = y2


class Breakthrough:
    """Breakthrough, two full rows of men each; the first player moves to higher rows."""

    def __init__(self, rows: int = 8, cols: int = 8) -> None:
        self.rows = rows
        self.cols = cols
        self.turn = FIRST
        self.winner = EMPTY
        self.men = {FIRST: 2 * cols, SECOND: 2 * cols}
        self.board = [[EMPTY] * cols for _ in range(rows)]
        self.board[0] = [FIRST] * cols
        self.board[1] = [FIRST] * cols
        self.board[rows - 2] = [SECOND] * cols
        self.board[rows - 1] = [SECOND] * cols

    def copy(self) -> Breakthrough:
        """Another board with the same position."""
        other = Breakthrough.__new__(Breakthrough)
        other.rows = self.rows
        other.cols = self.cols
        other.turn = self.turn
        other.winner = self.winner
        other.men = self.men.copy()
        other.board = [row[:] for row in self.board]
        return other

    def legalMoves(self) -> list[Move]:
        """All moves: one row forward, straight or diagonally; only diagonal moves capture."""
        moves: list[Move] = []
        if self.terminal():
            return moves
        board, turn = self.board, self.turn
        forward = 1 if turn == FIRST else -1
        for x in range(self.rows):
            for y in range(self.cols):
                if board[x][y] == turn:
                    ahead = board[x + forward]
                    if y > 0 and ahead[y - 1] != turn:
                        moves.append(Move(x, y, x + forward, y - 1))
                    if ahead[y] == EMPTY:
                        moves.append(Move(x, y, x + forward, y))
                    if y < self.cols - 1 and ahead[y + 1] != turn:
                        moves.append(Move(x, y, x + forward, y + 1))
        return moves

    def play(self, move: Move) -> None:
        """Play a legal move; note the winner if it ends the game."""
        opponent = SECOND if self.turn == FIRST else FIRST
        if self.board[move.x2][move.y2] == opponent:
            self.men[opponent] -= 1
        self.board[move.x1][move.y1] = EMPTY
        self.board[move.x2][move.y2] = self.turn
        last_row = self.rows - 1 if self.turn == FIRST else 0
        if move.x2 == last_row or self.men[opponent] == 0:
            self.winner = self.turn
        self.turn = opponent

    def terminal(self) -> bool:
        """Whether the game is over."""
        return self.winner != EMPTY

    def score(self) -> float:
        """The result of a finished game for the first player."""
        return 1.0 if self.winner == FIRST else 0.0

    def playout(self) -> float:
        """Play random moves on this board to the end of the game and return the result."""
        while not self.terminal():
            moves = self.legalMoves()
            n = random.randint(0, len(moves) - 1)
            self.play(moves[n])
        return self.score()


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
        other = Othello.__new__(Othello)
        other.size = self.size
        other.turn = self.turn
        other.board = [row[:] for row in self.board]
        return other

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
