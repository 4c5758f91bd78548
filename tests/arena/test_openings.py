"""The positions from which games of a match begin."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import playout as po
from playout.arena.openings import after, openings_of


def seeds(n: int) -> list[np.random.SeedSequence]:
    return [np.random.SeedSequence(1, spawn_key=(0, number)) for number in range(n)]


@pytest.mark.parametrize("start", [po.Breakthrough(4), po.Othello(4), po.ConnectFour(4, 4)])
def test_random_openings_are_legal_and_do_not_end_the_game(start: po.Position) -> None:
    openings = [po.Openings(plies=5).moves(start, seed) for seed in seeds(50)]
    assert {len(moves) for moves in openings} == {5}
    assert not any(after(start, moves).is_over for moves in openings)
    assert len(set(openings)) > 40
    assert openings == [po.Openings(plies=5).moves(start, seed) for seed in seeds(50)]


def test_an_opening_may_begin_in_the_middle() -> None:
    start = after(po.Breakthrough(5), ["a2a3", "d4d3"])
    moves = po.Openings(plies=2).moves(start, seeds(1)[0])
    assert len(after(start, moves).history) == 4


def test_balanced_openings_are_balanced() -> None:
    start = po.Breakthrough(5)
    openings = po.Openings(plies=6, balance=0.05, playouts=300)
    for seed in seeds(5):
        position = after(start, openings.moves(start, seed))
        assert abs(po.search(position, playouts=20_000, seed=1).value - 0.5) < 0.2


def test_lines_come_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# mine\na2a3 d4d3  # well known\n\nb2b3, e4e3\n")
    openings = openings_of(path)
    assert openings.lines == (("a2a3", "d4d3"), ("b2b3", "e4e3"))
    assert openings == openings_of(["a2a3 d4d3", "b2b3 e4e3"])
    found = [openings.moves(po.Breakthrough(5), seed) for seed in seeds(3)]
    assert found == [("a2a3", "d4d3"), ("b2b3", "e4e3"), ("a2a3", "d4d3")]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (["a2a4"], "opening 1: .*a2a4"),
        ("/no/such/file", "cannot be read: No such file"),
        ([], "there is no opening in it"),
        (3.5, "openings must be a number of random plies, a file"),
        (-1, "plies must be a whole number from 0"),
        (200, "none lasted for more than 200 plies"),
    ],
)
def test_openings_that_are_none(value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        po.match("uct", "uct", game=po.Breakthrough(5), playouts=1, games=2, openings=value)


def test_an_opening_that_ends_the_game() -> None:
    moves = " ".join(po.playout(po.Breakthrough(4), seed=1).moves)
    with pytest.raises(po.BadPosition, match="opening 1: the game is over after it"):
        po.match("uct", "uct", game=po.Breakthrough(4), playouts=1, games=2, openings=[moves])
