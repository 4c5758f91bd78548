"""A game outside the package, compiled against the installed .pxd files: tests/games/tictactoe.pyx.

It has no `playout` of its own, so the engine's default is tested too.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from functools import cache
from types import ModuleType

import pytest

import playout as po
from playout.testing import children

PERFT = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


@pytest.mark.traced_slowly
def test_perft(tictactoe: ModuleType) -> None:
    start = tictactoe.TicTacToe()
    assert [start.perft(depth) for depth in range(10)] == PERFT
    assert start.perft(10) == 0  # nobody can move ten times


def test_number_of_positions_and_games(tictactoe: ModuleType) -> None:
    """The well-known figures: 5,478 positions can arise, and 255,168 games can be played."""
    start = tictactoe.TicTacToe()
    ways = {start: 1}  # the number of move sequences to each position of a ply
    positions = games = 0
    while ways:
        positions += len(ways)
        games += sum(n for position, n in ways.items() if position.is_over)
        following: Counter[po.Position] = Counter()
        for position, n in ways.items():
            for child in children(position):
                following[child] += n
        ways = following
    assert positions == 5478
    assert games == 255168


def test_winning_lines(tictactoe: ModuleType) -> None:
    """All eight lines win, for either side; a full board without one is drawn."""
    lines = ["XXX------", "---XXX---", "------XXX", "X--X--X--"]
    lines += ["-X--X--X-", "--X--X--X", "X---X---X", "--X-X-X--"]
    for line in lines:
        assert tictactoe.TicTacToe(line, "O").result == 1.0
        assert tictactoe.TicTacToe(line.replace("X", "O"), "X").result == 0.0
    assert tictactoe.TicTacToe("XOXXOOOXX", "O").result == 0.5
    assert tictactoe.TicTacToe("XX-OO----", "X").result is None


@pytest.mark.traced_slowly
def test_random_games(tictactoe: ModuleType) -> None:
    """A million random games agree with the exact probabilities over all games."""

    @cache
    def exactly(position: po.Position) -> tuple[float, float, float]:
        """The probabilities of a first player's win and of a draw, and the expected plies."""
        if position.is_over:
            return position.result == 1.0, position.result == 0.5, 0
        after = [exactly(child) for child in children(position)]
        win, draw, plies = (sum(column) / len(after) for column in zip(*after, strict=True))
        return win, draw, plies + 1

    start = tictactoe.TicTacToe()
    win, draw, plies = exactly(start)
    assert (round(win, 3), round(draw, 3)) == (0.585, 0.127)
    n = 1_000_000
    many = po.playouts(start, n, seed=1)
    assert many.wins / n == pytest.approx(win, abs=4 * (win * (1 - win) / n) ** 0.5)
    assert many.draws / n == pytest.approx(draw, abs=4 * (draw * (1 - draw) / n) ** 0.5)
    assert many.plies / n == pytest.approx(plies, abs=4 * 2 / n**0.5)  # plies are 5 to 9


def test_no_guided_playouts(tictactoe: ModuleType) -> None:
    with pytest.raises(ValueError, match="no guided playouts"):
        po.playouts(tictactoe.TicTacToe(), 10, seed=1, policy="guided")


def test_bad_text(tictactoe: ModuleType) -> None:
    for squares, side in (("XO", "X"), ("XO-------", "x"), ("XOA------", "X")):
        with pytest.raises(po.BadPosition, match="expected nine squares"):
            tictactoe.TicTacToe(squares, side)


GAME_FIELDS = ("abi", "state_size", "max_moves", "max_plies", "n_codes")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("abi", 99, "compiled for contract 99"),
        ("state_size", 257, "a game's state takes 1 to 256 bytes"),
        ("state_size", 0, "a game's state takes 1 to 256 bytes"),
        ("max_moves", 1025, "its moves number 1 to 1024"),
        ("max_plies", 0, "needs max_plies"),
        ("n_codes", 2**21, "n_codes from . to 2"),
    ],
)
def test_games_against_the_contract(
    tictactoe: ModuleType, field: str, value: int, message: str
) -> None:
    """The sizes are the first ints of the struct. One of them is made wrong temporarily."""
    start = tictactoe.TicTacToe()
    api = ctypes.pythonapi
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    address = api.PyCapsule_GetPointer(start.capsule, b"mcts_core.game_t")
    number = (ctypes.c_int * len(GAME_FIELDS)).from_address(address)
    place = GAME_FIELDS.index(field)
    right = number[place]
    number[place] = value
    try:
        with pytest.raises(ValueError, match=message):
            _ = start.capsule
    finally:
        number[place] = right
    assert start.capsule is not None
