"""Random positions, compiled searches on them, and comparisons with the twin."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import playout as po
import playout.reference as ref
from mcts_core.search.driver import Driver
from mcts_core.search.growing import LEARNERS
from mcts_core.search.tree import TreeSearch
from playout.methods import METHODS
from support.helpers import random_game

BY_PLAYOUTS = {key: kind for key, kind in METHODS.items() if kind.plays_out}
COLUMNS = ("visits", "wins", "amaf_visits", "amaf_wins", "low", "high")


def drawn_breakthrough(choice: random.Random) -> po.Position:
    """A start position of Breakthrough of random size."""
    rows, cols = choice.randint(3, 8), choice.randint(3, 8)
    return po.Breakthrough(rows, cols, first_rows=choice.randint(1, min(2, rows // 2)))


def drawn_position(start: po.Position, choice: random.Random) -> po.Position:
    """A position from the first two thirds of a random game."""
    game = [position.copy() for position in random_game(start, choice.getrandbits(32))]
    return choice.choice(game[: max(1, 2 * len(game) // 3)])


def drawn_positions(n: int, seed: int) -> Iterator[po.Position]:
    """In turn five positions of Breakthrough of random size and one of each size of Othello."""
    choice = random.Random(seed)
    for i in range(n):
        size = {0: 4, 1: 6, 2: 8}.get(i % 8)
        start = po.Othello(size) if size else drawn_breakthrough(choice)
        yield drawn_position(start, choice)


def fewer_for_big_othello(position: po.Position, playouts: int) -> int:
    """A third for Othello 8x8, but not fewer than 100, because the twin is slow there."""
    is_big = isinstance(position, po.Othello) and position.rows == 8
    return min(playouts, max(100, playouts // 3)) if is_big else playouts


def tree_search(
    position: po.Position, method: po.Method, seed: int, policy: str = "random", **options: Any
) -> TreeSearch:
    """A new compiled search; its options are `solver`, `memory` and `budget`."""
    learner = policy if policy in LEARNERS else None
    defaults: dict[str, Any] = {"policy": "random" if learner else policy, "learner": learner}
    defaults |= {"solver": False, "memory": 1 << 30}
    settings = method.options() | method.parts(position) | defaults | options
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
    """All entries of the table that visited moves reach from a position."""
    seen = set()
    waiting = [root]
    while waiting:
        position = waiting.pop()
        columns = None if position.key in seen else search.entry(position)
        if columns is not None:
            seen.add(position.key)
            yield position, columns
            if columns["visits"].any():  # most entries are leaves
                moves = zip(position.legal_moves, columns["visits"].tolist())
                waiting += [after(position, move) for move, visits in moves if visits]


def assert_same_moves(
    columns: NDArray[np.void], position: po.Position, rows: list[ref.MoveStatistics], *without: str
) -> None:
    """Check that the statistics of all moves of a position are equal."""
    moves = [position.move_text(raw) for raw in columns["raw"].tolist()]
    assert moves == [row.move for row in rows]
    for name in COLUMNS:
        if name not in without:
            assert columns[name].tolist() == [getattr(row, name) for row in rows], name
    if columns["visits"].any():  # the twin evaluates moves when one is first chosen
        found = [None if math.isnan(value) else value for value in columns["minimax"].tolist()]
        assert found == [row.minimax for row in rows]


def assert_stopped_alike(
    search: Callable[[po.Position, po.Method, int], Driver],
    methods: Sequence[po.Method],
    playouts: int = 250,
    error: float = 0.09,
) -> None:
    """Check that searches with `until_sure` stop after the same playout as their twins."""
    stopped = 0
    for seed, position in enumerate(drawn_positions(6, seed=3)):
        method = methods[seed % len(methods)]
        ours = search(position, method, seed)
        reason = ours.run(playouts, None, error)
        twin = ref.search(position, method, playouts=playouts, seed=seed, until_sure=error)
        assert (reason, ours.playouts) == (twin.reason, twin.playouts)
        stopped += reason == "sure"
    assert 0 < stopped < 6
