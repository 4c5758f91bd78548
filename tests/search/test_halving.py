"""Sequential halving: the twin's tree, who stays in, what it needs, and what it refuses."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import playout as po
import playout.reference as ref
from support.helpers import facts, random_game
from support.searching import drawn_positions
from support.trees import assert_same_tree

METHODS: list[po.Halving] = [
    po.Halving(),
    po.Halving(po.UCT(fpu=0.5), ties="first"),
    po.Halving(po.UCTTuned()),
    po.Halving(po.RAVE()),
    po.Halving(po.RAVE(), amaf=20),
    po.Halving(po.GRAVE(ref=5), amaf=128),
    po.Halving(po.UCT(lanes=8)),
    po.Halving(po.RAVE(lanes=3), amaf=128),
]


@pytest.mark.parametrize("policy", ["random", "guided"])
@pytest.mark.parametrize("solver", [False, True])
def test_same_tree(policy: str, solver: bool) -> None:
    """Entry for entry the twin's tree, and the same choice."""
    positions = drawn_positions(len(METHODS), seed=21 + solver)
    for seed, (method, position) in enumerate(zip(METHODS, positions)):
        assert_same_tree(position, method, policy, solver, playouts=120, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "guided"])
@pytest.mark.parametrize("solver", [False, True])
def test_same_tree_in_full(policy: str, solver: bool) -> None:
    positions = drawn_positions(3 * len(METHODS), seed=23 + solver)
    for seed, (method, position) in enumerate(zip(3 * METHODS, positions)):
        assert_same_tree(position, method, policy, solver, playouts=600, seed=seed)


def test_same_tree_near_the_end_of_games() -> None:
    """With a solver, where moves of the root are struck out round after round."""
    struck_out = 0
    for seed in range(12):
        game = [position.copy() for position in random_game(po.Breakthrough(5), seed)]
        position = game[2 * len(game) // 3]
        method = METHODS[seed % len(METHODS)]
        assert_same_tree(position, method, "random", True, playouts=600, seed=seed)
        moves = po.search(position, method, playouts=600, seed=seed, solver=True).moves
        struck_out += int((moves["proven"] == 0.0).any() and np.isnan(moves["proven"]).any())
    assert struck_out > 3


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize("playouts", [1, 2, 7, 30, 1000])
def test_same_result(method: po.Halving, playouts: int) -> None:
    position = next(drawn_positions(1, seed=playouts))
    ours = po.search(position, method, playouts=playouts, seed=1)
    twin = ref.search(position, method, playouts=playouts, seed=1)
    assert (ours.move, list(ours.pv), ours.value) == (twin.move, twin.pv, twin.value)
    assert ours.moves["visits"].sum() == ours.playouts == playouts


def test_the_better_half_stays() -> None:
    """22 moves: rounds of 22, 11, 6, 3 and 2, and each gets a fifth of the playouts."""
    result = po.search(po.Breakthrough(), po.Halving(), playouts=10_001, seed=1)
    visits, counts = np.unique(result.moves["visits"], return_counts=True)
    rounds = [2000 // 22, 2000 // 11, 2000 // 6, 2000 // 3, 2000 // 2]
    assert counts.tolist() == [11, 5, 3, 1, 1, 1]
    assert np.allclose(visits[:-1], np.cumsum(rounds), atol=10)
    assert visits[-1] > visits[-2]
    assert result.move == result.moves[0]["move"]
    assert result.moves[0]["visits"] == visits[-1]


def test_moves_stay_in_by_their_means() -> None:
    """After the first round no move that is out had a better mean than one that stayed in."""
    start = po.Breakthrough()
    one_round = po.search(start, "halving", playouts=22 * 20 * 5 + 1, seed=1)
    out = one_round.moves[one_round.moves["visits"] == 20]
    assert len(out) == 11
    snapshots = po.analysis(start, "halving", playouts=22 * 20 * 5 + 1, every=22 * 20, seed=1)
    first = next(snapshots)
    assert (first.moves["visits"] == 20).all()
    means = dict(zip(first.moves["move"].tolist(), first.moves["mean"].tolist()))
    worst_in = min(mean for move, mean in means.items() if move not in out["move"])
    assert max(means[move] for move in out["move"].tolist()) <= worst_in


def test_amaf_decides_while_playouts_are_few() -> None:
    """With a huge constant the moves out after a round are those with the worst AMAF means."""
    start, playouts = po.Breakthrough(), 22 * 10 * 5 + 1
    shuss = po.Halving(po.GRAVE(), amaf=1e9)
    first = next(po.analysis(start, shuss, playouts=playouts, every=220, seed=1))
    result = po.search(start, shuss, playouts=playouts, seed=1)
    out = set(result.moves["move"][result.moves["visits"] == 10].tolist())
    by_amaf = first.moves[np.argsort(first.moves["amaf_mean"])]["move"].tolist()
    assert set(by_amaf[:11]) == out


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_snapshots_do_not_change_the_search(method: po.Halving) -> None:
    b = po.Breakthrough(5)
    *_, last = po.analysis(b, method, playouts=600, every=50, seed=3)
    assert facts(last) == facts(po.search(b, method, playouts=600, seed=3))


def test_workers_halve_their_own_shares() -> None:
    with ThreadPoolExecutor(1) as pool:
        result = po.search(
            po.Breakthrough(5), "halving", playouts=1000, seed=1, executor=pool, workers=2
        )
    assert result.moves["visits"].sum() == result.playouts == 1000


def test_comparing() -> None:
    found = po.compare(po.Breakthrough(4), ["uct", "halving"], playouts=100, runs=3, seed=1)
    whole = po.search(
        po.Breakthrough(4), "halving", playouts=100, seed=np.random.SeedSequence(1, spawn_key=(0,))
    )
    assert po.Breakthrough(4).legal_moves[found.moves[1, -1, 0]] == whole.move


def test_a_match() -> None:
    match = po.match("halving@50", "Halving(method=GRAVE(), amaf=128)@50", games=2, seed=1)
    assert match.games == 2


REFUSED = [
    ({"seconds": 0.1}, "Halving shares out a known number of playouts: give playouts="),
    ({"until_sure": 0.1}, "Halving shares out a known number of playouts: give playouts="),
    ({"playouts": 9, "threads": 2}, "so it runs on one thread: use executor= for"),
]


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED)
def test_what_it_refuses(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(po.BadMethod) as caught:
        po.search(po.Breakthrough(5), po.Halving(), **arguments)  # type: ignore[arg-type]
    assert sentence in str(caught.value)


def test_a_searcher_cannot_plan_rounds() -> None:
    with pytest.raises(po.BadMethod, match="a Searcher cannot"):
        po.Searcher(po.Breakthrough(5), po.Halving())


def test_seconds_may_end_it_early() -> None:
    result = po.search(po.Breakthrough(), po.Halving(), playouts=10**8, seconds=0.01, seed=1)
    assert result.reason == "seconds"
    assert result.move in po.Breakthrough().legal_moves


BAD = [
    ({"method": po.Flat()}, "Halving shares out the playouts of a tree, and Flat() grows none"),
    ({"method": po.Halving()}, "and Halving(method=UCT()) grows none: use UCT, RAVE or GRAVE"),
    ({"method": "uctt"}, "there is no method 'uctt'; did you mean 'uct'?"),
    ({"amaf": 1.0}, "Halving: amaf weighs AMAF means, and UCT() has none: use RAVE or GRAVE"),
    ({"method": "rave", "amaf": -1}, "Halving: amaf must be a number of at least 0, not -1"),
]


@pytest.mark.parametrize(("settings", "sentence"), BAD)
def test_bad_settings(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(po.BadMethod) as caught:
        po.Halving(**settings)  # type: ignore[arg-type]
    assert sentence in str(caught.value)


def test_the_root_does_not_move() -> None:
    """The engine itself refuses it, because the schedule is for the moves of one position."""
    method = po.Halving()
    options = method.options() | {"policy": "random", "solver": False, "memory": 2**30}
    engine = method.engine(po.Breakthrough(5), options | {"budget": 100}, np.random.SeedSequence(1))
    engine.run(100)
    with pytest.raises(po.BadMethod, match="cannot be moved"):
        engine.advance(int(engine.root()["raw"][0]))  # type: ignore[attr-defined]
