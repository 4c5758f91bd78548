"""The best moves of a search, with what they are worth in the terms of other programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playout.columns import as_rows
from playout.method import Method
from playout.result import Result
from playout.tree import Node

MOST = 30_000  # centipawns
FINISHED = 1_000_000  # alpha-beta: a finished game counts this and its margin
HALF = FINISHED / 2  # no evaluation comes near it


@dataclass(frozen=True, slots=True)
class Variation:
    """A move with the line of play behind it. Values are those of the player to move."""

    moves: tuple[str, ...]
    work: int  # playouts or nodes spent on it
    expected: float | None  # the result, from 0 to 1; None: an evaluation by hand does not know it
    centipawns: int  # hundredths of a pawn in UCI, of a disc in NBoard
    certain: float | None  # 1 a proven win, 0.5 a draw, 0 a loss
    margin: int | None  # discs by which the game is won or lost for certain

    @property
    def mate(self) -> int | None:
        """Moves of the player to the end of the line, if it is won; of the opponent, negative.

        >>> Variation(("a2a3", "b3b2", "c3c4"), 1, None, 0, 1.0, None).mate
        2
        """
        if self.certain is None or self.certain == 0.5:
            return None
        plies = len(self.moves)
        return max(1, (plies + 1) // 2) if self.certain else -max(1, plies // 2)


def variations(result: Result, most: int) -> list[Variation]:
    """The best moves, at most `most` of them.

    >>> from playout import Breakthrough, search
    >>> found = variations(search(Breakthrough(4), playouts=1000, seed=1, solver=True), 2)
    >>> len(found), found[0].work > found[1].work
    (2, True)
    """
    rows = as_rows(result.moves[:most])
    lines = _lines(result, rows)
    return [_variation(result.method, row, line) for row, line in zip(rows, lines, strict=True)]


def _variation(method: Method, row: dict[str, Any], line: Sequence[str]) -> Variation:
    if not method.plays_out and "score" not in row:  # in points of an evaluation by hand
        value, is_end = float(row["value"]), abs(row["value"]) >= HALF
        return Variation(
            moves=tuple(line),
            work=row[method.counted],
            expected=None,
            centipawns=round(min(max(value, -MOST), MOST)),
            certain=float(value > 0) if is_end else None,
            margin=round(math.copysign(abs(value) - FINISHED, value)) if is_end else None,
        )
    proven = row.get("proven", math.nan)
    expected, margin = method.worth(row), row.get("margin", math.nan)
    return Variation(
        moves=tuple(line),
        work=row[method.counted],
        expected=expected,
        centipawns=centipawns(expected) if math.isnan(margin) else round(100 * margin),
        certain=None if math.isnan(proven) else proven,
        margin=None,
    )


def centipawns(expected: float) -> int:
    """The difference in Elo between two players that gives this expected result.

    >>> centipawns(0.5), centipawns(0.64), centipawns(0.0)
    (0, 100, -3600)
    """
    expected = min(max(expected, 1e-9), 1 - 1e-9)
    return round(400 * math.log10(expected / (1 - expected)))


def depth_of(result: Result) -> int:
    """Plies of alpha-beta; else how often the number of playouts has doubled: 1,024 are 10."""
    return result.depth if result.depth else max(1, result.playouts.bit_length() - 1)


def _lines(result: Result, rows: list[dict[str, Any]]) -> list[Sequence[str]]:
    """The lines of play of these moves: of alpha-beta, of the tree, or else just the moves."""
    if not result.method.plays_out:
        return [row["line"].split() for row in rows]
    below: dict[str, Node] = {}
    if result.method.grows_tree and len(rows) > 1:
        below = {str(child.move): child for child in result.tree.children}
    others = (str(row["move"]) for row in rows[1:])
    return [result.pv, *([move, *(below[move].line() if move in below else ())] for move in others)]
