"""Nim in plain Python, searched by the compiled engine. Taking the last match wins.

python examples/nim.py
"""

from __future__ import annotations

import playout as po

Take = tuple[int, int]  # from which heap, how many


class Nim:
    """Heaps of matches. A move takes any number from one heap."""

    n_codes = 2 * 10 * 10

    def __init__(self, heaps: list[int]) -> None:
        self.heaps = heaps
        self.turn = 0

    def legal_moves(self) -> list[Take]:
        return [(heap, n) for heap, size in enumerate(self.heaps) for n in range(1, size + 1)]

    def play(self, move: Take) -> None:
        heap, n = move
        self.heaps[heap] -= n
        self.turn = 1 - self.turn

    def is_over(self) -> bool:
        return not any(self.heaps)

    def result(self) -> float:
        """The side to move has lost, because the other one took the last match."""
        return float(self.turn == 1)

    def key(self) -> object:
        return tuple(self.heaps), self.turn

    def code(self, move: Take) -> int:
        return 100 * self.turn + 10 * move[0] + move[1]

    def copy(self) -> Nim:
        twin = Nim(self.heaps.copy())
        twin.turn = self.turn
        return twin


def main() -> None:
    position = Nim([3, 4, 5])
    found = po.search(position, po.RAVE(), playouts=5000, seed=1, solver=True)
    print(found)
    position.play(position.legal_moves()[found.move.raw])
    a, b, c = position.heaps
    print(f"\nit leaves {a}, {b}, {c}; in theory {a} xor {b} xor {c} = {a ^ b ^ c} should be 0")


if __name__ == "__main__":
    main()
