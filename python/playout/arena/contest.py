"""What is to be played: the players, who meets whom, and each game by its number.

A `Contest` is a value. It makes a `Task` of each `Fixture`, which any process can play. The game is
the same everywhere if the players are repeatable.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import combinations
from time import perf_counter
from typing import Any, NamedTuple, get_args

import numpy as np

from mcts_core.errors import BadMethod, BadPosition, shown
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.position import Position
from playout.arena.game import NO_ADJUDICATION, Adjudication, Played, play
from playout.arena.openings import DEFAULT_OPENINGS, Openings, after
from playout.arena.players import Player, player_again
from playout.arguments import one_of
from playout.games import GAMES, root_of
from playout.measure import Contestant, cpu_model
from playout.names import TournamentSchedule
from playout.playing import playouts
from playout.python_games import any_game_of, game_again

SCHEDULES: tuple[TournamentSchedule, ...] = get_args(TournamentSchedule)
OPENING, GAME = 0, 1  # the first word of a spawn key: what the random numbers are for
MEASURED = 0.1  # seconds in which a machine's speed is measured


class Fixture(NamedTuple):
    """A game to be played: who meets whom, the number of their pair of games, and who begins."""

    a: int  # a player's index
    b: int
    pair: int
    side: int  # 0: a is the first player of the game; 1: b is

    @property
    def first(self) -> int:
        """The index of the game's first player."""
        return self.b if self.side else self.a


class Row(NamedTuple):
    """A game that was played, as a record keeps it."""

    fixture: Fixture
    opening: tuple[str, ...]
    played: Played
    began: str  # the time, in UTC
    worker: str  # the process that played it
    machine: str
    version: str  # of playout

    @property
    def score(self) -> float:
        """The result to player `a`."""
        return 1 - self.played.result if self.fixture.side else self.played.result


class Task(NamedTuple):
    """A game with what it takes to play it, and no more, because it is sent to another process."""

    fixture: Fixture
    players: tuple[Player, Player]  # who plays first and who plays second
    start: Position
    openings: Openings
    rules: Adjudication
    seed: int
    speed: float | None

    def play(self) -> Row:
        """Play the game. Any process may do so."""
        from playout import __version__

        began = datetime.now(UTC).isoformat(timespec="milliseconds")
        opening = self.openings.moves(self.start, self._seed(OPENING, self.fixture.pair))
        first, second = self.players
        if self.speed is not None:
            factor = self.speed / machine_speed()
            first, second = first.scaled(factor), second.scaled(factor)
        played = play(
            after(self.start, opening),
            (first, second),
            self._seed(GAME, *self.fixture),
            self.rules,
        )
        worker = f"{platform.node()}:{os.getpid()}"
        return Row(self.fixture, opening, played, began, worker, cpu_model(), __version__)

    def _seed(self, *words: int) -> np.random.SeedSequence:
        return np.random.SeedSequence(self.seed, spawn_key=words)


@dataclass(frozen=True)
class Contest:
    """Players, the position from which they play, and how."""

    players: tuple[Player, ...]
    start: Position
    openings: Openings = DEFAULT_OPENINGS
    rules: Adjudication = NO_ADJUDICATION
    seed: int = 0
    schedule: TournamentSchedule = "round robin"
    speed: float | None = None
    """Playouts a second of the machine for which time limits are meant; see `machine_speed`."""

    def __post_init__(self) -> None:
        one_of("schedule", self.schedule, SCHEDULES)
        names = [player.name for player in self.players]
        double = next((name for name in names if names.count(name) > 1), None)
        if double is not None:
            raise ValueError(f"two players are called {shown(double)}: give one of them a label")
        if any_game_of(self.start) is None:
            raise BadPosition(
                f"matches are of {', '.join(GAMES)} or games in Python, not of {shown(self.start)}"
            )
        for move in self.start.legal_moves:
            if move.split() != [move]:
                raise BadPosition(
                    f"matches write moves as words, and {shown(str(move))} has spaces: "
                    "str() of a move must be one word"
                )
        if self.start.is_over:
            raise BadPosition("this game is over: start a match from another position")
        self.openings.check(self.start)
        for player in self.players:
            if player.is_you:
                raise BadMethod("you cannot play in a match: use `playout play`")
            player.check(self.start)

    @property
    def is_repeatable(self) -> bool:
        """Whether the same seed gives the same games."""
        return all(player.is_repeatable for player in self.players)

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom."""
        n = len(self.players)
        if self.schedule == "gauntlet":
            return [(0, b) for b in range(1, n)]
        if self.schedule == "ladder":
            return [(a, a + 1) for a in range(n - 1)]
        return list(combinations(range(n), 2))

    def fixtures(self, pairs: int) -> Iterator[Fixture]:
        """All games, in the order in which they begin: everybody's first pair, then the second."""
        for pair in range(pairs):
            for a, b in self.pairings:
                yield Fixture(a, b, pair, 0)
                yield Fixture(a, b, pair, 1)

    def described(self) -> dict[str, Any]:
        """What makes the games what they are, in plain types."""
        game = any_game_of(self.start)
        assert game is not None
        return {
            "game": game.name,
            "start": game.write(root_of(self.start)),
            "moves": [str(move) for move in self.start.history],
            "players": [player.described() for player in self.players],
            "openings": asdict(self.openings) | {"lines": [list(x) for x in self.openings.lines]},
            "adjudication": asdict(self.rules),
            "seed": self.seed,
            "schedule": self.schedule,
            "speed": self.speed,
        }

    def task(self, fixture: Fixture) -> Task:
        """A game, ready to be played."""
        a, b = self.players[fixture.a], self.players[fixture.b]
        return Task(
            fixture,
            (b, a) if fixture.side else (a, b),
            self.start,
            self.openings.of_pair(fixture.pair),
            self.rules,
            self.seed,
            self.speed,
        )

    def play(self, fixture: Fixture) -> Row:
        """Play a game here."""
        return self.task(fixture).play()


def contest_again(described: dict[str, Any]) -> Contest:
    """The contest that `described` told of; a ValueError if it cannot be made from that."""
    start = game_again(described["game"]).read(described["start"])
    openings = described["openings"]
    lines = tuple(tuple(line) for line in openings["lines"])
    return Contest(
        players=tuple(map(player_again, described["players"])),
        start=after(start, described["moves"]),
        openings=Openings(**openings | {"lines": lines}),
        rules=Adjudication(**described["adjudication"]),
        seed=described["seed"],
        schedule=described["schedule"],
        speed=described["speed"],
    )


@cache
def machine_speed() -> float:
    """Random games of Breakthrough 8x8 that one core of this machine plays in a second."""
    racer = Contestant("", lambda n: playouts(Breakthrough(), n, seed=1), games=1000)
    began = perf_counter()
    best = 0.0
    while perf_counter() - began < MEASURED:
        games, seconds = racer(MEASURED / 10)
        best = max(best, games / seconds)
    return best
