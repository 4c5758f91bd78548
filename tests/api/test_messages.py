"""Messages of the compiled core are one line of readable length for any input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import playout as po

LONGEST = 600  # characters


class Unwilling:
    def __index__(self) -> int:
        raise ZeroDivisionError("no index")

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


HUGE = 10**5000
LONG = "w" * 10**6
BAD: list[tuple[Callable[[], Any], str]] = [
    (lambda: po.Breakthrough.from_fen(LONG), "expected the rows and the side to move"),
    (lambda: po.Breakthrough.from_fen(f"{LONG} w"), "a Breakthrough board has 3 to 8 rows, not 1"),
    (lambda: po.Breakthrough.from_fen(f"www/{LONG}/www w"), "row 2 has 1000000 squares"),
    (lambda: po.Breakthrough.from_fen([LONG]), "is a line of text, not ['www"),
    (lambda: po.Breakthrough.from_fen(HUGE), "is a line of text, not an int of about 5001 digits"),
    (lambda: po.Othello.from_fen(LONG), "expected the squares and the side to move"),
    (lambda: po.Othello.from_fen(f"{LONG} X"), "1000000 squares"),
    (lambda: po.Othello.from_fen(HUGE), "is a line of text, not an int of about 5001 digits"),
    (lambda: po.Breakthrough(HUGE), "3 to 8 rows, not an int of about 5001 digits"),
    (lambda: po.Breakthrough(5, Unwilling()), "3 to 8 columns, not <Unwilling instance"),
    (lambda: po.Breakthrough(np.array([4, 5])), "3 to 8 rows, not array([4, 5])"),
    (
        lambda: po.Breakthrough(first_rows=HUGE),
        "an int of about 5001 digits does not do for 8 rows",
    ),
    (lambda: po.Breakthrough(first_rows=True), "first_rows must be 1 or 2"),
    (lambda: po.Breakthrough(first_rows=np.array([1, 2])), "first_rows must be 1 or 2"),
    (lambda: po.Othello(HUGE), "a size of 8, 6 or 4, not an int of about 5001 digits"),
    (lambda: po.Othello(np.array([4, 6])), "a size of 8, 6 or 4, not array([4, 6])"),
    (lambda: po.Othello(Unwilling()), "a size of 8, 6 or 4, not <Unwilling instance"),
    (lambda: po.Othello().push(LONG), "is not legal here. Legal: d3 c4 f5 e6"),
    (lambda: po.Othello().push([LONG]), "a move is given as text, like 'd3', not ['www"),
    (lambda: po.Othello().push(HUGE), "not an int of about 5001 digits"),
    (lambda: po.Othello.from_fen("XX-------------- O").push(LONG), "the game is over"),
    (lambda: po.playout(po.Othello(), seed=-HUGE), "seed must not be negative, but it is an int"),
    (
        lambda: po.playout(po.Othello(), seed=HUGE),
        "seed must be below 2**8192, not an int of about",
    ),
    (lambda: po.playout(po.Othello(), seed=LONG), "seed must be an int, a numpy SeedSequence or"),
    (
        lambda: po.playout(po.Othello(), policy=HUGE),
        "policy must be one of 'random', 'guided', not",
    ),
    (lambda: po.playout(po.Othello(), policy=np.array(["random", "guided"])), "policy must be one"),
    (
        lambda: po.evaluate(po.Othello(), lambda _: HUGE),
        "an evaluation returns a number, not an int",
    ),
    (lambda: po.evaluate(po.Othello(), lambda _: LONG), "an evaluation returns a number, not 'www"),
]


@pytest.mark.parametrize(("call", "says"), BAD, ids=[says for _, says in BAD])
def test_faults_are_told_in_a_line(call: Callable[[], Any], says: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call()
    assert says in str(caught.value)
    assert len(str(caught.value)) < LONGEST
    assert "\n" not in str(caught.value)


def test_whole_numbers_of_numpy_are_sizes() -> None:
    size, one = np.int8(5), np.uint64(1)
    assert po.Breakthrough(size, first_rows=one) == po.Breakthrough(5, first_rows=1)
    assert po.Othello(np.int64(6)) == po.Othello(6)


def test_long_seeds_are_written_as_json() -> None:
    result = po.search(po.Breakthrough(4), playouts=10, seed=2**8192 - 1)
    assert str(2**8192 - 1) in result.to_json()
