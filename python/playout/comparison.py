"""The result of a comparison: choices, values and regrets of each method, run by run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import BadMethod, shown
from mcts_core.position import Move, Position
from playout import intervals
from playout.arguments import Seed, one_of
from playout.columns import as_rows, as_table
from playout.method import Method
from playout.methods import method_of
from playout.render import comparison as render_comparison
from playout.render import text as render
from playout.result import plain, plain_seed

CURVES = ("value", "best", "regret")


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The result of `playout.compare`. `print` shows it as a table.

    >>> import playout as po
    >>> ending = po.Breakthrough.from_fen(".b..b/bbbbb/w..w./b.w../www.w w")
    >>> both = po.compare(ending, ["flat", "rave"], playouts=1000, runs=10, seed=1)
    >>> both.best  # the only winning move of 12
    frozenset({Move('b1a2')})
    >>> both.rows["right"].tolist()  # the share of the searches that found one of them
    [0.2, 1.0]

    The arrays `moves`, `values` and `regrets` have an axis for the methods, one for the budgets and
    one for the runs. A run is one search, read at every budget.

    - `moves`: the chosen move, as its index in `position.legal_moves`;
    - `values`: the search's value of that move, to the player to move; nan for alpha-beta, whose
      values are points;
    - `regrets`: the exact loss compared with the best move; nan without `truth`.
    """

    position: Position
    methods: tuple[Method, ...]
    budgets: NDArray[np.int64]  # playouts, ascending
    runs: int  # searches of each method
    seed: Seed
    policy: str
    seconds: float  # of the whole comparison
    truth: NDArray[np.void] | None
    """A row for each legal move: `move` and its `exact` value. None if not solved."""
    moves: NDArray[np.int64]
    values: NDArray[np.float64]
    regrets: NDArray[np.float64]
    run_seconds: NDArray[np.float64]  # the mean time of a run, for each method

    @property
    def rows(self) -> NDArray[np.void]:
        """A line for each method, at the full budget.

        - `move`, `share`: the move chosen most often, and its share of the runs;
        - `value`, `stderr`: the mean over the runs, and its standard error;
        - `right`, `regret`: the share of the runs that chose an exactly best move, and the mean
          regret; nan without `truth`;
        - `seconds`: the mean time of a run.
        """
        shares = np.array([self.shares(method) for method in self.methods])
        most = shares.argmax(axis=1)
        values = self.values[:, -1]
        is_known = self.truth is not None
        return as_table(
            {
                "method": np.array([repr(method) for method in self.methods]),
                "move": np.array([str(self.position.legal_moves[index]) for index in most]),
                "share": shares.max(axis=1),
                "value": values.mean(axis=-1),
                "stderr": intervals.standard_error(values),
                "right": self.right[:, -1].mean(axis=-1)
                if is_known
                else np.full(len(most), np.nan),
                "regret": self.regrets[:, -1].mean(axis=-1),
                "seconds": self.run_seconds,
            }
        )

    @property
    def best(self) -> frozenset[Move] | None:
        """The moves that are exactly best; None if not solved."""
        if self.truth is None:
            return None
        is_best = self.truth["exact"] == self.truth["exact"].max()
        return frozenset(np.array(self.position.legal_moves, dtype=object)[is_best])

    @property
    def majority(self) -> Move:
        """The move chosen most often at the full budget by all methods together."""
        legal = self.position.legal_moves
        counts = np.bincount(self.moves[:, -1].ravel(), minlength=len(legal))
        return legal[int(counts.argmax())]

    @property
    def right(self) -> NDArray[np.bool_]:
        """Whether each choice was exactly best; without `truth`, whether it was the `majority`.

        Agreement with the majority does not show that a choice is right.
        """
        wanted = {self.majority} if self.best is None else self.best
        is_wanted = np.array([move in wanted for move in self.position.legal_moves])
        return np.asarray(is_wanted[self.moves])

    def curve(
        self, method: str | Method, what: str = "best"
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """A method's "value", rate of "best" moves or "regret" at each budget.

        Returns the budgets, the means over the runs, and the lower and upper bounds of the 95 %
        confidence intervals: Wilson's for rates; for means the normal ones, cut to 0 to 1. For
        alpha-beta, which does not depend on chance, both bounds equal the mean.

        >>> import playout as po
        >>> two = po.compare(po.Breakthrough(4), ["ucb", "uct"], playouts=100, runs=4, seed=1)
        >>> budgets, mean, low, high = two.curve("uct", "value")
        >>> budgets.tolist(), bool((low <= mean).all())
        ([10, 20, 50, 100], True)
        """
        one_of("what", what, CURVES)
        index = self._index_of(method)
        samples = {"value": self.values, "best": self.right, "regret": self.regrets}[what][index]
        if not self.methods[index].plays_out:
            once = samples[:, 0].astype(float)
            return self.budgets, once, once, once
        if what == "best":
            return self.budgets, *intervals.of_rates(samples)
        mean, low, high = intervals.of_means(samples)
        return self.budgets, mean, np.maximum(low, 0.0), np.minimum(high, 1.0)

    def _index_of(self, method: str | Method) -> int:
        wanted = method_of(method)
        if wanted not in self.methods:
            known = ", ".join(map(shown, self.methods))
            raise BadMethod(f"{shown(wanted)} is not among the methods compared: {known}")
        return self.methods.index(wanted)

    def shares(self, method: str | Method) -> NDArray[np.float64]:
        """The share of a method's runs that chose each legal move at the full budget."""
        chosen = self.moves[self._index_of(method), -1]
        return np.bincount(chosen, minlength=len(self.position.legal_moves)) / self.runs

    def to_dict(self) -> dict[str, Any]:
        """The comparison in plain Python types, with summaries of the runs. None stands for nan."""
        rows = [{name: plain(row[name]) for name in row} for row in as_rows(self.rows)]
        for row, method in zip(rows, self.methods, strict=True):
            row["shares"] = {
                str(move): share
                for move, share in zip(
                    self.position.legal_moves, self.shares(method).tolist(), strict=True
                )
                if share
            }
            row["curves"] = {
                what: {
                    name: [plain(x) for x in column.tolist()]
                    for name, column in zip(
                        ("mean", "low", "high"), self.curve(method, what)[1:], strict=True
                    )
                }
                for what in CURVES
            }
        truth = self.truth
        return {
            "game": render.game_name(self.position),
            "position": render.line_of(self.position),
            "budgets": self.budgets.tolist(),
            "runs": self.runs,
            "seed": plain_seed(self.seed),
            "policy": self.policy,
            "seconds": self.seconds,
            "truth": None
            if truth is None
            else {row["move"]: row["exact"] for row in as_rows(truth)},
            "best": None if self.best is None else sorted(map(str, self.best)),
            "majority": str(self.majority),
            "methods": rows,
        }

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict()` as JSON text."""
        return json.dumps(self.to_dict(), indent=indent)

    def __str__(self) -> str:
        return render_comparison.text(self)

    def __repr__(self) -> str:
        return (
            f"<Comparison of {len(self.methods)} methods: {self.runs} runs of "
            f"{self.budgets[-1]} playouts each>"
        )

    def _repr_html_(self) -> str:
        return render_comparison.html(self)
