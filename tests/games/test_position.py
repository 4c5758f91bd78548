"""Methods of `Position` that do not depend on the game. test_conformance.py has the rest."""

from __future__ import annotations

import pytest

import playout as po
from mcts_core.games.python_game import PythonPosition
from support.helpers import Heap, run_python


def test_the_past() -> None:
    b = po.Breakthrough(5)
    assert len(b.history) == 0
    for move in ("a2a3", "a4b3", "c2b3"):
        b.push(move)
    assert b.history == ("a2a3", "a4b3", "c2b3")
    assert b.copy().history == b.history
    assert [b.pop(), b.pop()] == ["c2b3", "a4b3"]
    assert b.history == ("a2a3",)


@pytest.mark.parametrize(
    "start", [po.Breakthrough(5), po.Othello(), PythonPosition(Heap(9))], ids=repr
)
def test_children_are_what_each_move_leads_to(start: po.Position) -> None:
    start.push(start.legal_moves[0])
    before, pushed = state_of(start), []
    for move in start.legal_moves:
        pushed.append(start.copy())
        pushed[-1].push(move)
    assert [state_of(child) for child in start.children()] == [state_of(child) for child in pushed]
    assert state_of(start) == before


@pytest.mark.parametrize(
    "start", [po.Breakthrough(5), po.Othello(), PythonPosition(Heap(9))], ids=repr
)
def test_a_failed_push_changes_nothing(start: po.Position) -> None:
    """Each allocation of a push fails in turn. The move is played entirely or not at all."""
    fails = pytest.importorskip("_testcapi")
    start.push(start.legal_moves[0])
    move = start.legal_moves[0]
    after = start.copy()
    after.push(move)
    before, changed = state_of(start), state_of(after)
    failures = 0
    for n in range(300):
        played, has_failed = start.copy(), False
        try:
            fails.set_nomemory(n, n + 1)
            played.push(move)
        except MemoryError:
            has_failed = True
        finally:
            fails.remove_mem_hooks()
        failures += has_failed
        assert state_of(played) == (before if has_failed else changed), n
    assert 1 <= failures < 300


def state_of(position: po.Position) -> tuple[object, ...]:
    return str(position), position.key, *position.history, None, *position.legal_moves


def test_equality_and_hashing_ignore_the_past() -> None:
    one, other = po.Breakthrough(), po.Breakthrough()
    for position, order in ((one, "a2a3 a7a6 b2b3"), (other, "b2b3 a7a6 a2a3")):
        for move in order.split():
            position.push(move)
    assert one == other
    assert hash(one) == hash(other)
    assert {one: "found"}[other] == "found"
    assert one.history != other.history
    one.pop()
    assert one != other


def test_positions_of_different_games_are_never_equal() -> None:
    starts = [
        po.Breakthrough(),
        po.Breakthrough(8, 7),
        po.Breakthrough(7, 8),
        po.Othello(),
        po.Othello(6),
    ]
    assert len(set(starts)) == len({start.key for start in starts}) == 5
    assert po.Breakthrough() != po.Othello()
    assert po.Breakthrough() != po.Breakthrough().fen
    assert po.Breakthrough() != None  # noqa: E711


def test_the_side_to_move_is_part_of_the_position() -> None:
    fens = ["bbb/.../www w", "bbb/.../www b"]
    white, black = (po.Breakthrough.from_fen(fen) for fen in fens)
    assert white != black
    assert white.key != black.key


@pytest.mark.parametrize("depth", [-1, -(2**31)])
def test_perft_of_less_than_nothing(depth: int) -> None:
    with pytest.raises(ValueError, match=f"perft needs a depth of 0 or more, not {depth}"):
        po.Breakthrough().perft(depth)


def test_perft_of_half_a_ply() -> None:
    with pytest.raises((TypeError, ValueError)):
        po.Breakthrough().perft(1.5)


def test_subclasses_are_positions_of_their_game() -> None:
    class Mine(po.Othello):
        """A derived class."""

    mine = Mine(6)
    assert mine == po.Othello(6)
    assert type(mine.copy()) is type(Mine.from_fen(mine.fen)) is Mine
    assert repr(mine) == f"Mine.from_fen({mine.fen!r})"
    assert po.playouts([mine, po.Othello(6)], 64, seed=1).n == 64


@pytest.mark.parametrize(
    "use",
    [
        "po.Position().turn",
        "po.Position().legal_moves",
        "po.playout(po.Position())",
        "po.playouts(po.Position(), 1)",
        "po.Breakthrough.__new__(po.Breakthrough).key",
        "type('Lazy', (po.Othello,), {'__init__': lambda self: None})().fen",
    ],
)
def test_a_position_without_a_start_is_an_error(use: str) -> None:
    """`Position` itself, or a class that forgets `super().__init__()`."""
    run = run_python(f"import playout as po\n{use}")
    assert run.returncode == 1
    assert "Traceback" in run.stderr
