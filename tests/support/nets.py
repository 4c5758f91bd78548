"""Boards for searches with an evaluation, and networks with random weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import playout as po
from playout.learning.learn import plan_for
from playout.learning.net_recipe import nothing
from playout.learning.training import Shape
from playout.learning.weights import write

STARTS = [
    po.Breakthrough(4),
    po.Breakthrough(5),
    po.Breakthrough(6, 5),
    po.Breakthrough(8),
    po.ConnectFour(4, 5),
    po.ConnectFour(),
    po.Othello(4),
    po.Othello(6),
]


def name_of(start: po.Position) -> str:
    return f"{type(start).__name__}-{start.board.rows[0]}"[:18] + start.fen[:5]


def random_net(start: po.Position, folder: Path, seed: int = 1) -> str:
    """The file of a network with random weights, which uses the whole range of scores."""
    choice = np.random.default_rng(seed)
    plan, shape = plan_for(start, 1.0, 1, 1000, 32), Shape(most_men=64)
    arrays = nothing(start, shape)
    for key, most in (("inputs", 100), ("biases", 200), ("weights", 127), ("head_biases", 1 << 20)):
        arrays[key] = choice.integers(-most, most + 1, arrays[key].shape).astype(arrays[key].dtype)
    path = folder / f"{seed}.net"
    write(path, "net", {"game": plan.game, "size": list(plan.size), "most_men": 64}, arrays)
    return str(path)
