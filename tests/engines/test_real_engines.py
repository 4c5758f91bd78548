"""Short matches with engines that are installed here."""

from __future__ import annotations

import pytest

import playout as po
from playout.arena.game import OVER
from playout.engines.process import program


def needs(command: str) -> pytest.MarkDecorator:
    """Skip where there is no such program."""
    try:
        program(command)
    except po.BadMethod:
        is_there = False
    else:
        is_there = True
    return pytest.mark.skipif(not is_there, reason=f"{command} is not installed")


@needs("fairy-stockfish")
@pytest.mark.parametrize(
    "game",
    [po.Breakthrough(), po.Breakthrough(5), po.Breakthrough(7, 6), po.ConnectFour()],
    ids=["8x8", "5x5", "7x6", "connect four"],
)
def test_fairy_stockfish(game: po.Position) -> None:
    match = po.match("uci:fairy-stockfish@2000n", "flat@2", game=game, games=4, seed=1)
    assert {row.played.reason for row in match.rows} == {OVER}
    assert match.score > 0.5


@needs("fairy-stockfish")
def test_fairy_stockfish_keeps_its_time() -> None:
    report = po.check_engine('uci:fairy-stockfish@0.05s "Skill Level"=0 Hash=16')
    assert report.is_good, str(report)


@needs("gtp-rhino")
def test_rhino() -> None:
    """It takes no passes, and finds them by itself."""
    match = po.match("gtp:'gtp-rhino -l 1'", "flat@10", game=po.Othello(), games=10, seed=1)
    assert {row.played.reason for row in match.rows} == {OVER}
    assert any("pass" in row.played.moves for row in match.rows)
