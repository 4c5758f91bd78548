"""Opening books: what they hold, how they grow, their files, and players with a book."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playout as po
from playout.arena.players import player_from
from playout.learning import weights
from playout.learning.book import WIN, Book, book_for
from playout.learning.symmetries import key_of, square_symmetries

STARTS = [po.ConnectFour(5, 5), po.Othello(), po.Breakthrough(5)]


def built(start: po.Position, positions: int = 60, seed: int = 1, **more: Any) -> Book:
    settings = {"playouts": 30} | more
    return Book.build(start, "uct", positions=positions, seed=seed, **settings)


# Keys


@pytest.mark.parametrize("start", STARTS, ids=lambda start: type(start).__name__)
def test_symmetric_positions_have_one_key(start: po.Position) -> None:
    """In random games. A position is turned by its line of text, not by its key."""
    for position in po.random_positions(start, 30, plies=(1, 12), seed=3):
        cells = "".join(position.board.rows)
        cols = len(position.board.rows[0])
        for goes in square_symmetries(position):
            turned = "".join(np.array(list(cells))[goes])
            rows = [turned[i : i + cols] for i in range(0, len(turned), cols)]
            assert key_of(like(position, rows)) == key_of(position)


def like(position: po.Position, rows: list[str]) -> po.Position:
    """The position with other squares, from the top row down."""
    side = position.fen.split()[-1]
    if isinstance(position, po.Othello):
        text = "".join(rows).replace("b", "X").replace("w", "O").replace(".", "-")
    elif isinstance(position, po.ConnectFour):
        text = "/".join(rows).replace("w", "x").replace("b", "o")
    else:
        text = "/".join(rows)
    return type(position).from_fen(f"{text} {side}")


def test_other_positions_have_other_keys() -> None:
    """Of all positions of a small game, those with one key have one value."""
    values: dict[bytes, float] = {}
    choice = random.Random(1)
    for _ in range(200):
        position = po.Breakthrough(3, first_rows=1)
        while not position.is_over:
            value = po.solve(position).value
            assert value is not None
            assert values.setdefault(key_of(position), value) == value
            position.push(choice.choice(position.legal_moves))
    assert len(values) > 50


# Growth


@pytest.mark.parametrize("start", STARTS, ids=lambda start: type(start).__name__)
def test_values_are_the_minimax_of_the_values_after_the_moves(start: po.Position) -> None:
    book = built(start, 300)
    assert len(book) >= 300
    assert start in book
    positions, expanded = [start], 0
    while positions:
        position = positions.pop()
        moves = book.moves(position)
        best = book.best(position)
        if best is None:
            assert not book.entries[key_of(position)].is_expanded
            continue
        expanded += 1
        assert best == moves[0]
        assert sorted(move.move for move in moves) == sorted(position.legal_moves)
        assert [move.value for move in moves] == sorted((m.value for m in moves), reverse=True)
        assert best.value == book.entries[key_of(position)].value / WIN
        if expanded < 40:
            positions += position.children()
    assert expanded > 10
    line = book.line(start)
    assert len(line) > 1
    assert line[0] == book.moves(start)[0].move


def test_symmetric_moves_are_one_position() -> None:
    book = built(po.Othello(), 5)
    moves = book.moves(po.Othello())
    assert len(moves) == 4
    assert len({(move.value, move.visits) for move in moves}) == 1
    assert len(book.entries) == 5  # the start, the position after a move, and after three replies
    values = {m.move: m.value for m in built(po.ConnectFour(), 8).moves(po.ConnectFour())}
    assert [values[str(i)] for i in range(1, 8)] == [values[str(8 - i)] for i in range(1, 8)]


def test_the_whole_of_a_small_game() -> None:
    """The book ends with the game, and its values are the exact ones."""
    book = built(po.Breakthrough(3, first_rows=1), 10**6, playouts=1)
    assert len(book) < 10_000
    exact = po.solve(po.Breakthrough(3, first_rows=1), multi=True)
    best = book.best(po.Breakthrough(3, first_rows=1))
    assert best is not None
    assert best.value == exact.value
    assert best.move in exact.best_moves
    after = po.Breakthrough(3, first_rows=1)
    for move in book.line(after):
        after.push(move)
    assert after.is_over


def test_good_moves_come_first() -> None:
    """Moves that lose a lot are followed less often."""
    book = built(po.Breakthrough(5), 2000, playouts=100)
    moves = book.moves(po.Breakthrough(5))
    assert moves[0].visits > 3 * moves[-1].visits


def test_it_goes_on_as_if_it_had_not_been_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "small.book"
    whole = built(po.ConnectFour(), 400)
    part = built(po.ConnectFour(), 150)
    part.save(path)
    again = Book.load(path)
    assert again == part
    again.extend("uct", positions=400, playouts=30)
    assert again == whole
    assert again != built(po.ConnectFour(), 400, seed=2)
    before = len(whole)
    whole.extend("uct", positions=100, playouts=30)
    assert len(whole) == before


def test_ctrl_c_keeps_what_is_complete() -> None:
    def interrupt(positions: int) -> None:
        if positions > 50:
            raise KeyboardInterrupt

    book = Book(po.ConnectFour())
    with pytest.raises(KeyboardInterrupt):
        book.extend("uct", positions=200, progress=interrupt, playouts=30)
    assert 50 < len(book) < 70
    book.extend("uct", positions=200, playouts=30)
    assert book == built(po.ConnectFour(), 200)


def test_values_of_alphabeta_and_where_they_come_from() -> None:
    book = Book.build(po.ConnectFour(), "alphabeta", positions=50, nodes=500)
    assert all(0 <= entry.value <= WIN for entry in book.entries.values())
    assert sum(book.searches.values()) == len(book)
    assert list(book.searches) == ["AlphaBeta() nodes=500"]


# Files


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "small.book"
    for start in STARTS:
        book = built(start)
        book.save(path)
        assert Book.load(path) == book
        assert Book.load(path).moves(start) == book.moves(start)
    assert repr(Book.load(path)) == f"<Book of breakthrough 5x5: {len(book)} positions>"
    assert path.read_bytes().startswith(b"playout book 1\n")


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.book"
    built(po.ConnectFour(4)).save(path)
    whole = path.read_bytes()
    choice = random.Random(1)
    for _ in range(100):
        damaged = bytearray(whole)
        damaged[choice.randrange(len(damaged))] ^= choice.randrange(1, 256)
        path.write_bytes(damaged)
        with pytest.raises(po.BadMethod, match="holds no positions of kind book"):
            Book.load(path)
    for n in (0, 10, len(whole) - 1):
        path.write_bytes(whole[:n])
        with pytest.raises(po.BadMethod, match="holds no positions of kind book"):
            Book.load(path)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "chess"}, "its game or its start is not known"),
        ({"start": "hello"}, "expected"),
        ({"searches": [1]}, "does not say how many positions"),
        ({"start": "....../....../....../....../....../.x.... o"}, "do not fit its board"),
        ({"start": "......./......./......./xoxoxo. x"}, "does not have its start position"),
        ({"keys": np.full((3, 29), 200, np.int16)}, "do not fit its board"),
        ({"values": np.full(500, 1, np.int32)}, "do not fit its board"),
        ({"values": -1}, "a key or a value that none can have"),
        ({"values": WIN + 1}, "a key or a value that none can have"),
        ({"keys": 300}, "a key or a value that none can have"),
        ({"visits": 0}, "a position that was never searched"),
        ({"more": np.ones(3, np.int16)}, "its arrays are not keys, values and visits"),
    ],
)
def test_a_file_that_holds_something_else(
    change: dict[str, Any], says: str, tmp_path: Path
) -> None:
    path = tmp_path / "small.book"
    built(po.ConnectFour(4)).save(path)
    facts, arrays = weights.read(path, "book")
    for name, value in change.items():
        if name in arrays and isinstance(value, int):
            arrays[name].flat[0] = value
        elif isinstance(value, np.ndarray):
            arrays[name] = value
        else:
            facts[name] = value
    weights.write(path, "book", facts, arrays)
    with pytest.raises(po.BadMethod, match=says):
        Book.load(path)


def test_a_book_that_lacks_positions_is_not_extended(tmp_path: Path) -> None:
    book = built(po.ConnectFour(), 100)
    start = po.ConnectFour()
    best = book.best(start)
    assert best is not None
    after = start.copy()
    after.push(best.move)
    del book.entries[key_of(after)]
    assert book.best(start) is None
    with pytest.raises(po.BadMethod, match=r"lacks ConnectFour.* so it cannot be extended"):
        book.extend("uct", positions=200, playouts=30)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: Book("f5"), po.BadPosition, "books are of breakthrough, othello"),
        (lambda: Book(po.Othello()).save("x.book"), po.BadPosition, "an empty book is not saved"),
        (lambda: Book(po.Othello()).moves(po.Othello(6)), po.BadPosition, "of another board"),
        (lambda: Book(po.Othello()).best(po.Breakthrough()), po.BadPosition, "of another board"),
        (lambda: built(po.Othello(), 0), ValueError, "positions must be a whole number from 1"),
        (lambda: built(po.Othello(), seed=-1), ValueError, "seed must be a whole number"),
        (lambda: built(po.Othello(), progress=3), ValueError, "progress must be a function"),
        (
            lambda: Book.build(po.Othello(), "utc", positions=5, playouts=9),
            po.BadMethod,
            "did you mean 'uct'",
        ),
        (
            lambda: Book.build(
                po.Othello(), po.AlphaBeta(evaluation="weights"), positions=5, nodes=9
            ),
            po.BadMethod,
            "gives points, and a book needs expected results",
        ),
        (lambda: Book.build(po.Othello(), "uct", positions=5), ValueError, "playouts"),
        (lambda: Book.load("none\0"), po.BadMethod, "cannot read positions from"),
        (lambda: po.Searching(po.UCT(), book=5), po.BadMethod, "book=5 cannot be written"),
        (lambda: player_from("uct@9 book="), po.BadMethod, "book='' cannot be written"),
        (lambda: player_from("uct@9 book=a[1].book"), po.BadMethod, "without spaces and brackets"),
    ],
)
def test_errors(call: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


def test_other_objects_are_not_in_a_book() -> None:
    book = built(po.ConnectFour())
    assert po.ConnectFour() in book
    assert po.ConnectFour(4) not in book
    assert "4" not in book
    assert book != "book"


# Players


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "four.book"
    built(po.ConnectFour(), 200).save(made)
    return made


@pytest.mark.parametrize("keep", ["", " keep"])
def test_a_player_with_a_book(path: Path, keep: str) -> None:
    """It plays the book's best move while there is one, and searches after that."""
    book = Book.load(path)
    player = player_from(f"uct@20{keep} book={path}")
    assert str(player) == f"UCT()@20{keep} book={path}"
    assert player_from(str(player)) == player
    position = po.ConnectFour()
    seat = player.begin(position, np.random.SeedSequence(1))
    from_book = 0
    while not position.is_over:
        choice = seat.choose(position, None)
        best = book.best(position)
        assert (choice.result is None) == (best is not None)
        if best is not None:
            assert (choice.move, choice.value) == (best.move, best.value)
            from_book += 1
        position.push(choice.move)
    seat.close()
    assert from_book == len(book.line(po.ConnectFour())) > 0


def test_a_match_with_a_book(path: Path) -> None:
    players = [f"uct@20 book={path}", "uct@20"]
    match = po.match(*players, game=po.ConnectFour(), games=4, seed=1, openings=0)
    assert match.games == 4
    line = Book.load(path).line(po.ConnectFour())
    first = next(record for record in match.records() if "book=" in record.players[0])
    assert first.position.history[0] == line[0]


def test_a_book_of_another_game_is_refused(path: Path) -> None:
    with pytest.raises(po.BadPosition, match="of another board"):
        player_from(f"uct@20 book={path}").check(po.Othello())
    with pytest.raises(po.BadMethod, match="cannot read positions"):
        player_from(f"uct@20 book={path}x").check(po.ConnectFour())


def test_a_file_is_read_again_after_it_has_changed(path: Path) -> None:
    start = po.ConnectFour()
    assert book_for(start, str(path)) is book_for(start, str(path))
    before = len(book_for(start, str(path)))
    built(po.ConnectFour(), 300).save(path)
    assert len(book_for(start, str(path))) > before


def test_the_book_of_the_package() -> None:
    start = po.Othello()
    book = Book.default(start)
    line = book.line(start)
    assert len(line) > 5
    (file,) = (Path(po.__file__).parent / "learning" / "shipped").glob("othello-8x8.book")
    assert Book.load(file) == book
    later = start.copy()
    for move in line:
        later.push(move)
    assert book_for(later, "default") is book
    seat = player_from("AlphaBeta(depth=1) book=default").begin(start, np.random.SeedSequence(1))
    assert seat.choose(start, None).move == line[0]
    seat.close()
    with pytest.raises(po.BadMethod, match="no opening book for Othello"):
        player_from("uct@20 book=default").check(po.Othello(6))
