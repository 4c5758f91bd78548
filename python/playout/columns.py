"""Statistics as columns: one array for each quantity, one row for each legal move."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Columns: TypeAlias = dict[str, NDArray[Any]]


def as_table(columns: Columns) -> NDArray[np.void]:
    """The columns side by side, as a structured array."""
    n_rows = len(next(iter(columns.values())))
    table = np.empty(n_rows, [(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        table[name] = column
    return table


def as_rows(table: NDArray[np.void]) -> list[dict[str, Any]]:
    """The rows of a table in plain Python types, read column by column.

    NumPy's own `table[i][name]` and `table.tolist()` can crash when memory runs out.

    >>> as_rows(as_table({"move": np.array(["a2a3", "b2b3"]), "visits": np.array([3, 5])}))
    [{'move': 'a2a3', 'visits': 3}, {'move': 'b2b3', 'visits': 5}]
    """
    names = table.dtype.names or ()
    columns = [table[name].tolist() for name in names]
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]
