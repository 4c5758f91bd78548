"""Lines of text that describe positions, told apart by their form."""

from __future__ import annotations

import re

from mcts_core.errors import BadPosition, shown

LINES = {
    "Breakthrough": re.compile(r"(?=[./]*[wb])[wb.]{1,20}(?:/[wb.]{1,20}){1,20} [wb]"),
    "Othello": re.compile(r"[xo-]{16,64} [xo]", re.IGNORECASE),
    "Connect Four": re.compile(r"[xo.]{1,20}(?:/[xo.]{1,20}){1,20} [xo]", re.IGNORECASE),
}


def refuse_line_of_another(line: str, game: str) -> None:
    """Raise if a line has the form of another game's positions.

    >>> refuse_line_of_another("-----XO--OX----- X", "Breakthrough")
    Traceback (most recent call last):
    mcts_core.errors.BadPosition: '-----XO--OX----- X' is a position of Othello, not of Breakthrough
    """
    words = " ".join(line.split())
    for other, form in LINES.items():
        if other != game and form.fullmatch(words):
            raise BadPosition(f"{shown(line)} is a position of {other}, not of {game}")
