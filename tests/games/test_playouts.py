"""Many playouts: their statistics, their exactness, Ctrl-C and threads of Python."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

import mcts_core
import playout as po
import playout.reference as ref
from mcts_core import cpu
from support.helpers import WITH_TESTS, chi_square_z, random_game, run_python

MILLION = 1_000_000

# Statistics of random games


@pytest.mark.traced_slowly
@pytest.mark.parametrize(
    ("size", "first_player_wins", "plies"),
    [(5, 0.5177, 15.87), (6, 0.5150, 28.10), (7, 0.5110, 44.12), (8, 0.5090, 64.10)],
)
def test_random_breakthrough(size: int, first_player_wins: float, plies: float) -> None:
    """A million games agree with the known figures within four standard errors."""
    thousands = po.playouts([po.Breakthrough(size)] * 1000, 1000, seed=1, threads=2)
    assert thousands.draws.sum() == 0
    assert thousands.wins.sum() / MILLION == pytest.approx(first_player_wins, abs=4 * 0.0005)
    mean_plies = thousands.plies / 1000
    error = mean_plies.std() / 1000**0.5
    assert mean_plies.mean() == pytest.approx(plies, abs=4 * error + 0.005)  # known to 2 decimals


@pytest.mark.traced_slowly
def test_random_othello() -> None:
    many = po.playouts(po.Othello(), MILLION, seed=1, threads=2)
    for count, rate in ((many.wins, 0.4534), (many.draws, 0.0419), (many.losses, 0.5047)):
        error = (rate * (1 - rate) / MILLION) ** 0.5
        assert count / MILLION == pytest.approx(rate, abs=4 * error)
    assert many.stderr == pytest.approx(0.000489, abs=1e-6)


@pytest.mark.traced_slowly
@pytest.mark.parametrize("games", [50_000, pytest.param(MILLION, marks=pytest.mark.slow)])
def test_passes_of_random_othello(games: int) -> None:
    """Passes have the codes 64 (Black) and 129 (White). The mean is 0.446 passes a game."""
    start = po.Othello()
    passes = [count_passes(po.playout(start, seed=seed)) for seed in range(games)]
    error = np.std(passes) / games**0.5
    assert np.mean(passes) == pytest.approx(0.446, abs=4 * error + 0.0005)


def count_passes(game: po.Playout) -> int:
    codes = game.codes.tolist()
    return int(codes.count(64) + codes.count(129))


# The move picked


def position_with_moves(n: int) -> po.Breakthrough:
    """A position on 8x8 in which White has n legal moves, from 1 to 48.

    Men inside the board have three moves each, those in the corners two; a blocked one has one.
    """
    if n == 1:
        return po.Breakthrough.from_fen(
            "......../......../......../......../......../......../b......./w....... w"
        )
    corners = {0: 0, 2: 1, 1: 2}[n % 3]
    inside = (n - 2 * corners) // 3
    rows = [["."] * 8 for _ in range(8)]
    rows[7][3] = "b"
    for corner in range(corners):
        rows[0][7 * corner] = "w"
    for man in range(inside):
        rows[2 * (man // 6)][1 + man % 6] = "w"
    return po.Breakthrough.from_fen("/".join("".join(row) for row in reversed(rows)) + " w")


@pytest.mark.traced_slowly
@pytest.mark.parametrize("n", range(1, 49))
def test_the_first_move_is_uniform(n: int) -> None:
    """For every number of legal moves that Breakthrough can have."""
    position = position_with_moves(n)
    assert len(position.legal_moves) == n
    assert_first_move_is_uniform(position)


@pytest.mark.traced_slowly
def test_the_first_move_is_uniform_in_othello() -> None:
    """For every number of legal moves that a hundred random games meet."""
    met: dict[int, po.Position] = {}
    for seed in range(100):
        for position in random_game(po.Othello(), seed):
            met.setdefault(len(position.legal_moves), position.copy())
    assert set(range(2, 17)) <= set(met)
    for n, position in met.items():
        if n > 0:
            assert_first_move_is_uniform(position)


def assert_first_move_is_uniform(position: po.Position) -> None:
    counts = {position.code(move): 0 for move in position.legal_moves}
    for seed in range(200 * len(counts)):
        counts[po.playout(position, seed=seed).codes[0]] += 1
    if len(counts) > 1:
        assert abs(chi_square_z(list(counts.values()))) < 4


# Dependence on arguments


def numbers(many: po.Playouts) -> list[object]:
    """The result without the time it took, as plain lists."""
    fields = (many.wins, many.draws, many.losses, many.mean, many.stderr, many.plies)
    return [np.asarray(field).tolist() for field in fields]


def requests() -> Iterator[po.Playouts]:
    """Requests of all kinds, with fixed seeds."""
    for start in (
        po.Breakthrough(),
        po.Breakthrough(3, 7, first_rows=1),
        po.Othello(),
        po.Othello(4),
    ):
        for policy in ("random", "guided"):
            games = [position.copy() for position in random_game(start, 1)][:-1]
            yield po.playouts(start, 1000, seed=1, policy=policy)
            yield po.playouts(games, 65, seed=2**70, policy=policy)


@pytest.mark.traced_slowly
@pytest.mark.parametrize("policy", ["random", "guided"])
@pytest.mark.parametrize(
    "start", [po.Breakthrough(5), po.Othello(6)], ids=["Breakthrough", "Othello"]
)
def test_threads_change_nothing(start: po.Position, policy: str) -> None:
    for n in (1, 63, 64, 65, 10_000):
        one, *others = (
            numbers(po.playouts(start, n, seed=3, threads=threads, policy=policy))
            for threads in (1, 2, 3, 16)
        )
        assert all(other == one for other in others)


@pytest.mark.traced_slowly
@pytest.mark.parametrize("level", mcts_core.built_levels)
def test_the_instruction_set_changes_nothing(level: str) -> None:
    """Every level this machine can run gives the same numbers."""
    if level not in cpu.supported():
        pytest.skip(f"this machine cannot run {level}")
    code = (
        "import json\n"
        "import playout as po\n"
        "from games import test_playouts as tests\n"
        "print(json.dumps([po.cpu(), [tests.numbers(many) for many in tests.requests()]]))"
    )
    run = run_python(code, PLAYOUT_CPU=level, **WITH_TESTS)
    assert run.stderr == ""
    assert json.loads(run.stdout) == [level, [numbers(many) for many in requests()]]


@pytest.mark.parametrize("policy", ["random", "guided"])
def test_each_position_has_substreams_of_its_own(policy: str) -> None:
    """Row p is played in substreams (p, 0), (p, 1), ..., 64 games in each."""
    positions = [po.Breakthrough(4, 3), po.Breakthrough.from_fen("bbb/.../w.w/.ww b")]
    positions = [positions[0], positions[1], positions[0]]
    many = po.playouts(positions, 70, seed=5, policy=policy)
    for p, position in enumerate(positions):
        generators = [ref.SFC64(5, p, stream) for stream in (0, 1)]
        games = [
            ref.play_to_end(ref.position(position), generators[g // 64], policy) for g in range(70)
        ]
        assert many.plies[p] == sum(game.plies for game in games)
        win = 1.0 if position.turn == 0 else 0.0
        assert many.wins[p] == sum(game.result == win for game in games)
    assert numbers(po.playouts(positions[0], 70, seed=5, policy=policy)) == [
        column[0] for column in numbers(many)
    ]


@pytest.mark.parametrize(
    ("fen", "wins"),
    [
        ("b../w../... w", 100),  # a2b3 is the only move, and wins
        (".../b../w.. b", 100),  # a2b1 is the only move, and wins
        ("..b/w../.../... b", 0),  # White reaches the last row after any move
        (".../.../b../..w w", 0),  # Black reaches the first row after any move
    ],
)
def test_results_are_seen_by_the_side_to_move(fen: str, wins: int) -> None:
    many = po.playouts(po.Breakthrough.from_fen(fen), 100, seed=1)
    assert (many.wins, many.draws, many.losses) == (wins, 0, 100 - wins)
    assert (many.mean, many.stderr) == (wins / 100, 0.0)


def test_a_seed_is_drawn_and_told() -> None:
    first, second = (po.playouts(po.Breakthrough(), 1000) for _ in range(2))
    assert first.seed != second.seed
    assert numbers(po.playouts(po.Breakthrough(), 1000, seed=first.seed)) == numbers(first)
    sequence = np.random.SeedSequence(1, spawn_key=(2,))
    many = po.playouts(po.Breakthrough(), 1000, seed=sequence)
    assert many.seed is sequence
    assert numbers(po.playouts(po.Breakthrough(), 1000, seed=sequence)) == numbers(many)
    assert numbers(po.playouts(po.Breakthrough(), 1000, seed=1)) != numbers(many)


def test_a_playout_tells_its_seed() -> None:
    game = po.playout(po.Breakthrough())
    assert po.playout(po.Breakthrough(), seed=game.seed).moves == game.moves


def test_no_positions() -> None:
    assert numbers(po.playouts([], 10, seed=1, threads=2)) == [[], [], [], [], [], []]


def test_whole_numbers_of_numpy_will_do() -> None:
    many = po.playouts(po.Othello(4), np.int64(100), seed=np.uint32(1), threads=np.int8(2))
    assert numbers(many) == numbers(po.playouts(po.Othello(4), 100, seed=1))


# Wrong input


@pytest.mark.parametrize("n", [0, -1, 1.5, 2.0, "10", None, True, 2**31])
def test_numbers_of_playouts_that_make_no_sense(n: object) -> None:
    with pytest.raises(ValueError, match="n must be a whole number from 1 to"):
        po.playouts(po.Breakthrough(), n, seed=1)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", None, True, 1025])
def test_numbers_of_threads_that_make_no_sense(threads: object) -> None:
    with pytest.raises(ValueError, match="threads must be a whole number from 1 to 1024"):
        po.playouts(po.Breakthrough(), 10, seed=1, threads=threads)


@pytest.mark.parametrize("policy", ["", "Random", "clever", None, 3])
def test_policies_that_do_not_exist(policy: object) -> None:
    message = "policy must be one of 'random', 'guided', not"
    with pytest.raises(ValueError, match=message):
        po.playouts(po.Breakthrough(), 10, seed=1, policy=policy)
    with pytest.raises(ValueError, match=message):
        po.playout(po.Breakthrough(), seed=1, policy=policy)


def test_finished_positions() -> None:
    over = po.Othello.from_fen("XX-------------- O")
    with pytest.raises(po.BadPosition, match="this game is over, so there is nothing to play"):
        po.playouts(over, 10, seed=1)
    with pytest.raises(po.BadPosition, match="the game of position number 1 is over"):
        po.playouts([po.Othello(4), over], 10, seed=1)
    with pytest.raises(po.BadPosition, match="this game is over"):
        po.playout(over, seed=1)


@pytest.mark.parametrize("other", [po.Othello(), po.Breakthrough(5), po.Breakthrough(8, 7)])
def test_positions_of_different_games(other: po.Position) -> None:
    with pytest.raises(po.BadPosition, match="position number 1 is of another game or size"):
        po.playouts([po.Breakthrough(), other], 10, seed=1)


@pytest.mark.parametrize("thing", [None, 3, "a2a3", [None], [po.Breakthrough(), "a2a3"], object()])
def test_things_that_are_no_positions(thing: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        po.playouts(thing, 10, seed=1)
    with pytest.raises((TypeError, ValueError)):
        po.playout(thing, seed=1)


def test_the_position_is_left_as_it_was() -> None:
    position = po.Breakthrough(5)
    before = (position.copy(), position.fen, position.history)
    po.playouts(position, 100, seed=1)
    po.playout(position, seed=1)
    assert (position, position.fen, position.history) == before


# Ctrl-C and threads of Python


LONG_WORK = """
import signal, threading, time
import playout as po

def interrupt():
    global pressed
    time.sleep(0.1)
    pressed = time.perf_counter()
    signal.raise_signal(signal.SIGINT)

for number, work in enumerate((
    lambda: po.playouts(po.Breakthrough(), 2**31 - 1, seed=1),
    lambda: po.playouts(po.Breakthrough(), 2**31 - 1, seed=1, threads=3),
    lambda: po.playouts(po.Othello(), 2**31 - 1, seed=1, threads=2, policy="guided"),
    lambda: po.playouts([po.Othello()] * 1000, 2**20, seed=1, threads=2),
    lambda: po.Othello().perft(30),
    lambda: po.Breakthrough().perft(30),
)):
    helper = threading.Thread(target=interrupt)
    helper.start()
    try:
        work()
    except KeyboardInterrupt:
        waited = time.perf_counter() - pressed
        helper.join()
        print(number, "soon" if waited < 0.5 else f"after {waited} s", threading.active_count())
    else:
        helper.join()
        print(number, "not interrupted")
"""


@pytest.mark.serial
@pytest.mark.traced_slowly
def test_ctrl_c_ends_long_work_at_once() -> None:
    """KeyboardInterrupt is raised within half a second (on a quiet machine: a few milliseconds)."""
    run = run_python(LONG_WORK)
    assert run.stderr == ""
    assert run.stdout.splitlines() == [f"{number} soon 1" for number in range(6)]


@pytest.mark.serial
@pytest.mark.traced_slowly
def test_threads_end_when_one_of_them_cannot_start() -> None:
    run = run_python(
        "import os, time\n"
        "import playout as po\n"
        "from mcts_core.base import crew\n"
        "real_start, started = crew.start_new_thread, []\n"
        "def start(*arguments):\n"
        "    started.append(arguments)\n"
        "    if len(started) == 3:\n"
        '        raise RuntimeError("can\'t start new thread")\n'
        "    real_start(*arguments)\n"
        "crew.start_new_thread = start\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "try:\n"
        "    po.playouts(po.Breakthrough(), 2_000_000, seed=1, threads=4)\n"
        "except RuntimeError as error:\n"
        "    time.sleep(0.1)\n"
        "    print(error, len(os.listdir('/proc/self/task')) - before)\n"
    )
    assert run.stdout == "can't start new thread 0\n"


@pytest.mark.traced_slowly
def test_other_threads_of_python_go_on() -> None:
    """The GIL is released: this thread keeps counting while another one plays."""
    worker = threading.Thread(target=po.playouts, args=(po.Breakthrough(), 2 * MILLION))
    worker.start()
    turns = 0
    while worker.is_alive():
        time.sleep(0.001)
        turns += 1
    assert turns > 50


@pytest.mark.traced_slowly
def test_playouts_of_several_threads_of_python_at_once() -> None:
    """The same request from four threads at once gives the same answer four times."""
    answers: list[list[object]] = []
    position = po.Othello(6)

    def ask() -> None:
        answers.append(numbers(po.playouts(position, 20_000, seed=4, threads=2)))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [numbers(po.playouts(position, 20_000, seed=4))] * 4
