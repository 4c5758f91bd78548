"""Playout policies that learn: the twin's tree and games, what they learn, what they refuse."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import playout as po
import playout.reference as ref
from playout.arena.players import player_from
from playout.reference.base import Task
from playout.reference.convert import position as twin_of
from playout.reference.grave import GRAVESearch
from playout.reference.mast import FIRST, MAST, TAU
from playout.reference.policy import Learner
from playout.reference.ppaf import ALPHA, PPAF
from support.helpers import Heap, facts
from support.searching import assert_same_moves, drawn_positions, tree_search
from support.trees import assert_same_tree

METHODS: list[po.Method] = [
    po.UCT(),
    po.UCTTuned(),
    po.RAVE(),
    po.GRAVE(ref=5),
    po.Halving(po.GRAVE(), amaf=128),
]


each_policy = pytest.mark.parametrize("policy", ["mast", "ppaf"])


@each_policy
@pytest.mark.parametrize("solver", [False, True])
def test_same_tree(policy: str, solver: bool) -> None:
    """Entry for entry the twin's tree, so every playout drew the same moves to the last bit."""
    positions = drawn_positions(len(METHODS), seed=31 + solver)
    for seed, (method, position) in enumerate(zip(METHODS, positions)):
        assert_same_tree(position, method, policy, solver, playouts=120, seed=seed)


@each_policy
def test_games_with_draws(policy: str) -> None:
    for seed in range(3):
        assert_same_tree(po.ConnectFour(4, 4), po.RAVE(), policy, False, playouts=150, seed=seed)


@each_policy
def test_a_game_in_python(policy: str) -> None:
    ours = po.search(Heap(12), "uct", playouts=200, seed=1, policy=policy)
    twin = ref.search(Heap(12), "uct", playouts=200, seed=1, policy=policy)
    assert ours.moves["visits"].tolist() == sorted((row.visits for row in twin.moves), reverse=True)


def test_one_game_changes_the_weights_by_the_formula() -> None:
    """All moves are equally likely at first: the winner's gain ALPHA and lose ALPHA / n."""
    learner, start = PPAF(), twin_of(po.Breakthrough(5))
    game = ref.play_to_end(start, ref.SFC64(1), learner)
    learner.learn(start, game.made, 1.0)
    first = game.made[0]
    chances = 1 / len(start.legal_moves)
    others = [m for m in start.legal_moves if start.code(m) not in game.codes]
    assert all(learner.weights[start.code(m)] < 0 for m in others)
    assert learner.weights[start.code(first)] > 0
    once = PPAF()
    once.learn(start, game.made[:1], 1.0)
    assert once.weights[start.code(first)] == pytest.approx(ALPHA * (1 - chances))
    drawn = PPAF()
    drawn.learn(start, game.made, 0.5)
    assert not drawn.weights


def test_means_of_codes() -> None:
    """A move with a lost game has the odds of mean 0, one with a won game those of mean 1."""
    learner, start = MAST(), twin_of(po.Breakthrough(5))
    untried = learner.odds(start)
    assert set(untried) == {math.exp(FIRST / TAU)}
    learner.learn(start, start.legal_moves[:1], 0.0)
    assert learner.odds(start) == [1.0, *untried[1:]]
    learner.learn(start, start.legal_moves[:1], 1.0)
    assert learner.odds(start) == [math.exp(0.5 / TAU), *untried[1:]]


@pytest.mark.parametrize("learner", [MAST(), PPAF()], ids=["mast", "ppaf"])
def test_the_winners_moves_become_likely(learner: Learner) -> None:
    """Who takes the last wins, so from a heap of 3 both learn to take three."""
    start = twin_of(Heap(3))
    generator = ref.SFC64(1)
    for _ in range(300):
        game = ref.play_to_end(start, generator, learner)
        learner.learn(start, game.made, game.result)
    odds = learner.odds(start)
    assert odds[-1] / math.fsum(odds) > 0.9


@each_policy
def test_a_seed_repeats_it_and_slices_do_not_change_it(policy: str) -> None:
    b = po.Breakthrough(5)
    whole = facts(po.search(b, "grave", playouts=500, seed=3, policy=policy))
    assert facts(po.search(b, "grave", playouts=500, seed=3, policy=policy)) == whole
    *_, last = po.analysis(b, "grave", playouts=500, every=70, seed=3, policy=policy)
    assert facts(last) == whole
    assert facts(po.search(b, "grave", playouts=500, seed=3)) != whole


@each_policy
def test_a_searcher_goes_on_learning(policy: str) -> None:
    with po.Searcher(po.Breakthrough(5), "uct", seed=1, policy=policy) as searcher:
        for _ in range(3):
            assert searcher.search(playouts=300).playouts == 300
            searcher.advance(searcher.position.legal_moves[0])


@each_policy
@pytest.mark.parametrize("start", [po.Breakthrough(5), po.ConnectFour(4, 5)], ids=repr)
def test_what_is_learned_stays_from_move_to_move_as_in_the_twin(
    policy: str, start: po.Position
) -> None:
    """The same visits and results after each move, so the same games by the same odds."""
    ours = tree_search(start, po.GRAVE(ref=5), 1, policy)
    twin = GRAVESearch(Task(twin_of(start), 1, policy), ref.GRAVE(ref=5))
    for number in range(4):
        ours.run(150)
        for _ in range(150):
            twin.simulate()
        assert_same_moves(ours.root(), ours.position, twin.statistics())
        move = ours.position.legal_moves[number]
        ours.advance(move.raw)
        twin.advance(next(m for m in twin.position.legal_moves if m.text == move))


@each_policy
def test_a_player_keeps_what_it_has_learned(policy: str) -> None:
    """Its searches are those of a `Searcher` that follows the game."""
    player = player_from(f"uct@200 {policy} keep")
    assert isinstance(player, po.Searching)
    game, seed = po.Breakthrough(6), np.random.SeedSequence(7)
    seat = player.begin(game, seed)
    with po.Searcher(game, "uct", seed=np.random.SeedSequence(7), policy=policy) as searcher:
        for _ in range(3):
            expected = searcher.search(playouts=200)
            choice = seat.choose(game, None)
            assert choice.result is not None
            assert choice.result.moves.tolist() == expected.moves.tolist()
            for move in (choice.move, None):
                played = game.push(move or game.legal_moves[0])
                searcher.advance(played)
    seat.close()


def test_only_a_tree_is_kept() -> None:
    for text, message in (
        ("flat@10 keep", "keeps a tree between moves, and Flat"),
        ("alphabeta@10n keep", "plays no games out"),
        ("Halving()@10 keep", "a Searcher cannot"),
    ):
        with pytest.raises(po.BadMethod, match=message):
            po.match(text, "uct@10", games=2, seed=1)


@each_policy
@pytest.mark.traced_slowly
def test_threads_learn_apart(policy: str) -> None:
    result = po.search(po.Breakthrough(5), "uct", playouts=3000, seed=1, policy=policy, threads=2)
    assert result.moves["visits"].sum() == result.playouts == 3000


def test_workers() -> None:
    with ThreadPoolExecutor(1) as pool:
        found: Any = [
            po.search(
                po.Breakthrough(5), "uct", playouts=400, seed=1, policy="ppaf",
                executor=pool, workers=2,
            ).moves.tobytes()
            for _ in range(2)
        ]  # fmt: skip
    assert found[0] == found[1]


def test_a_match() -> None:
    match = po.match("uct@30 ppaf", "uct@30", games=2, seed=1)
    assert match.players[0] == "UCT()@30 ppaf"


@pytest.mark.parametrize("method", [po.Flat(), po.UCB(), po.AMAF()], ids=repr)
def test_only_a_tree_search_learns(method: po.Method) -> None:
    with pytest.raises(po.BadMethod, match="policy='ppaf' learns while a tree grows, and "):
        po.search(po.Breakthrough(5), method, playouts=10, policy="ppaf")


def test_what_it_refuses() -> None:
    with pytest.raises(po.BadMethod, match="so lanes= must be 1"):
        po.search(po.Breakthrough(5), po.UCT(lanes=2), playouts=10, policy="ppaf")
    with pytest.raises(ValueError, match="policy must be one of 'random', 'guided', not 'ppaf'"):
        po.playouts(po.Breakthrough(5), 10, policy="ppaf")
    with pytest.raises(ValueError, match="'random', 'guided', 'mast', 'ppaf', not 'ppa'; did"):
        po.search(po.Breakthrough(5), playouts=10, policy="ppa")


def test_a_game_without_codes() -> None:
    class Uncoded(Heap):
        code = None
        n_codes = 0

    with pytest.raises(po.BadMethod, match="needs the AMAF codes of moves, and this game has none"):
        po.search(Uncoded(5), "uct", playouts=10, policy="ppaf")


def test_an_option_from_elsewhere() -> None:
    """A damaged job for another process cannot name a policy that does not exist."""
    method = po.UCT()
    options = method.options() | {"policy": "random", "solver": False, "memory": 2**30}
    with pytest.raises(KeyError):
        method.engine(po.Breakthrough(5), options | {"learner": "x"}, np.random.SeedSequence(1))
