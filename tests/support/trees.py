"""Tree searches: the tested methods, and comparing trees entry for entry."""

from __future__ import annotations

import pytest

import playout as po
import playout.reference as ref
from mcts_core.search.tree import TreeSearch
from support.searching import assert_same_moves, fewer_for_big_othello, tree_search

METHODS: list[po.Method] = [
    po.UCT(),
    po.UCT(c=0.0),
    po.UCT(c=1.4, ties="first"),
    po.UCT(fpu=0.5),
    po.UCT(fpu=1.1, c=0.2),
    po.UCTTuned(),
    po.UCTTuned(c=0.5, fpu=0.6, ties="first"),
    po.RAVE(),
    po.RAVE(beta="heuristic"),
    po.RAVE(beta="hand"),
    po.RAVE(beta="hand", k=20.0, ties="first"),
    po.RAVE(beta="variance"),
    po.RAVE(beta="variance", min_samples=3, c=0.1),
    po.RAVE(bias=0.01, c=0.3),
    po.RAVE(bias=(0.001, 0.0, 0.3), scale="kind"),
    po.RAVE(bias=(0.3, 0.1, 0.01, 0.001, 0.0), scale="phase"),
    po.GRAVE(),
    po.GRAVE(ref=0),
    po.GRAVE(ref=5, bias=0.01),
    po.GRAVE(ref=5, c=0.2, ties="first"),
]


def assert_same_tree(
    position: po.Position, method: po.Method, policy: str, solver: bool, playouts: int, seed: int
) -> None:
    """Compare engine and twin: every entry of the table, the end of the search and the choice."""
    playouts = fewer_for_big_othello(position, playouts)
    ours = tree_search(position, method, seed, policy, solver=solver, budget=playouts)
    reason = ours.run(playouts)
    twin = ref.search(position, method, playouts=playouts, seed=seed, policy=policy, solver=solver)
    assert (reason, ours.playouts, ours.nodes) == (twin.reason, twin.playouts, len(twin.table))
    for twin_position, entry in twin.table.items():
        assert isinstance(twin_position, ref.BoardPosition)
        here = type(position).from_fen(twin_position.fen)
        columns = ours.entry(here)
        assert columns is not None, here
        # a GRAVE entry that was never asked for AMAF values does not hold them ready
        rule = method.method if isinstance(method, po.Halving) else method
        is_young = isinstance(rule, po.GRAVE) and entry.total <= rule.ref and here != position
        without = ("amaf_visits", "amaf_wins") if is_young else ()
        assert_same_moves(columns, here, entry.statistics(), *without)
    chosen = ours.choose()
    assert position.legal_moves[chosen] == twin.move
    assert [position.move_text(raw) for raw in ours.pv(chosen)] == twin.pv


def assert_same_search(one: TreeSearch, other: TreeSearch, position: po.Position) -> None:
    assert (one.playouts, one.nodes) == (other.playouts, other.nodes)
    columns, others = one.root(), other.root()
    for name in columns.dtype.names or ():
        assert columns[name].tolist() == pytest.approx(others[name].tolist(), abs=0, nan_ok=True)
    chosen = other.choose()
    assert one.choose() == chosen
    assert one.pv(chosen) == other.pv(chosen)
