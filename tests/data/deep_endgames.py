"""Writes deep_endgames.csv: positions of Othello, their exact scores and all best moves.

    python tests/data/deep_endgames.py

Every position is solved twice, by two solvers: that of `playout.solve`, which the learned patterns
guide, and alpha-beta of evaluations by hand to the end of the game, which shares no code with it.
Where that would take too long, the second one is the first without its guide.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

import playout as po
from mcts_core.minimax.endgame import EndgameSolver

EMPTY = [14] * 12 + [15] * 6 + [18, 19, 20, 20, 21, 22]  # squares of each position
OTHER_CODE_UP_TO = 15
SEED = 1
FIELDS = ["position", "empty", "score", "best_moves"]
TO_THE_END = po.AlphaBeta(depth=40, evaluation="weights")


def late(n_empty: int, choice: random.Random) -> po.Othello:
    """A position of a game in which each move is random or chosen by a shallow search."""
    while True:
        position = po.Othello()
        while not position.is_over and sum(position.discs) < 64 - n_empty:
            if choice.random() < 0.5:
                position.push(choice.choice(position.legal_moves))
            else:
                method = po.AlphaBeta(depth=2, evaluation="weights")
                position.push(po.search(position, method).move)
        if not position.is_over and len(position.legal_moves) > 1:
            return po.Othello.from_fen(position.fen)


def plain_score(position: po.Othello, n_empty: int) -> int:
    """The score by another way than `playout.solve` takes."""
    if n_empty <= OTHER_CODE_UP_TO:
        value = po.search(position, TO_THE_END).value
        return round(value - 1e6 if value > 0 else value + 1e6 if value < 0 else 0)
    solver = EndgameSolver(position)
    solver.run(-64, 64)
    return solver.score


def main() -> None:
    """Draw, solve, compare, write."""
    choice = random.Random(SEED)
    with Path(__file__).with_suffix(".csv").open("w", newline="") as file:
        table = csv.DictWriter(file, FIELDS, lineterminator="\n")
        table.writeheader()
        for n_empty in EMPTY:
            position = late(n_empty, choice)
            found = po.solve(position, multi=True)
            assert found.score == plain_score(position, n_empty), position.fen
            best = " ".join(str(move) for move in found.best_moves)
            table.writerow(
                dict(zip(FIELDS, (position.fen, n_empty, found.score, best), strict=True))
            )
            file.flush()


if __name__ == "__main__":
    main()
