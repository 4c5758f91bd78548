"""Files of searches with changes and a right checksum: refused, or a search goes on from them."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import numpy as np

import playout as po
from playout import saved
from playout.learning import weights

SETTINGS: list[tuple[Any, dict[str, Any]]] = [
    ("uct", {}),
    ("uct", {"solver": True}),
    ("uct", {"policy": "mast"}),
    ("uct", {"policy": "ppaf"}),
    ("ucttuned", {}),
    ("rave", {}),
    (po.RAVE(lanes=4), {}),
    ("grave", {}),
    (po.GRAVE(ref=5), {"solver": True}),
    (po.UCT(prior="shallow", minimax=0.3, proof=1.0, evaluation="rows"), {"solver": True}),
]
NUMBERS = [0.0, 0.5, 1.0, -1.0, 2.0, 99.5, 1e308, 1e-300, np.nan, np.inf, -np.inf]
COUNTS = [0, 1, 2, 7, 8, 63, 64, 127, 128, 255, 256, 65535, 2**31 - 1, 2**32 - 1, 2**63, 2**64 - 1]
FACTS = [None, 0, -1, True, "x", "uct", "rave", "alphabeta", "mast", [], ["a2a3"], {}, 10**30, 1.5]
KINDS = ["<u1", "<u2", "<u4", "<u8"]


class Forge:
    """The file of a search, and changed copies of it."""

    def __init__(self, number: int, folder: Path) -> None:
        method, settings = SETTINGS[number % len(SETTINGS)]
        self.path = folder / "forged.search"
        self.draw = random.Random(number)
        with po.Searcher(po.Breakthrough(5), method, seed=3, **settings) as searcher:
            searcher.search(playouts=800)
            searcher.advance(searcher.result.move)
            searcher.search(playouts=100)
            searcher.save(self.path)
        self.facts, self.arrays = weights.read(
            self.path, saved.KIND, types=saved.TYPES, most=saved.MOST_BYTES
        )

    def write(self) -> None:
        """Write a copy with some changes."""
        facts = copy.deepcopy(self.facts)
        arrays = {name: array.copy() for name, array in self.arrays.items()}
        for _ in range(self.draw.choice([1, 1, 1, 2, 5, 30])):
            self._change(facts, arrays)
        weights.write(self.path, saved.KIND, facts, arrays, effort=1)

    def _change(self, facts: dict[str, Any], arrays: weights.Arrays) -> None:
        draw = self.draw
        name = draw.choice(list(arrays))
        array, kind = arrays[name], draw.randrange(20)
        if kind < 14:
            flat = array.reshape(-1)
            place = draw.randrange(flat.size)
            flat[place] = self._number(flat) if draw.random() < 0.7 else draw.choice(flat)
        elif kind == 14:
            arrays[name] = array[: draw.randrange(1, len(array) + 1)]
        elif kind == 15 and len(arrays) > 1:
            arrays.pop(name)
        elif kind == 16 and array.dtype.kind == "u":
            arrays[name] = array.astype(draw.choice(KINDS))
        elif kind == 17:
            arrays[name] = arrays[draw.choice(list(arrays))].copy()
        else:
            facts[draw.choice(list(facts))] = draw.choice(FACTS)

    def _number(self, array: np.ndarray) -> Any:
        if array.dtype.kind == "f":
            return self.draw.choice(NUMBERS)
        return self.draw.choice(COUNTS) % (1 << 8 * array.itemsize)

    def is_read(self) -> bool:
        """Whether the file is read; then a search goes on from it, or says that it cannot."""
        try:
            searcher = po.Searcher.load(self.path)
        except po.BadMethod as fault:
            return self._is_refused(str(fault))
        try:
            searcher.search(playouts=300)
            if not searcher.position.is_over:
                searcher.advance(searcher.position.legal_moves[0])
                searcher.search(playouts=50)
        except (po.BadGame, po.BadPosition):
            pass
        searcher.close()
        return True

    @staticmethod
    def _is_refused(message: str) -> bool:
        assert "\n" not in message, message
        assert len(message) < 1000, message
        return False
