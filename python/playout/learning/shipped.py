"""The learned evaluations that come with the package, one for each game and board that has one."""

from __future__ import annotations

from functools import cache

from mcts_core.position import Position
from playout.games import Size, game_of, size_of, size_text
from playout.learning import weights
from playout.learning.learned import Learned
from playout.learning.net import Net
from playout.learning.patterns import Patterns

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
    from importlib.resources import as_file, files  # imported here: slow to import

    for suffix, kind in KINDS.items():
        found = files("playout.learning") / "shipped" / f"{name}-{size_text(size)}{suffix}"
        if found.is_file():
            with as_file(found) as path:
                return kind(path)
    return None
