"""A game in Python: how many simulations a search makes, beside a plain loop over the same class.

The loop plays random games and does nothing else, so it is what the user's own code takes.

    python benchmarks/python_game.py            # the table of docs/speed.md
    python benchmarks/python_game.py --quick
"""

from __future__ import annotations

import random
import sys

import playout as po
from playout.measure import Contestant, Row, race, short


class ConnectFour:
    """Connect Four 6x7 on two ints, as a user writes it."""

    n_codes = 14

    def __init__(self, own: int = 0, enemy: int = 0, turn: int = 0) -> None:
        self.own, self.enemy, self.turn = own, enemy, turn

    def legal_moves(self) -> list[int]:
        """The columns that are not full."""
        full = self.own | self.enemy
        return [column for column in range(7) if not full >> (7 * column + 5) & 1]

    def play(self, column: int) -> None:
        """Drop a disc."""
        full = self.own | self.enemy
        placed = (full + (1 << 7 * column)) & (63 << 7 * column) & ~full
        self.own, self.enemy, self.turn = self.enemy, self.own | placed, 1 - self.turn

    def has_won(self) -> bool:
        """Whether the side that moved last has four in a row."""
        for step in (1, 6, 7, 8):
            pairs = self.enemy & (self.enemy >> step)
            if pairs & (pairs >> 2 * step):
                return True
        return False

    def is_over(self) -> bool:
        """Whether somebody has won or the board is full."""
        return self.has_won() or (self.own | self.enemy).bit_count() == 42

    def result(self) -> float:
        """The first player's result."""
        return float(self.turn) if self.has_won() else 0.5

    def key(self) -> tuple[int, int]:
        """The discs tell whose turn it is."""
        return self.own, self.enemy

    def code(self, column: int) -> int:
        """A code for each side and column."""
        return 7 * self.turn + column

    def copy(self) -> ConnectFour:
        """An equal position."""
        return ConnectFour(self.own, self.enemy, self.turn)


def loop(games: int) -> None:
    """Random games in a plain loop."""
    draw = random.Random(1).random
    for _ in range(games):
        position = ConnectFour().copy()
        while not position.is_over():
            moves = position.legal_moves()
            position.play(moves[int(draw() * len(moves))])
        position.result()


def searching(method: str) -> Contestant:
    """One search."""

    def play(playouts: int) -> None:
        po.search(ConnectFour(), method, playouts=playouts, seed=1)

    return Contestant(method, play, games=5000)


def main() -> None:
    """Print the table."""
    quick = "--quick" in sys.argv
    methods = ("flat", "uct", "rave")
    row = Row("", [Contestant("loop", loop, games=1000), *map(searching, methods)])
    race([row], *((1, 0.01) if quick else (8, 0.5)))
    base = row.rates["loop"]
    print("| Connect Four in Python | simulations per second | of the plain loop |")
    print("| ---------------------- | ---------------------: | ----------------: |")
    for name, rate in row.rates.items():
        print(f"| {name:22} | {short(rate):>22} | {rate / base:16.2f}x |")


if __name__ == "__main__":
    main()
