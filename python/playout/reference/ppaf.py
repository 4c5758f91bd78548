"""PPAF: a playout policy that learns during the search, and forgets after it.

Playout policy adaptation (Cazenave, 2015) makes the moves of the winner more likely. Each move has
a weight w, 0 at first, and playouts draw a move with probability p = exp(w) / sum of exp(w) over
the legal moves. After each simulation, at each position where the winner was to move, the weight of
the move played grows by ALPHA, and that of every legal move m shrinks by ALPHA p(m). This is a step
up the gradient of the probability of the winner's moves. The probabilities are those before the
simulation, and the positions are those of the whole game, from the root on.

Weights belong to AMAF codes. PPAF adds features to the codes, such as whether a move captures. The
codes of Breakthrough have that feature; those of Othello are player and square alone, as in PPA.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from math import exp

from .game import Move, Position
from .policy import Learner

ALPHA = 0.32
MOST = 500.0  # weights stay within this, so that no probability is 0 or infinite


class PPAF(Learner):
    """The weights of one search."""

    def __init__(self) -> None:
        self.weights: defaultdict[int, float] = defaultdict(float)

    def odds(self, position: Position) -> list[float]:
        """The probability of a move is proportional to exp(w)."""
        return [exp(self.weights[position.code(move)]) for move in position.legal_moves]

    def learn(self, root: Position, moves: Sequence[Move], result: float) -> None:
        """Learn from a game that began at the root. `result` is the first player's."""
        if result == 0.5:
            return
        winner = 0 if result > 0.5 else 1
        weights = self.weights.copy()
        position = root
        for played in moves:
            if position.turn == winner:
                self.learn_ply(weights, position, played)
            position = position.after(played)
        for code, weight in weights.items():
            self.weights[code] = max(-MOST, min(MOST, weight))

    def learn_ply(self, weights: defaultdict[int, float], position: Position, played: Move) -> None:
        """A step up the gradient at one position. The odds are those before the simulation."""
        odds = self.odds(position)
        *_, total = accumulate(odds)  # `sum` rounds in another way
        step = ALPHA / total
        weights[position.code(played)] += ALPHA
        for move, one in zip(position.legal_moves, odds, strict=True):
            weights[position.code(move)] -= step * one
