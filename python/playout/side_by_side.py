"""Monte Carlo and AMAF estimates from the same playouts, side by side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mcts_core.position import Position
from playout.arguments import MOST, AnySeed, whole_number
from playout.columns import as_table
from playout.methods import AMAF
from playout.names import PlayoutPolicy
from playout.task import PythonGame, Task

COLUMNS = ("visits", "mean", "amaf_visits", "amaf_mean")


def compare_estimates(
    position: Position | PythonGame,
    n: int,
    seed: AnySeed | None = None,
    *,
    threads: int = 1,
    policy: PlayoutPolicy = "random",
) -> NDArray[np.void]:
    """Estimate each legal move from the same `n` playouts, by Monte Carlo and by AMAF.

    Returns a structured array in legal order: `move`; `visits` and `mean` of the playouts that
    began with it; `amaf_visits` and `amaf_mean` of the playouts in which it occurred; `bias`, the
    difference `amaf_mean - mean`; `more`, how many more playouts AMAF has, `amaf_visits - visits`.
    nan where there are no playouts.

    >>> import playout as po
    >>> table = po.compare_estimates(po.Breakthrough(5), 1000, seed=1)
    >>> bool((table["amaf_visits"] >= table["visits"]).all()), int(table["visits"].sum())
    (True, 1000)
    """
    n = whole_number("n", n, 1, MOST)
    task = Task.checked(
        position, AMAF(), seed=seed, threads=threads, memory=None, policy=policy, solver=False
    )
    engine = task.engine()
    engine.run(n, None, None, task.threads)
    moves = task.position.legal_moves
    shown = engine.table(engine.root(), range(len(moves)), moves, COLUMNS)
    columns = {name: shown[name] for name in ("move", *COLUMNS)}
    columns["bias"] = columns["amaf_mean"] - columns["mean"]
    columns["more"] = columns["amaf_visits"] - columns["visits"]
    return as_table(columns)
