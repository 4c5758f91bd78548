"""Matches and tournaments as functions: `playout.match` and `playout.tournament`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mcts_core.errors import shown
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.position import Position
from mcts_core.rng import seed_sequence
from playout.arena.contest import Contest, Row, contest_again
from playout.arena.game import NO_ADJUDICATION, Adjudication
from playout.arena.limit import Limit
from playout.arena.openings import openings_of
from playout.arena.players import Player, player_of
from playout.arena.results import Match, Meeting, Tournament
from playout.arena.statistics import SPRT, sprt_of
from playout.arguments import number, whole_number
from playout.names import TournamentSchedule
from playout.task import PythonGame, wrapped

if TYPE_CHECKING:
    from concurrent.futures import Executor

MOST_GAMES = 10**7
MOST_WORKERS = 256  # all of them are started at once
LARGEST_SEED = 2**63 - 1


def match(
    a: object,
    b: object,
    *,
    games: int = 100,
    game: Position | PythonGame | None = None,
    playouts: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    clock: float | None = None,
    increment: float = 0.0,
    seed: int | None = None,
    openings: object = 4,
    sprt: object = None,
    adjudication: Adjudication | None = None,
    speed: float | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    record: str | Path | None = None,
    progress: Callable[[Match], object] | None = None,
) -> Match:
    """Play a match between two players, and say what it proves.

    A player is a method, a text such as "rave@10000" or "UCT(c=0.7)@2s solver", a function that
    takes a position and returns a move, a file with such a function ("bot.py"), or an engine. A
    function that never returns hangs the match; a file is killed and loses on time. `games` is
    even: each opening is played twice, with the players' colours changed.

    - `playouts`, `nodes`, `seconds` (of a move), `clock` and `increment` (seconds of a game, and
      what each move adds): the limit of a player who brings none;
    - `openings`: a number of random plies, a file or a list of lines of moves, or `Openings`;
    - `sprt`: two differences in Elo such as (0, 10), or an `SPRT`: the match ends when one of them
      is refuted;
    - `adjudication`: when a game is decided before its end;
    - `speed`: times are meant for a machine that plays this many random games of Breakthrough 8x8
      in a second on a core; on others they grow or shrink;
    - `executor`: any `concurrent.futures.Executor`; `workers`: processes of this machine instead.
      Without either the games are played here, one after the other;
    - `record`: a file that gets every game as it ends. A match goes on with the games in it, and
      with their seed if none is given;
    - `progress`: called after each game, with the match so far.

    With limits in playouts or nodes, the same seed gives the same games on any executor.

    >>> import playout as po
    >>> found = po.match("uct@100", "flat@100", game=po.Breakthrough(4), games=20, seed=1)
    >>> found.games, found.meeting.wins
    (20, 13)
    """
    limit = Limit(playouts, nodes, seconds, clock, increment)
    test = None if sprt is None else sprt_of(sprt)
    seed = drawn_seed(seed, record)
    contest = contest_of([a, b], game, limit, seed, openings, adjudication, "round robin", speed)
    pairs = pairs_of(games)
    played = Playing(contest, pairs, test, record)
    for rows in played.play(hands(contest, executor, workers)):
        if progress is not None:
            progress(Match(contest, rows, test))
    return Match(contest, played.rows, test)


def tournament(
    players: Sequence[object],
    *,
    games: int = 100,
    schedule: TournamentSchedule = "round robin",
    game: Position | PythonGame | None = None,
    playouts: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    clock: float | None = None,
    increment: float = 0.0,
    seed: int | None = None,
    openings: object = 4,
    adjudication: Adjudication | None = None,
    speed: float | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    record: str | Path | None = None,
    progress: Callable[[Tournament], object] | None = None,
) -> Tournament:
    """Let several players meet, and rate them on one scale.

    `games` is the number for each two players who meet. `schedule`: "round robin", everybody meets
    everybody; "gauntlet", the first player meets all others; "ladder", each meets the next. All
    else is as in `match`.

    >>> import playout as po
    >>> found = po.tournament(["uct", "flat", "ucb"], playouts=50, game=po.Breakthrough(4), games=4)
    >>> found.players, len(found.rows)
    (['UCT()@50', 'Flat()@50', 'UCB()@50'], 12)
    """
    limit = Limit(playouts, nodes, seconds, clock, increment)
    if isinstance(players, str) or not isinstance(players, Sequence) or len(players) < 2:
        raise ValueError(f"players must be a list of two players or more, not {shown(players)}")
    seed = drawn_seed(seed, record)
    contest = contest_of(players, game, limit, seed, openings, adjudication, schedule, speed)
    played = Playing(contest, pairs_of(games), None, record)
    for rows in played.play(hands(contest, executor, workers)):
        if progress is not None:
            progress(Tournament(contest, rows))
    return Tournament(contest, played.rows)


def contest_of(
    players: Sequence[object],
    game: Position | PythonGame | None,
    limit: Limit,
    seed: int,
    openings: object,
    adjudication: Adjudication | None,
    schedule: TournamentSchedule,
    speed: float | None,
) -> Contest:
    """The contest that arguments of `match` and `tournament` describe."""
    if adjudication is not None and not isinstance(adjudication, Adjudication):
        raise ValueError(
            "adjudication must be playout.Adjudication(solve_nodes=..., agreed=..., "
            f"most_plies=...), not {shown(adjudication)}"
        )
    return Contest(
        players=named_apart([player_of(player, limit) for player in players]),
        start=Breakthrough() if game is None else wrapped(game, "game must be").copy(),
        openings=openings_of(openings),
        rules=adjudication or NO_ADJUDICATION,
        seed=seed,
        schedule=schedule,
        speed=None if speed is None else number("speed", speed, 0.0, above=True),
    )


def named_apart(players: list[Player]) -> tuple[Player, ...]:
    """The players, with numbers behind names that come more than once."""
    found: list[Player] = []
    for player in players:
        names = {other.name for other in found}
        if player.name in names and hasattr(player, "label"):
            name, n = player.name, 2
            while f"{name} #{n}" in names:
                n += 1
            player = replace(cast(Any, player), label=f"{name} #{n}")
        found.append(player)
    return tuple(found)


def drawn_seed(seed: int | None, record: str | Path | None) -> int:
    """The seed, or that of the games in a record, or a new one."""
    if seed is None:
        seed = recorded_seed(record)
    if seed is None:
        return cast(int, seed_sequence(None).entropy) & LARGEST_SEED
    return whole_number("seed", seed, 0, LARGEST_SEED)


def pairs_of(games: int) -> int:
    """The number of pairs that these games make."""
    games = whole_number("games", games, 2, MOST_GAMES)
    if games % 2:
        raise ValueError(f"games must be even, because each opening is played twice; not {games}")
    return games // 2


def hands(
    contest: Contest, executor: Executor | None, workers: int | None
) -> Executor | int | None:
    """What plays the games, from two arguments of which at most one is given."""
    if executor is not None and workers is not None:
        raise ValueError("executor= and workers= are two ways to play at a time: choose one")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise ValueError(
            "executor must be a concurrent.futures.Executor, such as ProcessPoolExecutor(4), "
            f"not {shown(executor)}"
        )
    if workers is not None:
        workers = whole_number("workers", workers, 1, MOST_WORKERS)
    warning = None if executor is not None else crowd(contest, workers or 1)
    if warning is not None:
        warnings.warn(warning, RuntimeWarning, stacklevel=3)  # blames the caller of playout.match
    return workers if executor is None else executor


def crowd(contest: Contest, workers: int) -> str | None:
    """A warning if more threads compute at a time than this machine has cores."""
    threads = max(getattr(player, "busy_threads", 1) for player in contest.players)
    cores = os.cpu_count() or 1
    if workers * threads <= cores:
        return None
    who = f"{workers} worker{'s' * (workers > 1)}"
    who += f" with {threads} threads" if threads > 1 else ""
    return (
        f"{who} need {workers * threads} cores, and this machine has {cores}: with limits in "
        "seconds all players think less"
    )


class Playing:
    """The games of a contest as they come in, those of earlier runs first."""

    def __init__(
        self, contest: Contest, pairs: int, sprt: SPRT | None, record: str | Path | None
    ) -> None:
        self.contest, self.pairs, self.sprt = contest, pairs, sprt
        self.record = None if record is None else Path(record)
        self.rows: list[Row] = []
        self._meeting = Meeting(sprt)

    def play(self, workers: Executor | int | None) -> Iterator[list[Row]]:
        """Play what is missing, and give all games so far after each."""
        from playout.arena import runner, store  # SQLite and pools take long to import

        with store.Store.of(self.contest, self.record) as kept:
            kept.note({"games": 2 * self.pairs, "sprt": self.sprt and asdict(self.sprt)})
            for row in kept.rows():
                self._add(row)
            if self._meeting.decision is None:
                for row in runner.play_games(self.contest, self.pairs, kept, workers):
                    self._add(row)
                    yield self.rows
                    if self._meeting.decision is not None:
                        break

    def _add(self, row: Row) -> None:
        self.rows.append(row)
        if self.sprt is not None:
            self._meeting.add(row)


def recorded_seed(record: str | Path | None) -> int | None:
    """The seed of the games in a record; None if there is no record yet."""
    from playout.arena import store

    if record is None or not Path(record).is_file():
        return None
    with store.Store(Path(record)) as kept:
        seed: int | None = kept.about().get("contest", {}).get("seed")
        return seed


def recorded(path: Path) -> tuple[Contest, int, SPRT | None, list[Row]]:
    """What a record was made with, how many games for each two players, and its games so far."""
    from playout.arena import store

    if not path.is_file():
        raise ValueError(f"{path}: there is no such record")
    with store.Store(path) as kept:
        about = kept.about()
        if about.get("kind") != store.KIND:
            raise ValueError(f"{path} is no record of a match: give a file that playout wrote")
        try:
            sprt = about["sprt"] and SPRT(**about["sprt"])
            return contest_again(about["contest"]), about["games"], sprt, list(kept.rows())
        except (KeyError, TypeError, AttributeError) as fault:
            raise ValueError(
                f"{path} is damaged, or of another version of playout: {fault!r} in what it says "
                "of its contest"
            ) from None
