"""Playouts: games played to the end by a policy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import sqrt
from typing import overload

from .convert import AnyPosition
from .convert import position as twin_of
from .game import Move, Position, seen_by
from .policy import AnyPolicy, Chooser, chooser_of
from .rng import SFC64, Seed

GAMES_PER_STREAM = 64


@dataclass(frozen=True)
class Playout:
    """One game: its result for the first player, and its moves with their AMAF codes."""

    result: float
    moves: tuple[str, ...]
    codes: tuple[int, ...]
    made: tuple[Move, ...] = ()
    """The moves as objects."""

    @property
    def plies(self) -> int:
        """The number of moves, passes included."""
        return len(self.moves)


@dataclass(frozen=True)
class Playouts:
    """Many games from one position, as seen by the side to move there."""

    n: int
    wins: int
    draws: int
    """Results strictly between 0 and 1."""
    plies: int
    """The number of moves in all games together, passes included."""
    total: float
    """The sum of the results."""
    squares: float
    """The sum of the squared results."""

    @property
    def losses(self) -> int:
        """The number of lost games."""
        return self.n - self.wins - self.draws

    @property
    def mean(self) -> float:
        """The mean result: a win counts 1, a draw 1/2."""
        return self.total / self.n

    @property
    def stderr(self) -> float:
        """The standard error of the mean."""
        variance = max(0.0, self.squares / self.n - self.mean**2)
        return sqrt(variance / self.n)


def play_to_end(
    position: Position, generator: SFC64, policy: AnyPolicy | Chooser = "random"
) -> Playout:
    """Play one game from a position, with the next numbers of a generator.

    A finished game has no moves and draws no numbers.
    """
    chooser = chooser_of(policy)
    moves, codes = [], []
    while (result := position.result) is None:
        move = chooser.choose(position, generator)
        moves.append(move)
        codes.append(position.code(move))
        position = position.after(move)
    return Playout(result, tuple(move.text for move in moves), tuple(codes), tuple(moves))


def games_from(
    position: Position, seed: Seed, policy: AnyPolicy = "random", position_number: int = 0
) -> Iterator[Playout]:
    """An endless sequence of games from a position. Each 64 games share a random stream."""
    for stream in count():
        generator = SFC64(seed, position_number, stream)
        for _ in range(GAMES_PER_STREAM):
            yield play_to_end(position, generator, policy)


def rewarded(position: Position, rewards: str) -> Position:
    """The position, of the game whose results are those that count: "result" or "margin"."""
    if rewards not in ("result", "margin"):
        raise ValueError(f"rewards must be 'result' or 'margin', not {rewards!r}")
    return position.by_margin if rewards == "margin" else position


def playout(
    position: AnyPosition, seed: Seed, policy: AnyPolicy = "random", rewards: str = "result"
) -> Playout:
    """Play one game from a position: the first of the games that `playouts` plays.

    >>> from playout.reference import Breakthrough
    >>> game = playout(Breakthrough(5), seed=1)
    >>> game.result, game.plies, game.moves[:3]
    (0.0, 18, ('b2b3', 'd4d3', 'a2a3'))
    """
    return play_to_end(rewarded(twin_of(position), rewards), SFC64(seed), policy)


@overload
def playouts(
    positions: AnyPosition,
    n: int,
    seed: Seed,
    policy: AnyPolicy = "random",
    rewards: str = "result",
) -> Playouts: ...
@overload
def playouts(
    positions: Sequence[AnyPosition],
    n: int,
    seed: Seed,
    policy: AnyPolicy = "random",
    rewards: str = "result",
) -> list[Playouts]: ...
def playouts(
    positions: AnyPosition | Sequence[AnyPosition],
    n: int,
    seed: Seed,
    policy: AnyPolicy = "random",
    rewards: str = "result",
) -> Playouts | list[Playouts]:
    """Play n games from a position, or n from each of several positions.

    >>> from playout.reference import Breakthrough, Othello
    >>> start = Breakthrough(5)
    >>> playouts(start, 100, seed=1)
    Playouts(n=100, wins=47, draws=0, plies=1635, total=47.0, squares=47.0)
    >>> several = playouts([start, Othello(4)], 100, seed=1, policy="guided")
    >>> [games.mean for games in several]
    [0.53, 0.155]
    """
    if isinstance(positions, Sequence):
        starts = [rewarded(twin_of(p), rewards) for p in positions]
        return [play_many(start, n, seed, policy, i) for i, start in enumerate(starts)]
    return play_many(rewarded(twin_of(positions), rewards), n, seed, policy, position_number=0)


def play_many(
    position: Position, n: int, seed: Seed, policy: AnyPolicy, position_number: int
) -> Playouts:
    """Play n games from one position and add up their results."""
    if n < 1:
        raise ValueError(f"the number of playouts must be 1 or more, not {n}")
    games = list(islice(games_from(position, seed, policy, position_number), n))
    results = [seen_by(position.turn, game.result) for game in games]
    return Playouts(
        n=n,
        wins=results.count(1.0),
        draws=sum(0.0 < result < 1.0 for result in results),
        plies=sum(game.plies for game in games),
        total=sum(results),
        squares=sum(result * result for result in results),
    )
