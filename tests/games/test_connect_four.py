"""The rules of Connect Four, by hand-made positions and published figures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import playout as po
from mcts_core.games import connect_four_lanes, connect_four_rules
from support.helpers import chi_square_z, random_game

SIZES = [(rows, cols) for rows in range(4, 10) for cols in range(4, 10) if (rows + 1) * cols <= 64]


def after(moves: str, start: po.ConnectFour | None = None) -> po.ConnectFour:
    position = po.ConnectFour() if start is None else start.copy()
    for move in moves:
        position.push(move)
    return position


def next_level(positions: Iterable[po.ConnectFour]) -> dict[str, po.ConnectFour]:
    """The positions one ply on, by their text."""
    found = {}
    for position in positions:
        for move in position.legal_moves:
            child = position.copy()
            child.push(move)
            found[child.fen] = child
    return found


# Boards


def test_start_positions() -> None:
    start = po.ConnectFour()
    assert start.fen == "/".join(["......."] * 6) + " x"
    assert (start.rows, start.cols, start.n_codes) == (6, 7, 84)
    assert start == po.ConnectFour(6) == po.ConnectFour(6, 7) == po.ConnectFour(rows=6, cols=7)
    assert po.ConnectFour(4, 5).fen == "...../...../...../..... x"


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_size(size: tuple[int, int]) -> None:
    """The largest boards work; one more column would not fit or would need two digits."""
    rows, cols = size
    plies = 0
    for seed in range(20):
        *_, end = random_game(po.ConnectFour(rows, cols), seed)
        assert {len(row) for row in end.board.rows} == {cols}
        assert len(end.board.rows) == rows
        plies = max(plies, len(end.history))
    assert plies > rows * cols / 2
    with pytest.raises(po.BadPosition):
        po.ConnectFour(rows, 64 // (rows + 1) + 1)


def test_the_kernel_is_compiled_for_every_level_that_the_rules_are() -> None:
    """Without vectors the kernel is not used, and games are played one by one."""
    assert connect_four_lanes.__file__ is not None
    assert Path(connect_four_lanes.__file__).parent == Path(connect_four_rules.__file__).parent


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_many_games_at_once_are_the_same_games(size: tuple[int, int]) -> None:
    """From positions of either side, the kernel plays the same games as the plain loop."""
    po.check_game(po.ConnectFour(*size), games=5)


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ((3, 7), "has 4 to 9 rows, not 3"),
        ((6, 10), "has 4 to 9 columns, not 10"),
        ((8, 8), "of 8 rows has at most 7 columns, not 8"),
        ((7, 9), "of 7 rows has at most 8 columns, not 9"),
        (("6", 7), "has 4 to 9 rows, not '6'"),
        ((6, 7.5), "has 4 to 9 columns, not 7.5"),
    ],
)
def test_sizes_that_are_none(size: tuple[int, int], message: str) -> None:
    with pytest.raises(po.BadPosition, match=message):
        po.ConnectFour(*size)


# Moves


def test_discs_fall_to_the_lowest_free_square() -> None:
    assert after("3323", po.ConnectFour(4, 5)).fen == "...../..o../..o../.xx.. x"


def test_a_full_column_is_no_move() -> None:
    position = after("444444")
    assert "".join(position.legal_moves) == "123567"
    with pytest.raises(po.IllegalMove, match="'4' is not legal here"):
        position.push("4")


def test_the_board_is_drawn_with_white_and_black_men() -> None:
    position = after("4435")
    assert str(position).splitlines()[4:] == [
        "2  . . . b . . .",
        "1  . . w w b . .",
        "   1 2 3 4 5 6 7   white to move",
    ]
    assert position.board.marked == {(5, 4)}
    assert position.board.targets is not None
    assert [position.board.targets[move][0] for move in "1234567"] == [5, 5, 4, 3, 4, 5, 5]


@pytest.mark.parametrize(
    "moves",
    [
        "1212121",  # vertical
        "1122334",  # horizontal
        "12233434464",  # diagonal
        "76655454424",  # the other diagonal
        "712233434464",  # Black, a diagonal again
    ],
)
def test_the_fourth_in_a_line_wins(moves: str) -> None:
    before = after(moves[:-1])
    assert (before.is_over, before.result) == (False, None)
    end = after(moves)
    assert (end.is_over, end.legal_moves) == (True, ())
    assert end.result == (1.0 if len(moves) % 2 else 0.0)
    assert end.board.caption == ("white has won" if len(moves) % 2 else "black has won")


def test_no_line_runs_from_the_top_of_a_column_into_the_next() -> None:
    position = po.ConnectFour.from_fen("x....../x....../o....../o....../ox.o.../xx.o... x")
    assert not position.is_over


def test_a_full_board_without_a_line_is_a_draw() -> None:
    draws = 0
    for seed in range(100):
        *_, end = random_game(po.ConnectFour(4, 4), seed)
        if end.result == 0.5:
            draws += 1
            assert len(end.history) == 16
            assert end.board.caption == "a draw"
    assert draws > 10


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("..../..../..../....", "expected the rows and the side to move"),
        ("..../..../..../.... w", "expected the rows and the side to move"),
        ("..../..../.... x", "has 4 to 9 rows, not 3"),
        ("..../.../..../.... x", "row 3 has 3 squares, row 1 has 4"),
        ("..../..../..../.w.. o", "'w' in row 1, column 2; only 'x', 'o' and '.'"),
        ("..../..../..x./.... o", "the disc in row 2, column 3 has none below it"),
        ("..../..../..../.x.. x", "1 'x' and 0 'o' with 'x' to move"),
        ("..../..../..../.oo. x", "0 'x' and 2 'o' with 'x' to move"),
        ("..../ooo./ooo./xxxx o", "4 'x' and 6 'o' with 'o' to move"),
        ("x.../xo../xo../xo.o x", "'x' has four in a line and is to move"),
        (7, "a Connect Four position is a line of text, not 7"),
    ],
)
def test_lines_of_text_that_are_no_position(fen: str, message: str) -> None:
    with pytest.raises(po.BadPosition) as raised:
        po.ConnectFour.from_fen(fen)
    assert message in str(raised.value)


def test_capitals_are_read() -> None:
    assert po.ConnectFour.from_fen("..../..../..../.XO. X") == after("23", po.ConnectFour(4, 4))


# Codes, kinds


def test_codes() -> None:
    """The square where the disc lands, row by row from the lowest; Black's codes after White's."""
    position = after("44")
    assert [position.code(move) for move in position.legal_moves] == [0, 1, 2, 17, 4, 5, 6]
    position.push("4")
    assert [position.code(move) for move in position.legal_moves] == [42, 43, 44, 66, 46, 47, 48]


def test_a_bias_for_each_distance_from_the_edge() -> None:
    for cols, n_kinds in ((4, 2), (7, 4), (9, 5)):
        start = po.ConnectFour(6, cols)
        bias = [1e-4] * n_kinds
        found = po.search(start, po.RAVE(bias=bias, scale="kind"), playouts=50, seed=1)
        assert found.playouts == 50
        with pytest.raises(po.BadMethod, match=f"this game's {n_kinds} kinds"):
            po.search(start, po.RAVE(bias=[*bias, 1e-4], scale="kind"), playouts=50, seed=1)


# Guided playouts


@pytest.mark.parametrize(
    ("moves", "choices"),
    [
        ("", "1234567"),
        ("112233", "4"),  # wins
        ("1122335", "4"),  # would win for White
        ("12131", "1"),  # stops three in a column
        ("2233", "1234567"),  # two in a line are not a threat
        ("223344", "15"),  # both win
    ],
)
def test_guided_playouts_win_or_stop_a_win(moves: str, choices: str) -> None:
    position = after(moves)
    counts = dict.fromkeys(choices, 0)
    games = 300 * len(choices)
    for seed in range(games):
        counts[po.playout(position, seed=seed, policy="guided").moves[0]] += 1
    assert set(counts) == set(choices)
    if len(choices) > 1:
        assert abs(chi_square_z(list(counts.values()))) < 4


# Published figures


def test_positions_after_each_ply() -> None:
    """The numbers of OEIS A212693. No two positions share a key."""
    level = {"": po.ConnectFour()}
    for n in (7, 49, 238, 1120, 4263, 16422):
        level = next_level(level.values())
        assert len(level) == n
        assert len({position.key for position in level.values()}) == n


@pytest.mark.slow
def test_positions_of_the_smallest_board() -> None:
    """There are 161,029 positions on 4x4 (J. Tromp), and as many keys."""
    level = {"": po.ConnectFour(4, 4)}
    n, keys = 0, set()
    while level:
        n += len(level)
        keys |= {position.key for position in level.values()}
        level = next_level(level.values())
    assert n == len(keys) == 161_029


@pytest.mark.parametrize(
    ("rows", "cols", "value"),
    [(4, 4, 0.5), (4, 5, 0.5), (5, 4, 0.5), (6, 4, 0.5)],
)
def test_small_boards_are_draws(rows: int, cols: int, value: float) -> None:
    found = po.solve(po.ConnectFour(rows, cols))
    assert found.value == value
    end = after("".join(found.pv), po.ConnectFour(rows, cols))
    assert end.result == value


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "value"), [(5, 5, 0.5), (4, 6, 0.0)])
def test_larger_boards(rows: int, cols: int, value: float) -> None:
    assert po.solve(po.ConnectFour(rows, cols)).value == value


def test_positions_of_the_standard_board_near_the_end() -> None:
    """The solver and a plain search of all games agree."""
    for seed in range(20):
        game = [p.copy() for p in random_game(po.ConnectFour(), seed)]
        for position in game[28:-1]:
            assert po.solve(position).value == best_value(position, {})


def best_value(position: po.Position, known: dict[str, float]) -> float:
    """The value to the side to move under best play, by searching all games."""
    if position.is_over:
        result = position.result or 0.0
        return result if position.turn == 0 else 1.0 - result
    if position.fen not in known:
        best = 0.0
        for move in position.legal_moves:
            position.push(move)
            best = max(best, 1.0 - best_value(position, known))
            position.pop()
        known[position.fen] = best
    return known[position.fen]
