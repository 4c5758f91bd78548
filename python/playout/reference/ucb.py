"""UCB: more playouts for promising moves.

A bandit is a slot machine with several arms that pay at different, unknown rates. If you always
pull the arm that has paid best so far, you may never find a better one. If you try all equally
often, you waste money on bad ones. Here the arms are the legal moves and a playout is a pull. The
rules below balance both. The move chosen in the end is the most visited one.
"""

from dataclasses import dataclass

from .base import Search, Task
from .choose import Evidence, Preference, by_visits
from .draws import beta
from .formulas import bayes, kl_ucb, regret, regret_bound, tuned, ucb1
from .game import seen_by
from .playout import play_to_end
from .record import MoveRecord

RULES = ("ucb1", "tuned", "bayes", "kl", "thompson", "greedy")
RULES_THAT_TRY_ALL_FIRST = ("ucb1", "tuned", "kl", "greedy")


@dataclass(frozen=True)
class UCB:
    """The rule that chooses the move of the next playout.

    "ucb1", "tuned", "bayes", "kl"
        the move with the highest plausible value (see formulas.py); `c` is the weight of
        exploration
    "thompson"
        a move is tried as often as it is likely to be best (Thompson, 1933): a value is drawn from
        the posterior distribution of each move, and the move with the highest draw is tried
    "greedy"
        the best mean, but with probability `epsilon` a random move: a baseline
    """

    rule: str = "ucb1"
    c: float = 0.4
    epsilon: float = 0.1
    ties: str = "random"


class UCBSearch(Search):
    """A bandit with one arm for each legal move."""

    def __init__(self, task: Task, method: UCB) -> None:
        if method.rule not in RULES:
            raise ValueError(f"there is no rule {method.rule!r}; there are: {', '.join(RULES)}")
        super().__init__(task, method)
        self.method = method
        self.children = [task.position.after(record.move) for record in self.records]

    def simulate(self, at_most: int = 1) -> None:
        """One more playout, from the position after the move that the rule picks."""
        self.playouts += 1
        number = self.pick()
        game = play_to_end(self.children[number], self.generator, self.policy)
        self.records[number].add(seen_by(self.turn, game.result))

    def pick(self) -> int:
        """The number of the move to try next."""
        numbers = range(len(self.records))
        if self.method.rule in RULES_THAT_TRY_ALL_FIRST:
            for number in numbers:
                if not self.records[number].played.visits:
                    return number
        if self.method.rule == "greedy" and self.generator.uniform() < self.method.epsilon:
            return self.generator.below(len(numbers))
        return max(numbers, key=self.score)  # the first among equals

    def score(self, number: int) -> float:
        """The score of a move by the rule."""
        record = self.records[number]
        w, n = record.played.wins, record.played.visits
        match self.method.rule:
            case "ucb1":
                return ucb1(w, n, self.playouts, self.method.c)
            case "tuned":
                return tuned(w, record.squares, n, self.playouts)
            case "bayes":
                return bayes(w, n, self.playouts, self.method.c)
            case "kl":
                return kl_ucb(w, n, self.playouts, self.method.c)
            case "thompson":
                return beta(self.generator, 1 + w, 1 + (n - w))
        return record.played.mean

    def evidence(self, record: MoveRecord) -> Evidence:
        """The playouts that began with the move."""
        return record.played

    def preference(self, record: MoveRecord) -> Preference:
        """The most visited move wins."""
        return by_visits(record.played)

    @property
    def tried(self) -> list[tuple[int, float]]:
        """Visits and mean of the moves with visits."""
        tallies = [record.played for record in self.records if record.played.visits]
        return [(tally.visits, tally.mean) for tally in tallies]

    @property
    def regret(self) -> float:
        """The cost of trying other moves than the best."""
        return regret(self.tried)

    @property
    def bound(self) -> float:
        """UCB1's bound on the expected cost."""
        return regret_bound([mean for _, mean in self.tried], self.playouts)
