"""A rule compiled outside the package against the installed .pxd files, and what is refused.

`ucb1_tuned.pyx` is the rule of `UCTTuned` and has the same twin.
"""

from __future__ import annotations

import copy
import ctypes
import pickle
from types import ModuleType

import pytest

import playout as po
import playout.reference as ref
from mcts_core.search.rules import grave, rave, uct, uct_tuned
from playout.reference.search import SEARCHES
from support.helpers import Heap, facts
from support.searching import assert_same_moves, drawn_positions, entries, tree_search


@pytest.fixture(autouse=True)
def twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SEARCHES, "rule", SEARCHES["ucttuned"])


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("lanes", [1, 5])
def test_it_is_its_twin(ucb1_tuned: ModuleType, solver: bool, lanes: int) -> None:
    """Equal visit for visit, in every entry of the table."""
    method = po.Rule(ucb1_tuned.RULE, lanes=lanes)
    for seed, position in enumerate(drawn_positions(5, seed=1)):
        ours = tree_search(position, method, seed, solver=solver)
        ours.run(80)
        twin = ref.search(position, method, playouts=80, seed=seed, solver=solver)
        assert_same_moves(ours.root(), position, twin.moves)
        known = {at.fen: columns["visits"].sum() for at, columns in entries(ours, position)}
        theirs = {entry.position.fen: entry.total for entry in twin.table.values()}
        assert {fen: n for fen, n in known.items() if n} == {
            fen: n for fen, n in theirs.items() if n and fen in known
        }


def test_it_finds_a_win(ucb1_tuned: ModuleType) -> None:
    b = po.Breakthrough.from_fen("...b./..w../...../...../..... w")
    result = po.search(b, po.Rule(ucb1_tuned.RULE, "ucb1-tuned"), playouts=500, seed=1, solver=True)
    assert result.moves["proven"][0] == 1.0
    assert repr(result.method) == "Rule(ucb1-tuned)"
    assert "Rule(ucb1-tuned)" in str(result)


def test_threads_count_its_columns(ucb1_tuned: ModuleType) -> None:
    """Every simulation of every thread is counted once."""
    method = po.Rule(ucb1_tuned.RULE)
    search = tree_search(po.Breakthrough(5), method, seed=1)
    search.run(20_000, threads=3)
    assert search.root()["visits"].sum() == 20_000
    with po.Searcher(po.Breakthrough(5), method, seed=1, threads=2, memory="300kB") as searcher:
        first = searcher.search(playouts=5000)
        searcher.advance(first.move)
        assert searcher.search(playouts=5000).playouts == 5000


def test_a_game_in_python(ucb1_tuned: ModuleType) -> None:
    result = po.search(Heap(9), po.Rule(ucb1_tuned.RULE), playouts=300, seed=1)
    again = po.search(Heap(9), po.Rule(ucb1_tuned.RULE), playouts=300, seed=1)
    assert facts(result) == facts(again)


def test_it_stays_in_its_process(ucb1_tuned: ModuleType) -> None:
    method = po.Rule(ucb1_tuned.RULE)
    with pytest.raises(po.BadMethod, match="cannot be sent to another one: use threads="):
        pickle.dumps(method)


@pytest.mark.parametrize("wrong", [None, "uct", 3])
def test_what_is_no_rule(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"a rule is a capsule made by mcts_core.rule.rule_capsule"):
        po.Rule(wrong)


def test_capsules_of_other_things() -> None:
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = (
        ctypes.py_object,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
    )
    with pytest.raises(TypeError, match="not an object of type PyCapsule"):
        po.Rule(new(1, b"mcts_core.game_t", None))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("OLD", "compiled for version 0 of rule_t"),
        ("SCORELESS", "a rule needs a score"),
        ("WIDE", "at most 64 columns"),
        ("UNKNOWN_AMAF", "a rule's amaf is"),
        ("PLANLESS", "a rule that plans needs AMAF_OF_MOVES or AMAF_OF_CODES"),
        ("PHASES", "at most 128 phases"),
    ],
)
def test_a_rule_that_breaks_the_contract(broken_rules: ModuleType, name: str, says: str) -> None:
    with pytest.raises(po.BadMethod, match=says):
        po.Rule(getattr(broken_rules, name))


class Codeless(Heap):
    """Without a method `code`."""

    code = None  # type: ignore[assignment]


def test_what_the_game_must_have(broken_rules: ModuleType) -> None:
    """A rule with AMAF statistics needs codes, one that tells phases apart needs progress."""
    with pytest.raises(po.BadMethod, match="needs the AMAF codes of moves"):
        po.search(Codeless(9), po.Rule(broken_rules.NEEDS_CODES), playouts=10)
    with pytest.raises(po.BadMethod, match="tells its progress"):
        po.search(Heap(9), po.Rule(broken_rules.NEEDS_PROGRESS), playouts=10)


def test_a_rule_is_copied_with_its_result(ucb1_tuned: ModuleType) -> None:
    result = po.search(po.Breakthrough(5), po.Rule(ucb1_tuned.RULE), playouts=50, seed=1)
    assert copy.deepcopy(result.method) is result.method


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        (rave.RAVE, po.RAVE()),
        (grave.GRAVE, po.GRAVE()),
        (uct.UCT, po.UCT()),
        (uct_tuned.UCTTuned, po.UCTTuned()),
    ],
)
def test_a_rule_of_the_package_needs_a_position(kind: type, method: po.Method) -> None:
    with pytest.raises(TypeError, match=r"expected mcts_core\.position\.Position, got NoneType"):
        kind(method.options(), None)
