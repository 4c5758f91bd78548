"""Best-first minimax: the twin's tree node for node, what it proves, limits, errors."""

from __future__ import annotations

import math
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import playout as po
from mcts_core.evaluator import Evaluator, noisy_moves, tactics
from mcts_core.minimax.best_first import BestFirstSearch
from playout.evaluation import compiled
from playout.method_text import method_from
from playout.reference.best_first import PROVEN, LeafSearch, best_first
from playout.serving.mind import Effort, deepened
from playout.serving.scores import variations
from support.nets import STARTS, name_of, random_net
from support.searching import drawn_position
from support.timers import ends_with_ctrl_c, needs_timer

WON = 30_000
MOST_QUIET = 8  # plies of quiescence


def evaluator(path: str, position: po.Position) -> Evaluator:
    network = compiled(path, position)
    assert isinstance(network, Evaluator)
    return network


def quiescence(start: po.Position, path: str) -> LeafSearch:
    """What the engine does at a leaf, in Python, with the game's own tactics."""
    network = evaluator(path, start)

    def after(position: po.Position, move: Any) -> po.Position:
        played = position.copy()
        played.push(str(move))
        return played

    def passed(position: po.Position) -> po.Position:
        board, _, side = position.fen.rpartition(" ")
        return type(position).from_fen(f"{board} {'b' if side == 'w' else 'w'}")

    def is_threatened(position: po.Position) -> bool:
        return isinstance(position, po.Breakthrough) and tactics(passed(position)) > 0

    def value(position: po.Position, alpha: int, beta: int, ply: int) -> tuple[int, int]:
        if position.is_over:
            result = position.result
            assert result is not None
            own = result if position.turn == 0 else 1 - result
            return (0 if own == 0.5 else WON - ply if own else ply - WON), 1
        plies = tactics(position)
        if plies:
            return (WON - ply - plies if plies > 0 else ply - plies - WON), 1
        static = max(-25_000, min(network.score(position), 25_000))
        if ply == MOST_QUIET:
            return static, 1
        if is_threatened(position):
            best, moves = -32_000, [str(move) for move in position.legal_moves]
        else:
            best, moves = static, noisy_moves(position)
        nodes = 1
        for move in moves:
            if best >= beta:
                break
            score, more = value(after(position, move), -beta, -max(alpha, best), ply + 1)
            nodes += more
            best = max(best, -score)
        return best, nodes

    def leaf(position: Any) -> tuple[int, int]:
        return value(type(start).from_fen(position.fen), -32_000, 32_000, 0)

    return leaf


def same_tree(engine: BestFirstSearch, twin: Any) -> None:
    """The engine's root moves are those of the twin, in the same order, with the same numbers."""
    columns, lines = engine.root()
    children = sorted(twin.root.children, key=lambda child: child.preference, reverse=True)
    assert engine.nodes == twin.nodes
    assert columns["visits"].tolist() == [child.visits for child in children]
    for i, child in enumerate(children):
        assert engine.position.line(lines[i])[0] == child.move.text
        if abs(child.score) >= PROVEN:
            assert columns["proven"][i] == (child.score > 0)
        else:
            assert columns["score"][i] == child.score
            assert math.isnan(columns["proven"][i]) != child.is_settled


@pytest.mark.parametrize("scope", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("start", STARTS, ids=name_of)
def test_tree_of_the_twin(start: po.Position, scope: float, tmp_path: Path) -> None:
    path, choice = random_net(start, tmp_path), random.Random(1)
    for nodes in (1, 300, 1000):
        position = drawn_position(start, choice)
        network = evaluator(path, position)
        engine = BestFirstSearch(position, network, scope, is_selective=False)
        engine.run(nodes=nodes)
        same_tree(engine, best_first(position, nodes, path, scope * network.scale))


@pytest.mark.parametrize("scope", [0.0, 0.1])
@pytest.mark.parametrize("start", STARTS[1:6], ids=name_of)
def test_tree_of_the_twin_with_tactics(start: po.Position, scope: float, tmp_path: Path) -> None:
    path, choice = random_net(start, tmp_path), random.Random(2)
    for nodes in (200, 2000):
        position = drawn_position(start, choice)
        network = evaluator(path, position)
        engine = BestFirstSearch(position, network, scope)
        engine.run(nodes=nodes)
        leaf = quiescence(start, path)
        same_tree(engine, best_first(position, nodes, path, scope * network.scale, leaf))


@pytest.mark.parametrize("start", [po.Breakthrough(5, 4), po.ConnectFour(4, 5)], ids=name_of)
def test_what_it_proves_is_true(start: po.Position, tmp_path: Path) -> None:
    path, choice = random_net(start, tmp_path), random.Random(5)
    proven = set()
    for _ in range(30):
        position = drawn_position(start, choice)
        found = po.search(position, po.BestFirst(path, scope=0.2), nodes=3000)
        for row in found.moves:
            if not math.isnan(row["proven"]):
                after = position.copy()
                after.push(str(row["move"]))
                value = after.result if after.is_over else po.solve(after).value
                seen_above = after.turn != position.turn if not after.is_over else position.turn
                assert row["proven"] == (1 - value if seen_above else value)
                proven.add(row["proven"])
    assert {0.0, 1.0} <= proven


def test_a_certain_draw_is_played_unless_a_move_looks_better(tmp_path: Path) -> None:
    """It gets no visits once it is certain; the others do, and look worse."""
    path, choice, draws = random_net(po.ConnectFour(4, 4), tmp_path), random.Random(3), 0
    for _ in range(60):
        position = drawn_position(po.ConnectFour(4, 4), choice)
        found = po.search(position, po.BestFirst(path, scope=0.5), nodes=400)
        best = found.moves[0]
        if best["proven"] == 0.5 and found.reason == "nodes":
            assert (found.moves["value"][1:] <= 0.5).all()
            draws += best["visits"] < found.moves["visits"].max()
    assert draws


def test_a_proven_search_ends_early() -> None:
    position = po.Breakthrough.from_fen("bb.bb/...w./...../...../ww.ww w")
    found = po.search(position, "bestfirst", seconds=100.0)
    assert (found.reason, found.value, found.pv[0]) == ("proven", 1.0, found.move)
    assert found.seconds < 50.0


def test_a_small_game_is_solved() -> None:
    start = po.Breakthrough(4, 3)
    found = po.search(start, po.BestFirst("rows"), nodes=10**7)
    assert found.reason == "proven"
    assert found.value == po.solve(start).value


def test_limits() -> None:
    start = po.Breakthrough()
    found = po.search(start, po.BestFirst(), nodes=5000)
    assert found.nodes < 5000
    assert (found.reason, found.depth) == ("nodes", len(found.pv))
    assert po.search(start, "bestfirst").nodes < 100_000
    first = po.search(start, po.BestFirst(), nodes=1)
    assert first.moves["visits"].tolist() == [0] * len(start.legal_moves)
    timed = po.search(start, po.BestFirst(), seconds=0.05)
    assert timed.reason == "seconds"
    assert timed.seconds < 1.0
    small = po.search(start, po.BestFirst(), memory=1 << 16, seconds=20)
    assert small.reason == "memory"
    assert small.bytes <= 1 << 16


def test_searches_are_repeatable_and_snapshots_lead_to_the_same_result() -> None:
    once = po.search(po.Breakthrough(6), "bestfirst", nodes=10_000)
    *earlier, last = po.analysis(po.Breakthrough(6), "bestfirst", nodes=10_000)
    assert [result.reason for result in earlier] == ["running"] * 4  # 1000, 2000, 4000, 8000
    assert last.reason == once.reason == "nodes"
    assert str(last.moves.tolist()) == str(once.moves.tolist())  # nan is not equal to itself
    assert last.nodes == once.nodes


def test_stop_from_another_thread() -> None:
    engine = BestFirstSearch(po.Breakthrough(), evaluator("net", po.Breakthrough()), 0.5)
    answers: list[str] = []
    thread = threading.Thread(target=lambda: answers.append(engine.run(seconds=30)))
    thread.start()
    while engine.nodes < 10_000:
        time.sleep(0.001)
    engine.stop()
    thread.join()
    assert answers == ["stopped"]


@needs_timer
def test_ctrl_c_ends_a_search() -> None:
    ends_with_ctrl_c(lambda: po.search(po.Breakthrough(), po.BestFirst(scope=1.0), seconds=30), 0.1)


def test_players_and_programs_can_name_it() -> None:
    method = method_from("BestFirst(scope=0.5, evaluation=rows)")
    assert method == po.BestFirst("rows", 0.5)
    assert deepened(method, Effort(depth=5, lines=3)) == method
    match = po.match("bestfirst@500n", "uct@10", game=po.Breakthrough(5), games=2, seed=1)
    assert match.games == 2


def test_results_can_be_shown() -> None:
    found = po.search(po.Breakthrough(5), "bestfirst", nodes=500)
    assert "visits" in str(found)
    assert "<svg" in found._repr_html_()
    assert [v.work for v in variations(found, 3)] == found.moves["visits"][:3].tolist()


def test_errors(tmp_path: Path) -> None:
    by_hand = po.BestFirst("weights")
    for call, message in (
        (lambda: po.BestFirst(scope=-1), "scope must be"),
        (lambda: po.BestFirst("nett"), "did you mean 'net'"),
        (lambda: po.BestFirst(ties="random"), "draws no lots"),
        (
            lambda: po.search(po.Othello(), by_hand, nodes=9),
            "evaluation in whole points",
        ),
        (lambda: po.search(po.Breakthrough(), "bestfirst", playouts=9), "no meaning for it"),
        (lambda: po.Searcher(po.Breakthrough(), "bestfirst"), "plays no games out"),
    ):
        with pytest.raises(po.BadMethod, match=message):
            call()
    over = po.Breakthrough.from_fen("bwb/.../www b")
    with pytest.raises(po.BadPosition, match="game is over"):
        po.search(over, po.BestFirst("rows"), nodes=10)
