"""Alpha-beta compared with the plain search of the twin; its limits and results."""

from __future__ import annotations

import pickle
import random
import time
from collections.abc import Callable
from math import inf
from typing import Any

import pytest

import playout as po
from playout.reference.alphabeta import alpha_beta
from playout.reference.evaluation import EVALUATIONS, Evaluate, by_phase, mix
from support.helpers import random_game
from support.timers import ends_with_ctrl_c, needs_timer

PHASES = [{"mobility": 2.0, "corners": 3.0}, {"parity": 1.0, "stability": 0.3}]
PAIRS: dict[str, tuple[str | po.Evaluation, Evaluate]] = {
    **{name: (name, value_of) for name, value_of in EVALUATIONS.items()},
    **{
        term: (po.Evaluation(**{term: 1.0}), mix(**{term: 1.0}))  # type: ignore[arg-type]
        for term in ("parity", "mobility", "potential", "corners", "stability")
    },
    "phases": (
        po.Evaluation(by_phase=[po.Evaluation(**phase) for phase in PHASES]),  # type: ignore[arg-type]
        by_phase([mix(**phase) for phase in PHASES]),  # type: ignore[arg-type]
    ),
}


def some_positions(size: int, number: int, seed: int, last: int = 0) -> list[po.Othello]:
    """Unfinished positions of random games, one from each; with `last`, of the last plies only."""
    found = []
    choice = random.Random(seed)
    while len(found) < number:
        game = [p.copy() for p in random_game(po.Othello(size), choice.getrandbits(32))][:-1]
        found.append(choice.choice(game[-last:]))
    return found


def forced_passes(number: int) -> list[po.Othello]:
    """Positions one or two plies before a forced pass."""
    found: list[po.Othello] = []
    for seed in range(1000):
        for position in random_game(po.Othello(), seed):
            if "pass" in position.legal_moves and len(position.history) > 2:
                before = position.copy()
                before.pop()
                found += [position.copy(), before]
        if len(found) >= number:
            break
    return found[:number]


@pytest.mark.parametrize("name", PAIRS)
def test_value_and_move_of_the_twin(name: str) -> None:
    evaluation, value_of = PAIRS[name]
    sample = [
        *some_positions(8, 4, seed=1),
        *some_positions(8, 8, seed=2, last=6),
        *forced_passes(6),
    ]
    if name != "weights":
        sample += some_positions(6, 2, seed=3) + some_positions(4, 4, seed=4)
    for position in sample:
        for depth in (1, 2, 3) if position.size == 8 else (2, 4):
            expected = alpha_beta(position, depth, value_of)
            method = po.AlphaBeta(depth=depth, evaluation=evaluation, exact_ties=True)
            found = po.search(position, method)
            assert (found.value, found.move) == (expected.value, expected.move)
            plain = po.search(position, po.AlphaBeta(depth=depth, evaluation=evaluation))
            assert plain.value == expected.value


def plain_search(
    position: po.Othello,
    depth: int,
    value_of: Callable[[po.Othello], float],
    alpha: float,
    beta: float,
) -> tuple[float, str]:
    """The twin's search on compiled positions, which is fast enough for depth 5."""
    if depth == 0 or position.is_over:
        return value_of(position), ""
    best, best_move = -inf, ""
    for move in position.legal_moves:
        position.push(move)
        value = -plain_search(position, depth - 1, value_of, -beta, -max(alpha, best))[0]
        position.pop()
        if value > best:
            best, best_move = value, move
        if best >= beta:
            break
    return best, best_move


def positions_500() -> list[po.Othello]:
    return [
        *some_positions(8, 330, seed=5),
        *some_positions(8, 70, seed=6, last=8),
        *forced_passes(100),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_500_positions_at_depths_1_to_5(name: str) -> None:
    """With evaluations that test_evaluation.py compares with the twin's."""
    from playout.evaluation import compiled

    evaluation = PAIRS[name][0]
    value_of = compiled(evaluation, po.Othello()).value
    for position in positions_500():
        for depth in range(1, 6):
            method = po.AlphaBeta(depth=depth, evaluation=evaluation, exact_ties=True)
            found = po.search(position, method)
            assert (found.value, found.move) == plain_search(
                position.copy(), depth, value_of, -inf, inf
            )
            assert po.search(position, po.AlphaBeta(depth, evaluation)).value == found.value


def test_to_the_end_of_the_game() -> None:
    """A depth beyond the end of the game gives the exact result, with the reason "proven"."""
    for position in some_positions(8, 10, seed=7, last=7):
        result = po.search(position, po.AlphaBeta(depth=60, evaluation="weights"))
        assert result.reason == "proven"
        assert result.value == plain_search(position.copy(), 60, final_value, -inf, inf)[0]


def by_hand(position: po.Othello) -> float:
    return po.evaluate(position, "weights")


def final_value(position: po.Othello) -> float:
    assert position.is_over
    return by_hand(position)


def test_pv_leads_to_the_value() -> None:
    for position in some_positions(8, 20, seed=8) + forced_passes(10):
        for depth in (1, 4, 7):
            result = po.search(position, po.AlphaBeta(depth=depth, evaluation="ratios"))
            after = position.copy()
            for move in result.pv:
                after.push(move)
            assert result.pv[0] == result.move
            assert len(result.pv) == depth or after.is_over
            value = po.evaluate(after, "ratios")
            assert result.value == (-value if len(result.pv) % 2 else value)


@pytest.fixture(scope="module")
def four_plies() -> list[tuple[po.Othello, dict[str, float]]]:
    """Positions with the true values of their moves, searched four plies deep."""

    def values(position: po.Othello) -> dict[str, float]:
        found = {}
        for move in position.legal_moves:
            after = position.copy()
            after.push(move)
            found[str(move)] = -plain_search(after, 3, by_hand, -inf, inf)[0]
        return found

    return [(position, values(position)) for position in some_positions(8, 3, seed=9)]


@pytest.mark.parametrize("multi_pv", [1, 2, 3, 60])
def test_multi_pv(multi_pv: int, four_plies: list[tuple[po.Othello, dict[str, float]]]) -> None:
    for position, true in four_plies:
        method = po.AlphaBeta(depth=4, evaluation="weights", multi_pv=multi_pv)
        moves = po.search(position, method).moves
        exact = moves[moves["exact"]]
        assert len(exact) >= min(multi_pv, len(true))
        assert list(exact["value"]) == sorted(exact["value"], reverse=True)
        for row in moves:
            if row["exact"]:
                assert row["value"] == true[str(row["move"])]
                assert row["line"].split()[0] == row["move"]
            else:
                assert row["value"] >= true[str(row["move"])]
        best = sorted(true.values(), reverse=True)[: min(multi_pv, len(true))]
        assert list(exact["value"])[: len(best)] == best


def test_one_table_for_two_searches_changes_nothing() -> None:
    """A small table that overflows gives the same values."""
    for position in some_positions(8, 5, seed=10):
        method = po.AlphaBeta(depth=7, evaluation="weights")
        small = po.search(position, method, memory=2**16)
        assert small.value == po.search(position, method).value
        assert small.bytes <= 2**16


def test_nodes() -> None:
    o = po.Othello()
    results = [po.search(o, "alphabeta", nodes=50_000) for _ in range(2)]
    first, second = (r.to_dict() | {"seconds": 0} for r in results)
    assert first == second
    assert results[0].reason == "nodes"
    assert 50_000 <= results[0].nodes < 50_040  # checked after all moves of a position
    assert results[0].depth > 5
    assert po.search(o, po.AlphaBeta(), nodes=1).depth == 1


@pytest.mark.serial
def test_seconds() -> None:
    began = time.perf_counter()
    result = po.search(po.Othello(), "alphabeta", seconds=0.2)
    assert result.reason == "seconds"
    assert 0.2 <= time.perf_counter() - began < 1.0
    assert po.search(po.Othello(), "alphabeta", seconds=1e-9).move in po.Othello().legal_moves


def test_without_a_limit_the_depth_is_8() -> None:
    result = po.search(po.Othello(), "alphabeta")
    assert (result.depth, result.reason) == (8, "depth")


def test_analysis() -> None:
    snapshots = list(po.analysis(po.Othello(), po.AlphaBeta(depth=6)))
    assert [r.depth for r in snapshots] == [1, 2, 3, 4, 5, 6]
    assert [r.reason for r in snapshots] == ["running"] * 5 + ["depth"]
    assert snapshots[-1].value == po.search(po.Othello(), po.AlphaBeta(depth=6)).value
    nodes = [r.nodes for r in snapshots]
    assert nodes == sorted(nodes)


@pytest.mark.traced_slowly
@needs_timer
def test_ctrl_c() -> None:
    ends_with_ctrl_c(
        lambda: po.search(po.Othello(), po.AlphaBeta(depth=60, evaluation="weights"), seconds=20),
        0.1,
    )


def test_a_function_as_evaluation() -> None:
    def value_of(position: po.Othello) -> float:
        return po.evaluate(position, "ratios")

    for position in some_positions(8, 3, seed=11):
        found = po.search(position, po.AlphaBeta(depth=3, evaluation=value_of))
        assert found.value == po.search(position, po.AlphaBeta(3, "ratios")).value


def test_a_function_may_value_by_the_side_to_move() -> None:
    def value_of(position: po.Othello) -> float:
        return len(position.legal_moves) if position.turn else 0.5

    for position in some_positions(8, 5, seed=12) + forced_passes(6):
        for depth in (1, 2, 3, 4):
            found = po.search(position, po.AlphaBeta(depth=depth, evaluation=value_of))
            assert (
                found.value == plain_search(position.copy(), depth, scored(value_of), -inf, inf)[0]
            )


def scored(value_of: Callable[[po.Othello], float]) -> Callable[[po.Othello], float]:
    return lambda position: po.evaluate(position, value_of)


def test_an_error_in_the_function_is_raised() -> None:
    def value_of(position: po.Othello) -> float:
        raise RuntimeError("no idea")

    with pytest.raises(RuntimeError, match="no idea"):
        po.search(po.Othello(), po.AlphaBeta(depth=3, evaluation=value_of))


def test_a_forced_pass_is_the_move() -> None:
    position = next(p for p in forced_passes(10) if "pass" in p.legal_moves)
    result = po.search(position, po.AlphaBeta(depth=3))
    assert result.move == "pass"
    assert result.pv[0] == "pass"


def test_result() -> None:
    result = po.search(po.Othello(), po.AlphaBeta(depth=5))
    assert "depth 5 of AlphaBeta(depth=5)" in str(result)
    assert result.to_dict()["seed"] is None
    assert "<svg" in result._repr_html_()
    again = pickle.loads(pickle.dumps(result))
    assert (again.move, again.depth, again.pv) == (result.move, 5, result.pv)
    assert repr(result).startswith(f"<Result {result.move} ")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: po.AlphaBeta(depth=122), "from 1 to 121"),
        (lambda: po.AlphaBeta(evaluation="ratio"), "did you mean 'ratios'"),
        (lambda: po.AlphaBeta(multi_pv=0), "multi_pv must be"),
        (lambda: po.AlphaBeta(exact_ties=1), "exact_ties must be True or False"),
        (lambda: po.AlphaBeta(ties="random"), "draws no lots"),
        (lambda: po.search(po.Othello(6), po.AlphaBeta(evaluation="weights")), "for the 8x8 board"),
        (lambda: po.search(po.Othello(6), "alphabeta"), "no evaluation for Othello 6x6"),
        (lambda: po.search(po.Othello(), "alphabeta", playouts=100), "playouts= has no meaning"),
        (lambda: po.search(po.Othello(), "alphabeta", solver=True), "solver= has no meaning"),
        (lambda: po.search(po.Othello(), "uct", nodes=100), "nodes= limits alpha-beta"),
        (lambda: po.analysis(po.Othello(), "uct", nodes=100), "nodes= limits alpha-beta"),
        (lambda: po.Searcher(po.Othello(), "alphabeta"), "plays no games out"),
    ],
)
def test_errors(call: Any, says: str) -> None:
    with pytest.raises(po.BadMethod, match=says):
        call()


def test_a_finished_game_is_not_searched() -> None:
    with pytest.raises(po.BadPosition, match="game is over"):
        po.search(po.Othello.from_fen("XX-------------- O"), po.AlphaBeta(evaluation="ratios"))


def test_limits_are_checked() -> None:
    with pytest.raises(ValueError, match="nodes must be"):
        po.search(po.Othello(), "alphabeta", nodes=0)
    with pytest.raises(ValueError, match="seconds must be"):
        po.search(po.Othello(), "alphabeta", seconds=-1)


def test_the_twin_says_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="depth must be 1 or more"):
        alpha_beta(po.Othello(), 0)
    with pytest.raises(ValueError, match="evaluates Othello"):
        alpha_beta(po.Breakthrough(), 1)
    with pytest.raises(ValueError, match="evaluates Breakthrough"):
        alpha_beta(po.Othello(), 1, "rows")
    with pytest.raises(ValueError, match="game is over"):
        alpha_beta(po.Othello.from_fen("XX-------------- O"), 1)
