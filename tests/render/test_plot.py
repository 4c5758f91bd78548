"""Pictures by matplotlib, checked by lines, labels and patches, not by pixels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib import patches, pyplot
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgba

import playout as po
from playout.plots.figure import COLOURS, style
from playout.render.board import colour_of
from support.helpers import Heap, run_python

matplotlib.use("Agg")

ENDING = ".b..b/bbbbb/w..w./b.w../www.w w"  # b1a2 wins


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    pyplot.close("all")  # those of other tests
    yield
    pyplot.close("all")


def ending() -> po.Position:
    return po.Breakthrough.from_fen(ENDING)


def of_kind(ax: Axes, kind: type) -> list[Any]:
    return [patch for patch in ax.patches if type(patch) is kind]


def drawn_texts(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts if text.get_text()]


def fits(ax: Axes) -> None:
    """Check that every text of the drawn figure lies within it."""
    figure = ax.figure
    figure.canvas.draw()
    width, height = figure.canvas.get_width_height()
    for text in figure.findobj(matplotlib.text.Text):
        if text.get_text() and text.get_visible() and text.axes and text.axes.axison:
            box = text.get_window_extent()
            assert box.x0 >= -1, text
            assert box.y0 >= -1, text
            assert box.x1 <= width + 1, text
            assert box.y1 <= height + 1, text


# Positions


def test_a_position() -> None:
    position = po.Breakthrough(5, 4)
    position.push("b2c3")
    ax = po.plot(position)
    men = of_kind(ax, patches.Circle)
    at = {man.center: to_hex(man.get_facecolor()) for man in men}
    assert len(at) == 16
    assert at[(2.5, 2.5)] == "#ffffff"  # c3
    assert at[(0.5, 0.5)] == "#222222"  # a5
    assert (1.5, 3.5) not in at  # b2
    marked = [
        patch.get_xy() for patch in of_kind(ax, patches.Rectangle)
        if to_hex(patch.get_facecolor()) == "#f0c030"
    ]  # fmt: skip
    assert sorted(marked) == [(1, 3), (2, 2)]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == list("abcd")
    assert [tick.get_text() for tick in ax.get_yticklabels()] == list("54321")
    assert ax.get_ylim() == (5, 0)  # the first row of the list on top
    assert ax.get_title() == "Breakthrough 5x4, black to move"
    fits(ax)


def test_given_axes_are_used() -> None:
    _, given = pyplot.subplots()
    assert po.plot(po.Othello(4), given) is given
    assert len(of_kind(given, patches.Circle)) == 4
    assert pyplot.get_fignums() == [1]


def test_a_game_without_a_board() -> None:
    result = po.search(Heap(5), "uct", playouts=50, seed=1)
    with pytest.raises(po.BadPosition, match="Heap has no board to draw; print the result"):
        po.plot(result)
    assert "Heap: 50 visits" in po.plot(result.tree).get_title()


# Results


def test_a_result_without_amaf_is_a_board() -> None:
    result = po.search(ending(), "uct", playouts=2000, seed=1)
    ax = po.plot(result)
    assert isinstance(ax, Axes)
    assert ax.get_title() == f"UCT(): {result.move}, value {result.value:.3f}"
    rows = {row["move"]: row for row in result.moves}
    colours = {
        patch.get_xy(): to_hex(patch.get_facecolor()) for patch in of_kind(ax, patches.Rectangle)
    }  # the last one on a square is its heat
    assert colours[(0, 3)] == colour_of(rows["b1a2"]["mean"])
    assert f"{rows['b1a2']['mean']:.2f}".removeprefix("0") in drawn_texts(ax)
    arrows = of_kind(ax, patches.FancyArrow)
    assert to_hex(arrows[-1].get_facecolor()) == "#d9480f"  # the chosen one on top
    fits(ax)


def test_amaf_stands_beside_monte_carlo() -> None:
    result = po.search(ending(), "rave", playouts=2000, seed=1)
    axes = po.plot(result, moves=5)
    assert axes.shape == (2,)
    bars = axes[1]
    monte_carlo, _, amaf = bars.containers
    rows = result.moves[:5]
    assert [bar.get_width() for bar in monte_carlo] == pytest.approx(rows["mean"].tolist())
    assert [bar.get_width() for bar in amaf] == pytest.approx(rows["amaf_mean"].tolist())
    assert [tick.get_text() for tick in bars.get_yticklabels()] == rows["move"].tolist()
    assert bars.yaxis_inverted()  # the best move on top
    assert [text.get_text() for text in bars.get_legend().get_texts()] == [
        "Monte Carlo, 95 %", "AMAF",
    ]  # fmt: skip
    assert bars.get_title() == "the two estimates of the first 5 moves"
    fits(bars)


def test_a_result_on_one_axes_is_the_board_alone() -> None:
    result = po.search(ending(), "rave", playouts=200, seed=1)
    _, given = pyplot.subplots()
    assert po.plot(result, given) is given
    _, two = pyplot.subplots(1, 2)
    assert list(po.plot(result, two)) == list(two)
    assert two[1].containers


def test_alphabeta_has_points() -> None:
    result = po.search(po.Othello(), po.AlphaBeta(depth=3))
    ax = po.plot(result)
    assert ax.get_title() == f"AlphaBeta(depth=3): {result.move}, value {result.value:g} points"
    assert len(of_kind(ax, patches.Annulus)) == 1


# Comparisons


def compared(**options: Any) -> po.Comparison:
    settings: dict[str, Any] = {"playouts": 200, "runs": 5, "seed": 1} | options
    return po.compare(settings.pop("position", ending()), **settings)


def test_the_curves_of_a_comparison() -> None:
    found = compared()
    axes = po.plot(found)
    assert axes.shape == (3,)
    for ax, what in zip(axes, ("value", "best", "regret")):
        assert ax.get_xscale() == "log"
        assert ax.get_xlabel() == "playouts"
        assert len(ax.lines) == len(ax.collections) == len(found.methods)
        for line, band, method in zip(ax.lines, ax.collections, found.methods):
            budgets, mean, low, high = found.curve(method, what)
            assert line.get_label() == repr(method)
            assert line.get_xdata().tolist() == budgets.tolist()
            assert line.get_ydata().tolist() == mean.tolist()
            edges = band.get_paths()[0].vertices
            for column, x in enumerate(budgets):
                ys = edges[edges[:, 0] == x, 1]
                assert (ys.min(), ys.max()) == pytest.approx((low[column], high[column]))
    assert [ax.get_title() for ax in axes] == [
        "value of the chosen move",
        "chance of an exactly best move",
        "regret: what the choice gives away",
    ]
    fits(axes[0])


def test_each_method_has_its_look_in_colour_and_without() -> None:
    found = compared()
    lines, n = po.plot(found)[0].lines, len(found.methods)
    assert len({line.get_color() for line in lines}) == n
    assert len({(line.get_linestyle(), str(line._unscaled_dash_pattern)) for line in lines}) == n
    assert len({line.get_marker() for line in lines}) == n


def test_a_method_looks_the_same_in_every_picture() -> None:
    alone, among = po.plot(compared(methods=["rave"]))[0], po.plot(compared())[0]
    assert alone.lines[0].get_color() == among.lines[4].get_color()
    two = po.plot(compared(methods=[po.UCT(c=0.2), po.UCT(c=1)]))[0]
    assert len({line.get_color() for line in two.lines}) == 2


def test_a_method_around_another_has_its_own_look() -> None:
    found = po.plot(compared(methods=["uct", "halving"]))[0]
    colours = {line.get_color() for line in found.lines if not line.get_label().startswith("_")}
    assert len(colours) == 2


def test_more_methods_than_colours() -> None:
    looks = [style(index) for index in range(3 * len(COLOURS))]
    assert len({str(look) for look in looks}) == len(looks)


def test_the_legend_covers_nothing() -> None:
    found = compared()
    axes = po.plot(found)
    figure = axes[0].figure
    figure.canvas.draw()
    (legend,) = figure.legends
    key = legend.get_window_extent()
    assert [text.get_text() for text in legend.get_texts()] == [*map(repr, found.methods)]
    for ax in axes:
        assert not key.overlaps(ax.get_tightbbox())
    _, given = pyplot.subplots(layout="constrained")
    po.plot(compared(), given, what="best")
    given.figure.canvas.draw()
    assert not given.get_legend().get_window_extent().overlaps(given.get_window_extent())


def test_one_curve() -> None:
    found = compared()
    ax = po.plot(found, what="regret")
    assert isinstance(ax, Axes)
    assert ax.lines[3].get_ydata().tolist() == found.curve("uct", "regret")[1].tolist()
    with pytest.raises(ValueError, match=r"what must be one of 'value', .* not 'win'"):
        po.plot(found, what="win")


def test_a_comparison_without_truth() -> None:
    found = compared(exact_nodes=0)
    axes = po.plot(found)
    assert axes[1].get_title() == f"share that chose {found.majority}, the majority's move"
    assert not axes[2].lines
    assert drawn_texts(axes[2]) == ["not solved:\nthe regret is not known"]


def test_alphabeta_has_no_curve_of_values_but_a_place_in_the_legend() -> None:
    position = po.Othello()
    found = compared(position=position, methods=["uct", po.AlphaBeta(depth=2)], exact_nodes=0)
    axes = po.plot(found)
    assert [len(ax.lines) for ax in axes] == [1, 2, 0]
    (legend,) = axes[0].figure.legends
    assert len(legend.get_texts()) == 2


# Trees


def test_a_tree() -> None:
    tree = po.search(ending(), "uct", playouts=2000, seed=1).tree
    ax = po.plot(tree, nodes=8, depth=2)
    assert len(ax.lines) == 8
    texts = drawn_texts(ax)
    best = tree.children[0]
    assert len(texts) == 9
    assert f"root  {tree.mean:.2f}, 2,000" in texts
    assert f"{best.move}  {best.mean:.2f}, {best.visits:,}" in texts
    assert max(line.get_linewidth() for line in ax.lines) == pytest.approx(
        0.8 + 7 * best.visits / tree.visits
    )
    dots = {tuple(dot.get_offsets()[0]): dot for dot in ax.collections}
    assert {x for x, _ in dots} <= {0, 1, 2}
    root = next(dot for (x, _), dot in dots.items() if x == 0)
    assert tuple(root.get_facecolor()[0]) == pytest.approx(to_rgba(colour_of(tree.mean)))
    fits(ax)


def test_the_most_visited_nodes_are_drawn() -> None:
    tree = po.search(ending(), "uct", playouts=2000, seed=1).tree
    drawn = {text.split(", ")[1].replace(",", "") for text in drawn_texts(po.plot(tree, nodes=6))}
    every = sorted((node.visits for node in tree.walk(depth=4)), reverse=True)
    assert len(every) > 50
    least = min(int(visits.split()[0]) for visits in drawn)
    assert least >= every[8]


def test_no_two_nodes_share_a_place() -> None:
    tree = po.search(ending(), "rave", playouts=2000, seed=1).tree
    ax = po.plot(tree, nodes=40)
    places = [tuple(dot.get_offsets()[0]) for dot in ax.collections]
    assert len(places) == len(set(places)) == 41


def test_a_proven_node() -> None:
    result = po.search(ending(), "uct", playouts=100_000, seed=1, solver=True)
    assert result.reason == "proven"
    assert any(text.endswith(", proven 1") for text in drawn_texts(po.plot(result.tree)))


def test_names_of_moves_are_no_formulas(tmp_path: Any) -> None:
    """matplotlib would parse text between dollars as mathematics, and fail."""

    class Dollars(Heap):
        def legal_moves(self) -> list[str]:
            return [f"${{$ {n}" for n in (1, 2, 3) if n <= self.size]

        def code(self, move: str) -> int:
            return super().code(move)

    tree = po.search(Dollars(9), "uct", playouts=50, seed=1).tree
    found = po.compare(Dollars(9), ["uct"], playouts=20, runs=2, seed=1, exact_nodes=0)
    for ax in (po.plot(tree), po.plot(found, what="best")):
        ax.figure.savefig(tmp_path / "dollars.png")
        assert "$" in " ".join([*drawn_texts(ax), ax.get_title()])


# Bad input


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(
        TypeError, match=r"a Position, a Result, a Comparison or a Node .* not 'e4'"
    ):
        po.plot("e4")


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (po.Othello(), "the plot of a Position takes no options, not moves="),
        (po.search(po.Breakthrough(5), "uct", playouts=9), "of a Result takes moves=, not heat="),
    ],
    ids=["position", "result"],
)
def test_unknown_options(what: Any, message: str) -> None:
    name = message.split()[-1].rstrip("=")
    with pytest.raises(TypeError, match=message):
        po.plot(what, **{name: 1})


def test_options_out_of_range() -> None:
    result = po.search(po.Breakthrough(5), "rave", playouts=9)
    with pytest.raises(ValueError, match="moves must be a whole number from 1"):
        po.plot(result, moves=0)
    with pytest.raises(ValueError, match="nodes must be a whole number from 1"):
        po.plot(result.tree, nodes=0)
    with pytest.raises(ValueError, match="depth must be a whole number from 1"):
        po.plot(result.tree, depth=0)


def test_axes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="ax must be matplotlib axes for this, not 3"):
        po.plot(po.Othello(), 3)
    _, two = pyplot.subplots(1, 2)
    with pytest.raises(ValueError, match="ax must be 3 matplotlib axes for this"):
        po.plot(compared(), two)


def test_without_matplotlib() -> None:
    ran = run_python(
        "import sys; sys.modules['matplotlib'] = None\n"
        "import playout as po\n"
        "try: po.plot(po.Othello())\n"
        "except ImportError as error: print(error)"
    )
    assert ran.stderr == ""
    assert ran.stdout.startswith("playout.plot needs matplotlib (")
    assert ran.stdout.rstrip().endswith('pip install "playout[plot]"')


def test_every_picture_can_be_saved(tmp_path: Any) -> None:
    result = po.search(po.Othello(4), "grave", playouts=100, seed=1)
    things = [po.Othello(4), result, result.tree, compared(playouts=20)]
    for thing, kind in zip(things, ("png", "svg", "pdf", "png")):
        path = tmp_path / f"picture.{kind}"
        np.ravel(po.plot(thing))[0].figure.savefig(path)
        assert path.stat().st_size > 1000
