"""The rules of Othello, by hand-made positions."""

from __future__ import annotations

import pytest

import playout as po
from support.helpers import chi_square_z

PERFECT = (
    "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2"
    "G3H4F1E1F2G1B1F8G8B3H3B2H5B7A3A4A1A2C1H2H1G2B8A8G7H8H7H6"
)


def position(*lines: str, to_move: str = "X") -> po.Othello:
    """A position from its rows, row 1 on top."""
    return po.Othello.from_fen("".join(lines) + f" {to_move}")


def moves(o: po.Othello) -> str:
    return " ".join(o.legal_moves)


# Boards


def test_start_positions() -> None:
    assert po.Othello().fen == "---------------------------OX------XO--------------------------- X"
    assert po.Othello(6).fen == "--------------OX----XO-------------- X"
    assert po.Othello(4).fen == "-----OX--XO----- X"
    assert po.Othello() == po.Othello(8)
    assert [moves(po.Othello(size)) for size in (4, 6, 8)] == [
        "b1 a2 d3 c4",
        "c2 b3 e4 d5",
        "d3 c4 f5 e6",
    ]
    assert [po.Othello(size).n_codes for size in (4, 6, 8)] == [34, 74, 130]


@pytest.mark.parametrize("size", [0, 5, 7, 10, 8.0, "8", True, None, -4])
def test_sizes_that_do_not_exist(size: object) -> None:
    with pytest.raises(po.BadPosition, match="a size of 8, 6 or 4, not"):
        po.Othello(size)


# Moves


def test_flips_in_all_eight_directions() -> None:
    """Lines of one to three discs, each with a black disc at its end."""
    o = position(
        "X--X--X-",
        "-O-O-O--",
        "--OOO---",
        "XOO-OOOX",
        "--OOO---",
        "-O-O-O--",
        "X--O--X-",
        "---X----",
    )
    o.push("d4")
    assert o.discs == (27, 0)


def test_lines_without_a_disc_at_the_end_are_not_flipped() -> None:
    """To the right the line leaves the board; downwards it has a gap."""
    o = position("-OOO", "O---", "-X--", "X-X-")
    assert "a1" not in o.legal_moves
    o = position("-OOO", "OO--", "X-X-", "----")
    o.push("a1")
    assert o.fen == "XOOOXX--X-X----- O"


def test_lines_do_not_run_round_the_edge() -> None:
    """h1 and a2 are neighbours in memory only."""
    o = position("------XO", "O-------", "X-------", *["--------"] * 5)
    assert moves(o) == "a1"
    o = position("------X-", "O-------", "--------", *["--------"] * 4, "------OX")
    assert "h1" not in o.legal_moves


def test_a_square_that_flips_nothing_is_not_a_move() -> None:
    with pytest.raises(po.IllegalMove, match=r"'e3' is not legal here.* Legal: d3 c4 f5 e6"):
        po.Othello().push("e3")
    with pytest.raises(po.IllegalMove, match="'pass' is not legal here"):
        po.Othello().push("pass")


# Passes and the end


def test_pass_when_only_the_opponent_can_move() -> None:
    o = position("XO--", "----", "----", "----", to_move="O")
    assert moves(o) == "pass"
    before = o.key
    o.push("pass")
    assert (o.turn, o.fen, moves(o)) == (0, "XO-------------- X", "c1")
    assert o.key != before
    assert str(o.pop()) == "pass"


def test_two_passes_end_the_game_and_are_not_played() -> None:
    """Neither side can move and squares are empty: the game is over without a pass."""
    for to_move in "XO":
        o = position("XX--", "----", "---O", "----", to_move=to_move)
        assert (moves(o), o.is_over, o.result) == ("", True, 1.0)


def test_wipe_out() -> None:
    o = position("XO--", "----", "----", "----")
    o.push("c1")
    assert (o.is_over, o.result, o.discs) == (True, 1.0, (3, 0))
    o = position("-XO-", "----", "----", "----", to_move="O")
    o.push("a1")
    assert (o.is_over, o.result, o.discs) == (True, 0.0, (0, 3))


def test_draw() -> None:
    o = position("XXXX", "XXXX", "OOOO", "OOOO")
    assert (o.is_over, o.result, o.turn) == (True, 0.5, 0)
    assert position("----", "----", "----", "----").result == 0.5


def test_the_majority_of_discs_wins_whoever_is_to_move() -> None:
    for to_move in "XO":
        assert position("XXXX", "XXXX", "OOOO", "OOOX", to_move=to_move).result == 1.0
        assert position("XXXX", "XXXO", "OOOO", "OOOO", to_move=to_move).result == 0.0


def test_the_perfect_game_is_drawn() -> None:
    """As long as nobody passes, it is 60 moves; the line gives them without passes."""
    o = po.Othello()
    for start in range(0, len(PERFECT), 2):
        if o.legal_moves == ("pass",):
            o.push("pass")
        o.push(PERFECT[start : start + 2])
    assert (o.is_over, o.discs, o.result) == (True, (32, 32), 0.5)
    assert sum(move != "pass" for move in o.history) == 60


# Codes


@pytest.mark.parametrize(
    ("size", "first", "codes"),
    [(8, 0, [19, 26, 37, 44]), (6, 0, [8, 13, 22, 27]), (4, 0, [1, 4, 11, 14])],
)
def test_codes(size: int, first: int, codes: list[int]) -> None:
    """The square, counted row by row from a1; White's codes follow Black's squares and pass."""
    o = po.Othello(size)
    assert [o.code(move) for move in o.legal_moves] == codes
    move = o.push(o.legal_moves[0])
    for reply in o.legal_moves:
        row, col = int(reply[1]) - 1, "abcdefgh".index(reply[0])
        assert o.code(reply) == size * size + 1 + size * row + col
    assert move == o.pop()


def test_codes_of_passes() -> None:
    assert position("XO--", "----", "----", "----", to_move="O").code("pass") == 17 + 16
    assert position("OX--", "----", "----", "----").code("pass") == 16


# Guided playouts


def first_moves(o: po.Othello, games: int) -> dict[str, int]:
    """How often guided playouts began with each move."""
    counts: dict[str, int] = dict.fromkeys(o.legal_moves, 0)
    for seed in range(games):
        counts[po.playout(o, seed=seed, policy="guided").moves[0]] += 1
    return counts


@pytest.mark.traced_slowly
@pytest.mark.parametrize(
    ("o", "weights"),
    [
        (
            # a2 is next to the corner a1, which is taken
            position("X---", "-XOO", "-XXX", "----", to_move="O"),
            {"a4": 16, "d4": 16, "a2": 4, "b4": 1, "c4": 1},
        ),
        (po.Othello(), {"d3": 4, "c4": 4, "f5": 4, "e6": 4}),
        (po.Othello(4), {"b1": 1, "a2": 1, "d3": 1, "c4": 1}),
        (po.Othello(6), {"c2": 4, "b3": 4, "e4": 4, "d5": 4}),
    ],
)
def test_weights_of_guided_playouts(o: po.Othello, weights: dict[str, int]) -> None:
    """16 for a corner, 1 for a square next to an empty corner, 4 for any other."""
    counts = first_moves(o, 1000 * len(weights))
    assert set(counts) == set(weights)
    assert abs(chi_square_z([counts[m] for m in weights], list(weights.values()))) < 4
