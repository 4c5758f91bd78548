"""How an opening book grows: drop-out expansion.

Lincke, T. (2001): Strategies for the automatic construction of opening books. In: Computers and
Games, Lecture Notes in Computer Science 2063.

An entry is expanded if the positions after all its moves are entries too. The cost of expanding an
entry says how little it matters:

- of an entry that is not expanded: 0; of a finished game: infinite;
- of an expanded entry: PLY + the least, over its moves, of the cost after the move and what the
  move loses against the best one.

So the walk from the start, to the least cost at each move, leads to an entry near the start that
both sides reach by good moves.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mcts_core.errors import BadMethod, shown
from mcts_core.position import Position
from playout.arguments import MOST, whole_number
from playout.learning.book import WIN, Book, Entry
from playout.learning.symmetries import key_of
from playout.method import Method
from playout.methods import method_of
from playout.searching import search

PLY = (
    WIN // 50
)  # a move that loses a fiftieth of a win counts as one ply more: more makes books wider


def grow(
    book: Book,
    method: str | Method,
    positions: int,
    seed: int,
    progress: Callable[[int], object] | None,
    settings: dict[str, Any],
) -> None:
    """Extend a book until it has this many positions. Its last step may add some more."""
    positions = whole_number("positions", positions, 1, MOST)
    seed = whole_number("seed", seed, 0, 2**64 - 1)
    if not (progress is None or callable(progress)):
        raise ValueError(f"progress must be a function, not {shown(progress)}")
    growth = _Growth(book, method_of(method), seed, settings)
    while len(book) < positions and growth.step():
        if progress is not None:
            progress(len(book))


class _Growth:
    """A book as a graph: the entries after and before each entry, and the costs of expanding."""

    def __init__(self, book: Book, method: Method, seed: int, settings: dict[str, Any]) -> None:
        self.book, self.method, self.seed, self.settings = book, method, seed, settings
        self.after: dict[bytes, list[bytes]] = {}  # of expanded entries
        self.before: dict[bytes, list[bytes]] = {}
        self.cost: dict[bytes, float] = {}
        self.words = " ".join([repr(method), *(f"{name}={settings[name]}" for name in settings)])
        if book.start in book:
            self._link_all()

    def step(self) -> bool:
        """Add the start, or all moves of the entry that costs least. False: there is none.

        A step that is interrupted leaves entries that the next call finds and links.
        """
        start = self.book.start
        if start not in self.book:
            self._add({key_of(start): start})
            return True
        if self.cost[key_of(start)] == math.inf:
            return False
        path, position = self._walk()
        children = {key_of(child): child for child in position.children()}
        self._add(children)
        for key in path:
            self.book.entries[key].visits += 1
        self._link(path[-1], list(children))
        self._back_up(path[-1])
        return True

    def _walk(self) -> tuple[list[bytes], Position]:
        """The entries from the start to the one to expand, and its position."""
        position = self.book.start.copy()
        path = [key_of(position)]
        while self.book.entries[path[-1]].is_expanded:
            key, position = min(
                ((key_of(child), child) for child in position.children()),
                key=lambda child: self.cost[child[0]] - self._worth(path[-1], child[0]),
            )
            path.append(key)
        return path, position

    def _worth(self, key: bytes, child: bytes) -> int:
        """What the move to the child is worth to its player."""
        value = self.book.entries[child].value
        return value if child[-1] == key[-1] else WIN - value

    def _add(self, positions: dict[bytes, Position]) -> None:
        """Search those of the positions that the book does not have, and add all or none."""
        new = {key: each for key, each in positions.items() if key not in self.book.entries}
        numbers = range(len(self.book), len(self.book) + len(new))
        values = [self._value(*each) for each in zip(new.values(), numbers, strict=True)]
        entries = dict(zip(new, map(Entry, values), strict=True))
        self.book.entries.update(entries)  # makes room once and first, so it adds all or none
        for key, position in positions.items():
            self.cost.setdefault(key, math.inf if position.is_over else 0.0)
        searched = sum(not position.is_over for position in new.values())
        if searched:
            self.book.searches[self.words] = self.book.searches.get(self.words, 0) + searched

    def _value(self, position: Position, number: int) -> int:
        """What the side to move can expect, by a search with a seed of its own."""
        if position.is_over:
            result = position.result
            assert result is not None
            return round(WIN * (result if position.turn == 0 else 1.0 - result))
        seed = np.random.SeedSequence((self.seed, number))
        found = search(position, self.method, **self.settings, seed=seed)
        if not (self.method.plays_out or "proven" in (found.moves.dtype.names or ())):
            raise BadMethod(
                f"{shown(self.method)} gives points, and a book needs expected results: use a "
                "method with playouts, or an evaluation that predicts results, such as net"
            )
        return round(WIN * found.value)

    def _link_all(self) -> None:
        """Find the graph of a book that has entries."""
        positions = [self.book.start]
        order = []
        while positions:
            position = positions.pop()
            key = key_of(position)
            if key in self.cost:
                continue
            if key not in self.book.entries:
                raise BadMethod(f"{self.book!r} lacks {shown(position)}, so it cannot be extended")
            self.cost[key] = math.inf if position.is_over else 0.0
            if self.book.entries[key].is_expanded:
                children = position.children()
                self._link(key, list(dict.fromkeys(map(key_of, children))))
                positions += children
                order.append(key)
        for key in reversed(order):
            self._back_up(key)

    def _link(self, key: bytes, children: list[bytes]) -> None:
        self.after[key] = children
        for child in children:
            self.before.setdefault(child, []).append(key)

    def _back_up(self, key: bytes) -> None:
        """Compute the value and the cost of an entry again, and of those before it that change."""
        changed = [key]
        while changed:
            key = changed.pop()
            worths = {child: self._worth(key, child) for child in self.after[key]}
            value = max(worths.values())
            cost = PLY + min(value - worth + self.cost[child] for child, worth in worths.items())
            entry = self.book.entries[key]
            if (value, cost) != (entry.value, self.cost[key]):
                entry.value, self.cost[key] = value, cost
                changed += self.before.get(key, [])
