"""Settings found by matches."""

from __future__ import annotations

from pathlib import Path

import pytest

import playout as po

SMALL = {"game": po.Breakthrough(5), "playouts": 100, "seed": 1}


def test_a_foolish_setting_is_found_and_mended() -> None:
    """c = 50 plays nearly at random; any of the candidates is better."""
    found = po.tune(
        po.UCT(c=50), {"c": (0.1, 2.0, "log")}, candidates=4, games=20, proof=100, **SMALL
    )
    assert found.is_better
    assert isinstance(found.best, po.UCT)
    assert 0.1 <= found.best.c <= 2.0
    assert "is better:" in str(found)


def test_half_of_the_candidates_stay() -> None:
    found = po.tune("uct", {"c": (0.2, 0.6)}, candidates=5, games=2, proof=2, **SMALL)
    assert [len(table.players) - 1 for table in found.rounds] == [5, 3, 2]
    assert [table.meeting(0, 1).games for table in found.rounds] == [2, 4, 8]
    for before, after in zip(found.rounds, found.rounds[1:], strict=False):
        assert set(after.players) < set(before.players)
    assert found.proof.players[1] == found.rounds[0].players[0] == "UCT()@100"
    assert found.proof.games == 2


def test_the_seed_repeats_it_and_a_record_goes_on(tmp_path: Path) -> None:
    settings = {"candidates": 4, "games": 2, "proof": 4, **SMALL}
    found = po.tune("rave", {"bias": (1e-6, 1e-2, "log")}, **settings)
    kept = po.tune("rave", {"bias": (1e-6, 1e-2, "log")}, record=tmp_path, **settings)
    assert kept.best == found.best
    assert sorted(path.name for path in tmp_path.glob("*.db")) == [
        "proof.db",
        "round-1.db",
        "round-2.db",
    ]
    calls: list[object] = []
    again = po.tune(
        "rave", {"bias": (1e-6, 1e-2, "log")}, record=tmp_path, progress=calls.append, **settings
    )
    assert again.best == found.best
    assert calls == []  # nothing was left to play


def test_whole_numbers() -> None:
    found = po.tune("grave", {"ref": (1, 5, "whole")}, candidates=3, games=2, proof=2, **SMALL)
    assert isinstance(found.best, po.GRAVE)
    assert found.best.ref in range(1, 6)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "parameters must name a setting"),
        ({"d": (0, 1)}, r"UCT\(\) has no setting 'd'"),
        ({"c": (1, 0)}, "the range of c must go from a number to a larger one"),
        ({"c": (0, 1, "log")}, "the range of c must begin above 0"),
        ({"c": (0, 1, "cubic")}, "be 'linear', 'log'"),
        ({"lanes": (1.2, 1.8, "whole")}, "there is no whole number in the range of lanes"),
        ({"c": 1}, "the range of c must be like"),
        ({"lanes": (1, 2, "whole")}, "only 1 different settings"),
        ({"c": (-2, -1)}, "c must be a number of at least 0"),
    ],
)
def test_ranges_that_make_no_sense(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        po.tune("uct", parameters, candidates=2, games=2, proof=2, **SMALL)  # type: ignore[arg-type]


def test_only_methods_are_tuned() -> None:
    with pytest.raises(ValueError, match="only the settings of a method can be tuned"):
        po.tune(lambda position: position.legal_moves[0], {"c": (0, 1)}, **SMALL)
