"""Alpha-beta of any game with an evaluator: the twin's values, tactics, limits."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import playout as po
import playout.reference as ref
from mcts_core.evaluation.rows import Rows
from mcts_core.evaluator import Evaluator, noisy_moves, tactics
from playout.evaluation import compiled
from playout.learning.net import Net
from playout.reference.alphabeta import WON, alpha_beta
from playout.request import Request
from support import exact
from support.helpers import random_game
from support.nets import STARTS, name_of, random_net
from support.searching import drawn_position
from support.timers import ends_with_ctrl_c, needs_timer

MOVING = STARTS[:4]  # Breakthrough


def request_for(position: po.Position) -> Request:
    """A search without limits."""
    return Request(
        position=position,
        playouts=None,
        seconds=None,
        until_sure=None,
        nodes=None,
        seed=None,
        threads=1,
        memory=None,
        policy="random",
        solver=False,
    )


def unfinished(start: po.Position, seed: int) -> list[po.Position]:
    """The positions of a random game, without its end."""
    return [position.copy() for position in random_game(start, seed)][:-1]


# Values


@pytest.mark.parametrize("start", MOVING, ids=name_of)
def test_rows_of_the_twin(start: po.Position) -> None:
    for seed in range(20):
        for position in unfinished(start, seed):
            twin = po.reference.rows.rows_score(po.reference.position(position))
            assert po.evaluate(position, "rows") == twin


@pytest.mark.parametrize("start", STARTS, ids=name_of)
def test_network_of_the_twin(start: po.Position, tmp_path: Path) -> None:
    path = random_net(start, tmp_path)
    twin = po.reference.net.net(path)
    scores = set()
    for seed in range(5):
        for position in unfinished(start, seed):
            expected = twin.score(po.reference.position(position))
            assert po.evaluate(position, path) == max(-25_000, min(expected, 25_000))
            scores.add(expected)
    assert len(scores) > 10


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("start", STARTS, ids=name_of)
def test_plain_search_has_the_value_of_the_twin(
    start: po.Position, depth: int, tmp_path: Path
) -> None:
    path, choice = random_net(start, tmp_path), random.Random(depth)
    for _ in range(4):
        position = drawn_position(start, choice)
        plain = po.AlphaBeta(depth=depth, evaluation=path, selective=False)
        found = po.search(position, plain).moves[0]
        expected = alpha_beta(position, depth, path).value
        if abs(expected) > 25_000:
            assert found["proven"] == (expected > 0)
            assert math.isnan(found["score"])
        else:
            assert found["score"] == expected
            assert math.isnan(found["proven"])


def test_value_is_the_result_that_the_score_predicts() -> None:
    found = po.search(po.Breakthrough(), po.AlphaBeta(depth=3, evaluation="rows"))
    score = found.moves["score"][0]
    assert found.value == found.moves["value"][0] == 1 / (1 + math.exp(-score / 256))


def test_several_lines_are_exact_and_in_order() -> None:
    position = po.Breakthrough.from_fen("bb.bb/b.b../..b../.w.w./w.w.w w")
    plain = po.AlphaBeta(depth=4, evaluation="rows", selective=False)
    many = po.search(position, po.AlphaBeta(4, "rows", multi_pv=5, selective=False)).moves
    assert many["exact"][:5].all()
    known = many[:5][~np.isnan(many["score"][:5])]
    assert len(known) > 1
    assert (np.diff(known["score"]) <= 0).all()
    for row in known:
        after = position.copy()
        after.push(str(row["move"]))
        best = po.search(after, po.AlphaBeta(3, "rows", selective=False)).moves["score"][0]
        assert row["score"] == -best
    assert many["score"][0] == po.search(position, plain).moves["score"][0]


# Tactics


@pytest.mark.parametrize(
    "start", [po.Breakthrough(3, first_rows=1), po.Breakthrough(4, 3)], ids=name_of
)
def test_tactics_are_right(start: po.Position) -> None:
    proven = 0
    for seed in range(300):
        for position in unfinished(start, seed):
            plies = tactics(position)
            if plies > 0:
                assert exact.wins_within(position, plies)
            elif plies < 0:
                for move in position.legal_moves:
                    after = position.copy()
                    after.push(move)
                    assert exact.wins_within(after, -plies - 1)
            proven += plies != 0
    assert proven > 100


@pytest.mark.parametrize("rows", [4, 5, 6])
def test_tactics_of_breakthrough_see_every_win_in_one_and_many_in_three(rows: int) -> None:
    missed = found = 0
    for seed in range(60):
        for position in unfinished(po.Breakthrough(rows, 4), seed):
            if exact.wins_within(position, 1):
                assert tactics(position) == 1
            elif tactics(position) == 3:
                assert exact.wins_within(position, 3)
                found += 1
            elif tactics(position) == 0 and exact.wins_within(position, 3):
                missed += 1
    assert found > missed


def test_tactics_of_othello_see_every_move_that_takes_all() -> None:
    """A move that takes up to 8 discs, which are all, wins. The twin agrees."""
    choice, seen = random.Random(8), Counter[tuple[int, bool]]()
    for _ in range(1500):
        position = enclosed_discs(choice)
        if position.is_over:
            continue
        n_enemy = position.fen.count("O")
        takes_all = any("O" not in child.fen[:-1] for child in position.children() if child.is_over)
        assert tactics(position) == int(takes_all and n_enemy <= 8)
        assert tactics(position) == ref.Othello.from_fen(position.fen).solve()
        seen[n_enemy, takes_all] += 1
    assert all(seen[n_enemy, takes_all] for n_enemy in range(2, 10) for takes_all in (False, True))


def enclosed_discs(choice: random.Random) -> po.Othello:
    """White discs in lines between a square and discs of Black, who moves; maybe others."""
    size = choice.choice([4, 6, 8])
    board = {(row, col): "-" for row in range(size) for col in range(size)}
    row, col = choice.choice(list(board))
    for down, right in itertools.product((-1, 0, 1), repeat=2):
        length = choice.randint(0, 3)
        line = [(row + i * down, col + i * right) for i in range(1, length + 2)]
        if length and (down or right) and set(line) <= set(board):
            board |= dict.fromkeys(line[:-1], "O") | {line[-1]: "X"}
    if choice.random() < 0.3:
        board[choice.choice([place for place in board if place != (row, col)])] = "O"
    return po.Othello.from_fen("".join(board.values()) + " X")


def test_one_look_ahead_sees_the_loss_of_all_discs() -> None:
    """After e6 White takes all of Black's discs."""
    position = po.Othello.from_fen(
        "--OOOO------XO----OOXO----OOXO----OOOO-------------------------- X"
    )
    moves = po.search(position, po.AlphaBeta(depth=1)).moves
    assert moves["move"][moves["proven"] == 0.0].tolist() == ["e6"]


@pytest.mark.parametrize("start", [po.ConnectFour(4, 4), po.ConnectFour(4, 5)], ids=name_of)
def test_tactics_of_connect_four_are_right(start: po.Position) -> None:
    seen = set()
    for seed in range(300):
        for position in unfinished(start, seed)[-5:]:
            plies = tactics(position)
            seen.add(plies)
            if plies:
                assert po.solve(position).value == (1.0 if plies > 0 else 0.0)
    assert seen == {0, 1, -2}


def test_noisy_moves_are_the_captures_the_most_urgent_first() -> None:
    position = po.Breakthrough.from_fen("bb.bb/b.b../..b../.w.w./w.w.w w")
    assert noisy_moves(position) == ["d2c3", "b2c3"]
    for seed in range(20):
        for board in unfinished(po.Breakthrough(5), seed):
            men = sum(row.count("w") + row.count("b") for row in board.board.rows)
            for move in board.legal_moves:
                after = board.copy()
                after.push(move)
                left = sum(row.count("w") + row.count("b") for row in after.board.rows)
                assert (left < men) == (move in noisy_moves(board))


def test_selective_search_proves_what_is_true() -> None:
    choice = random.Random(5)
    wins = 0
    for _ in range(40):
        position = drawn_position(po.Breakthrough(5, 4), choice)
        found = po.search(position, po.AlphaBeta(depth=6, evaluation="rows"))
        for row in found.moves:
            if not math.isnan(row["proven"]):
                after = position.copy()
                after.push(str(row["move"]))
                if not after.is_over:
                    assert po.solve(after).value == 1.0 - row["proven"]
                wins += 1
    assert wins > 20


def test_a_proven_search_ends_early() -> None:
    position = po.Breakthrough.from_fen("bb.bb/...w./...../...../ww.ww w")
    found = po.search(position, "alphabeta", seconds=100.0)
    assert found.reason == "proven"
    assert found.value == 1.0
    assert found.seconds < 50.0


def test_win_counts_less_the_farther_it_is() -> None:
    position = po.Breakthrough.from_fen("b..b/.w../..../w... w")
    assert alpha_beta(position, 3, "rows").value == WON - 1


def test_a_lost_move_is_not_played_because_time_ran_out() -> None:
    """The move that the last depth liked turns out to lose before any other is searched."""
    position = po.Breakthrough.from_fen("bb..b/b.b.b/.bw.b/w.w.w/www.w w")
    assert po.search(position, "alphabeta", nodes=100_000).value == 1.0
    for nodes in range(1500, 2200, 10):
        found = po.search(position, "alphabeta", nodes=nodes)
        assert found.value > 0.0
        assert found.reason in ("nodes", "proven")


def test_a_stop_between_two_depths_ends_the_search() -> None:
    run = po.AlphaBeta(depth=50).begin(request_for(po.Breakthrough()))
    reasons = []
    for result in run.results():
        reasons.append(result.reason)
        run.stop()
    assert reasons == ["running", "stopped"]


# Limits and errors


def test_scores_of_many_positions() -> None:
    start = po.Breakthrough()
    evaluator, positions = compiled(None, start), po.random_positions(start, 30, plies=20, seed=1)
    assert isinstance(evaluator, Evaluator)
    assert evaluator.scores(positions).tolist() == [evaluator.score(p) for p in positions]
    assert evaluator.scores([]).tolist() == []
    over = start.copy()
    for move in po.playout(start, seed=1).moves:
        over.push(move)
    with pytest.raises(po.BadPosition, match="this game is over"):
        evaluator.scores([start, over])
    with pytest.raises(po.BadMethod, match="for another game, or another size"):
        evaluator.scores([start, po.Breakthrough(7)])
    for wrong in (None, "a position"):
        with pytest.raises(TypeError, match="positions must be Positions, not of type"):
            evaluator.scores([start, wrong])  # type: ignore[list-item]


def test_limits() -> None:
    start = po.Breakthrough()
    assert po.search(start, po.AlphaBeta(), nodes=5000).nodes <= 5010  # it unwinds
    found = po.search(start, po.AlphaBeta(), seconds=0.05)
    assert found.reason == "seconds"
    assert found.seconds < 1.0
    assert [r.depth for r in po.analysis(start, po.AlphaBeta(depth=3))] == [1, 2, 3]
    tiny = po.search(start, po.AlphaBeta(depth=6), memory=1 << 16)
    assert tiny.bytes <= 1 << 16


def test_searches_are_repeatable() -> None:
    runs = [po.search(po.Breakthrough(), po.AlphaBeta(), nodes=30_000).moves for _ in range(2)]
    assert (runs[0]["nodes"] == runs[1]["nodes"]).all()
    assert runs[0]["line"].tolist() == runs[1]["line"].tolist()


@needs_timer
def test_ctrl_c_ends_a_search() -> None:
    ends_with_ctrl_c(lambda: po.search(po.Breakthrough(), po.AlphaBeta(depth=100), seconds=60), 0.1)


def test_a_depth_that_is_cut_short_counts() -> None:
    """If it has found a better move by then, that is the answer."""
    changed = 0
    for position in po.random_positions(po.Othello(), 12, plies=(6, 16), seed=4):
        before, after = (po.search(position, po.AlphaBeta(depth=depth)) for depth in (6, 7))
        if before.move != after.move:
            limits = range(before.nodes + 1, after.nodes, 20)
            found = [po.search(position, po.AlphaBeta(), nodes=nodes) for nodes in limits]
            assert {result.depth for result in found} == {6}
            assert {result.move for result in found} >= {before.move, after.move}
            changed += 1
    assert changed > 1


def test_errors(tmp_path: Path) -> None:
    path = random_net(po.Breakthrough(5), tmp_path)
    with pytest.raises(po.BadMethod, match="is for breakthrough 5x5"):
        po.search(po.Breakthrough(6), po.AlphaBeta(evaluation=path), nodes=10)
    with pytest.raises(po.BadMethod, match="Breakthrough, not for Othello"):
        po.search(po.Othello(), po.AlphaBeta(evaluation="rows"), nodes=10)
    with pytest.raises(po.BadMethod, match="evaluates Othello"):
        po.search(po.Breakthrough(), po.AlphaBeta(evaluation="weights"), nodes=10)
    with pytest.raises(po.BadMethod, match="no network for Othello 4x4"):
        po.search(po.Othello(4), po.AlphaBeta(evaluation="net"), nodes=10)
    with pytest.raises(po.BadMethod, match="exact_ties is for"):
        po.search(po.Breakthrough(), po.AlphaBeta(2, "rows", exact_ties=True))
    over = po.Breakthrough.from_fen("bwb/.../www b")
    with pytest.raises(po.BadPosition, match="game is over"):
        po.search(over, po.AlphaBeta(evaluation="rows"), nodes=10)
    never_set_up = po.Breakthrough.__new__(po.Breakthrough)
    for call in (tactics, noisy_moves, Rows):
        with pytest.raises(po.BadPosition, match="never given a position"):
            call(never_set_up)
    with pytest.raises(po.BadMethod, match="never set up"):
        Evaluator().score(po.Breakthrough())
    assert Net(path) == Net(path)
    assert repr(Net(path)) == f"Net({path!r})"
