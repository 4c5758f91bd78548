"""Methods: their defaults, what they refuse and in which words, and their looks."""

from __future__ import annotations

import dataclasses
import math
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import numpy as np
import pytest

import playout as po
from playout.methods import METHODS

ALL = [po.Flat(), po.UCB(), po.AMAF(), po.UCT(), po.RAVE(), po.GRAVE()]
NAN, INF = math.nan, math.inf


def test_defaults() -> None:
    assert [method.options() for method in ALL] == [
        {"method": "flat", "ties": "random", "schedule": "uniform", "half_life": 100.0},
        {"method": "ucb", "ties": "random", "rule": "ucb1", "c": 0.4, "epsilon": 0.1},
        {"method": "amaf", "ties": "random"},
        {"method": "uct", "ties": "random", "lanes": 1, "c": 0.4, "fpu": None},
        {
            "method": "rave",
            "ties": "random",
            "lanes": 1,
            "beta": "mse",
            "bias": [1e-5],
            "k": 1000.0,
            "min_samples": 10,
            "c": 0.0,
            "scale": None,
        },
        {"method": "grave", "ties": "random", "lanes": 1, "ref": 50, "bias": [1e-5], "c": 0.0},
    ]


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: po.Flat("often"), "Flat: schedule must be one of 'uniform', 'recent', not 'often'"),
    (lambda: po.Flat("recnt"), "not 'recnt'; did you mean 'recent'?"),
    (lambda: po.Flat(half_life=0), "Flat: half_life must be a number above 0, not 0"),
    (lambda: po.Flat(half_life=NAN), "Flat: half_life must be a number above 0, not nan"),
    (
        lambda: po.Flat(ties="frist"),
        "Flat: ties must be one of 'random', 'first', not 'frist'; did",
    ),
    (lambda: po.UCB("ucb2"), "'greedy', not 'ucb2'; did you mean 'ucb1'?"),
    (lambda: po.UCB(None), "UCB: rule must be one of 'ucb1', 'tuned', 'bayes', 'kl', 'thompson', "),
    (lambda: po.UCB(c=NAN), "UCB: c must be a number of at least 0, not nan"),
    (lambda: po.UCB(c=-0.4), "UCB: c must be a number of at least 0, not -0.4"),
    (lambda: po.UCB(c=INF), "UCB: c must be a number of at least 0, not inf"),
    (lambda: po.UCB(c="0.4"), "UCB: c must be a number of at least 0, not '0.4'"),
    (lambda: po.UCB(c=True), "UCB: c must be a number of at least 0, not True"),
    (lambda: po.UCB(epsilon=1.1), "UCB: epsilon is a probability: a number from 0 to 1, not 1.1"),
    (lambda: po.UCB(epsilon=-1), "UCB: epsilon must be a number of at least 0, not -1"),
    (lambda: po.AMAF(ties=1), "AMAF: ties must be one of 'random', 'first', not 1"),
    (lambda: po.UCT(c=NAN), "UCT: c must be a number of at least 0, not nan"),
    (lambda: po.UCT(lanes=0), "UCT: lanes must be a whole number from 1 to 64, not 0"),
    (lambda: po.RAVE(lanes=65), "RAVE: lanes must be a whole number from 1 to 64, not 65"),
    (lambda: po.GRAVE(lanes="8"), "GRAVE: lanes must be a whole number from 1 to 64, not '8'"),
    (lambda: po.UCT(fpu=NAN), "UCT: fpu must be a number of at least 0, not nan"),
    (lambda: po.UCT(fpu="inf"), "UCT: fpu must be a number of at least 0, not 'inf'"),
    (lambda: po.RAVE("sme"), "'variance', not 'sme'; did you mean 'mse'?"),
    (lambda: po.RAVE(bias=-1), "RAVE: bias must be a number of at least 0, not -1"),
    (lambda: po.RAVE(bias=1e306), "RAVE: bias must be at most 1e+100, not 1e+306"),
    (lambda: po.GRAVE(bias=2e100), "GRAVE: bias must be at most 1e+100, not 2e+100"),
    (lambda: po.RAVE(bias="1"), "RAVE: bias must be a number of at least 0, not '1'"),
    (lambda: po.RAVE(bias=[]), "RAVE: several values of bias need scale='kind' or scale='phase'"),
    (lambda: po.RAVE(bias=[1, 2]), "RAVE: several values of bias need scale='kind' or scale="),
    (
        lambda: po.RAVE(bias=[], scale="phase"),
        "RAVE: bias is empty: give one number for each phase",
    ),
    (lambda: po.RAVE(bias=(), scale="kind"), "RAVE: bias is empty: give one number for each kind"),
    (
        lambda: po.RAVE(bias=(0.1,) * 129, scale="phase"),
        "RAVE: bias has 129 numbers, and there is room for 128",
    ),
    (lambda: po.RAVE(bias=[1, NAN], scale="kind"), "RAVE: bias[1] must be a number of at least 0"),
    (lambda: po.RAVE(scale="kind"), "RAVE: scale='kind' needs bias to be a sequence, not 1e-05"),
    (
        lambda: po.RAVE(bias=[1], scale="kinds"),
        "'kind', 'phase', not 'kinds'; did you mean 'kind'?",
    ),
    (
        lambda: po.RAVE("hand", bias=[1], scale="kind"),
        "RAVE: scale belongs to beta='mse'; beta='ha",
    ),
    (lambda: po.RAVE(k=0), "RAVE: k must be a number above 0, not 0"),
    (lambda: po.RAVE(min_samples=0), "RAVE: min_samples must be a whole number from 1 to"),
    (lambda: po.RAVE(min_samples=2.5), "not 2.5"),
    (lambda: po.RAVE(c=-1), "RAVE: c must be a number of at least 0, not -1"),
    (lambda: po.GRAVE(ref=-1), "GRAVE: ref must be a whole number from 0 to 2147483647, not -1"),
    (lambda: po.GRAVE(ref=1e3), "not 1000.0"),
    (lambda: po.GRAVE(bias=[1e-5]), "GRAVE: bias must be a number of at least 0, not [1e-05]"),
    (lambda: po.GRAVE(c=NAN), "GRAVE: c must be a number of at least 0, not nan"),
    (
        lambda: po.method_of("uctt"),
        "there is no method 'uctt'; did you mean 'uct'? Known: flat, ucb",
    ),
    (
        lambda: po.method_of("minimax"),
        "there is no method 'minimax'. Known: flat, ucb, amaf, uct, ",
    ),
    (lambda: po.method_of(""), "there is no method ''. Known: flat,"),
    (lambda: po.method_of(None), "by name, or an object such as UCT(), not None"),
    (lambda: po.method_of(po.UCT), "UCT is a class: write UCT()"),
    (lambda: po.method_of(po.Method()), "by name, or an object such as UCT(), not Method()"),
]


@pytest.mark.parametrize(("make", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_bad_methods(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(po.BadMethod) as caught:
        make()
    assert sentence in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("name", [*METHODS, "UCT", "Grave", " rave "])
def test_methods_by_name(name: str) -> None:
    assert po.method_of(name) == METHODS[name.strip().lower()]()


@pytest.mark.parametrize("method", ALL, ids=repr)
def test_a_method_is_a_value(method: po.Method) -> None:
    again = type(method)()
    assert (again, hash(again)) == (method, hash(method))
    assert po.method_of(method) is method
    assert pickle.loads(pickle.dumps(method)) == method
    assert dataclasses.replace(method, ties="first") != method
    with pytest.raises(dataclasses.FrozenInstanceError):
        method.ties = "first"  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        method.colour = "red"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        "UCT()",
        "UCT(c=0.7, fpu=1.1)",
        "RAVE(bias=0.001, ties='first', lanes=8)",
        "UCB(rule='tuned', ties='first')",
        "RAVE(bias=(1e-05, 0.001), scale='phase')",
        "GRAVE(ref=25)",
        "Flat(schedule='recent', half_life=50.0)",
    ],
)
def test_repr_makes_it_again(text: str) -> None:
    assert repr(eval(text, vars(po))) == text


def test_numbers_of_numpy_are_numbers() -> None:
    method = po.RAVE(bias=np.array([1e-5, 1e-4]), scale="phase", min_samples=np.int64(5))
    assert method == po.RAVE(bias=[1e-5, 1e-4], scale="phase", min_samples=5)
    assert all(type(value) is float for value in method.options()["bias"])
    assert type(po.UCT(c=np.float32(0.5)).c) is float
    assert type(po.UCT(c=1).c) is float


@pytest.mark.parametrize("method", ALL, ids=repr)
def test_docstrings_say_when_to_use_it(method: po.Method) -> None:
    text = type(method).__doc__ or ""
    assert len(text) > 200
    assert "`" in text


def test_scales_that_do_not_fit_the_game() -> None:
    method = po.RAVE(bias=[1e-5, 1e-4], scale="kind")
    with pytest.raises(po.BadMethod, match="one bias for each of this game's 3 kinds"):
        po.search(po.Breakthrough(5), method, playouts=10)


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Plain(po.AMAF):
    """A method of a user's own: it shows less, and judges moves by their own playouts."""

    columns: ClassVar[tuple[str, ...]] = ("visits", "mean", "stderr")
    values: ClassVar[tuple[str, ...]] = ("mean",)
    counted: ClassVar[str] = "visits"


def test_a_method_carries_all_that_a_search_needs() -> None:
    """No other place has to know of it."""
    b = po.Breakthrough(5)
    result, known = (po.search(b, m, playouts=500, seed=1) for m in (Plain(), po.AMAF()))
    assert result.moves.dtype.names == ("move", "visits", "mean", "stderr")
    assert result.moves["move"].tolist() == known.moves["move"].tolist()
    assert result.value == known.moves["mean"][0] != known.value
    assert "Plain()" in str(result)
    assert "AMAF" not in result._repr_html_()
    with ThreadPoolExecutor(2) as executor:
        merged = po.search(b, Plain(), playouts=500, seed=1, executor=executor, workers=2)
    assert merged.moves.dtype == result.moves.dtype


def test_a_class_of_the_users_own() -> None:
    """It searches like the method that it is derived from."""

    class Careful(po.UCT):
        """UCT by another name."""

    own, plain = (po.search(po.Othello(4), m, playouts=50, seed=1) for m in (Careful(), po.UCT()))
    assert own.moves.tolist() == plain.moves.tolist()
    assert repr(own.method) == "Careful()"


def test_a_tampered_pickle_is_refused() -> None:
    """Loading a method checks its settings."""
    method = po.RAVE(bias=(1e-5, 1e-4), scale="phase")
    object.__setattr__(method, "bias", (1e-5,) * 300)
    with pytest.raises(po.BadMethod, match="there is room for 128"):
        pickle.loads(pickle.dumps(method))
    assert pickle.loads(pickle.dumps(po.GRAVE(ref=7, lanes=4))) == po.GRAVE(ref=7, lanes=4)
