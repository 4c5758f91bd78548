"""The rules agree with OpenSpiel's, at every ply of many random games per game and size."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install open_spiel)")

from oracle_openspiel import CASES, Case, Mismatch, breakthrough, check_games


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
@pytest.mark.parametrize("games", [500, pytest.param(2000, marks=pytest.mark.slow)])
def test_rules_agree_with_openspiel(case: Case, games: int) -> None:
    tally = check_games(case, games, seed=1)
    assert tally.games == games
    assert tally.plies > games * 10


def test_a_difference_is_reported() -> None:
    """OpenSpiel's 5x5 starts with one row of men each, ours with two. The test must notice that."""
    with pytest.raises(Mismatch, match=r"Breakthrough 5x5: the moves .* differ at ply 0"):
        check_games(breakthrough(5, 5), games=1)
