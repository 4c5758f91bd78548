"""Certificates are checked by a program that knows only the rules, and it finds what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import playout as po
from check_certificate import check

WON = "bbbb/.b../ww../.www w"  # by the side to move


def written(position: po.Position, file: Path) -> list[str]:
    po.solve(position, certificate=file)
    return file.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("position", "winner"),
    [
        (po.Breakthrough(4), "1"),
        (po.Breakthrough(4, 5), "1"),
        (po.Breakthrough.from_fen(WON), "0"),
    ],
    ids=["4x4", "4x5", "won"],
)
def test_a_certificate_is_right(position: po.Position, winner: str, tmp_path: Path) -> None:
    lines = written(position, tmp_path / "strategy")
    assert lines[:2] == [position.fen, winner]
    assert check(iter(lines)) == len(lines) - 2


def test_threads_write_a_certificate_that_is_right(tmp_path: Path) -> None:
    file = tmp_path / "strategy"
    for threads in (2, 3, 4):
        po.solve(po.Breakthrough(4, 5), threads=threads, certificate=file)
        lines = file.read_text(encoding="utf-8").splitlines()
        assert check(iter(lines)) == len(lines) - 2


def test_wrong_certificates_are_found(tmp_path: Path) -> None:
    lines = written(po.Breakthrough(4), tmp_path / "strategy")
    with pytest.raises(ValueError, match="left over"):
        check(iter([*lines, "a1a2"]))
    with pytest.raises(StopIteration):
        check(iter(lines[:-1]))
    with pytest.raises(KeyError):
        check(iter([*lines[:2], "a1a2", *lines[3:]]))  # black answers first
    with pytest.raises((ValueError, KeyError, StopIteration)):
        check(iter([lines[0], "0", *lines[2:]]))  # the other player


def test_a_strategy_that_loses_is_found() -> None:
    """White ought to stop the man on a2."""
    lines = ["b.../..../b..w/w... w", "0", "d2d3"]
    with pytest.raises(ValueError, match="the loser wins"):
        check(iter(lines))


def test_nothing_is_written_without_a_winner(tmp_path: Path) -> None:
    file = tmp_path / "strategy"
    assert po.solve(po.ConnectFour(4, 4), certificate=file).value == 0.5
    assert po.solve(po.Breakthrough(8), nodes=100, certificate=file).value is None
    assert not file.exists()
