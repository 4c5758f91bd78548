"""Wrong numbers as arguments are refused in one line that names the argument."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import playout as po
from mcts_core.errors import LONGEST, shown
from playout.arguments import memory_size, number, whole_number
from playout.mixes import Evaluation

LONGEST_MESSAGE = 2000


class Unwilling:
    """Its `__index__` and its `repr` raise."""

    def __index__(self) -> int:
        raise ZeroDivisionError("no index")

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Count(int):
    """An int whose comparisons are overridden."""

    def __le__(self, other: object) -> bool:
        return True

    def __ge__(self, other: object) -> bool:
        return True


class Large:
    """Converting it to a number or an array raises MemoryError."""

    def __index__(self) -> int:
        raise MemoryError

    def __array__(self, *given: object, **more: object) -> Any:
        raise MemoryError


NO_NUMBERS: list[Any] = [
    -1,
    True,
    np.True_,
    "1",
    b"1",
    Decimal(1),
    1j,
    (1,),
    [[]],
    {},
    np.array([1.0, 2.0]),
    np.array(["a" * 9999]),
    object(),
    Unwilling(),
    int,
    math.nan,
    math.inf,
    -math.inf,
    np.float64("nan"),
    10**400,
    -(10**400),
    10**5000,
    -(10**5000),
]
NO_WHOLE_NUMBERS = [*NO_NUMBERS, 1.0, 1e300, np.float32(1), Fraction(1)]

B = po.Breakthrough(4)
TREE = po.search(B, "uct", playouts=10, seed=1).tree


def search(**settings: Any) -> Callable[[Any], object]:
    (name,) = settings
    return lambda value: po.search(B, **({"playouts": 1} | settings | {name: value}))


FLOATS: list[tuple[str, Callable[[Any], object]]] = [
    ("seconds", search(seconds=...)),
    ("until_sure", search(until_sure=...)),
    ("interval", lambda value: po.analysis(B, playouts=1, interval=value)),
    ("c", lambda value: po.UCT(c=value)),
    ("fpu", lambda value: po.UCT(fpu=value)),
    ("k", lambda value: po.RAVE(k=value)),
    ("bias", lambda value: po.GRAVE(bias=value)),
    ("epsilon", lambda value: po.UCB(epsilon=value)),
    ("half_life", lambda value: po.Flat(half_life=value)),
    ("divisor", lambda value: Evaluation(parity=1, divisor=value)),
    ("seconds", lambda value: po.solve(B, seconds=value)),
    ("seconds", lambda value: po.search(po.Othello(), po.AlphaBeta(1), seconds=value)),
    ("visits", lambda value: po.ucb1(0.5, value, 10)),
    ("total", lambda value: po.ucb1(0.5, 5, value)),
    ("c", lambda value: po.ucb1(0.5, 5, 10, c=value)),
    ("mean_square", lambda value: po.ucb_tuned(0.5, value, 5, 10)),
    ("visits", lambda value: po.ucb_tuned(0.5, 0.5, value, 10)),
    ("total", lambda value: po.ucb_tuned(0.5, 0.5, 5, value)),
    ("wins", lambda value: po.ucb_bayes(value, 5, 10)),
    ("visits", lambda value: po.ucb_bayes(0, value, 10)),
    ("total", lambda value: po.ucb_bayes(1, 5, value)),
    ("c", lambda value: po.ucb_bayes(1, 5, 10, c=value)),
    ("variance", lambda value: po.beta_from(value, 0.1, 0.1)),
    ("amaf_variance", lambda value: po.beta_from(0.1, value, 0.1)),
    ("bias_squared", lambda value: po.beta_from(0.1, 0.1, value)),
    ("n", lambda value: po.beta_mse(value, 5)),
    ("n_amaf", lambda value: po.beta_mse(5, value)),
    ("bias", lambda value: po.beta_mse(5, 5, bias=value)),
    ("n", lambda value: po.beta_heuristic(value, 5)),
    ("n_amaf", lambda value: po.beta_heuristic(5, value)),
    ("total", lambda value: po.beta_hand(value)),
    ("k", lambda value: po.beta_hand(5, k=value)),
    ("wins", lambda value: po.variance_of_mean(value, 5)),
    ("n", lambda value: po.variance_of_mean(0, value)),
]
INTS: list[tuple[str, Callable[[Any], object]]] = [
    ("playouts", search(playouts=...)),
    ("threads", search(threads=...)),
    ("every", lambda value: po.analysis(B, playouts=1, every=value)),
    ("n", lambda value: po.playouts(B, value)),
    ("threads", lambda value: po.playouts(B, 1, threads=value)),
    ("n", lambda value: po.compare_estimates(B, value)),
    ("threads", lambda value: po.compare_estimates(B, 1, threads=value)),
    ("lanes", lambda value: po.UCT(lanes=value)),
    ("min_samples", lambda value: po.RAVE(min_samples=value)),
    ("ref", lambda value: po.GRAVE(ref=value)),
    ("depth", lambda value: po.AlphaBeta(depth=value)),
    ("multi_pv", lambda value: po.AlphaBeta(multi_pv=value)),
    ("nodes", lambda value: po.search(po.Othello(), po.AlphaBeta(1), nodes=value)),
    ("nodes", lambda value: po.solve(B, nodes=value)),
    ("playouts", lambda value: po.compare(B, playouts=value, runs=1)),
    ("runs", lambda value: po.compare(B, playouts=1, runs=value)),
    ("exact_nodes", lambda value: po.compare(B, playouts=1, runs=1, exact_nodes=value)),
    ("depth", lambda value: TREE.walk(depth=value)),
    ("visits", lambda value: TREE.walk(visits=value)),
    ("depth", lambda value: TREE.to_dict(depth=value)),
    ("visits", lambda value: TREE.to_dict(visits=value)),
    ("min_samples", lambda value: po.estimate_bias_squared([1], [0], min_samples=value)),
    ("memory", search(memory=...)),
    ("memory", lambda value: po.solve(B, memory=value)),
    ("memory", lambda value: po.search(po.Othello(), po.AlphaBeta(1), memory=value)),
]
SIGNED: list[tuple[str, Callable[[Any], object]]] = [
    ("mean", lambda value: po.ucb1(value, 5, 10)),
    ("mean", lambda value: po.ucb_tuned(value, 0.5, 5, 10)),
    ("corners", lambda value: Evaluation(corners=value)),
]


def assert_refused(name: str, take: Callable[[Any], object], value: object) -> None:
    with pytest.raises(ValueError, match=rf"\b{name}(\[0\])? (must be|is a)") as caught:
        take(value)
    message = str(caught.value)
    assert len(message) < LONGEST_MESSAGE
    assert "\n" not in message


@pytest.mark.parametrize(("name", "take"), FLOATS)
def test_numbers_that_are_refused(name: str, take: Callable[[Any], object]) -> None:
    for value in NO_NUMBERS:
        assert_refused(name, take, value)


@pytest.mark.parametrize(("name", "take"), SIGNED)
def test_numbers_of_either_sign_that_are_refused(name: str, take: Callable[[Any], object]) -> None:
    for value in NO_NUMBERS[1:]:
        assert_refused(name, take, value)


@pytest.mark.parametrize(("name", "take"), INTS)
def test_whole_numbers_that_are_refused(name: str, take: Callable[[Any], object]) -> None:
    for value in NO_WHOLE_NUMBERS:
        assert_refused(name, take, value)


def test_workers_that_are_refused() -> None:
    with ThreadPoolExecutor(1) as pool:
        for value in NO_WHOLE_NUMBERS:
            assert_refused(
                "workers",
                lambda value: po.search(B, playouts=1, executor=pool, workers=value),
                value,
            )


def test_numbers_become_plain_ones() -> None:
    class Half(float):
        pass

    for value in (Half(0.5), np.float32(0.5), Fraction(1, 2), 0.5):
        assert type(number("c", value)) is float
        assert number("c", value) == 0.5
    for value in (Count(3), np.int8(3), np.uint64(3), 3):
        assert type(whole_number("n", value, 1, 9)) is int
        assert whole_number("n", value, 1, 9) == 3
    with pytest.raises(ValueError, match="n must be a whole number from 1 to 2, not 3"):
        whole_number("n", Count(3), 1, 2)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("65536", 65536),
        (" 65536 ", 65536),
        ("100 kB", 100_000),
        ("1.5GiB", 3 * 2**29),
        ("2g", 2 * 10**9),
        ("64Ki", 2**16),
        ("1TB", 10**12),
        ("2 TiB", 2**41),
        ("1 \t MB ", 10**6),
    ],
)
def test_sizes_in_words(text: str, size: int) -> None:
    assert memory_size("memory", text) == size


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "9" * 400,
        "1e9",
        "1_000_000",
        "-1GB",
        "1.GB",
        "\u00b2GB",
        "\u0663GB",
        "9" * 5000 + "GB",
    ],
)
def test_sizes_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="memory must be bytes, 65536 or more, or a text like"):
        memory_size("memory", text)


@pytest.mark.parametrize(
    "search",
    [
        lambda memory: po.search(po.Breakthrough(4), "uct", playouts=1, memory=memory),
        lambda memory: po.search(po.Breakthrough(5), po.AlphaBeta(depth=1), memory=memory),
        lambda memory: po.search(po.Othello(), po.AlphaBeta(depth=1), memory=memory),
        lambda memory: next(iter(po.analysis(po.Othello(4), "rave", playouts=1, memory=memory))),
        lambda memory: po.Searcher(po.Othello(4), "grave", memory=memory),
        lambda memory: po.solve(po.Breakthrough(4), memory=memory),
        lambda memory: po.solve(po.Othello(4), memory=memory),
    ],
)
def test_more_memory_than_the_machine_has(search: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused by name before the search takes any; a default fits into any machine."""
    with pytest.raises(ValueError, match="memory=900,000,000,000,000 is more than this"):
        search("900TB")
    monkeypatch.setattr("playout.arguments._machine_memory", lambda: 2**28)
    with pytest.raises(ValueError, match="more than this machine has: 268,435,456 bytes"):
        search("2GB")
    search(None)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ("12", "must be a list of numbers, not '12'"),
        (5, "must be a list of numbers, all of them finite, not 5"),
        ([1, "a"], "must be a list of numbers"),
        ([[1], [1, 2]], "must be a list of numbers"),
        ([[1.0, 2.0]], "all of them finite"),
        ([1, math.nan], "all of them finite, not [1, nan]"),
        ([10**5000], "not [an int of about 5001 digits]"),
        (None, "must be a list of numbers, not None"),
    ],
)
def test_samples_that_are_refused(values: Any, says: str) -> None:
    for call in (
        lambda: po.estimate_variances(values, [1.0]),
        lambda: po.estimate_bias_squared(values, [1.0]),
        lambda: po.regret(values, [1.0]),
        lambda: po.regret_bound(values, [1.0]),
    ):
        with pytest.raises(ValueError, match=r"^(uct_samples|visits) ") as caught:
            call()
        assert says in str(caught.value)


def test_formulas_refuse_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="wins must be at most visits=5, not 6"):
        po.ucb_bayes(6, 5, 10)
    with pytest.raises(ValueError, match="wins must be at most n=5, not 6"):
        po.variance_of_mean(6, 5)
    with pytest.raises(ValueError, match="total must be a number of at least 1, not 0"):
        po.ucb1(0.5, 5, 0)
    with pytest.raises(ValueError, match=r"mean_square .* 0.1 is too small for a mean of 0.9"):
        po.ucb_tuned(0.9, 0.1, 5, 1)
    with pytest.raises(ValueError, match="means must be as many as visits, 2, not 1"):
        po.regret([1, 2], [0.5])
    with pytest.raises(ValueError, match="visits must be at least 0 each"):
        po.regret([1, -2], [0.5, 0.5])


def test_weights_that_are_refused() -> None:
    for weights in (
        [[10**400] * 8] * 8,
        [["1"] * 8] * 8,
        [[1j] * 8] * 8,
        "x" * 9999,
        [[1], [2, 3]],
    ):
        with pytest.raises(po.BadMethod, match="Evaluation: weights must be 8x8 numbers, not"):
            Evaluation(weights=weights)


def test_a_bias_without_an_axis_is_one_number() -> None:
    assert po.RAVE(bias=np.array(0.5)) == po.RAVE(bias=0.5)
    with pytest.raises(po.BadMethod, match=r"scale='kind' needs bias to be a sequence, not 0\.5"):
        po.RAVE(bias=np.array(0.5), scale="kind")


def test_alpha_beta_takes_no_playouts_at_all() -> None:
    for given in ({"playouts": 0}, {"playouts": np.array([1, 2])}, {"until_sure": 0.0}):
        with pytest.raises(po.BadMethod, match="AlphaBeta plays no games out"):
            po.search(po.Othello(), po.AlphaBeta(1), **given)  # type: ignore[arg-type]


def test_positions_are_positions() -> None:
    with pytest.raises(TypeError, match="positions must be a position or a list of them, not 5"):
        po.playouts(5, 1)  # type: ignore[call-overload]
    with pytest.raises(
        ValueError, match=r"policy must be one of .*, not an int of about 5001 digits"
    ):
        po.playouts(B, 1, policy=10**5000)


@pytest.mark.parametrize(
    "value",
    [
        "a" * 10**6,
        10**5000,
        [[[["a" * 500] * 500] * 500] * 500],
        {"a" * 500: {"b" * 500: "c" * 500}},
        np.zeros((50, 50)),
        Unwilling(),
        type("list", (), {})(),
    ],
    ids=type,
)
def test_values_are_shown_in_a_line(value: object) -> None:
    text = shown(value)
    assert 0 < len(text) <= LONGEST
    assert "\n" not in text


def test_short_values_are_shown_as_they_are() -> None:
    for value in ("a  b", [1, "x"], None, 0.5, 2**62, np.int64(3), po.UCT(c=0.7)):
        assert shown(value) == repr(value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: po.search(po.Breakthrough(5), playouts=Large()),  # type: ignore[arg-type]
        lambda: po.Evaluation(weights=Large()),  # type: ignore[arg-type]
    ],
)
def test_want_of_memory_is_no_wrong_argument(call: Callable[[], object]) -> None:
    with pytest.raises(MemoryError):
        call()
