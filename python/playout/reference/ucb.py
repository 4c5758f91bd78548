"""UCB: playouts go where they are worth most.

A bandit is a slot machine with several arms, each of which pays at a rate of its own that you do
not know. Pull the one that has paid best so far, and you may never find out that another is better;
try them all alike, and you waste money on the bad ones. Here the arms are the legal moves, a
playout is a pull, and the rules below strike the balance. The move chosen in the end is the most
visited one.
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
    """The rule to share out playouts by.

    "ucb1", "tuned", "bayes", "kl"
        optimism: the move that might be best (see formulas.py); `c` is the weight of exploration
    "thompson"
        a move is tried as often as it is likely to be best (Thompson, 1933): for each one a value
        is drawn from what its value may be, and the best draw is tried
    "greedy"
        the best mean, and a move at random with probability `epsilon`: what the others should beat
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
        return max(numbers, key=self.score)  # the first of the best

    def score(self, number: int) -> float:
        """What a move promises, by the rule."""
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
        """Visits and mean of the moves that were tried."""
        tallies = [record.played for record in self.records if record.played.visits]
        return [(tally.visits, tally.mean) for tally in tallies]

    @property
    def regret(self) -> float:
        """What it has cost to try other moves than the best."""
        return regret(self.tried)

    @property
    def bound(self) -> float:
        """What that may be expected to cost at most, with UCB1."""
        return regret_bound([mean for _, mean in self.tried], self.playouts)
