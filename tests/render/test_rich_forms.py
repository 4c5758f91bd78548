"""What notebooks show of positions, solutions, random games and searchers."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

import playout as po
from playout.render.text import ROWS
from support.helpers import Heap

WON = "bb./b../.ww/ww. w"


def page_of(shown: po.Solution | po.Playouts | po.Searcher) -> ElementTree.Element:  # type: ignore[type-arg]
    page = shown._repr_html_()
    assert page is not None
    return ElementTree.fromstring(page)


def texts(page: ElementTree.Element, tag: str = "td") -> list[str]:
    return ["".join(cell.itertext()) for cell in page.iter() if cell.tag.split("}")[-1] == tag]


# Positions


@pytest.mark.parametrize(
    ("position", "caption"),
    [
        (po.Breakthrough(5), "white to move"),
        (po.Othello(6), "black to move, black 2, white 2"),
        (po.Breakthrough.from_fen("w../.b./... b"), "white has won"),
    ],
)
def test_a_picture_says_who_is_to_move(position: po.Position, caption: str) -> None:
    picture = ElementTree.fromstring(position._repr_svg_() or "")
    labels = picture.findall("./{*}g/{*}text")
    assert labels[-1].text == caption
    _, _, width, height = map(float, (picture.get("viewBox") or "").split())
    boards = [float(square.get("y", "")) + 40 for square in picture.findall("{*}rect")]
    assert max(boards) < float(labels[-1].get("y", "")) < height
    assert float(labels[-1].get("x", "")) == width / 2


# Solutions


def test_a_solution_has_the_best_moves_on_the_board_and_all_scores() -> None:
    found = po.solve(po.Breakthrough.from_fen(WON), multi=True)
    page = page_of(found)
    assert len(page.findall(".//{*}g[@class='move']")) == len(found.best_moves) == 4
    assert texts(page)[::2] == list(map(str, found.scores))
    assert texts(page)[1::2] == [f"{score:+d}" for score in found.scores.values()]


def test_a_solution_of_one_move_has_no_table() -> None:
    page = page_of(po.solve(po.Breakthrough.from_fen(WON)))
    assert texts(page) == []
    assert "a win" in "".join(page.itertext())


def test_what_is_not_solved_has_no_arrow() -> None:
    page = page_of(po.solve(po.Breakthrough(5), nodes=1000))
    assert page.findall(".//{*}g[@class='move']") == []
    assert "not solved" in "".join(page.itertext())


# Random games


def test_playouts_are_a_row_with_a_bar() -> None:
    found = po.playouts(po.Othello(), 1000, seed=1)
    cells = texts(page_of(found))
    assert cells[2].startswith(f"{found.mean:.3f} \u00b1")
    assert cells[3:6] == [str(found.wins), str(found.draws), str(found.losses)]


def test_playouts_of_many_positions_are_a_row_each() -> None:
    found = po.playouts([po.Breakthrough(4)] * (ROWS + 5), 10, seed=1)
    assert texts(page_of(found))[::7] == [str(index) for index in range(ROWS)]
    assert "5 more positions" in found._repr_html_()


def test_a_playout_shows_its_end() -> None:
    game = po.playout(po.Breakthrough(5), seed=1)
    assert game.end.result == game.result
    assert list(game.end.history) == list(game.moves)
    assert game._repr_svg_() == game.end._repr_svg_()
    assert po.playout(Heap(5), seed=1)._repr_svg_() is None


# Searchers


def test_a_searcher_shows_the_position_and_then_its_result() -> None:
    with po.Searcher(po.Breakthrough(5), "rave", seed=1) as searcher:
        assert texts(page_of(searcher)) == []
        searcher.search(playouts=500)
        page = page_of(searcher)
        assert "RAVE(), waiting: 500 playouts in the tree" in "".join(page.itertext())
        assert str(searcher.result.move) in texts(page)
        searcher.close()
        assert searcher._repr_html_() is None


def test_a_searcher_shows_the_end_of_the_game() -> None:
    with po.Searcher(po.Breakthrough.from_fen("..b/.w./.../..w w"), seed=1) as searcher:
        searcher.search(playouts=50)
        searcher.advance("b3b4")
        assert "white has won" in "".join(page_of(searcher).itertext())


def test_a_searcher_of_a_game_without_a_board() -> None:
    with po.Searcher(Heap(9), seed=1) as searcher:
        assert "Heap" in "".join(page_of(searcher).itertext())
