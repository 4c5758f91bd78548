"""Where was the game lost? Each move of an endgame, compared with perfect play.

    python examples/othello_endgame.py [MOVES]

MOVES is a game such as f5d6c3... By default two evaluations play one.
"""

from __future__ import annotations

import sys

import playout as po
from playout import formats

LAST = 14  # empty squares: from here on each position is solved


def play_a_game() -> po.Othello:
    """A game of "weights" against "ratios", both searching four plies."""
    position = po.Othello()
    methods = po.AlphaBeta(4, "weights"), po.AlphaBeta(4, "ratios")
    while not position.is_over:
        position.push(po.search(position, methods[position.turn]).move)
    return position


def main() -> None:
    game = formats.read_moves(sys.argv[1]) if len(sys.argv) > 1 else play_a_game()
    print(formats.write_moves(game))
    position = po.Othello()
    print("empty  side   move  score  best  score")
    for move in game.history:
        empty = 64 - sum(position.discs)
        if empty <= LAST and move != "pass":
            best = po.solve(position)
            side = ("black", "white")[position.turn]
            position.push(move)
            played = score_for_the_other(position)
            print(f"{empty:5}  {side}  {move:4}  {played:+5}  {best.move:4}  {best.score:+5}")
        else:
            position.push(move)
    print("discs: black {}, white {}".format(*position.discs))


def score_for_the_other(position: po.Othello) -> int:
    """The exact score for the side that has just moved."""
    if not position.is_over:
        return -(po.solve(position).score or 0)
    black, white = position.discs
    lead, empty = black - white, 64 - black - white
    lead += empty if lead > 0 else -empty if lead < 0 else 0
    return lead if position.turn else -lead


if __name__ == "__main__":
    main()
