"""Moves and positions of UCI, against another program's rules (pyffish, where it is installed)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from mcts_core.errors import BadPosition
from mcts_core.position import Position
from playout import Breakthrough, Othello
from playout.serving.notation import VARIANTS, fen_of, last_passes, own_move, position_of, uci_move

# How Fairy-Stockfish is told of boards that it does not have: its own ones with other sizes.
BREAKTHROUGH = """
[breakthrough{size}:breakthrough]
maxRank = {size}
maxFile = {size}
startFen = {fen}
flagRegionWhite = *{size}
"""
FLIPELLO = """
[flipello{size}:flipello]
maxRank = {size}
maxFile = {size}
startFen = {fen}
enclosingDropStart = {middle}
"""
GAMES = 4


@pytest.fixture(scope="module")
def pyffish() -> Any:
    """The rules of Fairy-Stockfish, with our variants."""
    module = pytest.importorskip("pyffish")
    texts = [BREAKTHROUGH.format(size=n, fen=fen_of(Breakthrough(n))) for n in (5, 6, 7)]
    for n, middle in ((4, "b2 c2 b3 c3"), (6, "c3 d3 c4 d4")):
        texts.append(FLIPELLO.format(size=n, fen=fen_of(Othello(n)), middle=middle))
    module.load_variant_config("".join(texts))
    return module


def random_games(name: str, games: int) -> Iterator[Position]:
    """Each position of some random games, the last one too. The position goes on."""
    for seed in range(games):
        lots = random.Random(seed)
        position = VARIANTS[name].start()
        yield position
        while not position.is_over:
            position.push(lots.choice(position.legal_moves))
            yield position


@pytest.mark.parametrize("name", VARIANTS)
def test_round_trip(name: str) -> None:
    for position in random_games(name, 3):
        assert position_of(name, fen_of(position)) == position
        for move in position.legal_moves:
            assert own_move(position, uci_move(position, move)) == move


@pytest.mark.parametrize("name", VARIANTS)
def test_against_pyffish(name: str, pyffish: Any) -> None:
    """The same board, side to move, legal moves, passes and end as in Fairy-Stockfish."""
    start, passes = pyffish.start_fen(name), 0
    assert start == fen_of(VARIANTS[name].start())
    for position in random_games(name, GAMES):
        fen, moves = fen_of(position), uci_moves(position)
        passes += moves[-1:] != [] and moves[-1][:2] == moves[-1][2:]
        assert position_of(name, pyffish.get_fen(name, start, moves)) == position
        assert pyffish.validate_fen(fen, name) == pyffish.FEN_OK
        legal = [uci_move(position, move) for move in position.legal_moves]
        legal += last_passes(position)[:1]
        assert sorted(pyffish.legal_moves(name, fen, [])) == sorted(legal)
        assert sorted(pyffish.legal_moves(name, start, moves)) == sorted(legal)
    assert passes or not name.startswith("flipello")


def uci_moves(position: Position) -> list[str]:
    """The game that led to a position."""
    walk = position.copy()
    moves = []
    while walk.history:
        move = walk.pop()
        moves.append(uci_move(walk, move))
    return moves[::-1]


@pytest.mark.parametrize(
    ("name", "fen", "fault"),
    [
        ("breakthrough", "pppppppp/8 w 0 1", "8x8"),
        ("breakthrough5", fen_of(Breakthrough()), "choose the right UCI_Variant"),
        ("breakthrough", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "not 'r'"),
        ("flipello", "8/8/8/8/8/8/8/8", "the side to move"),
        ("flipello", "", "a FEN is"),
        ("flipello4", "pppp/pppp/pppp/ppp9 w 0 1", "4x4"),
    ],
)
def test_wrong_fen(name: str, fen: str, fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        position_of(name, fen)


@pytest.mark.parametrize("fen", ["8/8/8/3pP3/3Pp3/8/8/8[] b - - 0 1", "8/8/8/3pP3/3Pp3/8/8/8 b"])
def test_fen_without_hand(fen: str) -> None:
    """The discs in hand and the counters say nothing that the board does not."""
    assert position_of("flipello", fen).turn == 1


def test_passes() -> None:
    """All ways of writing a pass are understood."""
    for text in ("a1a1", "e3e3", "0000", "pass"):
        assert own_move(Othello(), text) == "pass"
    assert own_move(Breakthrough(), "a1a1") == "a1a1"
