"""Flat, UCB and AMAF: engine and twin agree in every move and sum."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

import playout as po
import playout.reference as ref
from mcts_core.search.bandits import RULES
from mcts_core.search.driver import Driver
from support.searching import (
    assert_same_moves,
    assert_stopped_alike,
    drawn_positions,
    fewer_for_big_othello,
    root_search,
)

METHODS: list[po.Method] = [
    po.Flat(),
    po.Flat(ties="first"),
    po.Flat(schedule="recent"),
    po.Flat(schedule="recent", half_life=3.5),
    po.UCB(),
    po.UCB(c=1.4, ties="first"),
    po.UCB(rule="tuned"),
    po.UCB(rule="bayes"),
    po.UCB(rule="bayes", c=1.0),
    po.UCB(rule="kl"),
    po.UCB(rule="kl", c=1.0),
    po.UCB(rule="thompson"),
    po.UCB(rule="greedy"),
    po.UCB(rule="greedy", epsilon=0.5),
    po.AMAF(),
    po.AMAF(ties="first"),
]
POLICIES = ["random", "guided"]
CASES = list(itertools.product(METHODS, POLICIES))
SHARED_OUT = [po.Flat(), po.Flat(schedule="recent"), po.AMAF()]  # methods that take threads
COLUMNS = ["visits", "wins", "squares", "amaf_visits", "amaf_wins", "recent_wins", "recent_visits"]


def assert_same_search(
    position: po.Position, method: po.Method, policy: str, playouts: int, seed: int
) -> None:
    """Compare engine and twin: the statistics of every move, and the choice."""
    playouts = fewer_for_big_othello(position, playouts)
    ours = root_search(position, method, seed, policy)
    assert ours.run(playouts) == "playouts"
    twin = ref.search(position, method, playouts=playouts, seed=seed, policy=policy)
    columns = ours.root()
    assert_same_moves(columns, position, twin.moves)
    assert columns["squares"].tolist() == [row.squares for row in twin.moves]
    chosen = ours.choose()
    assert position.legal_moves[chosen] == twin.move
    result = po.search(position, method, playouts=playouts, seed=seed, policy=policy)
    assert (result.move, result.value) == (twin.move, twin.value)
    if isinstance(method, po.UCB):
        assert result.regret == pytest.approx(twin.regret, rel=1e-12)
        assert result.regret_bound == pytest.approx(twin.bound, rel=1e-12)


def test_same_search() -> None:
    """Each method with each policy, each on its own position and with its own seed."""
    for seed, (case, position) in enumerate(zip(CASES, drawn_positions(len(CASES), seed=11))):
        assert_same_search(position, *case, playouts=150, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))  # AMAF on 20 positions, the others on more
def test_same_search_in_full(seed: int) -> None:
    cases = random.Random(seed).sample(CASES, len(CASES))
    for case, position in zip(cases, drawn_positions(len(CASES), seed=seed)):
        assert_same_search(position, *case, playouts=1000, seed=random.Random(seed).getrandbits(64))


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_fewer_playouts_than_moves(method: po.Method) -> None:
    for playouts in (1, 2, 7):
        for position in (po.Breakthrough(6), po.Othello(8)):
            assert_same_search(position, method, "random", playouts, seed=5)


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_slices_are_one_search(method: po.Method) -> None:
    """A search in slices of playouts or time gives the same result as one run."""
    for seed, position in enumerate(drawn_positions(16, seed=12)):
        at_once = root_search(position, method, seed)
        at_once.run(1500)
        by_playouts = root_search(position, method, seed)
        for n in (1, 2, 63, 64, 65, 127, 1111, 1500):
            assert by_playouts.run(n) == "playouts"
        by_time = root_search(position, method, seed)
        while by_time.run(1500, 1e-4) == "seconds":
            pass
        chosen = at_once.choose()
        for sliced in (by_playouts, by_time):
            assert statistics(sliced) == statistics(at_once)
            assert sliced.choose() == chosen


def statistics(search: Driver) -> dict[str, list[float]]:
    columns = search.root()
    return {name: columns[name].tolist() for name in COLUMNS}


@pytest.mark.traced_slowly
@pytest.mark.parametrize("method", SHARED_OUT, ids=repr)
def test_threads_change_nothing(method: po.Method) -> None:
    """Also if a search continues within a substream, with a different number of threads."""
    for seed, position in enumerate(drawn_positions(16, seed=13)):
        alone = root_search(position, method, seed)
        alone.run(1777)
        chosen = alone.choose()
        for threads in (2, 3):
            at_once = root_search(position, method, seed)
            at_once.run(1777, threads=threads)
            changing = root_search(position, method, seed)
            for step, n in enumerate((1, 40, 64, 300, 1777)):
                changing.run(n, threads=1 + (step + threads) % 3)
            for other in (at_once, changing):
                assert statistics(other) == statistics(alone)
                assert other.choose() == chosen


def test_sure_of_the_same_move() -> None:
    """`until_sure` stops after the same playout."""
    methods = [po.Flat(), po.Flat(schedule="recent"), po.UCB(), po.AMAF()]
    assert_stopped_alike(root_search, methods, playouts=500, error=0.06)


# The meaning of the rules


def test_flat_shares_out_evenly() -> None:
    search = root_search(po.Breakthrough(5), po.Flat(), seed=1)
    search.run(13 * 70 + 4)
    assert search.root()["visits"].tolist() == [71] * 4 + [70] * 9


def test_flat_forgets_at_the_given_pace() -> None:
    """The weights are a geometric series that halves after half_life playouts."""
    half_life = 10.0
    search = root_search(po.Breakthrough(3, first_rows=1), po.Flat("recent", half_life), seed=1)
    search.run(7 * 1000)
    limit = 1 / (1 - 0.5 ** (1 / half_life))
    assert search.root()["recent_visits"] == pytest.approx([limit] * len(search.root()["visits"]))


def test_amaf_is_made_of_playouts() -> None:
    """Its first moves and results are those of `playouts` from the same seed."""
    for start in (po.Breakthrough(5), po.Othello(6)):
        for position in (start, moved(start)):
            search = root_search(position, po.AMAF(), seed=3)
            search.run(700)
            columns, games = search.root(), po.playouts(position, 700, seed=3)
            assert columns["visits"].sum() == 700
            assert columns["wins"].sum() == games.wins + games.draws / 2
            assert (columns["amaf_visits"] >= columns["visits"]).all()
            assert (columns["amaf_visits"] <= 700).all()


def moved(start: po.Position) -> po.Position:
    """A position with the second player to move."""
    position = start.copy()
    position.push(position.legal_moves[0])
    return position


@pytest.mark.parametrize("rule", RULES)
def test_ucb_finds_out_what_wins(rule: str) -> None:
    """Three moves win at once, and after the others the opponent may win: they get few playouts."""
    position = po.Breakthrough.from_fen("....b/.w.../...../.b.../....w w")
    search = root_search(position, po.UCB(rule=rule), seed=1)
    search.run(5000)
    wins = [position.legal_moves.index(move) for move in ("b4a5", "b4b5", "b4c5")]
    columns = search.root()
    assert columns["wins"][wins].tolist() == columns["visits"][wins].tolist()
    assert columns["visits"][wins].sum() > 0.85 * 5000


@pytest.mark.traced_slowly
def test_greedy_tries_a_random_move_with_probability_epsilon() -> None:
    """With epsilon 1 every move is drawn uniformly, except in the first round."""
    search = root_search(po.Breakthrough(5), po.UCB(rule="greedy", epsilon=1.0), seed=1)
    search.run(13 + 13_000)
    counts = search.root()["visits"] - 1
    assert counts.sum() == 13_000
    assert np.abs(counts - 1000).max() < 5 * math.sqrt(1000)
