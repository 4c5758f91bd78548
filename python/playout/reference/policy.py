"""How a playout chooses its moves: at random, by weight.

A policy sorts the moves of a position into classes with weights. Each move holds as many tickets as
the weight of its class. One ticket is drawn, and the move that holds it is played.

A policy that learns is an object: it draws by odds that change after each simulation of a search.
A policy can also be a function of the user's.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any, TypeAlias

from .game import Move, MoveClasses, Position
from .rng import SFC64

Policy: TypeAlias = Callable[[Position], MoveClasses]
PolicyFunction: TypeAlias = Callable[[Any, list[str]], int | Iterable[float]]
AnyPolicy: TypeAlias = str | PolicyFunction


def random_classes(position: Position) -> MoveClasses:
    """One ticket for each move: all moves are equally likely."""
    return [(1, position.kernel_moves)]


def guided_classes(position: Position) -> MoveClasses:
    """More tickets for moves that look good, as the game defines."""
    return position.guided_classes


POLICIES: dict[str, Policy] = {"random": random_classes, "guided": guided_classes}


def policy_named(name: str) -> Policy:
    """The policy of that name.

    >>> policy_named("clever")
    Traceback (most recent call last):
    ValueError: there is no policy 'clever'; there are: random, guided
    """
    if name not in POLICIES:
        raise ValueError(f"there is no policy {name!r}; there are: {', '.join(POLICIES)}")
    return POLICIES[name]


def choose_move(position: Position, policy: Policy, generator: SFC64) -> Move:
    """Draw the move to play. A forced pass draws no number."""
    if position.must_pass:
        return position.legal_moves[0]
    classes = policy(position)
    tickets = sum(weight * len(moves) for weight, moves in classes)
    return holder(generator.below(tickets), classes)


def holder(ticket: int, classes: MoveClasses) -> Move:
    """The move that holds a ticket. Tickets are numbered from 0, by class and then by move.

    >>> a, b, c = (Move(name, ()) for name in "abc")
    >>> [holder(ticket, [(2, [a]), (1, [b, c])]).text for ticket in range(4)]
    ['a', 'a', 'b', 'c']
    """
    for weight, moves in classes:
        if ticket < weight * len(moves):
            return moves[ticket // weight]
        ticket -= weight * len(moves)
    raise ValueError("there are fewer tickets than that")


def drawn(weights: Iterable[float], generator: SFC64) -> int:
    """Draw an index in proportion to its weight, with one number, even if it is the only one."""
    ends = list(accumulate(weights))
    ticket = generator.uniform() * ends[-1]
    return min(bisect_right(ends, ticket), bisect_left(ends, ends[-1]))


class Chooser(ABC):
    """What chooses the moves of a playout."""

    @abstractmethod
    def choose(self, position: Position, generator: SFC64) -> Move:
        """The move to play."""


class Named(Chooser):
    """A policy by name."""

    def __init__(self, name: str) -> None:
        self.policy = policy_named(name)

    def choose(self, position: Position, generator: SFC64) -> Move:
        """Draw a ticket."""
        return choose_move(position, self.policy, generator)


class Function(Chooser):
    """A function of the user's, which gets a position and the texts of its moves.

    It returns the index of a move, or a weight for each.
    """

    def __init__(self, function: PolicyFunction) -> None:
        self.function = function

    def choose(self, position: Position, generator: SFC64) -> Move:
        """Ask the function. Only weights need a number."""
        moves = position.legal_moves
        answer = self.function(position, [move.text for move in moves])
        return moves[drawn(answer, generator) if isinstance(answer, Iterable) else answer]


class Learner(Chooser):
    """A policy that learns during a search in a tree."""

    @abstractmethod
    def odds(self, position: Position) -> list[float]:
        """What the probabilities of the legal moves are proportional to."""

    @abstractmethod
    def learn(self, root: Position, moves: Sequence[Move], result: float) -> None:
        """Learn from a game that began at the root. `result` is the first player's."""

    def choose(self, position: Position, generator: SFC64) -> Move:
        """Draw a move by its probability."""
        return position.legal_moves[drawn(self.odds(position), generator)]


def chooser_of(policy: AnyPolicy | Chooser) -> Chooser:
    """What chooses moves by a policy."""
    if isinstance(policy, Chooser):
        return policy
    return Named(policy) if isinstance(policy, str) else Function(policy)
