"""Results: columns, tree, and output as text, HTML, JSON and pickles."""

from __future__ import annotations

import json
import math
import pickle
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import numpy as np
import pytest

import playout as po
from mcts_core.board import squares_named
from playout.render import board as pictures
from support.helpers import random_game

TREES = [po.UCT(), po.UCTTuned(), po.RAVE(), po.GRAVE()]
METHODS = [po.Flat(), po.Flat("recent"), po.UCB(), po.AMAF(), *TREES]

COMMON = ("move", "visits", "mean", "stderr")
AMAF = ("amaf_visits", "amaf_mean")
COLUMNS = {
    "Flat": COMMON,
    "UCB": (*COMMON, "score"),
    "AMAF": (*COMMON, *AMAF),
    "UCT": (*COMMON, "score"),
    "UCTTuned": (*COMMON, "score"),
    "RAVE": (*COMMON, "score", *AMAF, "beta"),
    "GRAVE": (*COMMON, "score", *AMAF, "beta"),
}


def positions() -> list[po.Position]:
    """Either side to move, in both games."""
    games = [random_game(po.Breakthrough(5), 1), random_game(po.Othello(6), 2)]
    return [position.copy() for game in games for position, _ in zip(game, range(4))]


# Columns


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize("position", positions(), ids=lambda p: p.fen)
def test_moves(position: po.Position, method: po.Method) -> None:
    result = po.search(position, method, playouts=400, seed=1)
    rows = result.moves
    assert rows.dtype.names == COLUMNS[type(method).__name__]
    assert sorted(rows["move"].tolist()) == sorted(position.legal_moves)
    assert rows["move"][0] == result.move
    assert result.move.raw in [move.raw for move in position.legal_moves]
    assert rows["visits"].sum() == result.playouts == 400
    tried = rows[rows["visits"] > 0]
    assert ((tried["mean"] >= 0) & (tried["mean"] <= 1)).all()
    assert np.isnan(rows["mean"][rows["visits"] == 0]).all()
    assert (tried["stderr"] > 0).all()
    assert result.pv[0] == result.move
    after = position.copy()
    for move in result.pv:
        after.push(move)


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_best_first(method: po.Method) -> None:
    """Rows are sorted by the method's own criterion."""
    for seed in range(10):
        rows = po.search(po.Breakthrough(4), method, playouts=300, seed=seed).moves
        if isinstance(method, po.Flat):
            keys = rows["mean"].tolist()
        elif isinstance(method, po.AMAF):
            keys = rows["amaf_mean"].tolist()
        else:
            means = np.where(rows["visits"] > 0, rows["mean"], -1).tolist()
            keys = list(zip(rows["visits"].tolist(), means))
        if "RAVE" in repr(method):  # untried moves have no mean
            keys = [key for key in keys if key[0]]
        assert keys == sorted(keys, reverse=True)


def test_values_are_the_movers() -> None:
    """A position with exchanged colours has the same values, up to chance."""
    white = po.Breakthrough.from_fen("b.../.bw./..../w..w w")
    black = po.Breakthrough.from_fen("b..b/..../.bw./...w b")
    for method in METHODS:
        values = [po.search(p, method, playouts=5000, seed=1).value for p in (white, black)]
        assert values[0] > 0.8
        assert values[0] == pytest.approx(values[1], abs=0.06)


def test_stderr_is_smoothed() -> None:
    rows = po.search(po.Breakthrough(5), "ucb", playouts=500, seed=1).moves
    for row in rows:
        wins = row["mean"] * row["visits"]
        assert row["stderr"] == pytest.approx(po.variance_of_mean(wins, row["visits"]) ** 0.5)


def test_recent_playouts_weigh_more() -> None:
    """With a long half-life the schedules agree; with a short one the errors are large."""
    b = po.Breakthrough(5)
    uniform = po.search(b, po.Flat(), playouts=2000, seed=1).moves
    by_move = {row["move"]: row for row in uniform}
    for row in po.search(b, po.Flat("recent", half_life=1e9), playouts=2000, seed=1).moves:
        assert row["mean"] == pytest.approx(by_move[row["move"]]["mean"], abs=1e-5)
        assert row["stderr"] == pytest.approx(by_move[row["move"]]["stderr"], abs=1e-5)
    for row in po.search(b, po.Flat("recent", half_life=5), playouts=2000, seed=1).moves:
        assert row["stderr"] > 2 * by_move[row["move"]]["stderr"]


@pytest.mark.parametrize("rule", ["ucb1", "tuned", "bayes", "kl", "thompson", "greedy"])
def test_regret(rule: str) -> None:
    result = po.search(po.Breakthrough(5), po.UCB(rule), playouts=1000, seed=1)
    visits, means = result.moves["visits"].tolist(), result.moves["mean"].tolist()
    assert result.regret == pytest.approx(po.regret(visits, means))
    assert result.regret_bound == pytest.approx(po.regret_bound(visits, means))
    assert result.regret is not None
    assert result.regret_bound is not None
    assert 0 < result.regret < result.regret_bound
    assert po.search(po.Breakthrough(5), "uct", playouts=10).regret is None


def test_scores_are_the_formula() -> None:
    result = po.search(po.Breakthrough(5), po.UCT(c=0.7), playouts=1000, seed=1)
    for row in result.moves:
        assert row["score"] == po.ucb1(row["mean"], row["visits"], 1000, c=0.7)
    result = po.search(po.Breakthrough(5), po.RAVE(bias=1e-3), playouts=1000, seed=1)
    for row in result.moves[result.moves["visits"] > 0]:
        assert row["beta"] == po.beta_mse(row["visits"], row["amaf_visits"], 1e-3)
        blend = (1 - row["beta"]) * row["mean"] + row["beta"] * row["amaf_mean"]
        assert row["score"] == pytest.approx(blend, abs=1e-12)


def test_proven_is_a_column_of_the_solver() -> None:
    b = po.Breakthrough.from_fen("bb.b/...w/..../w... w")
    rows = po.search(b, "uct", playouts=5, seed=1).moves
    assert "proven" not in rows.dtype.names
    rows = po.search(b, "uct", playouts=500, seed=1, solver=True).moves
    assert set(rows["proven"][~np.isnan(rows["proven"])]) <= {0.0, 0.5, 1.0}
    assert rows["proven"][0] == 1.0


# Tree


@pytest.mark.parametrize("method", TREES, ids=repr)
@pytest.mark.parametrize("position", positions(), ids=lambda p: p.fen)
def test_tree(position: po.Position, method: po.Method) -> None:
    result = po.search(position, method, playouts=1500, seed=1)
    root = result.tree
    assert (root.move, root.visits, root.depth, root.position) == (None, 1500, 0, position)
    rows = {row["move"]: row for row in result.moves}
    assert len(root.children) == (result.moves["visits"] > 0).sum()
    for child in root.children:
        row = rows[child.move]
        assert (child.visits, child.mean) == (row["visits"], row["mean"])
    average = sum(c.visits * c.mean for c in root.children) / 1500
    assert root.mean == pytest.approx(average)
    for node in root.walk(depth=3, visits=5):
        assert node.depth <= 3
        assert len(node.position.history) == len(position.history) + node.depth
        visits = [child.visits for child in node.children]
        assert visits == sorted(visits, reverse=True)
        if node.depth and node.children:
            assert sum(visits) >= node.visits - 1  # more if it is reached in other ways too


def test_tree_goes_along_the_pv() -> None:
    result = po.search(po.Breakthrough(5), "uct", playouts=5000, seed=1)
    node = result.tree
    for move in result.pv:
        assert node.children[0].move == move or node.visits < 20
        node = next(child for child in node.children if child.move == move)
    assert node.children == ()


def test_tree_as_json() -> None:
    tree = po.search(po.Breakthrough(5), "rave", playouts=2000, seed=1).tree
    found = json.loads(tree.to_json(depth=2, visits=10))
    assert (found["move"], found["visits"]) == (None, 2000)
    assert [child["move"] for child in found["children"]] == [
        child.move for child in tree.children if child.visits >= 10
    ]

    def depth(node: dict[str, list[dict[str, list[object]]]]) -> int:
        return 1 + max((depth(child) for child in node.get("children", [])), default=-1)  # type: ignore[arg-type]

    assert depth(found) == 2
    assert "children" not in json.loads(tree.to_json(depth=0))
    least = min(node.visits for node in tree.walk(3, 20))
    assert least >= 20


def test_tree_as_dot() -> None:
    tree = po.search(po.Breakthrough(5), "uct", playouts=2000, seed=1).tree
    dot = tree.to_dot(depth=2, visits=30)
    nodes = re.findall(r"^  (n\d+) \[label=", dot, re.MULTILINE)
    edges = re.findall(r"^  (n\d+) -> (n\d+) ", dot, re.MULTILINE)
    assert len(nodes) == len(set(nodes)) == len(list(tree.walk(2, 30)))
    assert sorted(to for _, to in edges) == sorted(
        nodes[1:]
    )  # a tree: one edge to each but the root
    assert dot.startswith("digraph search {")
    assert dot.endswith("}")


def test_proven_nodes() -> None:
    b = po.Breakthrough.from_fen("bb.b/...w/..../w... w")
    root = po.search(b, "uct", playouts=5000, seed=1, solver=True).tree
    assert root.proven == 1.0
    won = [child for child in root.children if child.proven == 1.0]
    assert won[0].position.result == 1.0
    assert won[0].children == ()
    assert '"proven": 1.0' in root.to_json(depth=1, visits=1)


@pytest.mark.parametrize("method", [po.Flat(), po.UCB(), po.AMAF()], ids=repr)
def test_no_tree(method: po.Method) -> None:
    result = po.search(po.Breakthrough(5), method, playouts=10)
    with pytest.raises(AttributeError, match="has no tree to walk: only tree methods grow"):
        _ = result.tree


def test_limits_of_the_tree_are_checked() -> None:
    tree = po.search(po.Breakthrough(5), "uct", playouts=10).tree
    with pytest.raises(ValueError, match="depth must be a whole number from 0"):
        tree.to_json(depth=-1)
    with pytest.raises(ValueError, match="visits must be a whole number from 1"):
        tree.walk(visits=0)


def test_tree_as_text() -> None:
    tree = po.search(po.Breakthrough(5), "uct", playouts=1000, seed=1).tree
    lines = str(tree).splitlines()
    assert lines[0].startswith("root  1000  0.")
    assert all(line.startswith("    ") for line in lines[1:])
    assert repr(tree) == f"<Node {lines[0]}>"


# Text and HTML


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_text(method: po.Method) -> None:
    result = po.search(po.Breakthrough(4), method, playouts=1234, seed=1)
    text = str(result)
    assert text.startswith(
        f"Breakthrough 4x4, white to move: {result.move}, value {result.value:.3f}"
    )
    assert f"1,234 playouts of {method!r}" in text
    for row in result.moves:
        assert re.search(rf"^{row['move']} +{row['visits']:,}\b", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 100
    assert "nan" not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    assert repr(result) == f"<Result {result.move} {result.value:.3f}: 1234 playouts of {method!r}>"


def test_text_of_alpha_beta_says_which_values_are_exact() -> None:
    told = "a value that is not exact: the move is worth that or less"
    result = po.search(po.Othello(), po.AlphaBeta(3, "weights"))
    head, *rows = str(result).splitlines()[3:8]
    assert head.split() == ["move", "value", "exact", "nodes", "line"]
    assert [row.split()[2] for row in rows] == ["yes", "no", "no", "no"]
    assert told in str(result)
    assert told in result._repr_html_()
    assert told not in str(po.search(po.Othello(), po.AlphaBeta(3, "weights", multi_pv=4)))


def test_text_of_many_moves_is_cut() -> None:
    text = str(po.search(po.Breakthrough(), "uct", playouts=100, seed=1))
    assert "... and 2 more in .moves" in text


class Tags(HTMLParser):
    """Checks that every opened tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.cells.append(data)


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize("start", [po.Breakthrough(5), po.Othello()], ids=["arrows", "rings"])
def test_html(start: po.Position, method: po.Method) -> None:
    result = po.search(start, method, playouts=500, seed=1)
    page = result._repr_html_()
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert set(result.moves["move"]) <= set(tags.cells)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")  # self-contained
    svg = ElementTree.fromstring(page[page.index("<svg") : page.index("</svg>") + 6])
    drawn = [group for group in svg if group.get("class") == "move"]
    assert 1 <= len(drawn) <= 8
    assert drawn[-1][0].text == (  # the chosen move is on top
        f"{result.move}: {result.moves['visits'][0]} visits, mean {result.moves['mean'][0]:.3f}"
    )
    shapes = {child.tag.split("}")[1] for group in drawn for child in group} - {"title"}
    assert shapes == ({"circle"} if isinstance(start, po.Othello) else {"line", "polygon"})


def test_html_of_a_pass() -> None:
    passing = po.Othello.from_fen("XO-------------- O")
    assert passing.legal_moves == ("pass",)
    page = po.search(passing, playouts=9)._repr_html_()
    assert "pass" in page
    assert 'class="move"' not in page


def test_arrows_are_thicker_for_more_visits() -> None:
    board = po.Breakthrough(5).board
    squares = squares_named(board, "a2b3")
    assert squares == ((3, 0), (2, 1))
    widths = []
    for weight in (0.0, 0.5, 1.0):
        found = re.search(
            r'<line [^>]*stroke-width="([\d.]+)"',
            pictures.svg(
                board,
                [
                    pictures.Arrow(squares, weight),
                ],
            ),
        )
        assert found is not None
        widths.append(float(found[1]))
    assert widths == sorted(set(widths))
    assert pictures.svg(board, [pictures.Arrow(())]) == pictures.svg(board)
    titled = pictures.svg(board, [pictures.Arrow(squares, title="<b> & co")])
    assert "<title>&lt;b&gt; &amp; co</title>" in titled


def test_squares_that_a_move_names() -> None:
    board = po.Othello().board
    assert squares_named(board, "f5") == ((4, 5),)
    assert squares_named(board, "pass") == ()
    assert squares_named(board, "z9") == ()


# JSON and pickles


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_json(method: po.Method) -> None:
    result = po.search(po.Breakthrough(5), method, playouts=100, seed=2**100)
    found = json.loads(result.to_json())
    assert found == result.to_dict()
    assert found["game"] == "Breakthrough"
    assert po.Breakthrough.from_fen(found["position"]) == result.position
    assert (found["move"], found["value"]) == (result.move, result.value)
    assert (found["method"], found["seed"]) == (repr(method), 2**100)
    assert [row["move"] for row in found["moves"]] == result.moves["move"].tolist()
    for row, original in zip(found["moves"], result.moves):
        for name, value in row.items():
            assert value == original[name] or (value is None and math.isnan(original[name]))
    assert ("regret" in found) == isinstance(method, po.UCB)


def test_json_of_a_seed_sequence() -> None:
    seed = np.random.SeedSequence([1, 2], spawn_key=(3,))
    found = po.search(po.Breakthrough(5), playouts=10, seed=seed).to_dict()["seed"]
    again = np.random.SeedSequence(found["entropy"], spawn_key=found["spawn_key"])
    assert (again.generate_state(3) == seed.generate_state(3)).all()


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_pickle(method: po.Method) -> None:
    result = po.search(po.Breakthrough(5), method, playouts=100, seed=1)
    again = pickle.loads(pickle.dumps(result))
    assert str(again) == str(result)
    assert again.to_dict() == result.to_dict()
    assert again.position == result.position
    assert again._repr_html_() == result._repr_html_()
    with pytest.raises(AttributeError, match="it stays behind when a result is pickled"):
        _ = again.tree
