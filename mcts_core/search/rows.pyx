"""Rows as Python sees them, and the table that a result makes of them. The map is rows.pxd."""
from libc.math cimport NAN, sqrt
from libc.stdint cimport int64_t
from libc.string cimport memcpy, memset

from mcts_core.base.array_memory cimport memory_of

from functools import lru_cache

import numpy as np

# made once, because NumPy leaks memory if making a type fails
ROW = np.dtype([
    ("raw", np.int64), ("code", np.int64), ("visits", np.int64), ("wins", float), ("squares", float),
    ("amaf_visits", np.int64), ("amaf_wins", float),
    ("recent_wins", float), ("recent_visits", float), ("recent_squares", float),
    ("beta", float), ("score", float), ("minimax", float), ("prior", float), ("weight", float),
    ("low", float), ("high", float)])

cdef extern from "Python.h":
    Py_UCS4* PyUnicode_AsUCS4(object text, Py_UCS4* buffer, Py_ssize_t length, bint ends_in_null) except NULL

cdef enum:
    COLUMN = 8                          # bytes of a column of a table, besides the move

cdef struct shown_t:                    # a row as a user reads it
    int64_t visits
    double mean
    double stderr
    double score
    int64_t amaf_visits
    double amaf_mean
    double beta
    double minimax
    double prior
    double weight
    double proven

SHOWN = np.dtype([
    ("visits", np.int64), ("mean", float), ("stderr", float), ("score", float),
    ("amaf_visits", np.int64), ("amaf_mean", float), ("beta", float),
    ("minimax", float), ("prior", float), ("weight", float), ("proven", float)])


cdef object new_rows(int n):
    """Return an array of rows, to be filled."""
    return np.empty(n, ROW)


cdef row_t* rows_of(object rows) except NULL:
    """Return a pointer to the rows of an array, valid as long as the array lives."""
    if not isinstance(rows, np.ndarray) or rows.dtype != ROW or rows.ndim != 1 or not rows.flags.c_contiguous:
        raise TypeError("rows are an array that root() of a search has returned")
    if len(rows) == 0:
        raise ValueError("there are no rows: a search has one for each legal move")
    return <row_t*> memory_of(rows)


cdef void clear_row(row_t* row) noexcept nogil:
    """Fill a row for a move of which nothing is known."""
    row.raw, row.code = 0, -1
    row.visits, row.wins, row.squares = 0, 0.0, 0.0
    row.amaf_visits, row.amaf_wins = 0, 0.0
    row.recent_wins, row.recent_visits, row.recent_squares = 0.0, 0.0, 0.0
    row.beta = row.score = row.minimax = row.prior = row.weight = NAN
    row.low, row.high = 0.0, 1.0


@lru_cache(maxsize=64)
def type_of_table(int width, names):
    """Return the type of a table with these columns, and texts of at most `width` characters.

    NumPy leaks memory if making a type fails, so types are kept.
    """
    return np.dtype([("move", f"U{width}"), *((name, SHOWN[name]) for name in names)])


def table(rows, order, moves, names, int turn, bint recent):
    """Return the rows as the table of a result, in this order: the texts of `moves` and the columns `names`.

    With `recent`, the mean is the weighted one of the recent playouts. The table is filled in C, because NumPy
    takes as long for each column as a short search.
    """
    cdef const row_t* known = rows_of(rows)
    cdef Py_ssize_t index, n = len(rows)
    cdef shown_t shown
    cdef char* out
    legal = tuple(moves)
    texts = [str(legal[index]) for index in order]
    cdef Py_ssize_t width = max(map(len, texts))
    found = np.empty(len(texts), type_of_table(width, names))
    offsets = [SHOWN.fields[name][1] for name in names]
    out = <char*> memory_of(found)
    for index, text in zip(order, texts):
        if not 0 <= index < n:
            raise IndexError(f"there are {n} rows, and no number {index}")
        show(&known[index], turn, recent, &shown)
        memset(out, 0, 4 * width)
        PyUnicode_AsUCS4(text, <Py_UCS4*> out, width, False)
        out += 4 * width
        for offset in offsets:
            memcpy(out, <char*> &shown + <Py_ssize_t> offset, COLUMN)
            out += COLUMN
    return found


cdef void show(const row_t* row, int turn, bint recent, shown_t* shown) noexcept nogil:
    cdef double n = row.visits
    shown.visits, shown.score, shown.beta = row.visits, row.score, row.beta
    shown.minimax, shown.prior, shown.weight = row.minimax, row.prior, row.weight
    if recent:
        shown.mean = ratio(row.recent_wins, row.recent_visits)
        # the effective number of playouts with these weights
        n = row.recent_visits * row.recent_visits / row.recent_squares if row.recent_squares > 0.0 else 0.0
    else:
        shown.mean = ratio(row.wins, n)
    shown.stderr = standard_error(shown.mean, n)
    shown.amaf_visits, shown.amaf_mean = row.amaf_visits, ratio(row.amaf_wins, row.amaf_visits)
    shown.proven = NAN
    if row.low == row.high:
        shown.proven = 1.0 - row.low if turn else row.low


cdef double ratio(double total, double n) noexcept nogil:
    return total / n if n > 0.0 else NAN


cdef double standard_error(double mean, double n) noexcept nogil:
    """Return the standard error of a mean of n results, smoothed by one win and one loss so that it is never 0."""
    cdef double smoothed
    if not n > 0.0:
        return NAN
    smoothed = (mean * n + 1.0) / (n + 2.0)
    return sqrt(smoothed * (1.0 - smoothed) / (n + 2.0))
