"""Statistics as columns: one array for each quantity, one row for each legal move."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Columns: TypeAlias = dict[str, NDArray[Any]]


def ratio(sums: NDArray[Any], counts: NDArray[Any]) -> NDArray[np.float64]:
    """The means; nan where nothing was counted."""
    means = np.full(len(counts), np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def as_table(columns: Columns) -> NDArray[np.void]:
    """The columns side by side, as a structured array."""
    n_rows = len(next(iter(columns.values())))
    table = np.empty(n_rows, [(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        table[name] = column
    return table
