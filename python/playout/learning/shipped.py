"""What comes with the package for some games and boards: learned evaluations, and other files."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from mcts_core.position import Position
from playout.games import Size, game_of, size_of, size_text
from playout.learning import weights
from playout.learning.learned import Learned
from playout.learning.net import Net
from playout.learning.patterns import Patterns

Made = TypeVar("Made")

KINDS: dict[str, type[Learned]] = {kind.suffix: kind for kind in (Net, Patterns)}
"""The kinds of learned evaluations, by the suffix of their files."""


def learned_from(path: str) -> Learned | None:
    """The learned evaluation in a file; None if the name is not that of one.

    A file is read again only after it has changed.
    """
    for suffix, kind in KINDS.items():
        if path.endswith(suffix):
            return weights.latest(kind, path)
    return None


def shipped(position: Position) -> Learned | None:
    """The learned evaluation of the package for the board of a position; None: there is none."""
    game = game_of(position)
    return None if game is None else _shipped(game.name, size_of(position))


@cache
def _shipped(name: str, size: Size) -> Learned | None:
    found = (packaged(kind, name, size, suffix) for suffix, kind in KINDS.items())
    return next((learned for learned in found if learned is not None), None)


def packaged(make: Callable[[Path], Made], name: str, size: Size, suffix: str) -> Made | None:
    """What a function makes of the package's file for a game and board; None: there is none."""
    from importlib.resources import as_file, files  # imported here: slow to import

    found = files("playout.learning") / "shipped" / f"{name}-{size_text(size)}{suffix}"
    if not found.is_file():
        return None
    with as_file(found) as path:
        return make(path)
