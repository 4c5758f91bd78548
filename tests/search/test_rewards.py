"""Rewards of finished games: their result, or the share of the margin."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playout as po
from support.noughts import Noughts

METHODS = ["flat", "ucb", "amaf", "uct", "ucttuned", "rave", "grave", po.GRAVE(ref=5)]


@pytest.mark.parametrize(
    ("line", "share"),
    [
        ("XXXXXXXXXXXXXXXX X", 1.0),
        ("XXXXXXXXXXXOOOOO X", 11 / 16),
        ("XXXXXXXXOOOOOOOO O", 0.5),
        ("XX-------------- O", 1.0),  # the empty squares are the winner's
        ("OOOO------------ X", 0.0),
    ],
)
def test_the_share_of_the_discs(line: str, share: float) -> None:
    twin = po.reference.Othello.from_fen(line)
    assert twin.by_margin.result == share
    assert twin.by_margin.fen == twin.fen


def test_a_playout_ends_with_the_margin() -> None:
    """Empty squares count for the winner, as in the scores of `po.solve`."""
    for seed in range(20):
        game = po.playout(po.Othello(), seed=seed, rewards="margin")
        assert game.moves == po.playout(po.Othello(), seed=seed).moves
        end = po.Othello()
        for move in game.moves:
            end.push(move)
        black, white = end.discs
        lead = black - white
        lead += (64 - black - white) * int(np.sign(lead))
        assert game.result == (64 + lead) / 128


@pytest.mark.parametrize("policy", ["random", "guided", lambda _, moves: range(1, len(moves) + 1)])
@pytest.mark.parametrize("size", [4, 6])
def test_playouts_are_those_of_the_twin(size: int, policy: Any) -> None:
    start = po.Othello(size)
    found = po.playouts(start, 100, seed=1, policy=policy, rewards="margin")
    twin = po.reference.playouts(start, 100, 1, policy, rewards="margin")
    assert (found.wins, found.draws, found.losses) == (twin.wins, twin.draws, twin.losses)
    assert found.plies == twin.plies
    assert found.mean == pytest.approx(twin.mean, abs=1e-8)  # sums are in units of 2**-32
    assert found.stderr == pytest.approx(twin.stderr, abs=1e-6)
    usual = po.playouts(start, 100, seed=1, policy=policy)
    assert found.plies == usual.plies
    assert found.mean != usual.mean


@pytest.mark.parametrize(("size", "solver"), [(4, True), (6, False)])
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_searches_are_those_of_the_twin(method: Any, size: int, solver: bool) -> None:
    start = po.Othello(size)
    start.push(start.legal_moves[0])  # white is to move
    how: dict[str, Any] = {"playouts": 100, "seed": 1, "rewards": "margin"}
    if solver and method not in ("flat", "ucb", "amaf"):
        how["solver"] = True
    found = po.search(start, method, **how)
    twin = po.reference.search(start, method, **how)
    visits = {str(row["move"]): int(row["visits"]) for row in found.moves}
    assert visits == {row.move: row.visits for row in twin.moves}
    assert (str(found.move), found.value) == (twin.move, twin.value)


def test_the_solver_proves_margins() -> None:
    """The proven value is that of the exact score."""
    start = po.Othello(4)
    for _ in range(4):
        start.push(start.legal_moves[0])
    score = po.solve(start).score
    found = po.search(start, "uct", playouts=20_000, seed=1, solver=True, rewards="margin")
    assert found.reason == "proven"
    assert found.value == (16 + score) / 32


def test_ways_to_search(tmp_path: Path) -> None:
    start = po.Othello(4)
    how: dict[str, Any] = {"playouts": 300, "seed": 1, "rewards": "margin"}
    one = po.search(start, "uct", **how)
    *_, last = po.analysis(start, "uct", every=100, **how)
    assert last.moves["visits"].tolist() == one.moves["visits"].tolist()
    assert one.tree.children[0].visits == one.moves["visits"][0]
    with ThreadPoolExecutor(2) as pool:
        assert po.search(start, "uct", executor=pool, **how).playouts == 300
        shared = po.playouts(start, 300, seed=1, rewards="margin", executor=pool)
    assert shared.mean == po.playouts(start, 300, seed=1, rewards="margin", threads=2).mean
    assert po.search(start, po.UCT(lanes=8), **how).playouts == 300
    with po.Searcher(start, "rave", seed=1, rewards="margin") as searcher:
        searcher.search(playouts=200)
        searcher.save(tmp_path / "x.search")
        known = searcher.search(playouts=200).moves["mean"]
    again = po.Searcher.load(tmp_path / "x.search").search(playouts=200).moves["mean"]
    assert np.array_equal(again, known, equal_nan=True)

    def even(planes: Any, mask: Any) -> Any:
        return np.zeros(mask.shape), np.full(len(mask), 0.5)

    assert po.search(start, po.PUCT(even), **how).playouts == 300


def test_where_they_have_no_place() -> None:
    start = po.Othello()
    for game in (po.Breakthrough(), Noughts()):
        with pytest.raises(po.BadPosition, match="needs a game with margins, such as Othello"):
            po.search(game, "uct", playouts=10, rewards="margin")
    with pytest.raises(po.BadPosition, match="needs a game with margins"):
        po.playouts(po.ConnectFour(), 10, rewards="margin")
    with pytest.raises(ValueError, match="rewards must be one of 'result', 'margin'"):
        po.search(start, "uct", playouts=10, rewards="discs")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rewards must be 'result' or 'margin'"):
        po.playouts(start, 10, rewards="discs")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rewards must be 'result' or 'margin'"):
        po.reference.playouts(start, 10, 1, rewards="discs")
    with pytest.raises(po.BadMethod, match="rewards= has no meaning for it"):
        po.search(start, "alphabeta", seconds=1, rewards="margin")
    with pytest.raises(po.BadMethod, match="rewards='margin' counts by how much"):
        po.search(start, po.UCT(cut=0, evaluation="patterns"), playouts=9, rewards="margin")
