"""Counting results: the two numbers behind every estimate."""

from collections.abc import Iterable
from dataclasses import dataclass

from .game import seen_by


@dataclass(slots=True)
class Tally:
    """The results of some games: their number and their sum.

    >>> tally = Tally()
    >>> for result in (1.0, 0.5, 1.0):
    ...     tally.add(result)
    >>> tally, round(tally.mean, 3)
    (Tally(visits=3, wins=2.5), 0.833)
    """

    visits: int = 0
    wins: float = 0.0  # a draw counts 0.5

    def add(self, result: float) -> None:
        """Count one more result."""
        self.visits += 1
        self.wins += result

    @property
    def mean(self) -> float:
        """The mean result; 0 without results."""
        return self.wins / self.visits if self.visits else 0.0

    def seen_by(self, turn: int) -> "Tally":
        """Convert a tally of the first player's results to those of the player `turn`.

        >>> Tally(visits=10, wins=7.5).seen_by(1)
        Tally(visits=10, wins=2.5)
        """
        return self if turn == 0 else Tally(self.visits, self.visits - self.wins)


NOTHING = Tally()
"""The tally of a move without results. Do not change it."""


def add_all_moves_as_first(
    tallies: dict[int, Tally], codes: Iterable[int], result: float, turn: int = 0
) -> None:
    """AMAF: count a game's result for each code in it, once a game.

    The result is the first player's; the tallies count it as the player `turn` sees it. Example:
    three games with moves A to F:

    >>> A, B, C, D, E, F = range(6)
    >>> tallies = {}
    >>> add_all_moves_as_first(tallies, [A, B, C], 1.0)
    >>> add_all_moves_as_first(tallies, [D, A, E], 0.0)
    >>> add_all_moves_as_first(tallies, [B, F, A], 1.0)
    >>> [tallies[code] for code in (A, B)]
    [Tally(visits=3, wins=2.0), Tally(visits=2, wins=2.0)]
    >>> [tallies[code] for code in (C, D)]
    [Tally(visits=1, wins=1.0), Tally(visits=1, wins=0.0)]

    A move that is made twice in a game counts once:

    >>> add_all_moves_as_first(tallies, [C, A, C], 0.0)
    >>> tallies[C]
    Tally(visits=2, wins=1.0)
    """
    value = seen_by(turn, result)
    for code in set(codes):
        if code not in tallies:
            tallies[code] = Tally()
        tallies[code].add(value)
