"""Boards that a UCI engine does not know, described in a file as Fairy-Stockfish reads it."""

from __future__ import annotations

from mcts_core.position import Position
from playout.games import size_of
from playout.notation import FILES, dialect_of, fen_of

KNOWN = {"breakthrough": (8, 8), "flipello": (8, 8)}  # the board of each variant that it knows


def is_known(start: Position) -> bool:
    """Whether the engine knows this board by the name of its game."""
    return KNOWN.get(dialect_of(start).variant) == size_of(start)


def variant_of(start: Position) -> str:
    """The name of a board: that of its game, and its size if the engine does not know it."""
    rows, columns = size_of(start)
    variant = dialect_of(start).variant
    return variant if is_known(start) else f"{variant}{rows}x{columns}"


def description(start: Position) -> str:
    """The text that describes a board by its name."""
    variant, (rows, columns) = dialect_of(start).variant, size_of(start)
    parent = f":{variant}" if variant in KNOWN else ""
    head = f"maxRank = {rows}\nmaxFile = {columns}\nstartFen = {fen_of(start)}\n"
    return f"[{variant_of(start)}{parent}]\n{head}{RULES[variant](rows, columns)}"


def _breakthrough(rows: int, columns: int) -> str:
    return f"flagRegionWhite = *{rows}\nflagRegionBlack = *1\n"


def _flipello(rows: int, columns: int) -> str:
    low, high = rows // 2, rows // 2 + 1
    left, right = FILES[low - 1], FILES[high - 1]
    return f"enclosingDropStart = {left}{low} {right}{low} {left}{high} {right}{high}\n"


def _connect4(rows: int, columns: int) -> str:
    return (
        "immobile = p\npieceDrops = true\nmustDrop = true\ndropOnTop = true\nconnectN = 4\n"
        "castling = false\ndoubleStep = false\nstalemateValue = draw\n"
    )


RULES = {"breakthrough": _breakthrough, "flipello": _flipello, "connect4": _connect4}
