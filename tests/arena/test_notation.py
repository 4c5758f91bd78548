"""Positions and moves as UCI engines write them, held against another program's rules.

pyffish is Fairy-Stockfish as a Python module.
"""

from __future__ import annotations

import random

import pytest

import playout as po
from playout.engines.notation import PASS, dialect_of, usual_start

pyffish = pytest.importorskip("pyffish")

GAMES = [
    *(po.Breakthrough(rows, columns) for rows in range(4, 9) for columns in range(3, 9)),
    po.Othello(8),
    po.Othello(6),
    po.ConnectFour(),
    po.ConnectFour(5, 6),
    po.ConnectFour(4, 9),
]


def variant_of(start: po.Position) -> str:
    """Its name in pyffish, to which it is described if it does not know it."""
    dialect = dialect_of(start)
    rows = start.board.rows
    if (len(rows), len(rows[0])) in dialect.known:
        return dialect.variant
    name = f"{dialect.variant}{len(rows)}x{len(rows[0])}"
    if name not in pyffish.variants():
        pyffish.load_variant_config(dialect.variants_file(name, start))
    return name


@pytest.mark.parametrize(
    "start", GAMES, ids=lambda p: f"{type(p).__name__}{len(p.board.rows)}x{len(p.board.rows[0])}"
)
def test_the_same_moves_are_legal(start: po.Position) -> None:
    """In every position of random games, from its FEN and from the moves that led there."""
    variant, dialect = variant_of(start), dialect_of(start)
    assert usual_start(start) == start
    chance = random.Random(1)
    for _ in range(10):
        position, moves, base = start.copy(), [], pyffish.start_fen(variant)
        while not position.is_over:
            ours = position.legal_moves
            written = {dialect.write(move, position): move for move in ours if move != PASS}
            for fen, path in ((dialect.fen(position), []), (base, moves)):
                theirs = pyffish.legal_moves(variant, fen, path)
                if list(ours) == [PASS]:
                    assert all(move[:2] == move[2:] for move in theirs)
                else:
                    assert sorted(theirs) == sorted(written)
            for text, move in written.items():
                assert dialect.read(text, position) == move
            move = chance.choice(list(ours))
            if move == PASS:
                base, moves = "", []
            else:
                moves.append(dialect.write(move, position))
            position.push(move)
            base = base or dialect.fen(position)


def test_moves_in_other_coordinates_are_not_taken_for_ours() -> None:
    """`d3` is legal, and means another square to an engine that counts rows from the bottom."""
    othello, four = po.Othello(), po.ConnectFour()
    assert dialect_of(othello).read("P@e3", othello) == "e6"
    assert dialect_of(othello).read("d3", othello) not in othello.legal_moves
    assert dialect_of(four).read("P@d1", four) == "4"
    assert dialect_of(four).read("P@d2", four) not in four.legal_moves
    assert dialect_of(four).read("4", four) not in four.legal_moves
