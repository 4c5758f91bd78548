"""The learned evaluations that come with the package, one for each game and board that has one."""

from __future__ import annotations

import os
from functools import cache, lru_cache

from mcts_core.position import Position
from playout.games import Size, game_of, size_of, size_text
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
            try:
                status = os.stat(path)
            except OSError:
                return kind(path)  # which says what is wrong
            return _read(kind, path, status.st_mtime_ns, status.st_size)
    return None


@lru_cache(maxsize=8)
def _read(kind: type[Learned], path: str, changed: int, size: int) -> Learned:
    return kind(path)


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
