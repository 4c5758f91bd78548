"""Positions drawn at random, compiled searches on them, and the comparison with their twins."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import playout as po
import playout.reference as ref
from mcts_core.search.driver import Driver
from mcts_core.search.tree import TreeSearch
from support.helpers import random_game

COLUMNS = ("visits", "wins", "amaf_visits", "amaf_wins", "low", "high")


def drawn_breakthrough(choice: random.Random) -> po.Position:
    """A board of any size and start."""
    rows, cols = choice.randint(3, 8), choice.randint(3, 8)
    return po.Breakthrough(rows, cols, first_rows=choice.randint(1, min(2, rows // 2)))


def drawn_position(start: po.Position, choice: random.Random) -> po.Position:
    """A position from the first two thirds of a random game."""
    game = [position.copy() for position in random_game(start, choice.getrandbits(32))]
    return choice.choice(game[: max(1, 2 * len(game) // 3)])


def drawn_positions(n: int, seed: int) -> Iterator[po.Position]:
    """Five of Breakthrough on boards drawn at random, one of each size of Othello, and again."""
    choice = random.Random(seed)
    for i in range(n):
        size = {0: 4, 1: 6, 2: 8}.get(i % 8)
        start = po.Othello(size) if size else drawn_breakthrough(choice)
        yield drawn_position(start, choice)


def fewer_for_big_othello(position: po.Position, playouts: int) -> int:
    """The twin's Othello 8x8 is slow: 300 playouts have to do."""
    is_big = isinstance(position, po.Othello) and position.rows == 8
    return min(playouts, 300) if is_big else playouts


def tree_search(
    position: po.Position, method: po.Method, seed: int, policy: str = "random", **options: Any
) -> TreeSearch:
    """A compiled search that has not begun; its options are `solver` and `memory`."""
    defaults = {"policy": policy, "solver": False, "memory": 1 << 30}
    settings = method.options() | defaults | options
    return TreeSearch(position, settings, np.random.SeedSequence(seed))


def root_search(
    position: po.Position, method: po.Method, seed: int, policy: str = "random"
) -> Driver:
    """The same for methods without a tree."""
    settings = method.options() | {"policy": policy}
    return method.engine(position, settings, np.random.SeedSequence(seed))


def after(position: po.Position, move: str) -> po.Position:
    """The position that a move leads to."""
    child = position.copy()
    child.push(move)
    return child


def entries(
    search: TreeSearch, root: po.Position
) -> Iterator[tuple[po.Position, NDArray[np.void]]]:
    """All entries of the table that were reached from a position by visited moves."""
    seen = set()
    waiting = [root]
    while waiting:
        position = waiting.pop()
        columns = search.entry(position)
        if columns is not None and position.fen not in seen:
            seen.add(position.fen)
            yield position, columns
            moves = zip(position.legal_moves, columns["visits"])
            waiting += [after(position, move) for move, visits in moves if visits]


def assert_same_moves(
    columns: NDArray[np.void], position: po.Position, rows: list[ref.MoveStatistics], *without: str
) -> None:
    """The statistics of all moves of a position, move for move and sum for sum."""
    moves = [position.move_text(raw) for raw in columns["raw"].tolist()]
    assert moves == [row.move for row in rows]
    for name in COLUMNS:
        if name not in without:
            assert columns[name].tolist() == [getattr(row, name) for row in rows], name


def assert_stopped_alike(
    search: Callable[[po.Position, po.Method, int], Driver],
    methods: Sequence[po.Method],
    playouts: int = 400,
    error: float = 0.07,
) -> None:
    """Searches that stop when they are sure do so after the same playout as their twins."""
    stopped = 0
    for seed, position in enumerate(drawn_positions(12, seed=3)):
        method = methods[seed % len(methods)]
        ours = search(position, method, seed)
        reason = ours.run(playouts, None, error)
        twin = ref.search(position, method, playouts=playouts, seed=seed, until_sure=error)
        assert (reason, ours.playouts) == (twin.reason, twin.playouts)
        stopped += reason == "sure"
    assert 0 < stopped < 12
