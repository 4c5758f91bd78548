"""Flat AMAF: all moves as first.

A playout says something about more moves than its first. If a move was good later in the game, it
may be good now. So every move that the player to move made anywhere in a playout counts as if it
had been the first (Bruegmann, 1993). That gives many more observations from the same number of
playouts. But the time of a move matters, so the estimate has a bias.

The game defines which moves in different positions are the same: moves with the same code. Codes
also depend on the player, so the opponent's moves do not count.
"""

from dataclasses import dataclass

from .base import Search, Task
from .choose import Evidence, Preference, by_mean
from .convert import AnyPosition
from .convert import position as twin_of
from .game import seen_by
from .playout import games_from
from .policy import AnyPolicy
from .record import MoveRecord, MoveStatistics, statistics_of
from .rng import Seed
from .tally import NOTHING, Tally, add_all_moves_as_first


@dataclass(frozen=True)
class AMAF:
    """Flat AMAF: playouts from the position itself, all moves as first, the best mean wins."""

    ties: str = "random"


class AMAFSearch(Search):
    """Playout number i is game number i of `playouts` with the same seed."""

    own_stream = (1, 0)

    def __init__(self, task: Task, method: AMAF) -> None:
        super().__init__(task, method)
        self.games = games_from(task.position, task.seed, task.policy)
        self.by_text = {record.move.text: record for record in self.records}
        self.amaf: dict[int, Tally] = {}

    def simulate(self, at_most: int = 1) -> None:
        """One more playout from the position itself."""
        game = next(self.games)
        self.by_text[game.moves[0]].add(seen_by(self.turn, game.result))
        add_all_moves_as_first(self.amaf, game.codes, game.result, self.turn)
        self.playouts += 1

    def evidence(self, record: MoveRecord) -> Evidence:
        """The playouts in which the move occurred."""
        return self.amaf.get(record.code, NOTHING)

    def preference(self, record: MoveRecord) -> Preference:
        """The best AMAF mean wins."""
        return by_mean(self.evidence(record))

    def statistics(self) -> list[MoveStatistics]:
        """The statistics of the moves, in legal order."""
        return statistics_of(self.records, self.amaf)


@dataclass(frozen=True)
class Estimates:
    """Both estimates of a move from the same playouts, with the numbers of observations."""

    move: str
    visits: int
    mean: float | None
    """The Monte Carlo estimate, from the playouts that began with the move."""
    amaf_visits: int
    amaf_mean: float | None
    """The AMAF estimate."""

    @property
    def bias(self) -> float | None:
        """The AMAF estimate minus the Monte Carlo estimate; None if one is missing."""
        if self.mean is None or self.amaf_mean is None:
            return None
        return self.amaf_mean - self.mean


def compare_estimates(
    position: AnyPosition, n: int, seed: Seed, policy: AnyPolicy = "random"
) -> list[Estimates]:
    """Monte Carlo and AMAF side by side, for each legal move, from n playouts.

    >>> from playout.reference import Breakthrough
    >>> for row in compare_estimates(Breakthrough(5), 500, seed=1)[:3]:
    ...     print(row.move, row.visits, row.amaf_visits, round(row.bias, 3))
    a2a3 47 129 0.094
    a2b3 36 101 -0.086
    b2a3 25 94 -0.151
    """
    search = AMAFSearch(Task(twin_of(position), seed, policy), AMAF())
    for _ in range(n):
        search.simulate()
    return [
        Estimates(row.move, row.visits, row.mean, row.amaf_visits, row.amaf_mean)
        for row in search.statistics()
    ]
