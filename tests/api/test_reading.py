"""Results, trees and games are read back as they were written, and anything else is refused."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

import playout as po
from playout import sgf
from support.noughts import Noughts

METHODS = [po.Flat(), po.UCB(), po.AMAF(), po.UCT(), po.RAVE(bias=0.01), po.GRAVE(), po.UCTTuned()]


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_results_are_read_back(method: po.Method) -> None:
    result = po.search(po.Breakthrough(5), method, playouts=300, seed=1)
    again = po.Result.from_json(result.to_json())
    assert again.to_dict() == result.to_dict()
    assert again.moves.dtype == result.moves.dtype
    assert (again.method, again.position, again.pv) == (method, result.position, result.pv)
    assert str(again) == str(result)


def test_results_of_alphabeta_and_of_games_in_python() -> None:
    result = po.search(po.Othello(), po.AlphaBeta(depth=3))
    assert po.Result.from_json(result.to_json()).to_dict() == result.to_dict()
    own = po.search(Noughts(), "rave", playouts=100, seed=np.random.SeedSequence(5))
    assert po.Result.from_dict(own.to_dict(), own.position).to_dict() == own.to_dict()
    with pytest.raises(ValueError, match="the position of 'Noughts' is not in the text: give pos"):
        po.Result.from_dict(own.to_dict())


def test_trees_are_read_back() -> None:
    start = po.Breakthrough(4)
    tree = po.search(start, "uct", playouts=500, seed=1, solver=True).tree
    again = po.Node.from_json(tree.to_json(depth=4, visits=3), start)
    assert again.to_dict(9, 1) == tree.to_dict(4, 3)
    assert again.to_dot(2, 5) == tree.to_dot(2, 5)
    assert [node.position for node in again.walk(2, 5)] == [n.position for n in tree.walk(2, 5)]
    assert str(again) == str(po.Node.from_json(again.to_json(9, 1), start))


GAMES = [po.Breakthrough(5), po.Othello(6), po.ConnectFour(5, 4)]


@pytest.mark.parametrize("start", GAMES, ids=lambda game: type(game).__name__)
def test_games_are_read_back_from_sgf(start: po.Position) -> None:
    rng = random.Random(1)
    for plies in (0, 1, 7, 400):
        game = start.copy()
        while not game.is_over and len(game.history) < plies:
            game.push(game.random_move(rng))
        n = len(game.history)
        record = po.Record(
            game,
            (r"a]b\c", "you;(x)"),
            seed=7,
            policy="guided",
            seconds=tuple(round(rng.random(), 3) for _ in range(n // 2)),
            expected=tuple(None if i % 2 else 0.25 for i in range(n // 2)),
            tags={"Event": "a ] and a \\"},
        )
        while record.expected and record.expected[-1] is None:
            record.expected = record.expected[:-1]
        assert po.Record.from_sgf(record.to_sgf()) == record
        assert ("GM[2]" in record.to_sgf()) == isinstance(start, po.Othello)


def test_how_games_end_is_read_back_from_sgf() -> None:
    game = po.Othello()
    for how in ({"resigned": 1}, {"verdict": (0.5, "length")}, {"verdict": (1.0, "clock")}):
        record = po.Record(game, ("a", "b"), 1, **how)  # type: ignore[arg-type]
        assert po.Record.from_sgf(record.to_sgf()) == record


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"begins with '\(;'"),
        ("(;GAME[chess])", "property GAME must be one of 'breakthrough'"),
        ("(;GAME[os:system])", "'os:system' is a class that was not imported"),
        ("(;GAME[othello](;B[f5])(;B[d3]))", "variations are not read"),
        ("(;GAME[othello];B[a1])", "move 1: "),
        ("(;GAME[othello];C[x])", "a node has one move, B or W"),
        ("(;GAME[othello]SEED[1e9])", "the property SEED is '1e9', and not a number"),
        ("(;GAME[othello]SEED[1]SEED[1])", "SEED is there more than once"),
        ("(;GAME[othello]TAGS[{])", "the property TAGS is '{', and not JSON"),
        ("(;GAME[othello]RE[B+])", "the property RE is 'B\\+', and not how it ended"),
        ("(;GAME[othello]RE[B+5])", "the property RE is 'B\\+5', and not one of"),
        ("(;GAME[othello];B[f5]V[2])", '"expected" has 2.0'),
    ],
)
def test_wrong_sgf_is_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sgf.read(text)


def changed(value: Any, rng: random.Random) -> Any:
    """The value with one part of it replaced."""
    junk = [None, True, -1, 1.5, 10**400, "x", [], {}, float("inf"), [[]], "a2a3"]
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        return value | {name: changed(value[name], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        index = rng.randrange(len(value))
        return [*value[:index], changed(value[index], rng), *value[index + 1 :]]
    return rng.choice(junk)


def test_broken_results_and_trees_raise_value_errors() -> None:
    """Whatever a file says, reading gives a result that can be shown, or a ValueError."""
    rng = random.Random(1)
    start = po.Breakthrough(4)
    searched = po.search(start, "uct", playouts=200, seed=1)
    result, tree = searched.to_dict(), searched.tree.to_dict(2)
    refused = 0
    for _ in range(2000):
        for read, found in ((po.Result.from_dict, result), (tree_of(start), tree)):
            try:
                text = json.dumps(changed(found, rng))
                str(read(json.loads(text)))
            except ValueError:
                refused += 1
    assert refused > 2000


def tree_of(start: po.Position) -> Any:
    return lambda found: po.Node.from_dict(found, start)


def test_broken_sgf_raises_value_errors() -> None:
    rng = random.Random(2)
    game = po.Breakthrough(4)
    while not game.is_over:
        game.push(game.random_move(rng))
    text = po.Record(game, ("a", "b"), 1).to_sgf()
    refused = 0
    for _ in range(3000):
        at = rng.randrange(len(text))
        junk = rng.choice(["", "]", "[", ";", "(", "\\", "9", "é", "\0"])
        broken = text[:at] + junk + text[at + 1 :]
        try:
            assert po.Record.from_sgf(broken).to_sgf()
        except ValueError:
            refused += 1
    assert refused > 1000
