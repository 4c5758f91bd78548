"""The rules agree with OpenSpiel's, at every ply of 2,000 random games per game and size."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install open_spiel)")

from oracle_openspiel import CASES, Case, Mismatch, breakthrough, check_games


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_rules_agree_with_openspiel(case: Case) -> None:
    tally = check_games(case, games=2000, seed=1)
    assert tally.games == 2000
    assert tally.plies > 2000 * 10


def test_a_difference_is_reported() -> None:
    """OpenSpiel's 5x5 starts with one row of men each, ours with two. The test must notice that."""
    with pytest.raises(Mismatch, match=r"Breakthrough 5x5: the moves .* differ at ply 0"):
        check_games(breakthrough(5, 5), games=1)
