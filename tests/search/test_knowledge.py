"""Tactics, evaluations and proof numbers in a tree: the twin's tree, threads, and refusals."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import playout as po
import playout.reference as ref
from mcts_core.errors import BadMethod
from mcts_core.evaluator import noisy_moves, tactics
from playout.learning.shipped import shipped
from support.helpers import Heap, random_game
from support.searching import after, entries, tree_search
from support.trees import assert_same_tree

NET = str(shipped(po.Breakthrough(5)).path)  # type: ignore[union-attr]
FOUR = str(shipped(po.ConnectFour()).path)  # type: ignore[union-attr]
ROWS: dict[str, Any] = {"evaluation": "rows"}

KNOWLEDGE: list[dict[str, Any]] = [
    {"tactics": True},
    {"proof": 0.3},
    {"cut": 0, **ROWS},
    {"cut": 3, **ROWS},
    {"minimax": 0.4, **ROWS},
    {"prior": "shallow", **ROWS},
    {"cut": 0, "minimax": 1.0, **ROWS},
    {"cut": 0, "prior": "shallow", "prior_visits": 3, **ROWS},
    {"cut": 0, "minimax": 0.8, "prior": "shallow", "proof": 0.1, "tactics": True, **ROWS},
    {"cut": 2, "minimax": 0.3, "tactics": True, **ROWS},
]
RULES: list[tuple[type[Any], dict[str, Any]]] = [
    (po.UCT, {"c": 0.2}),
    (po.UCT, {"fpu": 0.6, "lanes": 4}),
    (po.UCTTuned, {}),
    (po.RAVE, {}),
    (po.RAVE, {"beta": "hand", "k": 20.0, "c": 0.1}),
    (po.GRAVE, {"ref": 5}),
    (po.GRAVE, {"lanes": 3}),
]


def positions(start: po.Position, n: int) -> list[po.Position]:
    """Positions from the first two thirds of random games."""
    choice = random.Random(n)
    found = []
    for seed in range(n):
        game = [position.copy() for position in random_game(start, seed)]
        found.append(choice.choice(game[: max(1, 2 * len(game) // 3)]))
    return found


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("knowledge", KNOWLEDGE, ids=repr)
def test_same_tree(knowledge: dict[str, Any], solver: bool) -> None:
    """Entry for entry the twin's tree, with every rule, and the same choice."""
    playouts = 16 if "prior" in knowledge else 30  # the twin evaluates all moves of a new entry
    starts = itertools.cycle(
        [*positions(po.Breakthrough(5), 2), *positions(po.Breakthrough(5, 4), 5)]
    )
    for seed, (kind, settings) in enumerate(RULES):
        if kind is po.UCTTuned and "prior" in knowledge:
            continue
        method = kind(**settings, **knowledge)
        assert_same_tree(next(starts), method, "random", solver, playouts=playouts, seed=seed)


def test_same_tree_with_a_network() -> None:
    for seed, position in enumerate(positions(po.Breakthrough(5), 2)):
        method = po.UCT(c=0.1, cut=0, minimax=0.5, prior="shallow", evaluation=NET)
        assert_same_tree(position, method, "random", True, playouts=25, seed=seed)
    for seed, position in enumerate(positions(po.ConnectFour(), 3)):
        method = po.UCT(c=0.1, cut=2, minimax=0.5, proof=0.2, evaluation=FOUR)
        assert_same_tree(position, method, "random", True, playouts=25, seed=seed)


def test_same_tree_halved() -> None:
    below = po.GRAVE(cut=0, prior="shallow", evaluation="rows")
    for seed, position in enumerate(positions(po.Breakthrough(5), 2)):
        assert_same_tree(
            position, po.Halving(below, amaf=8), "random", False, playouts=40, seed=seed
        )


@pytest.mark.parametrize(
    "start",
    [po.Breakthrough(5), po.Breakthrough(6, 4), po.ConnectFour(), po.ConnectFour(4, 5)],
    ids=repr,
)
def test_tactics_of_the_twin(start: po.Position) -> None:
    """The same positions are proven, and the same moves are noisy."""
    seen = set()
    for seed in range(60):
        for position in random_game(start, seed):
            if position.is_over:
                continue
            twin = ref.position(position)
            assert isinstance(twin, ref.BoardPosition)
            proven = tactics(position)
            assert proven == twin.solve(), position.fen
            assert sorted(noisy_moves(position)) == sorted(map(str, twin.noisy_moves))
            seen.add(proven)
    assert {-2, 0, 1} <= seen


@pytest.mark.parametrize("rule", [po.UCT, po.RAVE, po.GRAVE])
@pytest.mark.parametrize(
    "knowledge", [{"prior": "shallow"}, {"cut": 0, "minimax": 0.5, "proof": 0.1}], ids=repr
)
def test_on_threads(rule: type[Any], knowledge: dict[str, Any]) -> None:
    """What threads have counted of an entry is added up: its visits, once, and its values."""
    start = po.Breakthrough(5)
    search = tree_search(start, rule(**knowledge, evaluation="rows"), seed=1)
    search.run(4_000, None, None, 2)
    made: dict[int, int] = {}  # by position: the visits of its moves
    entered: Counter[int] = Counter()  # and the walks into it
    for position, rows in entries(search, start):
        visits = rows["visits"].tolist()
        made[position.key] = sum(visits)
        assert ((rows["wins"] >= 0.0) & (rows["wins"] <= rows["visits"] + 1e-9)).all()
        if "minimax" in knowledge:
            assert not np.isnan(rows["minimax"][rows["visits"] > 0]).any()
        for move, n in zip(position.legal_moves, visits):
            entered[after(position, move).key] += n
    for key, visits_made in made.items():
        # the walk that each thread had made the entry by went no further
        assert key == start.key or 1 <= entered[key] - visits_made <= 2


def test_proofs_are_right_on_threads() -> None:
    """With all knowledge, what a search proves is what exact search finds."""
    proven = 0
    method = po.UCT(c=0.1, cut=0, prior="shallow", proof=0.2)
    for seed, position in enumerate(positions(po.Breakthrough(5), 8)):
        result = po.search(position, method, playouts=20_000, seed=seed, threads=2, solver=True)
        if result.reason == "proven":
            proven += 1
            assert result.value == po.solve(position).score
    assert proven > 4


def test_a_searcher_keeps_what_is_known() -> None:
    method = po.UCT(c=0.1, cut=0, minimax=0.5, prior="shallow")
    with po.Searcher(po.Breakthrough(6), method, seed=1) as searcher:
        first = searcher.search(playouts=3000)
        searcher.advance(first.move)
        kept = searcher.result
        assert kept.moves["visits"].sum() == first.moves[0]["visits"] - 1
        assert kept.moves["minimax"].max() == pytest.approx(1.0 - first.moves[0]["minimax"])
        searcher.search(playouts=1000)


def test_on_an_executor() -> None:
    """Workers search trees of their own. Without playouts these would all be the same tree."""
    method = po.UCT(minimax=0.5, prior="shallow")
    start = po.Breakthrough(5)
    with ThreadPoolExecutor(2) as pool:
        runs = [
            po.search(start, method, playouts=800, seed=seed, executor=pool, workers=2)
            for seed in (1, 1, 2)
        ]
        one, again, other = (run.moves["visits"].tolist() for run in runs)
        assert one == again != other
        assert sum(one) == 800
        with pytest.raises(BadMethod, match="plays nothing at random"):
            po.search(start, po.UCT(cut=0), playouts=800, executor=pool, workers=2)


def test_columns() -> None:
    """A result shows minimax values and priors where the search has them."""
    plain = po.search(po.Breakthrough(5), po.UCT(cut=0), playouts=100, seed=1)
    assert plain.moves.dtype.names == ("move", "visits", "mean", "stderr", "score")
    both = po.search(po.Breakthrough(5), po.UCT(minimax=0.5, prior="shallow"), playouts=100, seed=1)
    assert both.moves.dtype.names == (*plain.moves.dtype.names, "minimax", "prior")
    root = tree_search(po.Breakthrough(5), po.UCT(prior="shallow"), 1).root()
    assert (root["visits"] == 0).all()
    assert (root["wins"] == 0.0).all()
    assert (root["prior"] > 0.0).all()


@pytest.mark.slow
def test_knowledge_plays_better() -> None:
    """At equal playouts, an evaluation of new positions beats random games."""
    with_evaluation = po.UCT(c=0.1, cut=0, prior="shallow")
    match = po.match(
        with_evaluation,
        po.UCT(),
        games=20,
        game=po.Breakthrough(6),
        playouts=200,
        seed=1,
        workers=1,
    )
    assert match.score > 0.9


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cut": -1}, "cut must be a whole number from 0"),
        ({"cut": 1.5}, "cut must be a whole number"),
        ({"minimax": 1.5}, "minimax is a weight: a number from 0 to 1"),
        ({"minimax": -0.5}, "minimax must be a number of at least 0"),
        ({"prior": "deep"}, "prior must be one of 'shallow'"),
        ({"prior": "shallow", "prior_visits": 0}, "prior_visits must be a whole number from 1"),
        ({"prior_visits": 50}, "prior_visits=50 has no effect without prior='shallow'"),
        ({"tactics": 1}, "tactics must be True or False"),
        ({"proof": float("nan")}, "proof must be a number"),
        ({"evaluation": "rows"}, "has no effect without cut="),
        ({"evaluation": "raws", "cut": 0}, "there is no evaluation 'raws'"),
    ],
)
def test_bad_settings(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(BadMethod, match=message):
        po.UCT(**settings)


def test_what_does_not_fit() -> None:
    with pytest.raises(BadMethod, match="ucttuned learns more from each visit"):
        po.search(po.Breakthrough(5), po.UCTTuned(prior="shallow"), playouts=10)
    with pytest.raises(BadMethod, match="plays games to their end, and cut=0 stops before"):
        po.search(po.Breakthrough(5), po.UCT(cut=0), playouts=10, policy="guided")
    with pytest.raises(BadMethod, match="tactics=True needs a game with tactics"):
        po.search(Heap(5), po.UCT(tactics=True), playouts=10)
    with pytest.raises(BadMethod, match="whose scores predict results"):
        po.search(po.Othello(), po.UCT(cut=0, evaluation="weights"), playouts=10)
    with pytest.raises(BadMethod, match="there is no evaluation for Othello 6x6"):
        po.search(po.Othello(6), po.UCT(cut=0), playouts=10)
    with pytest.raises(BadMethod, match="is for breakthrough 5x5"):
        po.search(po.Breakthrough(6), po.UCT(cut=0, evaluation=NET), playouts=10)
