"""Named levels: they suit every board, and each is stronger than those well below it."""

from __future__ import annotations

import pytest

import playout as po
from playout.arena.levels import RANKS, names

BOARDS = [po.Breakthrough(), po.Breakthrough(6, 5), po.ConnectFour(), po.Othello(), po.Othello(6)]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: type(board).__name__)
def test_every_level_plays(board: po.Position) -> None:
    found = po.levels(board)
    assert [level.name for level in found] == names(len(found))
    assert {level.name for level in found} >= set(RANKS)
    for level in found:
        level.check(board)


@pytest.mark.parametrize("board", [po.Breakthrough(5), po.Othello(6)], ids=["5x5", "6x6"])
def test_levels_are_in_order(board: po.Position) -> None:
    found = po.levels(board)
    for weaker, stronger in ((found[0], found[2]), (found[2], found[4]), (found[4], found[6])):
        match = po.match(stronger, weaker, games=16, game=board, seed=1, workers=1)
        assert match.score > 0.6, f"{stronger} against {weaker}"
