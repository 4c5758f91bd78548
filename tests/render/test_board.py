"""Pictures of boards: squares, arrows and heat, checked in the SVG."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree

import pytest

import playout as po
from mcts_core.board import Board, squares_named
from playout.render.board import (
    COLD,
    EVEN,
    HOT,
    MARGIN,
    SQUARE,
    Arrow,
    Heat,
    colour_of,
    heat_map,
    short_number,
    svg,
)
from support.helpers import run_python

HOSTILE = '<b> & "co"'


def parts(picture: str, wanted: str) -> list[ElementTree.Element]:
    """The elements with this class."""
    return ElementTree.fromstring(picture).findall(f".//*[@class='{wanted}']")


def texts(picture: str) -> list[str]:
    """The figures on the squares."""
    found = parts(picture, "figures")
    return [line.text or "" for group in found for line in group.findall("{*}text")]


def test_a_board_without_heat_is_drawn_as_before() -> None:
    board = po.Breakthrough(5).board
    assert svg(board, heat=[]) == svg(board)
    assert 'class="heat"' not in svg(board)


def test_heat_lies_on_its_square_below_the_man_on_it() -> None:
    board = Board(["b.", ".w"], ["2", "1"])
    picture = svg(board, heat=[Heat((0, 0), 1.0, label="1", note="12")])
    (rect,) = parts(picture, "heat")
    assert (rect.get("x"), rect.get("y")) == (str(MARGIN), str(MARGIN))
    assert (rect.get("width"), rect.get("fill")) == (str(SQUARE), colour_of(1.0))
    assert texts(picture) == ["1", "12"]
    man = picture.index(f'<circle cx="{MARGIN + SQUARE // 2}"')
    assert picture.index('class="heat"') < man < picture.index('class="figures"')


def test_weight_makes_heat_stronger_and_nan_has_none() -> None:
    board = Board(["b.", ".w"], ["2", "1"])
    strengths = []
    for weight in (0.0, 0.5, 1.0):
        (rect,) = parts(svg(board, heat=[Heat((0, 0), 0.8, weight)]), "heat")
        strengths.append(float(rect.get("fill-opacity", "")))
    assert strengths == sorted(set(strengths))
    unknown = svg(board, heat=[Heat((0, 0), math.nan, label="?")])
    assert parts(unknown, "heat") == []
    assert texts(unknown) == ["?"]


def test_colours_go_from_cold_by_way_of_even_to_hot() -> None:
    def channels(value: float) -> tuple[int, ...]:
        return tuple(bytes.fromhex(colour_of(value)[1:]))

    assert [channels(value) for value in (0.0, 0.5, 1.0)] == [COLD, EVEN, HOT]
    for end, values in ((COLD, (0.5, 0.4, 0.2, 0.0)), (HOT, (0.5, 0.6, 0.8, 1.0))):
        distances = [math.dist(channels(value), end) for value in values]
        assert distances == sorted(set(distances), reverse=True)


@pytest.mark.parametrize("move", ["b2b3", "b2a3", "b2c3"])
def test_arrows_leave_the_middle_of_a_square_with_figures(move: str) -> None:
    """With heat, the head ends before the middle of the square; otherwise in the middle."""
    board = po.Breakthrough(5).board
    start, end = squares = squares_named(board, move)
    from_x, from_y, x, y = (MARGIN + (n + 0.5) * SQUARE for n in (*start[::-1], *end[::-1]))

    def tip(picture: str) -> list[float]:
        found = re.search(r'<polygon points="([\d.]+),([\d.]+) ', picture)
        assert found is not None
        return [float(number) for number in found.groups()]

    assert tip(svg(board, [Arrow(squares)])) == [x, y]
    assert tip(svg(board, [Arrow(squares)], [Heat((0, 0), 0.5)])) == [x, y]
    assert tip(svg(board, [Arrow(squares)], [Heat(end, 0.5)])) == pytest.approx(
        [x + 0.3 * (from_x - x), y + 0.3 * (from_y - y)]
    )


def test_titles_and_captions_are_escaped() -> None:
    board = Board(["b.", ".w"], ["2", "<"], caption=HOSTILE)
    picture = svg(board, heat=[Heat((0, 0), 0.5, label=HOSTILE, note=HOSTILE, title=HOSTILE)])
    assert ElementTree.fromstring(picture).get("aria-label") == HOSTILE
    assert texts(picture) == [HOSTILE, HOSTILE]
    (group,) = parts(picture, "figures")
    assert group[0].text == HOSTILE
    assert "<b>" not in picture


def test_heat_map_of_moves() -> None:
    """The first move to a square is shown. Passes and moves without visits are not."""
    board = po.Breakthrough(5).board
    moves = [("a2b3", 0.4, 100), ("b2b3", 0.6, 400), ("e2e3", math.nan, 0), ("pass", 0.5, 9)]
    (heat,) = heat_map(board, moves)
    assert (heat.square, heat.value, heat.weight) == ((2, 1), 0.4, 0.5)
    assert (heat.label, heat.note) == (".40", "100")
    assert heat.title == "a2b3: 0.400 from 100 playouts\nb2b3: 0.600 from 400 playouts"
    assert heat_map(board, []) == []


@pytest.mark.parametrize(
    ("value", "label"), [(0.0, "0"), (0.004, "0"), (0.25, ".25"), (0.994, ".99"), (1.0, "1")]
)
def test_values_on_squares(value: float, label: str) -> None:
    (heat,) = heat_map(po.Breakthrough(5).board, [("a2a3", value, 1)])
    assert heat.label == label


def test_short_numbers_are_short() -> None:
    for n in [*range(2000), 9949, 9950, 99_949, 999_499, 999_500, 10**9, 2**40]:
        short = short_number(n)
        assert len(short) <= 4
        unit = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}.get(short[-1], 1)
        worth = float(short.rstrip("kMGT")) * unit
        assert abs(worth - n) <= 0.05 * max(n, 1)


def test_the_engine_alone_draws_no_pictures() -> None:
    """The engine has only the description of a board. Importing `playout` adds the drawing."""
    ran = run_python(
        "from mcts_core.games.othello import Othello\n"
        "assert Othello(4)._repr_svg_() is None\n"
        "assert 'd' in str(Othello(4))\n"
        "import playout\n"
        "assert Othello(4)._repr_svg_().startswith('<svg')\n"
    )
    assert ran.returncode == 0, ran.stderr
