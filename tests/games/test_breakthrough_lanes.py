"""Games in lanes of 64 and of 32 bits are those of the plain loop and of the twin.

The size of the board decides the width of the lanes, so every size is tested.
"""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

import mcts_core
import playout as po
import playout.reference as ref
from mcts_core import cpu
from support.helpers import WITH_TESTS, random_game, run_python
from support.trees import assert_same_tree

SIZES = [(rows, cols) for rows in range(3, 9) for cols in range(3, 9)]
every_size = pytest.mark.parametrize(("rows", "cols"), SIZES)


def start_of(rows: int, cols: int) -> po.Breakthrough:
    return po.Breakthrough(rows, cols, first_rows=1 if rows == 3 else 2)


def positions_of(rows: int, cols: int) -> list[po.Position]:
    """All unfinished positions of four random games, with either side to move."""
    start = start_of(rows, cols)
    games = [position.copy() for seed in range(4) for position in random_game(start, seed)]
    return [position for position in games if not position.is_over]


# Against the plain loop


def digest(rows: int, cols: int) -> str:
    """A digest of games with more jobs than lanes and with fewer, of many games and of one."""
    start, positions = start_of(rows, cols), positions_of(rows, cols)
    many = [po.playouts(start, n, seed=n) for n in (520, 1000, 1500, 3000, 6001)]
    many += [po.playouts(positions, n, seed=n) for n in (1, 2, 65)]
    many += [po.playouts(positions[-9:], n, seed=n) for n in (1, 2)]
    found = hashlib.sha256()
    for result in many:
        for field in (result.wins, result.losses, result.plies, result.mean, result.stderr):
            found.update(np.asarray(field).tobytes())
    for lanes in (3, 16, 33):  # with AMAF codes, and generators that continue from call to call
        method = po.RAVE(lanes=lanes)
        found.update(po.search(start, method, playouts=200, seed=1).moves.tobytes())
    return found.hexdigest()


@pytest.mark.slow
def test_every_level_plays_the_same_games() -> None:
    """With vectors of 512 bits, of 256 bits, and without vectors."""
    code = (
        "import json\n"
        "from games import test_breakthrough_lanes as tests\n"
        "print(json.dumps({f'{r}x{c}': tests.digest(r, c) for r, c in tests.SIZES}))"
    )
    levels = [level for level in mcts_core.built_levels if level in cpu.supported()]
    runs = [run_python(code, PLAYOUT_CPU=level, **WITH_TESTS) for level in levels]
    assert all(run.stderr == "" for run in runs), runs[0].stderr
    plain, *in_lanes = (json.loads(run.stdout) for run in runs)
    assert len(plain) == len(SIZES)
    assert all(level == plain for level in in_lanes)


# Against the twin


@every_size
@pytest.mark.parametrize("n", [1, 3])
def test_games_are_the_twins(rows: int, cols: int, n: int) -> None:
    """One game of each position; then several of each, with fewer jobs than lanes."""
    positions = positions_of(rows, cols)
    positions = positions[:: 1 + len(positions) // 50] + positions[-1:]
    assert len(positions) >= 8  # fewer would be played one by one
    many = po.playouts(positions, n, seed=7)
    for p, position in enumerate(positions):
        generator = ref.SFC64(7, p, 0)
        games = [ref.play_to_end(ref.position(position), generator) for _ in range(n)]
        assert many.plies[p] == sum(game.plies for game in games)
        win = 1.0 if position.turn == 0 else 0.0
        assert many.wins[p] == sum(game.result == win for game in games)


@every_size
def test_codes_and_generators_are_the_twins(rows: int, cols: int) -> None:
    """RAVE counts every code of a flight's games. The next flight continues their generators."""
    positions = positions_of(rows, cols)
    for position in (positions[0], positions[1], positions[len(positions) // 2]):
        assert_same_tree(position, po.RAVE(lanes=17), "random", False, playouts=40, seed=rows)
