"""The solver: proven values in the tree.

When a simulation reaches the end of the game, the value of the last move is known exactly. From
such moves proofs move up the tree: a position with a winning move is won, and a position whose
moves all lose is lost (Winands, Bjoernsson and Saito, 2008). Because of draws, each position has
two bounds, the lowest and the highest result of the first player (Cazenave and Saffidine, 2010).
They start at 0 and
1. When they meet, the value is proven.

A move that cannot be better than what is already certain is not tried again, and a search stops
when its root is proven. Counts do not change: simulations of moves that are later proven bad stay
in the means.
"""

from collections.abc import Sequence

from .record import Bounds, Entry, MoveRecord


def back_up(walk: Sequence[Entry], made: Sequence[MoveRecord], bounds: Bounds) -> None:
    """Update the bounds along a walk, from its end up to the root.

    The last move leads to a position with these bounds.
    """
    for entry, move in reversed(list(zip(walk, made, strict=False))):
        move.bounds = bounds
        bounds = entry.bounds = best_of([record.bounds for record in entry.moves], entry.turn)


def best_of(moves: Sequence[Bounds], turn: int) -> Bounds:
    """The bounds of a position from those of its moves: the player to move takes the best.

    The first player gets at least the highest lower bound, and at most the highest upper bound. For
    the second player it is the lowest of each.

    >>> best_of([Bounds(0.0, 0.5), Bounds(0.5, 0.5), Bounds(0.0, 1.0)], turn=0)
    Bounds(low=0.5, high=1.0)
    >>> best_of([Bounds(0.0, 0.5), Bounds(0.5, 0.5), Bounds(0.0, 1.0)], turn=1)
    Bounds(low=0.0, high=0.5)
    """
    best = max if turn == 0 else min
    return Bounds(best(move.low for move in moves), best(move.high for move in moves))


def worth_trying(entry: Entry) -> list[MoveRecord]:
    """The moves that may be better than what is certain. Never empty before the value is proven."""
    certain = entry.bounds.seen_by(entry.turn).low
    return [move for move in entry.moves if move.bounds.seen_by(entry.turn).high > certain]


def may_be_best(entry: Entry) -> list[MoveRecord]:
    """The moves that may be chosen: those not proven to be worse than another.

    Once the value of the position is proven: only the moves that are proven to reach it.
    """
    certain = entry.bounds.seen_by(entry.turn).low
    if entry.bounds.proven:
        return [move for move in entry.moves if move.bounds.seen_by(entry.turn).low == certain]
    return [move for move in entry.moves if move.bounds.seen_by(entry.turn).high >= certain]
