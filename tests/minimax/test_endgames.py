"""Othello endgames with a guide, selective passes and threads compared with plain solving."""

from __future__ import annotations

import csv
import random
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import playout as po
from mcts_core.evaluator import Evaluator
from mcts_core.minimax.endgame import EndgameSolver
from playout.evaluation import compiled, predicting
from support.helpers import random_game
from support.timers import ends_with_ctrl_c, needs_timer

DEEP = Path(__file__).parents[1] / "data" / "deep_endgames.csv"
SOON = 10.0  # seconds; a search that does not end at all takes for ever
SLACK = 200_000  # nodes between two checks of a thread


def guide() -> Evaluator:
    """The patterns of the package."""
    found = compiled("patterns", po.Othello())
    assert isinstance(found, Evaluator)
    return found


@cache
def deep() -> list[dict[str, str]]:
    """The positions of the file that have at least 18 empty squares. The first has the fewest."""
    with DEEP.open(newline="") as lines:
        return [row for row in csv.DictReader(lines) if int(row["empty"]) >= 18]


def position_of(row: dict[str, str]) -> po.Othello:
    return po.Othello.from_fen(row["position"])


def endgames(number: int, n_empty: int, seed: int) -> list[po.Othello]:
    """Positions of random games with this number of empty squares."""
    choice = random.Random(seed)
    found: list[po.Othello] = []
    while len(found) < number:
        for position in random_game(po.Othello(), choice.getrandbits(32)):
            if sum(position.discs) == 64 - n_empty and len(position.legal_moves) > 1:
                found.append(position.copy())
                break
    return found


def plain_score(position: po.Othello) -> int:
    """The score by the solver without a guide."""
    solver = EndgameSolver(position)
    assert solver.run(-64, 64) == "solved"
    return solver.score


def check(position: po.Othello, found: po.Solution, score: int) -> None:
    """Check the score and what the move and the line lead to."""
    assert (found.score, found.reason) == (score, "solved")
    assert found.move == found.pv[0]
    after = position.copy()
    after.push(found.move)
    assert plain_score(after) == (-score if after.turn != position.turn else score)
    for move in found.pv[1:]:
        after.push(move)
    assert after.is_over


@pytest.mark.parametrize("n_empty", [13, 14, 15])
def test_a_guide_changes_no_value_and_plays_a_best_move(n_empty: int) -> None:
    for position in endgames(8, n_empty, seed=n_empty):
        score = plain_score(position)
        check(position, po.solve(position), score)
        assert po.solve(position, outcome_only=True).score == (score > 0) - (score < 0)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("number", [3, pytest.param(None, marks=pytest.mark.slow)])
def test_selective_passes_and_threads_change_no_value(threads: int, number: int | None) -> None:
    for row in deep()[:number]:
        found = po.solve(position_of(row), threads=threads)
        assert found.score == int(row["score"])
        assert found.move in row["best_moves"].split()
    assert po.solve(po.Othello(4), threads=threads).score == -10


def test_win_draw_and_loss_after_selective_passes() -> None:
    for row in deep():
        score = int(row["score"])
        found = po.solve(position_of(row), outcome_only=True)
        assert found.score == (score > 0) - (score < 0)
        after = position_of(row)
        after.push(found.move)
        assert po.solve(after, outcome_only=True).score == -found.score


def test_every_move_with_a_guide() -> None:
    """Each score is that of the position after the move."""
    for position in endgames(3, 14, seed=5):
        for threads in (1, 2):
            found = po.solve(position, multi=True, threads=threads)
            for move, child in zip(position.legal_moves, position.children(), strict=True):
                assert found.scores[move] == -plain_score(child)
            assert found.move in found.best_moves


@pytest.mark.slow
def test_a_guide_on_random_positions_with_18_empty_squares() -> None:
    for number, position in enumerate(endgames(60, 18, seed=18)):
        check(position, po.solve(position, threads=1 + number % 3), plain_score(position))


@pytest.mark.slow
def test_2000_positions_with_12_empty_squares_by_other_code() -> None:
    """The plain alpha-beta of evaluations by hand, to the end of the game."""
    to_the_end = po.AlphaBeta(depth=40, evaluation="weights")
    for position in endgames(2000, 12, seed=12):
        found = po.solve(position)
        value = po.search(position, to_the_end).value
        assert found.score is not None
        assert value == found.score + 1e6 * ((found.score > 0) - (found.score < 0))
        after = position.copy()
        after.push(found.move)
        assert -plain_score(after) == found.score


def test_the_work_that_a_guide_saves() -> None:
    position = position_of(deep()[1])
    alone, guided = EndgameSolver(position), EndgameSolver(position, guide=guide())
    alone.run(-64, 64)
    guided.run(-64, 64)
    assert guided.score == alone.score
    assert guided.nodes < 0.6 * alone.nodes


def test_small_endgames_are_solved_without_a_guide() -> None:
    """So the games of self-play, which ends with exact endgames, do not depend on one."""
    late = endgames(1, 12, seed=1)[0]
    assert not EndgameSolver.takes_guide(late)
    assert EndgameSolver.takes_guide(endgames(1, 13, seed=1)[0])
    alone, guided = EndgameSolver(late), EndgameSolver(late, guide=guide())
    alone.run(-64, 64)
    guided.run(-64, 64)
    assert (guided.score, guided.square, guided.nodes) == (alone.score, alone.square, alone.nodes)


def test_the_table_grows_with_the_nodes_within_its_limit() -> None:
    position = position_of(deep()[3])
    small, large = po.solve(position, memory="1MB"), po.solve(position)
    assert small.score == large.score
    assert small.bytes <= 10**6 < large.bytes < 2**28


def test_what_cannot_guide() -> None:
    with pytest.raises(po.BadMethod, match="whose scores are discs"):
        EndgameSolver(po.Othello(), guide=predicting(len, po.Othello()))
    with pytest.raises(po.BadMethod, match="another size of board"):
        EndgameSolver(po.Othello(6), guide=guide())


# Limits of several threads


def test_a_limit_of_nodes_holds_for_all_threads() -> None:
    position = endgames(1, 26, seed=26)[0]
    found = po.solve(position, nodes=2_000_000, threads=3)
    assert (found.score, found.reason) == (None, "nodes")
    assert found.move in position.legal_moves
    assert 1_000_000 < found.nodes < 2_000_000 + 3 * SLACK


def test_a_limit_of_seconds_ends_all_threads() -> None:
    began = time.perf_counter()
    found = po.solve(po.Othello(), seconds=0.2, threads=2)
    assert found.reason == "seconds"
    assert time.perf_counter() - began < SOON


def test_stop_ends_all_threads() -> None:
    solver = EndgameSolver(po.Othello(), guide=guide(), threads=2)
    timer = threading.Timer(0.1, solver.stop)
    timer.start()
    assert solver.run(-64, 64) == "stopped"
    timer.join()


def test_an_exception_of_progress_ends_all_threads() -> None:
    def fail(nodes: int, seconds: float) -> Any:
        raise LookupError("enough")

    before = threading.active_count()
    with pytest.raises(LookupError, match="enough"):
        po.solve(po.Othello(), threads=2, progress=fail)
    assert threading.active_count() == before


@needs_timer
def test_ctrl_c_ends_all_threads() -> None:
    ends_with_ctrl_c(lambda: po.solve(po.Othello(), threads=2, seconds=60), 0.1)
