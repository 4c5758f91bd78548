"""A policy of playouts as a C function in a capsule, compiled outside the package."""

from __future__ import annotations

from types import ModuleType

import pytest

import playout as po


def test_it_plays_its_moves(first_moves: ModuleType) -> None:
    position = po.Breakthrough(5)
    game = po.playout(position, seed=1, policy=first_moves.POLICY)
    for move in game.moves:
        assert move in position.legal_moves[:2]
        position.push(move)
    assert position.result == game.result
    assert len(game.moves) == game.plies > 5


def test_playouts_and_searches(first_moves: ModuleType) -> None:
    """All methods with playouts take it; one seed gives one result."""
    policy = first_moves.POLICY
    games = po.playouts(po.Breakthrough(5), 500, seed=1, policy=policy)
    again = po.playouts(po.Breakthrough(5), 500, seed=1, threads=2, policy=policy)
    assert (games.wins, games.plies) == (again.wins, again.plies)
    assert games.plies != po.playouts(po.Breakthrough(5), 500, seed=1).plies
    for name in ("flat", "ucb", "amaf", "uct", "rave", "grave"):
        one, two = (
            po.search(po.Breakthrough(5), name, playouts=200, seed=1, policy=policy)
            for _ in range(2)
        )
        assert one.moves["visits"].tolist() == two.moves["visits"].tolist()
    with po.Searcher(po.Othello(4), "uct", seed=1, policy=policy) as searcher:
        assert searcher.search(playouts=50).playouts == 50


def test_other_capsules_are_refused(material: ModuleType, first_moves: ModuleType) -> None:
    for wrong in (material.MATERIAL, po.Breakthrough().capsule, 3):
        with pytest.raises(ValueError, match="policy must be one of"):
            po.search(po.Breakthrough(5), "uct", playouts=10, policy=wrong)
        with pytest.raises(ValueError, match="policy must be one of"):
            po.playouts(po.Breakthrough(5), 10, policy=wrong)
    with pytest.raises(po.BadMethod, match="has no meaning for it"):
        po.search(po.Breakthrough(), "alphabeta", policy=first_moves.POLICY)
