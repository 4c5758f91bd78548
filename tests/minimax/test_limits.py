"""Limits of the searches that count nodes: one run at a time, until it must stop."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

import playout as po
from mcts_core.minimax.endgame import EndgameSolver
from mcts_core.minimax.limits import LimitedSearch
from mcts_core.minimax.othello_alphabeta import OthelloSearch
from mcts_core.minimax.proof import ExactSolver
from playout.evaluation import compiled

GAMES = {"alphabeta": po.Othello(), "endgame": po.Othello(), "proof": po.Breakthrough()}


@dataclass
class Case:
    """An engine, and how to run it with limits in seconds and nodes."""

    engine: LimitedSearch
    run: Callable[[float | None, int | None], Any]


def alphabeta() -> Case:
    engine = OthelloSearch(GAMES["alphabeta"], compiled("weights", GAMES["alphabeta"]))
    return Case(engine, lambda seconds, nodes: engine.run(121, seconds, nodes))


def endgame() -> Case:
    engine = EndgameSolver(GAMES["endgame"], memory=2**20)
    return Case(engine, lambda seconds, nodes: engine.run(-64, 64, seconds, nodes))


def proof() -> Case:
    engine = ExactSolver(GAMES["proof"], memory=2**20)

    def run(seconds: float | None, nodes: int | None) -> Any:
        engine.limit(seconds, nodes)
        return engine.prove(GAMES["proof"], 0, 1.0)

    return Case(engine, run)


@pytest.fixture(params=[alphabeta, endgame, proof], ids=lambda make: make.__name__)
def case(request: pytest.FixtureRequest) -> Case:
    made: Case = request.param()
    return made


@contextmanager
def running(case: Case) -> Iterator[list[Any]]:
    """A run in another thread, which is stopped at the end. The list gets its result."""
    answers: list[Any] = []
    before = case.engine.nodes
    thread = threading.Thread(target=lambda: answers.append(case.run(20, None)))
    thread.start()
    try:
        while case.engine.nodes == before:
            time.sleep(0.001)
        yield answers
    finally:
        case.engine.stop()
        thread.join()


def test_each_limit_ends_a_run_and_the_next_goes_on(case: Case) -> None:
    assert case.run(None, 5000) == "nodes"
    nodes = case.engine.nodes
    assert nodes >= 5000
    assert case.run(0.01, None) == "seconds"
    assert case.engine.nodes > nodes


def test_stop_ends_a_run_in_another_thread(case: Case) -> None:
    began = time.perf_counter()
    with running(case) as answers:
        pass
    assert answers == ["stopped"]
    assert time.perf_counter() - began < 10


def test_a_stop_from_before_a_run_has_no_effect(case: Case) -> None:
    case.engine.stop()
    assert case.run(None, 5000) == "nodes"


def test_a_second_run_meanwhile_is_refused(case: Case) -> None:
    with (
        running(case) as answers,
        pytest.raises(RuntimeError, match="already running in another thread"),
    ):
        case.run(None, 1)
    assert answers == ["stopped"]
    assert case.run(None, case.engine.nodes + 5000) == "nodes"


def test_nobody_changes_or_reads_a_solver_that_runs() -> None:
    case = proof()
    solver = case.engine
    assert isinstance(solver, ExactSolver)
    position = GAMES["proof"]
    with running(case):
        for call in (
            lambda: solver.limit(nodes=1),
            lambda: solver.aim(1, 0.5),
            lambda: solver.known(position),
            lambda: solver.work(position),
        ):
            with pytest.raises(RuntimeError, match="already running"):
                call()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_forked_in_the_middle_of_a_run_is_refused() -> None:
    """The evaluation function forks in the middle of a run."""
    answers = []

    def value_of(position: po.Othello) -> float:
        if not answers:
            answers.append(answer_of_child(lambda: engine.run(1)))
        return 0.0

    engine = OthelloSearch(po.Othello(), compiled(value_of, po.Othello()))
    assert engine.run(2) == "depth"
    assert answers == ["this process was forked while the search was running"]
    assert answer_of_child(lambda: engine.run(3)) == "depth"  # works in both processes


def answer_of_child(call: Callable[[], Any]) -> str:
    """What a call in a forked child returns or raises, up to the first comma."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = call()
        except BaseException as failure:
            answer = failure
        os.write(writing, str(answer).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return str(answer).partition(",")[0]
