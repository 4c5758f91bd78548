"""Moves keep their own code: `legal_moves` makes them when asked, `push` compares no texts."""

from __future__ import annotations

import copy
import gc
import json
import pickle
import random
import threading
import weakref
from collections.abc import Sequence

import numpy as np
import pytest

import playout as po
from mcts_core.games.python_game import PythonPosition
from support.helpers import Heap

SMALL = po.Breakthrough(3, first_rows=1)
TEXTS = ("a1a2", "a1b2", "b1a2", "b1b2", "b1c2", "c1b2", "c1c2")


def test_legal_moves_behave_like_a_tuple() -> None:
    moves = SMALL.legal_moves
    assert isinstance(moves, Sequence)
    assert moves == TEXTS
    assert moves == SMALL.copy().legal_moves
    assert hash(moves) == hash(TEXTS)
    assert moves != list(TEXTS)
    assert moves != TEXTS[:-1]
    assert (len(moves), moves[-1], moves[1:3]) == (7, "c1c2", ("a1b2", "b1a2"))
    assert (tuple(moves), [*reversed(moves)]) == (TEXTS, [*TEXTS[::-1]])
    assert (moves.index("b1b2"), moves.count("b1b2"), moves.count("a2a3")) == (3, 1, 0)
    assert pickle.loads(pickle.dumps(moves)) == copy.deepcopy(moves) == TEXTS
    for wrong in (7, -8):
        with pytest.raises(IndexError, match="index"):
            moves[wrong]
    with pytest.raises(ValueError, match="not in tuple"):
        moves.index("a2a3")
    with pytest.raises(TypeError):
        moves["a1a2"]  # type: ignore[call-overload]


def test_legal_moves_stay_those_of_their_position() -> None:
    """Nothing has asked for the moves before the push, so they are made after it."""
    position = SMALL.copy()
    moves = position.legal_moves
    position.push("a1a2")
    assert len(moves) == 7
    assert moves[0] == "a1a2"
    assert moves == TEXTS
    assert position.legal_moves != TEXTS


def test_a_move_is_made_once_for_its_game() -> None:
    assert po.Breakthrough().legal_moves[0] is po.Breakthrough().legal_moves[0]
    assert po.Breakthrough().push("a2a3") is po.Breakthrough().legal_moves[0]


def test_a_move_serves_as_text() -> None:
    move = SMALL.legal_moves[1]
    assert isinstance(move, str)
    assert json.loads(json.dumps({move: [move]})) == {"a1b2": ["a1b2"]}
    assert sorted(SMALL.legal_moves, reverse=True) == [*TEXTS[::-1]]
    assert np.array([*SMALL.legal_moves]).tolist() == [*TEXTS]


@pytest.mark.parametrize("start", [po.Breakthrough(), po.Othello(), po.ConnectFour()], ids=repr)
def test_a_move_of_another_position_is_checked(start: po.Position) -> None:
    """It is played if it is legal here, and otherwise refused, whatever its number is."""
    position, choice = start.copy(), random.Random(1)
    others = [*po.Breakthrough().legal_moves, *po.Othello().legal_moves]
    others += [*po.ConnectFour().legal_moves, *po.Breakthrough(4).legal_moves]
    while not position.is_over:
        for move in others:
            if move in position.legal_moves:
                assert position.push(move) == move
                position.pop()
            else:
                with pytest.raises(po.IllegalMove, match=f"'{move}' is not legal here"):
                    position.push(move)
        others.append(position.push(position.random_move(choice)))


def test_a_move_from_a_pickle_is_played_as_the_games_own() -> None:
    position = SMALL.copy()
    loaded = pickle.loads(pickle.dumps(position.legal_moves[2]))
    assert loaded is not position.legal_moves[2]
    assert position.push(loaded) is SMALL.legal_moves[2]


def test_a_forged_number_is_not_believed() -> None:
    """The text decides, and the number of the legal move with that text is played."""
    position = SMALL.copy()
    assert position.push(po.Move("a1a2", SMALL.legal_moves[5].raw)).raw == SMALL.legal_moves[0].raw
    with pytest.raises(po.IllegalMove, match="'z9' is not legal here"):
        SMALL.copy().push(po.Move("z9", SMALL.legal_moves[0].raw))


def test_derived_classes_write_moves_in_their_own_way() -> None:
    class Loud(po.Breakthrough):
        """Writes moves in capitals."""

        def move_text(self, raw: int) -> str:
            return super().move_text(raw).upper()

        def normal_text(self, text: str) -> str:
            return text.upper()

    assert Loud(3, first_rows=1).legal_moves == tuple(text.upper() for text in TEXTS)
    assert Loud(3, first_rows=1).push("a1a2") == "A1A2"
    assert SMALL.legal_moves == TEXTS


def test_texts_are_made_only_for_moves_that_are_read() -> None:
    made = []

    class Counting(po.Breakthrough):
        """Notes for which moves a text is made."""

        def move_text(self, raw: int) -> str:
            made.append(raw)
            return super().move_text(raw)

    position = Counting(5)
    kept = weakref.ref(Counting)
    assert (len(position.legal_moves), bool(position.legal_moves), made) == (13, True, [])
    move = position.legal_moves[3]
    assert made == [move.raw]
    assert position.push(move) is move
    position.pop()
    assert position.push_index(3) is move
    assert made == [move.raw]
    del Counting, position
    gc.collect()
    assert kept() is None  # moves that are known of a class do not keep the class


def test_games_in_python_draw_and_play_by_index_too() -> None:
    heap = PythonPosition(Heap(3))
    assert heap.random_move(np.random.default_rng(1)) in heap.legal_moves
    assert heap.push_index(1) == "take 2"
    for wrong in (-1, 1):
        with pytest.raises(po.IllegalMove, match=f"0 to 0 here, not {wrong}"):
            heap.push_index(wrong)
    heap.push_index(0)
    with pytest.raises(po.IllegalMove, match="the game is over"):
        heap.push_index(0)


def test_threads_share_moves() -> None:
    """Threads that play random games from one position each see legal moves and their own past."""
    start, faults = po.Breakthrough(5), []

    def play(seed: int) -> None:
        choice = random.Random(seed)
        for _ in range(50):
            position = start.copy()
            while moves := position.legal_moves:
                played = position.push(moves[int(choice.random() * len(moves))])
                if played not in moves or position.history[-1] is not played:
                    faults.append(played)

    threads = [threading.Thread(target=play, args=[seed]) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert len(start.history) == 0
