"""The number that stands for what all searches find."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcts_core import built_levels
from mcts_core.cpu import supported
from playout.signature import signature
from support.commands import playout
from support.helpers import run_python

KNOWN = Path(__file__).parents[1] / "data" / "signature.txt"


def test_no_search_has_changed() -> None:
    """After a change on purpose: `playout bench --signature > tests/data/signature.txt`."""
    assert signature() == int(KNOWN.read_text())


@pytest.mark.parametrize("level", [level for level in supported() if level in built_levels])
def test_every_level_finds_the_same(level: str) -> None:
    code = "from playout.signature import signature\nprint(signature())"
    assert run_python(code, PLAYOUT_CPU=level).stdout == KNOWN.read_text()


def test_the_command() -> None:
    assert playout("bench", "--signature").out == KNOWN.read_text()
