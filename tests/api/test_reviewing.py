"""`playout.review`: values of the moves of a game, and what they gave away."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import playout as po
from playout.record import Record
from playout.solving import values_of_moves

MATED = ".b./b../w.w/w.. w"


def played(start: po.Position, seed: int = 1) -> po.Position:
    for move in po.playout(start, seed=seed).moves:
        start.push(move)
    return start


@pytest.mark.parametrize(
    "start", [po.Breakthrough(4), po.Othello(4), po.ConnectFour(4, 4)], ids=str
)
def test_a_game_that_can_be_solved_has_exact_values(start: po.Position) -> None:
    found = po.review(played(start), nodes=10**6, seed=1)
    assert all(move.exact for move in found.moves)
    for move in found.moves:
        values = values_of_moves(move.position, 10**6)
        assert values is not None
        legal = move.position.legal_moves
        assert move.before == values.max()
        assert move.after == values[legal.index(move.move)]
        assert move.loss == move.before - move.after
        assert values[legal.index(move.best)] == values.max()
        assert (move.word == "best") == (move.loss == 0)


def test_what_is_solved_ends_where_it_takes_too_long() -> None:
    found = po.review(played(po.Othello(6)), playouts=50, nodes=2000, seed=1)
    exact = [move.exact for move in found.moves]
    assert exact[-1]
    assert not exact[0]
    assert exact == sorted(exact)  # first those that are not, then those that are


def test_without_nodes_nothing_is_solved() -> None:
    found = po.review(played(po.Breakthrough(4)), "uct", playouts=50, nodes=0, seed=1)
    assert not any(move.exact for move in found.moves)


def test_losses_are_ranked() -> None:
    found = po.review(played(po.Othello(6)), playouts=200, seed=1)
    losses = [move.loss for move in found.worst]
    assert losses == sorted(losses, reverse=True)
    assert {move.word for move in found.worst} <= {"blunder", "mistake", "inaccuracy"}
    others = [move.loss for move in found.moves if move not in found.worst]
    assert max(others) < 0.07 <= min(losses)


def test_the_same_seed_gives_the_same_review() -> None:
    game = played(po.Breakthrough(5))
    first, second = (po.review(game, "uct", playouts=300, seed=7).to_dict() for _ in range(2))
    assert first.pop("seconds") > 0
    second.pop("seconds")
    assert first == second


def test_values_are_those_of_the_first_player() -> None:
    game = played(po.Breakthrough(4), seed=3)
    found = po.review(game, seed=1)
    assert len(found.values) == len(game.history) + 1
    assert found.values[-1] == game.result
    for value, move in zip(found.values, found.moves, strict=False):
        assert value == (move.before if move.position.turn == 0 else 1 - move.before)


def test_a_game_that_goes_on_can_be_reviewed() -> None:
    game = po.Othello()
    for move in ("f5", "d6", "c3"):
        game.push(move)
    found = po.review(game, "rave", playouts=100, seed=1)
    assert [str(move.move) for move in found.moves] == ["f5", "d6", "c3"]
    assert 0 < found.values[-1] < 1


def test_passes_change_no_value() -> None:
    """In Othello a player may have to pass: values are turned by the side to move."""
    for seed in range(200):
        game = played(po.Othello(4), seed)
        if "pass" in game.history:
            break
    found = po.review(game, nodes=10**6, seed=1)
    passes = [move for move in found.moves if move.move == "pass"]
    assert passes
    assert all(move.loss == 0 for move in passes)


def test_alpha_beta_with_expected_results() -> None:
    game = played(po.Breakthrough(5))
    found = po.review(game, po.AlphaBeta(depth=2), nodes=0)
    assert all(0 <= value <= 1 for value in found.values)


def test_alpha_beta_in_points_is_refused() -> None:
    with pytest.raises(po.BadMethod, match="counts in points here, and a review in results"):
        po.review(played(po.Othello()), po.AlphaBeta(1, "weights"), nodes=0)


@pytest.mark.parametrize(
    ("game", "settings", "message"),
    [
        ("a2a3", {}, "a review is of a Record, or of a position with its moves, not of 'a2a3'"),
        (po.Breakthrough(4), {}, "there is nothing to review: the game has no moves yet"),
        (None, {"playouts": 0}, "playouts must be a whole number from 1"),
        (None, {"seconds": 0}, "seconds must be a number above 0"),
        (None, {"nodes": -1}, "nodes must be a whole number from 0"),
    ],
)
def test_wrong_input(game: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        po.review(played(po.Breakthrough(4)) if game is None else game, **settings)


def test_a_book_gives_the_values_of_its_positions(tmp_path: Path) -> None:
    start = po.ConnectFour()
    book = po.Book.build(start, "uct", positions=60, seed=1, playouts=50)
    bad = book.moves(start)[-1]
    start.push(bad.move)
    start.push(start.legal_moves[0])
    book.save(tmp_path / "four.book")
    for given in (book, tmp_path / "four.book", str(tmp_path / "four.book")):
        first, second = po.review(start, "uct", playouts=50, seed=1, nodes=0, book=given).moves
        best = book.best(po.ConnectFour())
        assert best is not None
        assert (first.best, first.before, first.after) == (best.move, best.value, bad.value)
        assert (first.in_book, second.in_book) == (True, False)
        assert first.line == book.line(po.ConnectFour())
    found = po.review(start, "uct", playouts=50, seed=1, nodes=0, book=book)
    assert ", 0 of them exact, 1 by the book" in str(found)
    assert " (book)" in found.to_html()
    assert found.moves[0].to_dict()["in_book"]


def test_equal_moves_of_a_book_are_all_best() -> None:
    """All four first moves of Othello are one entry."""
    book = po.Book.build(po.Othello(), "uct", positions=10, seed=1, playouts=50)
    for move in po.Othello().legal_moves:
        game = po.Othello()
        game.push(move)
        found = po.review(game, "uct", playouts=50, seed=1, book=book)
        (only,) = found.moves
        assert (only.best, only.line[0], only.word) == (move, move, "best")
        assert only.before == only.after == found.final == 1 - book.moves(game)[0].value


def test_wrong_books() -> None:
    game = played(po.Breakthrough(4))
    other = po.Book.build(po.ConnectFour(), "uct", positions=5, seed=1, playouts=5)
    with pytest.raises(po.BadPosition, match="of another board"):
        po.review(game, book=other)
    with pytest.raises(po.BadMethod, match="no opening book for"):
        po.review(game, book="default")
    with pytest.raises(po.BadMethod, match="book must be a Book, the path of one"):
        po.review(game, book=3)  # type: ignore[arg-type]


def test_progress() -> None:
    told: list[tuple[int, int]] = []
    game = played(po.Breakthrough(4))
    po.review(game, seed=1, progress=lambda done, of: told.append((done, of)))
    n = len(game.history)
    assert told == [(done, n) for done in range(1, n + 1)]


# Forms


def test_json_has_the_game_and_every_move() -> None:
    record = Record(played(po.Breakthrough(4)), ("Ann", "Bob"), seed=1)
    found = po.review(record, seed=1)
    plain = json.loads(found.to_json())
    assert Record.from_dict(plain["game"]) == record
    assert [move["move"] for move in plain["moves"]] == list(record.position.history)
    assert [plain["moves"][ply - 1]["loss"] for ply in plain["worst"]] == [
        move.loss for move in found.worst
    ]


def test_the_page_is_one_file_with_everything_escaped() -> None:
    record = Record(played(po.Breakthrough(4)), ("<b>Ann</b>", "&Bob"), seed=1)
    page = po.review(record, seed=1).to_html()
    assert page.startswith("<!doctype html>")
    assert "&lt;b&gt;Ann&lt;/b&gt;" in page
    assert "<b>Ann" not in page
    assert "<script" not in page
    assert "src=" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_the_text_names_the_worst_moves() -> None:
    game = po.Breakthrough.from_fen(MATED)
    for move in ("a1b2", "a3b2", "c2b3", "b2a1"):
        game.push(move)
    found = po.review(game, seed=1)
    (worst,) = found.worst
    assert (str(worst.move), worst.loss, worst.word) == ("a1b2", 1.0, "blunder")
    assert "1.    a1b2    a2b3    1.000  blunder, for certain" in str(found)
    assert "<svg" in found._repr_html_()
