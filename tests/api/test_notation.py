"""Moves and positions of UCI, against another program's rules (pyffish, where it is installed)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from mcts_core.errors import BadMethod, BadPosition
from playout import Breakthrough, ConnectFour, Othello, Position
from playout.engines.variants import description, is_known, variant_of
from playout.games import usual_start
from playout.notation import dialect_of, fen_of, last_passes, own_move, position_of, uci_move
from support.noughts import Noughts

STARTS = [
    *(Breakthrough(rows, columns) for rows in range(4, 9) for columns in range(3, 9)),
    *(Othello(size) for size in (4, 6, 8)),
    *(ConnectFour(rows, columns) for rows, columns in ((6, 7), (5, 6), (4, 9))),
]
BOARDS = pytest.mark.parametrize("start", STARTS, ids=variant_of)
GAMES = [1, pytest.param(3, marks=pytest.mark.slow)]  # from each board


@pytest.fixture(scope="module")
def pyffish() -> Any:
    """The rules of Fairy-Stockfish, with the boards that it is told of."""
    module = pytest.importorskip("pyffish")
    described = [description(start) for start in STARTS if not is_known(start)]
    module.load_variant_config("\n".join(described))
    return module


def random_games(start: Position, games: int) -> Iterator[Position]:
    """Each position of some random games, the last one too. The position goes on."""
    for seed in range(8, 8 + games):  # a pass on every board of Othello
        lots = random.Random(seed)
        position = start.copy()
        yield position
        while not position.is_over:
            position.push(lots.choice(position.legal_moves))
            yield position


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_first_game_of_othello_has_a_pass(size: int) -> None:
    assert any(list(p.legal_moves) == ["pass"] for p in random_games(Othello(size), 1))


@BOARDS
def test_round_trip(start: Position) -> None:
    assert usual_start(start) == start
    for position in random_games(start, 2):
        assert position_of(start, fen_of(position)) == position
        for move in position.legal_moves:
            assert own_move(position, uci_move(position, move)) == move


@BOARDS
@pytest.mark.parametrize("games", GAMES)
def test_against_pyffish(start: Position, games: int, pyffish: Any) -> None:
    """The same board, side to move, legal moves, passes and end as in Fairy-Stockfish.

    Each position is reached from the one before; the last one also by the whole game.
    """
    name, passes = variant_of(start), 0
    base = before = pyffish.start_fen(name)
    moves: list[str] = []
    assert base == fen_of(start)
    for position in random_games(start, games):
        fen = fen_of(position)
        if position.history:
            moves.append(last_move(position))
            passes += moves[-1][:2] == moves[-1][2:]
            assert position_of(start, pyffish.get_fen(name, before, moves[-1:])) == position
        else:
            moves = []
        assert pyffish.validate_fen(fen, name) == pyffish.FEN_OK
        legal = [uci_move(position, move) for move in position.legal_moves]
        legal += last_passes(position)[:1]
        assert sorted(pyffish.legal_moves(name, fen, [])) == sorted(legal)
        if position.is_over:
            assert position_of(start, pyffish.get_fen(name, base, moves)) == position
            assert sorted(pyffish.legal_moves(name, base, moves)) == sorted(legal)
        before = fen
    assert passes or not dialect_of(start).has_passes


def last_move(position: Position) -> str:
    """The move that led to a position."""
    before = position.copy()
    last = before.pop()
    return uci_move(before, last)


@pytest.mark.parametrize(
    ("start", "fen", "fault"),
    [
        (Breakthrough(), "pppppppp/8 w 0 1", "8x8"),
        (Breakthrough(5), fen_of(Breakthrough()), "choose the right UCI_Variant"),
        (Breakthrough(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "not 'r'"),
        (Othello(), "8/8/8/8/8/8/8/8", "the side to move"),
        (Othello(), "", "a FEN is"),
        (Othello(4), "pppp/pppp/pppp/ppp9 w 0 1", "4x4"),
    ],
)
def test_wrong_fen(start: Position, fen: str, fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        position_of(start, fen)


@pytest.mark.parametrize("fen", ["8/8/8/3pP3/3Pp3/8/8/8[] b - - 0 1", "8/8/8/3pP3/3Pp3/8/8/8 b"])
def test_fen_without_hand(fen: str) -> None:
    """The discs in hand and the counters say nothing that the board does not."""
    assert position_of(Othello(), fen).turn == 1


def test_passes() -> None:
    """All ways of writing a pass are understood."""
    for text in ("a1a1", "e3e3", "0000", "pass"):
        assert own_move(Othello(), text) == "pass"
    assert own_move(Breakthrough(), "a1a1") == "a1a1"


def test_moves_in_other_coordinates_are_not_taken_for_ours() -> None:
    """`d3` is legal, and means another square to a program that counts rows from the bottom."""
    othello, four = Othello(), ConnectFour()
    assert own_move(othello, "P@e3") == own_move(othello, "p@E3") == "e6"
    assert own_move(othello, "d3") not in othello.legal_moves
    assert own_move(four, "P@d1") == "4"
    assert own_move(four, "P@d2") not in four.legal_moves
    assert own_move(four, "4") not in four.legal_moves


def test_games_that_uci_does_not_have() -> None:
    with pytest.raises(BadMethod, match="UCI is for breakthrough, othello, connect-four"):
        fen_of(Noughts())
