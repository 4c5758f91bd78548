"""What a tree search knows of positions besides results of playouts.

Each part is a setting of every tree method, and works alone or with the others:

tactics
    a position whose result the game's tactics prove counts as finished
cut
    playouts end after this number of plies, and their last position is evaluated
minimax
    new positions are evaluated, each move keeps the minimax of these values, and scores mix it in
    (Lanctot, Winands, Pepels and Sturtevant, 2014)
prior
    a move begins with visits of the result that an evaluation one ply ahead expects
    (Gelly and Silver, 2007)
proof
    moves that look easy to prove a win with get a bonus (Kowalski, Soemers, Kosakowski and Winands,
    2025)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import cast

from .alphabeta import score_of
from .game import BoardPosition, Move, Position, seen_by
from .playout import Playout
from .quiescence import Score, expected, is_certain, quiescence
from .record import Entry, MoveRecord
from .rng import SFC64
from .tally import Tally


@dataclass(frozen=True)
class Knowledge:
    """The settings, as the tree methods have them. `evaluation` is "rows" or the file of a net."""

    evaluation: str | None = None
    cut: int | None = None
    minimax: float = 0.0
    prior: str | None = None
    prior_visits: int = 10
    tactics: bool = False
    proof: float = 0.0


class Expert:
    """Knowledge at work, in the search of one position."""

    def __init__(self, knowledge: Knowledge, root: Position) -> None:
        self.settings = knowledge
        self.cut, self.weight, self.proof = knowledge.cut, knowledge.minimax, knowledge.proof
        self.evaluates_leaves = knowledge.cut == 0 or knowledge.minimax > 0.0
        self.evaluation: Score | None = None
        if self.evaluates_leaves or knowledge.cut is not None or knowledge.prior:
            if not isinstance(root, BoardPosition) or knowledge.evaluation is None:
                raise ValueError("cut, minimax and prior need an evaluation by its name")
            self.evaluation = score_of(root, knowledge.evaluation)

    # New positions.

    def score(self, position: Position) -> int:
        """The score of a position for its mover, after the noisy moves."""
        assert self.evaluation is not None
        return quiescence(cast(BoardPosition, position), self.evaluation)

    def look_at(self, position: Position) -> tuple[float | None, bool]:
        """What a new position is worth to the first player, if known, and whether it is certain."""
        if self.evaluates_leaves:
            score = self.score(position)
            return seen_by(position.turn, expected(score)), is_certain(score)
        if self.settings.tactics:
            proven = cast(BoardPosition, position).solve()
            if proven:
                return seen_by(position.turn, 1.0 if proven > 0 else 0.0), True
        return None, False

    def prepare(self, entry: Entry) -> None:
        """Give each move of an entry visits of its expected result, before the first walk."""
        if self.settings.prior is None:
            return
        for move in entry.moves:
            after = entry.position.after(move.move)
            result = expected(self.score(after))
            move.prior = result if after.turn == entry.turn else 1.0 - result
            move.borrowed = self.settings.prior_visits
            move.played = Tally(move.borrowed, move.borrowed * move.prior)
            move.value = seen_by(entry.turn, move.prior) if self.weight > 0.0 else None

    def play_out(self, position: Position, generator: SFC64) -> Playout:
        """A random playout that is cut short, with one number a move, and evaluated."""
        assert self.cut is not None
        made: list[Move] = []
        codes: list[int] = []
        while len(made) < self.cut and position.result is None:
            legal = position.legal_moves
            move = legal[generator.below(len(legal))]
            codes.append(position.code(move))
            made.append(move)
            position = position.after(move)
        result = position.result
        if result is None:
            result = seen_by(position.turn, expected(self.score(position)))
        return Playout(result, tuple(move.text for move in made), tuple(codes), tuple(made))

    # What is backed up.

    def back_up(
        self,
        walk: Sequence[Entry],
        made: Sequence[MoveRecord],
        value: float | None,
        result: float | None,
    ) -> None:
        """Back up the end of a walk: its value, and its result if it is certain."""
        proofs = tuple(
            1.0 if result is None else 0.0 if result == 1.0 - player else inf for player in (0, 1)
        )
        for entry, move in reversed(list(zip(walk, made, strict=False))):
            if self.weight > 0.0:
                move.value = value
                value = best_value(entry)
            if self.proof > 0.0:
                move.proofs = proofs
                proofs = tuple(proof_number(entry, player) for player in (0, 1))

    # Scores.

    def adjust(self, entry: Entry, move: MoveRecord, score: float) -> float:
        """A score by the method's formula, with minimax values and the bonus for easy proofs."""
        if self.weight > 0.0 and move.value is not None:
            value = seen_by(entry.turn, move.value)
            score = (1.0 - self.weight) * score + self.weight * value
        if self.proof > 0.0:
            score += bonus(entry, move, self.proof)
        return score


def best_value(entry: Entry) -> float | None:
    """The value of the mover's best move, among those that have one."""
    values = [move.value for move in entry.moves if move.value is not None]
    return (max if entry.turn == 0 else min)(values, default=None)


def proof_number(entry: Entry, player: int) -> float:
    """How many leaves must at least turn out well to prove that a player wins."""
    numbers = [move.proofs[player] for move in entry.moves]
    return min(numbers) if entry.turn == player else sum(numbers)


def bonus(entry: Entry, move: MoveRecord, weight: float) -> float:
    """More for a move whose proof needs fewer leaves than those of the others."""
    number = move.proofs[entry.turn]
    if number == inf:
        return 0.0
    numbers = [other.proofs[entry.turn] for other in entry.moves]
    finite = [other for other in numbers if other < inf]
    least, most = min(finite), max(finite)
    return weight * (1.0 - (number - least) / (1.0 + most - least))
