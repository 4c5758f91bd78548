"""Flat AMAF: all moves as first.

A playout says something about more moves than its first. If a move was good later in the game it
may well be good now, so every move that the player to move made anywhere in a playout is counted
as if he had made it first (Bruegmann, 1993). That gives many more observations from as many
playouts, but not quite the right ones: the time of a move matters. How far the estimate is off
because of that is its bias.

What the same move is at another time, in another position, is for the game to say: moves with the
same code are the same move. A code tells the player too, so the opponent's moves do not count.
"""

from dataclasses import dataclass

from .base import Search, Task
from .choose import Evidence, Preference, by_mean
from .convert import AnyPosition
from .convert import position as twin_of
from .game import seen_by
from .playout import games_from
from .record import MoveRecord, MoveStatistics, statistics_of
from .rng import Seed
from .tally import NOTHING, Tally, add_all_moves_as_first


@dataclass(frozen=True)
class AMAF:
    """Flat AMAF: playouts from the position itself, all moves as first, the best mean wins."""

    ties: str = "random"


class AMAFSearch(Search):
    """Playout number i is game number i of `playouts` from the same seed."""

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
        """The playouts in which the move was made at any time."""
        return self.amaf.get(record.code, NOTHING)

    def preference(self, record: MoveRecord) -> Preference:
        """The best AMAF mean wins."""
        return by_mean(self.evidence(record))

    def statistics(self) -> list[MoveStatistics]:
        """All that was found out about the moves, in legal order."""
        return statistics_of(self.records, self.amaf)


@dataclass(frozen=True)
class Estimates:
    """Both estimates of a move from the same playouts, and the observations behind them."""

    move: str
    visits: int
    mean: float | None
    """The Monte Carlo estimate, from the playouts that began with the move."""
    amaf_visits: int
    amaf_mean: float | None
    """The AMAF estimate."""

    @property
    def bias(self) -> float | None:
        """How far the AMAF estimate lies above the other, if there are both."""
        if self.mean is None or self.amaf_mean is None:
            return None
        return self.amaf_mean - self.mean


def compare_estimates(
    position: AnyPosition, n: int, seed: Seed, policy: str = "random"
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
