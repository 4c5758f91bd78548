"""The rules of Breakthrough, by hand-made positions."""

from __future__ import annotations

import pytest

import playout as po
from support.helpers import chi_square_z


def position(*lines: str, to_move: str = "w") -> po.Breakthrough:
    """A position from its rows, the last one on top as in a diagram."""
    return po.Breakthrough.from_fen("/".join(lines) + f" {to_move}")


def moves(b: po.Breakthrough) -> str:
    return " ".join(b.legal_moves)


# Boards


@pytest.mark.parametrize("rows", range(3, 9))
@pytest.mark.parametrize("cols", range(3, 9))
@pytest.mark.parametrize("first_rows", [1, 2])
def test_start_position(rows: int, cols: int, first_rows: int) -> None:
    if 2 * first_rows > rows:
        with pytest.raises(po.BadPosition, match="both sides' men must fit"):
            po.Breakthrough(rows, cols, first_rows=first_rows)
        return
    b = po.Breakthrough(rows, cols, first_rows=first_rows)
    lines = ["b"] * first_rows + ["."] * (rows - 2 * first_rows) + ["w"] * first_rows
    assert b.fen == "/".join(man * cols for man in lines) + " w"
    assert (b.rows, b.cols, b.turn, b.is_over, b.result) == (rows, cols, 0, False, None)
    assert b.n_codes == 10 * rows * cols


def test_sizes() -> None:
    assert po.Breakthrough() == po.Breakthrough(8) == po.Breakthrough(8, 8)
    assert po.Breakthrough(6, 5) == po.Breakthrough(rows=6, cols=5) != po.Breakthrough(5, 6)


@pytest.mark.parametrize("size", [2, 9, 0, -3, 5.0, "5", True, 10**30])
def test_sizes_that_do_not_exist(size: object) -> None:
    with pytest.raises(po.BadPosition, match="3 to 8 rows, not"):
        po.Breakthrough(size, 5)
    with pytest.raises(po.BadPosition, match="3 to 8 columns, not"):
        po.Breakthrough(5, size)


@pytest.mark.parametrize("first_rows", [0, 3, -1, "1", 1.5, 1.0])
def test_first_rows_that_do_not_exist(first_rows: object) -> None:
    with pytest.raises(po.BadPosition, match="first_rows must be 1 or 2"):
        po.Breakthrough(8, first_rows=first_rows)


def test_the_number_of_first_rows_is_not_part_of_a_position() -> None:
    two = po.Breakthrough.from_fen("bbbbb/...../...../...../wwwww w")
    assert two == po.Breakthrough(5, first_rows=1)
    assert hash(two) == hash(po.Breakthrough(5, first_rows=1))


def test_equal_rows_on_boards_of_other_sizes_are_other_positions() -> None:
    """The same men on the same squares, with another row or column of empty squares."""
    small = position("...", "b..", "...", "w..")
    assert len({small.key, position("....", "b...", "....", "w...").key}) == 2
    assert small != position("....", "b...", "....", "w...")


# Moves


def test_order_of_moves() -> None:
    """Moves are sorted by the row and column of the from-square, then by column step -1, 0, +1."""
    assert moves(po.Breakthrough(3, first_rows=1)) == "a1a2 a1b2 b1a2 b1b2 b1c2 c1b2 c1c2"
    black = position("bbb", "...", "www", "...", to_move="b")
    assert moves(black) == "a4a3 a4b3 b4a3 b4b3 b4c3 c4b3 c4c3"


def test_men_move_forward_one_row() -> None:
    b = position(".....", "..b..", ".....", "..w..", ".....")
    assert moves(b) == "c2b3 c2c3 c2d3"
    b.push("c2c3")
    assert moves(b) == "c4b3 c4d3"  # c3 is occupied, and men do not capture straight ahead


def test_capture_is_diagonal_only() -> None:
    b = position(".....", ".bbb.", "..w..", ".....", ".....")
    assert moves(b) == "c3b4 c3d4"
    b.push("c3d4")
    assert b.fen == "...../.bbw./...../...../..... b"


def test_no_backward_capture() -> None:
    """White has passed a black man: neither can take the other."""
    b = position(".....", "..w..", ".b.b.", ".....", "w....")
    assert "c4b3" not in b.legal_moves
    assert moves(b) == "a1a2 a1b2 c4b5 c4c5 c4d5"
    assert (
        "b3c4" not in position(".....", "..w..", ".b.b.", ".....", "w....", to_move="b").legal_moves
    )


def test_own_men_block() -> None:
    b = position("b....", ".....", ".www.", "..w..", ".....")
    assert not [move for move in b.legal_moves if move.startswith("c2")]


def test_men_do_not_leave_the_board_at_its_sides() -> None:
    """On 8x8 the square after h1 in memory is a2; on narrow boards it is an unused file."""
    b = position("b.......", *["........"] * 6, "w......w")
    assert moves(b) == "a1a2 a1b2 h1g2 h1h2"
    b = position("b...", "....", "....", "w..w")
    assert moves(b) == "a1a2 a1b2 d1c2 d1d2"
    black = position("b..b", "....", "....", "w...", to_move="b")
    assert moves(black) == "a4a3 a4b3 d4c3 d4d3"


def test_most_moves_possible() -> None:
    """Sixteen men with three moves each."""
    empty = "........"
    b = position("...b....", empty, empty, ".wwww...", empty, ".wwwwww.", empty, ".wwwwww.")
    assert len(b.legal_moves) == b.perft(1) == 48


# The end


def test_white_wins_on_the_last_row() -> None:
    b = position("...b", "w...", "....", "...b", "....")
    b.push("a4a5")
    assert (b.is_over, b.result, b.turn, len(b.legal_moves)) == (True, 1.0, 1, 0)


def test_black_wins_on_the_first_row() -> None:
    b = position("...b", "..w.", "b...", "....", to_move="b")
    b.push("a2a1")
    assert (b.is_over, b.result, b.turn, len(b.legal_moves)) == (True, 0.0, 0, 0)


def test_last_man_captured() -> None:
    b = position("....", ".b..", "w...", "....")
    b.push("a2b3")
    assert (b.is_over, b.result) == (True, 1.0)
    b = position("....", ".b..", "w...", "....", to_move="b")
    b.push("b3a2")
    assert (b.is_over, b.result) == (True, 0.0)


def test_captures_on_the_far_row() -> None:
    b = position("bbb", ".w.", "...", "w..")
    assert moves(b) == "a1a2 a1b2 b3a4 b3c4"
    b.push("b3c4")
    assert (b.fen, b.result) == ("bbw/.../.../w.. b", 1.0)


def test_the_side_to_move_need_not_be_the_loser() -> None:
    """A position given as text may be over with either side to move."""
    for to_move in "wb":
        assert position("w..", "...", "b..", "..w", to_move=to_move).result == 1.0
        assert position("b..", "...", "w..", "b..", to_move=to_move).result == 0.0


# Codes


def test_codes() -> None:
    """5*(cols*row + col) + d, and 5*rows*cols more for Black; 6 rows, 5 columns."""
    b = position("bbbbb", ".....", ".b.b.", "..w..", ".....", "wwwww")
    assert {str(move): b.code(move) for move in b.legal_moves if move.startswith("c3")} == {
        "c3b4": 5 * 12 + 4,  # lower column, capture
        "c3c4": 5 * 12 + 0,  # straight
        "c3d4": 5 * 12 + 2,  # higher column, capture
    }
    assert b.code("c1b2") == 5 * 2 + 3  # lower column onto an empty square
    assert b.code("c1d2") == 5 * 2 + 1  # higher column onto an empty square
    black = position("bbbbb", ".....", ".b.b.", "..w..", ".....", "wwwww", to_move="b")
    assert black.code("d4c3") == 150 + 5 * 18 + 4
    assert black.code("d4d3") == 150 + 5 * 18 + 0
    assert black.code("d4e3") == 150 + 5 * 18 + 1
    assert black.code("b4c3") == 150 + 5 * 16 + 2


# Guided playouts


def first_moves(b: po.Position, games: int) -> dict[str, int]:
    """How often guided playouts began with each move."""
    counts: dict[str, int] = dict.fromkeys(b.legal_moves, 0)
    for seed in range(games):
        counts[po.playout(b, seed=seed, policy="guided").moves[0]] += 1
    return counts


def shares(b: po.Position, weights: dict[str, int]) -> None:
    """Guided playouts begin with these moves in proportion to their weights, and with no other."""
    counts = first_moves(b, 1000 * len(weights))
    assert {move for move, n in counts.items() if n} == set(weights)
    if len(weights) > 1:
        assert abs(chi_square_z([counts[m] for m in weights], list(weights.values()))) < 4


def test_guided_playouts_win_when_they_can() -> None:
    """All winning moves are equally likely, even if a man about to win could be taken."""
    shares(position("bb.", "..w", ".b.", "w.w"), {"c3b4": 1, "c3c4": 1})
    black = position("b.b", ".w.", "..b", "ww.", to_move="b")
    shares(black, {"c2b1": 1, "c2c1": 1})


def test_guided_playouts_take_the_last_man() -> None:
    shares(position("...", ".b.", "w.w", "..."), {"a2b3": 1, "c2b3": 1})


def test_guided_playouts_stop_a_man_about_to_win() -> None:
    """b2 must be taken; taking the undefended d4 would be too late."""
    b = position("bb...", "...b.", "..w..", ".b...", "w.w..")
    shares(b, {"a1b2": 1, "c1b2": 1})
    black = position("..b.b", "...w.", "..b..", ".w...", "ww...", to_move="b")
    shares(black, {"c5d4": 1, "e5d4": 1})


def test_guided_playouts_do_not_pass_over_a_threat_nobody_can_take() -> None:
    """b2 is about to win and cannot be taken, so the weights decide as usual."""
    b = position("b....", "...b.", "..w..", ".b...", ".w...")
    shares(b, {"c3d4": 4, "c3c4": 1, "c3b4": 1, "b1a2": 1, "b1c2": 1})


@pytest.mark.traced_slowly
def test_weights_of_guided_playouts() -> None:
    """4 for taking an undefended man, 2 for another capture, 1 for other moves."""
    b = position("b.b.b", "...b.", "b.b.b", ".w.w.", "..w..")
    weights = {"b2a3": 4, "b2c3": 2, "d2c3": 2, "d2e3": 2, "b2b3": 1, "d2d3": 1, "c1c2": 1}
    shares(b, weights)
    mirrored = position("..b..", ".b.b.", "w.w.w", "...w.", "w.w.w", to_move="b")
    turned = {"b4a3": 4, "b4c3": 2, "d4c3": 2, "d4e3": 2, "b4b3": 1, "d4d3": 1, "c5c4": 1}
    shares(mirrored, turned)
