"""Checks the certificate of a Breakthrough position: is the game won by the player it names?

    python benchmarks/check_certificate.py FILE

`po.solve(position, certificate="FILE")` writes one; `playout.certificate` describes it. This
program knows only the rules of the game. It shares no code with playout, and does not import it.
"""

import sys
from collections.abc import Iterator

Position = tuple[int, int, int]  # white's men, black's men (bits: cols * row + column), who moves


class Board:
    """The rules on a board of some size."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols

    def read(self, fen: str) -> Position:
        """A position from its line of text, such as "bbb/.../www w"."""
        lines, turn = fen.split()
        squares = "".join(reversed(lines.split("/")))
        men = [sum(1 << i for i, man in enumerate(squares) if man == side) for side in "wb"]
        return men[0], men[1], "wb".index(turn)

    def winner(self, position: Position) -> int | None:
        """Who has won: 0 for white, 1 for black, None for nobody yet."""
        white, black, _ = position
        if white >> self.cols * (self.rows - 1) or not black:
            return 0
        if black & ((1 << self.cols) - 1) or not white:
            return 1
        return None

    def moves(self, position: Position) -> Iterator[tuple[str, Position]]:
        """The legal moves, by square of origin and then from left to right, and where they lead."""
        turn = position[2]
        own, enemy = position[turn], position[1 - turn]
        for origin in range(self.rows * self.cols):
            if own >> origin & 1:
                row, col = origin // self.cols + (-1 if turn else 1), origin % self.cols
                for to in range(max(0, col - 1), min(self.cols, col + 2)):
                    target = 1 << row * self.cols + to
                    if not target & (own | enemy if to == col else own):
                        men = [own ^ 1 << origin | target, enemy & ~target]
                        text = self.name(origin) + self.name(row * self.cols + to)
                        yield text, (men[turn], men[1 - turn], 1 - turn)

    def name(self, square: int) -> str:
        """A square's name, such as "a1"."""
        return f"{'abcdefgh'[square % self.cols]}{square // self.cols + 1}"


def check(lines: Iterator[str]) -> int:
    """Walk through all games against the strategy. Returns the number of the winner's moves."""
    fen = next(lines).strip()
    winner = int(next(lines))
    board = Board(len(fen.split("/")), fen.index("/"))
    waiting, taken, answered = [board.read(fen)], set(), 0
    while waiting:
        position = waiting.pop()
        won_by = board.winner(position)
        if won_by is not None:
            if won_by != winner:
                raise ValueError(f"the loser wins after {answered} answers: {position}")
        elif position not in taken:
            taken.add(position)
            if position[2] == winner:
                answered += 1
                waiting.append(dict(board.moves(position))[next(lines).strip()])
            else:
                waiting.extend(after for _, after in reversed(list(board.moves(position))))
    if next(lines, None) is not None:
        raise ValueError("moves are left over at the end of the file")
    return answered


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        try:
            print(f"The certificate is right: {check(file):,} positions answered.")
        except (ValueError, KeyError, StopIteration) as fault:
            sys.exit(f"The certificate is wrong: {fault!r}")
