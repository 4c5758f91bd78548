"""`playout book`, and `playout play --book`."""

from __future__ import annotations

import json
from pathlib import Path
from unittest import mock

import playout as po
from playout.learning.book import Book
from support.commands import fault, playout, timeless

SMALL = ["-g", "connect-four", "--size", "4x5"]


def test_build_and_show(tmp_path: Path) -> None:
    path = str(tmp_path / "four.book")
    build = ["book", "build", path, *SMALL, "--positions", "100", "--playouts", "50"]
    ran = playout(*build)
    book = Book.load(path)
    same = Book.build(po.ConnectFour(4, 5), "uct", positions=100, seed=1, playouts=50)
    assert book == same
    assert f"four.book: {len(book)} positions, {len(book)} of them new" in ran.out
    assert " 0 of them new" in playout(*ran.again).out
    shown = playout("book", "show", path)
    best = book.moves(book.start)[0]
    assert f"{best.move}     {best.value:.3f}" in shown.out
    assert f"Best play: {' '.join(book.line(book.start))}" in shown.out
    assert f"searched: {len(book)} by UCT() playouts=50" in shown.out
    assert timeless(playout(*shown.again).out) == timeless(shown.out)
    found = json.loads(playout("book", "show", path, "--moves", "2", "--json").out)
    after = po.ConnectFour(4, 5)
    after.push("2")
    assert found["position"] == after.fen
    assert [(row["move"], row["value"], row["visits"]) for row in found["moves"]] == book.moves(
        after
    )
    assert "Here the book ends." in playout("book", "show", path, "--moves", "2222").out


def test_help_without_a_command() -> None:
    ran = playout("book")
    assert ran.code == 0
    assert "build " in ran.out


def test_ctrl_c_keeps_the_book(tmp_path: Path) -> None:
    path = str(tmp_path / "four.book")
    extend = Book.extend

    def interrupted(book: Book, method: object, **settings: int) -> None:
        extend(book, method, **settings | {"positions": 20})  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with mock.patch.object(Book, "extend", interrupted):
        ran = playout("book", "build", path, *SMALL, "--positions", "60", "--playouts", "50")
    assert 20 <= len(Book.load(path)) < 60
    assert ran.last_line.startswith("Go on with: playout book build ")
    playout(*ran.again)
    same = Book.build(po.ConnectFour(4, 5), "uct", positions=60, seed=1, playouts=50)
    assert Book.load(path) == same
    with mock.patch.object(Book, "extend", side_effect=KeyboardInterrupt):
        assert (
            playout("book", "build", str(tmp_path / "new"), *SMALL, "--playouts", "9").code == 130
        )
    assert not (tmp_path / "new").exists()


def test_faults(tmp_path: Path) -> None:
    path = str(tmp_path / "four.book")
    Book.build(po.ConnectFour(4, 5), "uct", positions=10, playouts=9).save(path)
    small = ["--positions", "20", "--playouts", "9"]
    assert "is a book of another start" in fault("book", "build", path, *small)
    assert "cannot be written" in fault("book", "build", str(tmp_path / "no/x"), *SMALL, *small)
    assert "cannot read positions" in fault("book", "show", str(tmp_path / "none"))
    assert "--positions must be" in fault("book", "build", path, *SMALL, "--positions", "0")
    assert "there is no method" in fault("book", "build", path, *SMALL, "-m", "utc")
    assert "--moves: move 1: '9' is not legal" in fault("book", "show", path, "--moves", "9")
    assert "no such command" in fault("book", "shw").lower()
    (tmp_path / "four.book").write_bytes(b"playout book 1\n")
    assert "its checksum is wrong" in fault("book", "show", path)


def test_play_from_a_book(tmp_path: Path) -> None:
    path = str(tmp_path / "four.book")
    book = Book.build(po.ConnectFour(4, 5), "uct", positions=100, playouts=50)
    book.save(path)
    play = ["play", *SMALL, "--white", "uct", "--black", "uct", "--playouts", "50", "--seed", "1"]
    ran = playout(*play, "--book", path)
    best = book.best(po.ConnectFour(4, 5))
    assert best is not None
    assert f"white plays {best.move}  (worth {best.value:.3f} to it by the book)" in ran.out
    assert timeless(playout(*ran.again).out) == timeless(ran.out)
    game = json.loads(playout(*play, "--book", path, "--json").out)
    line = book.line(po.ConnectFour(4, 5))
    assert game["moves"][: len(line)] == list(line)
    assert game["players"]["white"] == f"UCT()@50 book={path}"
    you = playout("play", *SMALL, "--playouts", "50", "--book", path, stdin="quit\n")
    assert you.code == 0
    assert "another board" in fault("play", "--book", path)
