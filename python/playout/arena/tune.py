"""Finding good settings of a method by matches: `playout.tune`.

Successive halving (Karnin, Koren and Somekh 2013): many candidates play a few games each against
the method as it is. The better half stays and plays twice as many games, until one is left. That
one plays a match with openings of its own. The games that chose it are no evidence, because the
best of many is also lucky.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mcts_core.errors import shown
from mcts_core.position import Position
from playout.arena.limit import Limit
from playout.arena.match import LARGEST_SEED, drawn_seed, match, tournament
from playout.arena.players import Searching, player_of
from playout.arena.results import Match, Tournament
from playout.arguments import finite, whole_number
from playout.method import Method
from playout.task import PythonGame

if TYPE_CHECKING:
    from concurrent.futures import Executor

MOST_CANDIDATES = 1024
LINEAR, LOGARITHMIC, WHOLE = "linear", "log", "whole"
DIGITS = 3  # of a candidate's settings


@dataclass(frozen=True, slots=True)
class Tuning:
    """What a search for settings found. `print` it: it is a report.

    >>> import playout as po
    >>> how = {"game": po.Breakthrough(5), "playouts": 10, "seed": 1}
    >>> found = po.tune("uct", {"c": (0.1, 1.0)}, candidates=2, games=2, proof=2, **how)
    >>> found.best in po.compare(po.Breakthrough(5), [found.best], playouts=10, runs=1).methods
    True
    """

    start: Searching
    best: Method
    rounds: tuple[Tournament, ...]
    proof: Match
    """The match of the best settings against the method as it was."""

    @property
    def is_better(self) -> bool:
        """Whether the whole interval of the proof lies above 0 Elo."""
        return self.proof.interval[0] > 0

    def __str__(self) -> str:
        lines = []
        for number, found in enumerate(self.rounds, start=1):
            names = [found.players[index] for index in found.ranking if index > 0]
            games = found.meeting(0, 1).games
            lines.append(f"round {number}: {len(names)} candidates, {games} games each")
            lines += [f"  {_score(found, name):5.1%}  {name}" for name in names]
        verdict = "better" if self.is_better else "not shown to be better"
        return "\n".join([*lines, "", f"{self.best!r} is {verdict}:", str(self.proof)])


def _score(found: Tournament, name: str) -> float:
    """The score of a candidate against the method as it was, which is player 0."""
    return found.meeting(found.players.index(name), 0).pairs.score


def tune(
    method: object,
    parameters: Mapping[str, tuple[Any, ...]],
    *,
    game: Position | PythonGame | None = None,
    candidates: int = 16,
    games: int = 20,
    proof: int = 400,
    playouts: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    openings: object = 4,
    speed: float | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    record: str | Path | None = None,
    progress: Callable[[Tournament | Match], object] | None = None,
) -> Tuning:
    """Look for better settings of a method, and show by a match whether they are better.

    `parameters` gives for each setting its range: `(low, high)`, `(low, high, "log")` to draw its
    logarithm evenly, `(low, high, "whole")` for whole numbers. `candidates` are drawn at random and
    play `games` games each against the method as it is. The better half stays and plays twice as
    many, until one is left; it plays `proof` games with other openings. `record` is a folder, and
    the same call goes on with the games in it. All else is as in `match`.

    >>> import playout as po
    >>> found = po.tune("uct", {"c": (0.1, 2.0, "log")}, game=po.Breakthrough(4), playouts=50,
    ...                 candidates=4, games=4, proof=10, seed=1)
    >>> [len(round.players) for round in found.rounds], found.proof.games
    ([5, 3], 10)
    """
    start = player_of(method, Limit(playouts, nodes, seconds))
    if not isinstance(start, Searching):
        raise ValueError(f"only the settings of a method can be tuned, not those of {start.name}")
    folder = None if record is None else Path(record)
    seed = drawn_seed(seed, folder and folder / "round-1.db")
    n = whole_number("candidates", candidates, 2, MOST_CANDIDATES)
    players = drawn(start, parameters, n, seed)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    common: dict[str, Any] = {
        "game": game,
        "speed": speed,
        "executor": executor,
        "workers": workers,
        "openings": openings,
        "progress": progress,
    }
    rounds: list[Tournament] = []
    while len(players) > 1:
        found = tournament(
            [start, *players],
            games=games * 2 ** len(rounds),
            schedule="gauntlet",
            seed=(seed + len(rounds)) & LARGEST_SEED,
            record=folder and folder / f"round-{len(rounds) + 1}.db",
            **common,
        )
        rounds.append(found)
        by_score = sorted(players, key=lambda player: -_score(found, player.name))
        players = by_score[: math.ceil(len(players) / 2)]
    shown_by = match(
        players[0],
        start,
        games=proof,
        seed=(seed + len(rounds)) & LARGEST_SEED,
        record=folder and folder / "proof.db",
        **common,
    )
    return Tuning(start, players[0].method, tuple(rounds), shown_by)


def drawn(
    start: Searching, parameters: Mapping[str, tuple[Any, ...]], n: int, seed: int
) -> list[Searching]:
    """The candidates: the method with settings at random, no two alike."""
    if not parameters:
        raise ValueError("parameters must name a setting and its range, such as {'c': (0.1, 2.0)}")
    random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
    found: dict[str, Searching] = {}
    for _ in range(100 * n):
        settings = {name: _value(name, range_, random) for name, range_ in parameters.items()}
        player = replace(start, method=_with(start.method, settings))
        if player != start:
            found.setdefault(player.name, player)
        if len(found) == n:
            return list(found.values())
    raise ValueError(
        f"these ranges have only {len(found)} different settings: ask for fewer candidates"
    )


def _with(method: Method, settings: dict[str, Any]) -> Method:
    """The method with other settings; TypeError becomes a ValueError that names the setting."""
    unknown = [name for name in settings if not hasattr(method, name)]
    if unknown:
        raise ValueError(f"{method!r} has no setting {shown(unknown[0])}")
    return replace(method, **settings)


def _value(name: str, range_: tuple[Any, ...], random: np.random.Generator) -> float | int:
    """A random value of a range."""
    if not isinstance(range_, tuple) or len(range_) not in (2, 3):
        raise ValueError(f"the range of {name} must be like (0.1, 2.0) or (1, 100, 'whole')")
    kind = range_[2] if len(range_) == 3 else LINEAR
    low, high = (finite(name, end) for end in range_[:2])
    if not low < high or kind not in (LINEAR, LOGARITHMIC, WHOLE):
        raise ValueError(
            f"the range of {name} must go from a number to a larger one, and be 'linear', 'log' "
            f"or 'whole', not {shown(range_)}"
        )
    if kind == WHOLE and math.ceil(low) > math.floor(high):
        raise ValueError(f"there is no whole number in the range of {name}: {shown(range_)}")
    if kind == WHOLE:
        return int(random.integers(math.ceil(low), math.floor(high) + 1))
    if kind == LOGARITHMIC:
        if low <= 0:
            raise ValueError(f"the range of {name} must begin above 0 to be 'log'")
        return _rounded(math.exp(random.uniform(math.log(low), math.log(high))))
    return _rounded(random.uniform(low, high))


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
