"""The solver: what is proven need not be estimated.

A simulation that reaches the end of the game does not only give one more result to count: the move
that ended the game is worth exactly this result. From such moves proofs climb up the tree. A
position with a winning move is won, one whose moves all lose is lost (Winands, Bjoernsson and
Saito, 2008). Because there are draws, what is known is kept as two bounds, the least and the most
that the first player gets (Cazenave and Saffidine, 2010); they start at 0 and 1, and when they meet
the value is known.

A move that can give no more than what is certain already is not tried again, and a search whose
root is proven stops. What is counted is left as it is: simulations that a proof shows to have been
a mistake stay in the means.
"""

from collections.abc import Sequence

from .record import Bounds, Entry, MoveRecord


def back_up(walk: Sequence[Entry], made: Sequence[MoveRecord], bounds: Bounds) -> None:
    """Carry what is known at the end of a walk up to the root.

    The last of the moves made leads to a position with these bounds.
    """
    for entry, move in reversed(list(zip(walk, made, strict=False))):
        move.bounds = bounds
        bounds = entry.bounds = best_of([record.bounds for record in entry.moves], entry.turn)


def best_of(moves: Sequence[Bounds], turn: int) -> Bounds:
    """The bounds of a position, from those of its moves: the player to move picks the best.

    The first player is sure of the best of all lower bounds, and may hope for the best upper one;
    the second player wants the first one's bounds low.

    >>> best_of([Bounds(0.0, 0.5), Bounds(0.5, 0.5), Bounds(0.0, 1.0)], turn=0)
    Bounds(low=0.5, high=1.0)
    >>> best_of([Bounds(0.0, 0.5), Bounds(0.5, 0.5), Bounds(0.0, 1.0)], turn=1)
    Bounds(low=0.0, high=0.5)
    """
    best = max if turn == 0 else min
    return Bounds(best(move.low for move in moves), best(move.high for move in moves))


def worth_trying(entry: Entry) -> list[MoveRecord]:
    """The moves that may turn out better than what is certain. If nothing is proven, some are."""
    certain = entry.bounds.seen_by(entry.turn).low
    return [move for move in entry.moves if move.bounds.seen_by(entry.turn).high > certain]


def may_be_best(entry: Entry) -> list[MoveRecord]:
    """The moves that may be chosen: none that is certain to be worse than another.

    Once the value of the position is proven, only the moves that are proven to reach it.
    """
    certain = entry.bounds.seen_by(entry.turn).low
    if entry.bounds.proven:
        return [move for move in entry.moves if move.bounds.seen_by(entry.turn).low == certain]
    return [move for move in entry.moves if move.bounds.seen_by(entry.turn).high >= certain]
