"""HTML of results and trees for notebooks: well-formed, with every value in its place."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

import playout as po
from mcts_core.board import Board
from playout.render import bars
from playout.render import html as render_html
from playout.render import tree as render_tree
from support.helpers import Heap

METHODS = [
    po.Flat(),
    po.Flat(schedule="recent"),
    po.UCB(),
    po.AMAF(),
    po.UCT(),
    po.RAVE(),
    po.RAVE(beta="variance"),
    po.GRAVE(),
]
HOSTILE = '<script>alert("&")</script>'
SOLVED_SOON = ".b..b/bbbbb/w..w./b.w../www.w w"


class HostileHeap(Heap):
    """A heap whose move names contain HTML."""

    def legal_moves(self) -> list[str]:
        return [f"{HOSTILE}{move}" for move in super().legal_moves()]


def page_of(shown: po.Result | po.Node) -> ElementTree.Element:
    """Parse the page strictly: every tag closed, everything escaped, no external resources."""
    page = shown._repr_html_()
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"\b(?:id|class)=\"(?!bars|bar|tick|error|heat|figures|move|last-)", page)
    return ElementTree.fromstring(page)


def rows_of(page: ElementTree.Element) -> list[list[ElementTree.Element]]:
    return [list(row) for row in page.findall(".//tbody/tr")]


def text_of(element: ElementTree.Element) -> str:
    """The visible text, without titles."""
    parts = [element.text or ""]
    for child in element:
        parts += [text_of(child) if child.tag.split("}")[-1] != "title" else "", child.tail or ""]
    return "".join(parts).strip()


def widths(cell: ElementTree.Element) -> list[float]:
    """The widths of the bars in a cell, as shares of the axis."""
    (chart,) = cell.findall("svg")
    whole = float(chart.get("width", ""))
    return [float(bar.get("width", "")) / whole for bar in chart.findall("rect[@class='bar']")]


# Results


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize(
    "start",
    [po.Breakthrough(5), po.Othello(), Heap(9)],
    ids=["Breakthrough", "Othello", "no board"],
)
def test_the_table_holds_every_value(start: po.Position | Heap, method: po.Method) -> None:
    result = po.search(start, method, playouts=300, seed=1)
    names = result.moves.dtype.names
    page = page_of(result)
    heads = [text_of(cell) for cell in page.findall(".//th")]
    assert heads == ["move", "0 to 1", *(name.replace("amaf", "AMAF").replace("_", " ")
                                         for name in names[1:])]  # fmt: skip
    for row, cells in zip(result.moves, rows_of(page), strict=True):
        shown = [text_of(cell) for cell in cells]
        assert shown[0] == row["move"]
        del shown[1]
        for name, text in zip(names[1:], shown[1:], strict=True):
            if row[name] == row[name]:
                assert float(text.replace(",", "")) == pytest.approx(row[name], abs=6e-4)
            else:
                assert text == ""
    assert len(page.findall(".//{http://www.w3.org/2000/svg}svg")) == (not isinstance(start, Heap))


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_bars_are_as_long_as_the_values(method: po.Method) -> None:
    """Monte Carlo above AMAF on one axis with a tick in the middle; beta in its own cell."""
    result = po.search(po.Breakthrough(5), method, playouts=300, seed=1)
    names = result.moves.dtype.names
    for row, cells in zip(result.moves, rows_of(page_of(result)), strict=True):
        values = [row[name] for name in ("mean", "amaf_mean") if name in names]
        known = [value for value in values if value == value]
        assert widths(cells[1]) == pytest.approx(known, abs=1e-3)
        (tick,) = cells[1].findall("svg/path[@class='tick']")
        assert tick.get("d", "").startswith(f"M{bars.WIDTH / 2:g} 0")
        if "beta" in names and row["beta"] == row["beta"]:
            assert widths(cells[names.index("beta") + 1]) == pytest.approx([row["beta"]], abs=2e-3)


def test_the_line_on_a_bar_is_the_95_percent_interval() -> None:
    result = po.search(po.Breakthrough(5), "flat", playouts=1200, seed=1)
    for row, cells in zip(result.moves, rows_of(page_of(result)), strict=True):
        (line,) = cells[1].findall("svg/path[@class='error']")
        found = re.fullmatch(r"M([\d.]+) [\d.]+H([\d.]+)", line.get("d", ""))
        assert found is not None
        assert float(found[1]) / bars.WIDTH == pytest.approx(
            row["mean"] - 1.96 * row["stderr"], abs=1e-3
        )
        assert float(found[2]) / bars.WIDTH == pytest.approx(
            row["mean"] + 1.96 * row["stderr"], abs=1e-3
        )


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_heat_shows_value_and_visits(method: po.Method) -> None:
    result = po.search(po.Breakthrough(5), method, playouts=3000, seed=1)
    first = render_html.heat(result, result.position.board)[0]
    column = "amaf_visits" if isinstance(method, po.AMAF) else "visits"
    assert first.value == result.value
    assert first.title.splitlines()[0] == (
        f"{result.move}: {result.value:.3f} from {result.moves[column][0]:,} playouts"
    )
    squares = {str(move)[2:] for move in result.moves["move"][result.moves[column] > 0]}
    figures = page_of(result).findall(".//*[@class='figures']")
    assert len(figures) == len(squares)


def test_heat_of_proven_moves() -> None:
    position = po.Breakthrough.from_fen(SOLVED_SOON)
    result = po.search(position, "uct", playouts=100_000, seed=1, solver=True)
    heats = render_html.heat(result, position.board)
    assert heats[0].label == "1"
    assert result.value == 1.0


def test_a_move_that_names_no_square_has_no_heat() -> None:
    passing = po.Othello.from_fen("XO-------------- O")
    page = page_of(po.search(passing, playouts=9))
    assert page.findall(".//*[@class='heat']") == page.findall(".//*[@class='figures']") == []


def test_alpha_beta() -> None:
    """Points have no fixed range: numbers on the squares, but no colour and no bars."""
    result = po.search(po.Othello(), po.AlphaBeta(depth=6, multi_pv=3))
    page = page_of(result)
    assert page.findall(".//svg") == []
    assert page.findall(".//*[@class='heat']") == []
    figures = [text_of(group) for group in page.findall(".//*[@class='figures']")]
    assert figures == [f"{row['value']:+.0f}" for row in result.moves if row["exact"]]
    assert len(figures) >= 3
    shown = [[text_of(cell) for cell in row] for row in rows_of(page)]
    assert [row[0] for row in shown] == result.moves["move"].tolist()
    assert [row[-1] for row in shown] == result.moves["line"].tolist()


@pytest.mark.parametrize(
    ("fen", "figures"), [("OXXXXXXXXXOO--O- X", "won"), ("-XXX-OOOXXXXOOOX X", "lost")]
)
def test_alpha_beta_at_the_end(fen: str, figures: str) -> None:
    """A finished game shows its margin, not a million and more."""
    result = po.search(po.Othello.from_fen(fen), po.AlphaBeta(depth=9, evaluation="washington"))
    heats = render_html.heat(result, result.position.board)
    assert abs(result.value) > 1e6
    assert heats[0].label == figures
    assert heats[0].note == f"by {abs(result.value) - 1e6:.0f}"
    assert heats[0].title == f"{result.move}: {heats[0].label} {heats[0].note}"


@pytest.mark.parametrize(
    ("points", "label"), [(-12.4, "+12"), (0.2, "0"), (-5e5, "+500k"), (1234, "-1.2k")]
)
def test_other_points_of_alpha_beta(points: float, label: str) -> None:
    """The value after one ply, as the other side sees it."""
    result = po.search(po.Othello(4), po.AlphaBeta(depth=1, evaluation=lambda position: points))
    assert render_html.heat(result, result.position.board)[0].label == label


def test_names_of_a_python_game_are_escaped() -> None:
    result = po.search(HostileHeap(5), "rave", playouts=50, seed=1)
    assert [text_of(cells[0]) for cells in rows_of(page_of(result))] == (
        result.moves["move"].tolist()
    )
    assert HOSTILE in "".join(page_of(result.tree).itertext())


# Trees


def lines_of(page: ElementTree.Element) -> list[str]:
    return [text_of(line) for line in page.findall(".//b") if "min-width" in line.get("style", "")]


def test_a_tree_lists_its_most_visited_nodes() -> None:
    tree = po.search(po.Breakthrough(5), "uct", playouts=3000, seed=1).tree
    page = page_of(tree)
    (top,) = [box for box in page if box.tag == "div"]
    first = top.findall("details")
    children = tree.children
    assert [text_of(box.find("summary/b")) for box in first] == (
        [str(child.move) for child in children[: len(first)]]
    )
    assert [box.get("open") for box in first] == ["open", *[None] * (len(first) - 1)]
    summary = text_of(first[0].find("summary"))
    assert f"{children[0].mean:.3f}" in summary
    assert f"{children[0].visits:,}" in summary
    replies = children[0].children
    assert [text_of(b) for b in first[0].findall("*//b")][1] == str(replies[0].move)
    rest = children[render_tree.CHILDREN :]
    told = f"... and {len(rest)} more, {sum(child.visits for child in rest):,} visits"
    assert told in [text_of(line) for line in top.findall("div")]


def test_bars_of_a_tree() -> None:
    tree = po.search(po.Breakthrough(5), "uct", playouts=3000, seed=1).tree
    best = tree.children[0]
    charts = page_of(tree).findall(".//details/summary/svg")[:2]
    lengths = [
        float(chart.find("rect[@class='bar']").get("width")) / float(chart.get("width"))
        for chart in charts
    ]
    assert lengths == pytest.approx([best.mean, best.visits / tree.visits], abs=2e-3)


def test_a_large_tree_makes_a_small_page() -> None:
    tree = po.search(po.Breakthrough(8), "uct", playouts=200_000, seed=1).tree
    page = page_of(tree)
    least = render_tree.LINES - render_tree.CHILDREN
    assert least <= len(lines_of(page)) <= render_tree.LINES + render_tree.CHILDREN
    assert len(tree._repr_html_()) < 200_000


def test_what_is_proven_is_what_a_tree_shows_on_its_board() -> None:
    position = po.Breakthrough.from_fen(SOLVED_SOON)
    tree = po.search(position, "uct", playouts=100_000, seed=1, solver=True).tree
    (best, *_) = tree.children
    assert (str(best.move), best.proven) == ("b1a2", 1.0)
    assert best.mean < 0.9
    figures = [text_of(group) for group in page_of(tree).findall(".//*[@class='figures']")]
    assert figures[0].startswith("1")


def test_a_tree_of_a_game_without_a_board() -> None:
    tree = po.search(Heap(9), "uct", playouts=200, seed=1, solver=True).tree
    page = page_of(tree)
    assert page.findall(".//{http://www.w3.org/2000/svg}svg") == []
    assert "proven" in "".join(page.itertext())


def test_a_node_below_the_root_is_shown_likewise() -> None:
    node = po.search(po.Breakthrough(5), "uct", playouts=3000, seed=1).tree.children[0]
    page = page_of(node)
    assert f"after {node.move}" in "".join(page.itertext())
    assert lines_of(page)[0] == node.children[0].move
    leaf = next(node for node in node.walk() if not node.children)
    assert lines_of(page_of(leaf)) == []


# Bars


def test_bars_stay_on_their_axis() -> None:
    drawn = ElementTree.fromstring(
        bars.bars([bars.Bar(1.2, "#111", 0.5), bars.Bar(-0.1, "#222", 0.5)], HOSTILE)
    )
    assert [bar.get("width") for bar in drawn.findall("rect[@class='bar']")] == [
        f"{bars.WIDTH:.1f}", "0.0"
    ]  # fmt: skip
    for line in drawn.findall("path[@class='error']"):
        found = re.findall(r"[\d.]+", line.get("d", ""))
        assert 0 <= float(found[0]) <= float(found[2]) <= bars.WIDTH
    assert drawn.find("title").text == HOSTILE


def test_a_key_names_a_colour() -> None:
    drawn = ElementTree.fromstring(f"<p>{bars.key('#123456', HOSTILE)}</p>")
    assert text_of(drawn).endswith(HOSTILE)
    assert "#123456" in drawn[0].get("style", "")


def test_positions_are_pictures() -> None:
    position = po.Breakthrough(5)
    assert isinstance(position.board, Board)
    assert ElementTree.fromstring(position._repr_svg_()).tag.endswith("svg")
