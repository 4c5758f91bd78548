"""Published and known perft figures: move generation is exact."""

from __future__ import annotations

import pytest

import playout as po
import playout.reference as ref
from support.helpers import random_game

pytestmark = pytest.mark.traced_slowly

BREAKTHROUGH = {
    (5, 5, 2): [13, 156, 1924, 23084, 289828, 3538840, 43719470, 527270518],
    (6, 6, 2): [16, 256, 4308, 71478, 1248290, 21470998, 381006806],
    (7, 7, 2): [19, 361, 7220, 144251, 3042166, 63936806],
    (8, 8, 2): [22, 484, 11132, 256036, 6182818, 149264638],
    (6, 5, 2): [13, 169, 2331, 31545, 453608, 6401274, 92931876],
    (5, 6, 2): [16, 240, 3666, 54448, 839494, 12626046, 193407966],
    (5, 5, 1): [13, 169, 1911, 21514, 232478, 2467006, 25718186],
}
OTHELLO = {
    8: [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800],
    6: [4, 12, 56, 244, 1364, 7604, 47740, 308716, 2114912, 14976792],
    4: [4, 12, 44, 128, 424, 1256, 3624, 9116, 20044, 36540, 50704, 57436],
}


CONNECT_FOUR = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]


@pytest.mark.parametrize(("size", "leaves"), BREAKTHROUGH.items(), ids=str)
def test_breakthrough(size: tuple[int, int, int], leaves: list[int]) -> None:
    rows, cols, first_rows = size
    start = po.Breakthrough(rows, cols, first_rows=first_rows)
    assert [start.perft(depth + 1) for depth in range(len(leaves))] == leaves


@pytest.mark.parametrize(("size", "leaves"), OTHELLO.items(), ids=str)
def test_othello(size: int, leaves: list[int]) -> None:
    start = po.Othello(size)
    assert [start.perft(depth + 1) for depth in range(len(leaves))] == leaves


def test_connect_four() -> None:
    start = po.ConnectFour()
    assert [start.perft(depth + 1) for depth in range(len(CONNECT_FOUR))] == CONNECT_FOUR


@pytest.mark.slow
def test_othello_deepest() -> None:
    assert po.Othello().perft(12) == 1939886636


def test_finished_games_are_counted_by_othello_only() -> None:
    """In the Breakthrough position two of three moves win at once; the Othello game is over."""
    breakthrough = po.Breakthrough.from_fen("..b/w../... w")
    assert [breakthrough.perft(depth) for depth in (1, 2)] == [2, 0]
    othello = po.Othello.from_fen("XX-------------- O")
    assert [othello.perft(depth) for depth in (0, 1, 5)] == [1, 1, 1]


def test_passes_and_ends_as_the_twin_counts_them() -> None:
    """Positions of 4x4 games in which a pass is forced, and soon after the end of the game."""
    passes = 0
    for seed in range(50):
        for position in random_game(po.Othello(4), seed):
            if position.legal_moves == ("pass",):
                passes += 1
                for depth in range(5):
                    assert position.perft(depth) == ref.perft(ref.position(position), depth)
    assert passes > 20
