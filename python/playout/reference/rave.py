"""RAVE: rapid action value estimation, AMAF in a tree.

In a new position of the tree each move has been tried once or not at all, so its own results say
little. AMAF has more data, because every simulation through the position counts for all moves made
from there on. RAVE (Gelly and Silver, 2007) mixes both estimates, `(1 - beta) Q + beta A`. beta
starts near 1 and falls to 0 as the move gets playouts of its own. How fast it falls is defined by a
schedule; formulas.py has the schedules and their sources.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .base import Task
from .formulas import (
    beta_hand,
    beta_heuristic,
    beta_mse,
    beta_variance,
    exploration,
    rave_value,
    rave_value_mse,
)
from .record import Entry, MoveRecord
from .tally import Tally, add_all_moves_as_first
from .tree import TreeSearch, Walk

SCHEDULES = ("mse", "heuristic", "hand", "variance")


@dataclass(frozen=True)
class RAVE:
    """The schedule of beta, and its settings.

    "mse"
        least squared error for a known `bias`, which is four times the square of AMAF's bias.
        `bias` may be several numbers: with `scale="kind"` one for each kind of move (Breakthrough:
        straight, diagonal, capture; Othello: inside, edge, corner), with `scale="phase"` one for
        each of several equal parts of the game
    "heuristic"
        a rule of thumb
    "hand"
        depends only on the visits of the position; at `k` visits both estimates weigh the same
    "variance"
        least squared error with variances and bias estimated from the data; the bias is estimated
        from `min_samples` observations on

    With `c` above 0 there is also an exploration term.
    """

    beta: str = "mse"
    bias: float | tuple[float, ...] = 1e-5
    k: float = 1000.0
    min_samples: int = 10
    c: float = 0.0
    scale: str | None = None
    ties: str = "random"
    lanes: int = 1


class RAVESearch(TreeSearch):
    """A tree whose entries hold AMAF tallies too."""

    def __init__(self, task: Task, method: RAVE) -> None:
        if method.beta not in SCHEDULES:
            known = ", ".join(SCHEDULES)
            raise ValueError(f"there is no schedule {method.beta!r} of beta; there are: {known}")
        super().__init__(task, method)
        self.method = method
        self.biases = biases_of(method)

    # Counting.

    def update(self, walk: Walk) -> None:
        """At each entry of the walk, count the result for all moves that were made from there on.

        These are the moves in the tree and in the playout, of both players.
        """
        super().update(walk)
        codes = walk.codes
        for depth, entry in enumerate(walk.entries):
            add_all_moves_as_first(entry.amaf, codes[depth:], walk.result)

    def amaf_source(self, walk: Sequence[Entry]) -> Entry:
        """The entry whose AMAF tallies are used at the end of a walk: its own. (GRAVE differs.)"""
        return walk[-1]

    # Selecting.

    def select(self, walk: Sequence[Entry], moves: Sequence[MoveRecord]) -> MoveRecord:
        """A move without any results, or else the move with the highest score."""
        entry = walk[-1]
        source = self.amaf_source(walk)
        choices = [(move, source.amaf_of(move, entry.turn)) for move in moves]
        for move, amaf in choices:
            if not move.played.visits and not amaf.visits:
                return move

        def score(choice: tuple[MoveRecord, Tally]) -> float:
            move, amaf = choice
            return self.adjusted(entry, move, self.score(entry, move, amaf))

        return max(choices, key=score)[0]

    def score(self, entry: Entry, move: MoveRecord, amaf: Tally) -> float:
        """The mixture of both estimates, plus the exploration term if there is one."""
        played = move.played
        if self.method.beta == "mse":
            bias = self.bias(entry, move)
            score = rave_value_mse(played.wins, played.visits, amaf.wins, amaf.visits, bias)
        else:
            score = rave_value(self.beta(entry, move, amaf), played.mean, amaf.mean)
        if self.method.c > 0:
            score += exploration(max(move.played.visits, 1), max(entry.total, 1), self.method.c)
        return score

    def parts(self, walk: Sequence[Entry], move: MoveRecord) -> dict[str, float | None]:
        """Both means, the weight of AMAF's, and the exploration term."""
        entry = walk[-1]
        amaf = self.amaf_source(walk).amaf_of(move, entry.turn)
        found = super().parts(walk, move)
        found |= {"amaf_visits": amaf.visits, "amaf": amaf.mean if amaf.visits else None}
        if not (move.played.visits or amaf.visits):
            return found | {"beta": None, "score": None}
        return found | {
            "beta": self.beta(entry, move, amaf),
            "score": self.score(entry, move, amaf),
        }

    def beta(self, entry: Entry, move: MoveRecord, amaf: Tally) -> float:
        """The weight of the AMAF estimate; 0 or 1 if there is only one estimate."""
        if not move.played.visits:
            return 1.0
        if not amaf.visits:
            return 0.0
        w, n = move.played.wins, move.played.visits
        match self.method.beta:
            case "mse":
                return beta_mse(n, amaf.visits, self.bias(entry, move))
            case "heuristic":
                return beta_heuristic(n, amaf.visits)
            case "hand":
                return beta_hand(entry.total, self.method.k)
        return beta_variance(n, w, amaf.visits, amaf.wins, self.method.min_samples)

    def bias(self, entry: Entry, move: MoveRecord) -> float:
        """The bias for a move: one for all, or by its kind, or by the phase of the game."""
        n_biases = len(self.biases)
        if n_biases == 1:
            return self.biases[0]
        if self.method.scale == "kind":
            return self.biases[entry.position.kind(move.move)]
        return self.biases[min(int(entry.position.progress * n_biases), n_biases - 1)]

    # What is reported.

    def estimate(self, record: MoveRecord) -> float:
        """The mean result of a move at the root; its AMAF mean if it was never tried."""
        amaf = self.root.amaf_of(record, self.turn)
        if not record.counted.visits and amaf.visits:
            return amaf.mean
        return super().estimate(record)


def biases_of(method: RAVE) -> tuple[float, ...]:
    """The biases of a method, one or several.

    >>> biases_of(RAVE(bias=1e-4)), biases_of(RAVE(bias=(1e-4, 1e-5), scale="phase"))
    ((0.0001,), (0.0001, 1e-05))
    """
    if method.scale not in (None, "kind", "phase"):
        raise ValueError(f"scale must be None, 'kind' or 'phase', not {method.scale!r}")
    biases = method.bias if isinstance(method.bias, tuple) else (method.bias,)
    if method.scale is None and len(biases) != 1:
        raise ValueError("several biases need a scale, 'kind' or 'phase'")
    return biases
