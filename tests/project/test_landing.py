"""The README's pictures and table equal the output of `benchmarks/landing.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

import landing

FILES = landing.files()


@pytest.mark.parametrize("path", FILES, ids=str)
def test_the_script_changes_nothing(path: Path) -> None:
    assert (landing.ROOT / path).read_text(encoding="utf-8") == FILES[path]


def test_every_rate_is_in_a_table_of_the_speed_page() -> None:
    races = landing.races((landing.ROOT / "docs" / "speed.md").read_text(encoding="utf-8"))
    assert len(races) == 4
    for race in races:
        assert landing.OURS in race.rates
        assert landing.OPENSPIEL in race.rates


@pytest.mark.parametrize(
    ("printed", "rate"), [("649", 649), ("29.2 k", 29_200), ("21.2 M", 21_200_000)]
)
def test_rates_are_read_as_they_are_printed(printed: str, rate: float) -> None:
    assert landing.rate(printed) == rate
