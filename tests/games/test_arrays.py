"""Positions as arrays: planes, masks, actions, and random positions to make them of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import playout as po
from mcts_core.games.python_game import PythonPosition
from support.helpers import Heap, random_game

STARTS = [
    po.Breakthrough(),
    po.Breakthrough(6, 5),
    po.Breakthrough(5, first_rows=1),
    po.Othello(),
    po.Othello(4),
    po.ConnectFour(),
    po.ConnectFour(7, 8),
    po.ConnectFour(4, 9),
]


def drawn(position: po.Position) -> NDArray[np.uint8]:
    """The planes as the diagram shows them, the lowest row first."""
    men = np.array([list(row) for row in position.board.rows])
    mover, other = ("w", "b") if position.turn == 0 else ("b", "w")
    if isinstance(position, po.Othello):  # black moves first, and row 1 is on top
        mover, other = other, mover
    else:
        men = men[::-1]
    if isinstance(position, po.Breakthrough) and position.turn == 1:
        men = men[::-1]
    return np.array([men == mover, men == other], dtype=np.uint8)


@pytest.mark.parametrize("start", STARTS, ids=repr)
def test_planes_are_the_diagram(start: po.Position) -> None:
    positions = [position.copy() for position in random_game(start, 1)]
    for position in positions:
        planes = position.planes()
        assert planes.dtype == np.uint8
        assert planes.flags.c_contiguous
        assert planes.tolist() == drawn(position).tolist()
    stacked = po.stack(positions)
    assert stacked.shape == (len(positions), 2, *start.planes().shape[1:])
    assert (stacked == np.array([position.planes() for position in positions])).all()


def test_the_board_is_turned_for_black_in_breakthrough() -> None:
    """Rows are turned round, columns are not, so the mover's men move to higher rows."""
    own, enemy = po.Breakthrough.from_fen("bbbbb/bbbb./..w.b/ww.ww/wwwww b").planes().tolist()
    assert own == [[1, 1, 1, 1, 1], [1, 1, 1, 1, 0], [0, 0, 0, 0, 1], [0] * 5, [0] * 5]
    assert enemy == [[0] * 5, [0] * 5, [0, 0, 1, 0, 0], [1, 1, 0, 1, 1], [1, 1, 1, 1, 1]]


@pytest.mark.parametrize("start", STARTS, ids=repr)
def test_actions_are_codes(start: po.Position) -> None:
    for position in random_game(start, 2):
        mask = position.legal_mask
        assert (mask.dtype, mask.shape) == (np.bool_, (start.n_codes,))
        actions = [position.action(move) for move in position.legal_moves]
        assert actions == [position.code(move) for move in position.legal_moves]
        assert np.flatnonzero(mask).tolist() == sorted(actions)
        assert [position.move_of(action) for action in actions] == [*position.legal_moves]
        assert [position.move_of(np.int64(a)) for a in actions] == [*position.legal_moves]
        for illegal in np.flatnonzero(~mask)[:3].tolist():
            with pytest.raises(po.IllegalMove, match=f"no legal move has the action {illegal}"):
                position.move_of(illegal)


def test_actions_of_a_game_in_python() -> None:
    heap = PythonPosition(Heap(9))
    actions = [heap.action(move) for move in heap.legal_moves]
    assert np.flatnonzero(heap.legal_mask).tolist() == sorted(actions)
    assert heap.move_of(actions[-1]) == heap.legal_moves[-1]


def test_many_positions() -> None:
    """A list, or anything that gives positions one by one."""
    positions = po.random_positions(po.Othello(), 200, plies=(0, 50), seed=1)
    assert (po.stack(iter(positions)) == po.stack(positions)).all()
    assert po.stack(positions).sum(axis=(1, 2, 3)).min() >= 4


@pytest.mark.parametrize("start", STARTS, ids=repr)
def test_random_positions(start: po.Position) -> None:
    positions = po.random_positions(start, 50, plies=(2, 5), seed=1)
    assert len(positions) == 50
    assert all(type(position) is type(start) for position in positions)
    assert not any(position.is_over or position.history for position in positions)
    assert positions == po.random_positions(start, 60, plies=(2, 5), seed=1)[:50]
    assert positions != po.random_positions(start, 50, plies=(2, 5), seed=2)
    assert len(start.history) == 0


def test_random_positions_have_the_number_of_plies() -> None:
    """Each disc of Connect Four is a ply. The numbers of plies are uniform, although games end."""
    start = po.ConnectFour()
    exact = po.stack(po.random_positions(start, 100, plies=20, seed=1)).sum(axis=(1, 2, 3))
    assert (exact == 20).all()
    drawn_plies = po.stack(po.random_positions(start, 2100, plies=(5, 25), seed=1))
    counts = np.bincount(drawn_plies.sum(axis=(1, 2, 3)), minlength=26)
    assert counts[:5].sum() == 0
    assert ((counts[5:] > 50) & (counts[5:] < 160)).all()  # 100 each, and 6 standard deviations


def test_random_positions_follow_from_random_moves() -> None:
    """After one ply every legal move is about as frequent."""
    start = po.Othello()
    positions = po.random_positions(start, 4000, plies=1, seed=3)
    counts = dict.fromkeys({position.fen for position in positions}, 0)
    for position in positions:
        counts[position.fen] += 1
    assert len(counts) == 4
    assert all(850 < count < 1150 for count in counts.values())


def test_random_positions_of_a_game_in_python() -> None:
    positions = po.random_positions(Heap(9), 20, plies=(1, 3), seed=1)
    assert not any(position.is_over or position.history for position in positions)
    assert 2 <= len({position.key for position in positions}) <= 9


@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [
        ({"n": -1}, ValueError, "n must be a whole number from 0 to"),
        ({"n": 2.5}, ValueError, "n must be a whole number from 0 to"),
        ({"plies": (5, 3)}, ValueError, "plies must be a pair with the lower number first"),
        ({"plies": (1, 2, 3)}, ValueError, "plies must be a number or a pair such as"),
        ({"plies": "8"}, ValueError, "plies must be a whole number"),
        ({"plies": -1}, ValueError, "plies must be a whole number"),
        ({"plies": None}, ValueError, "plies must be a whole number"),
        ({"plies": 200}, po.BadPosition, "1000 random games ended before move 200 or with it"),
        ({"seed": "x"}, ValueError, "seed must be an int"),
        ({"game": po.Othello}, po.BadPosition, "a search starts from a position"),
        ({"game": po.Othello.from_fen("XX-------------- O")}, po.BadPosition, "is over"),
    ],
)
def test_random_positions_refuse(
    wrong: dict[str, Any], kind: type[Exception], message: str
) -> None:
    arguments: dict[str, Any] = {
        "game": po.ConnectFour(4, 4),
        "n": 3,
        "plies": 2,
        "seed": 1,
    } | wrong
    game, n = arguments.pop("game"), arguments.pop("n")
    with pytest.raises(kind, match=message):
        po.random_positions(game, n, **arguments)


@pytest.mark.parametrize(
    ("positions", "kind", "message"),
    [
        ([], po.BadPosition, "an empty list"),
        (3, TypeError, "positions must be a list of positions, not 3"),
        ([po.Othello(), 3], TypeError, "position number 1 must be a position, such as .* not 3"),
        ([po.Othello(), po.Othello(6)], po.BadPosition, "position number 1 is of another game"),
        ([PythonPosition(Heap(3))], po.BadPosition, "a game in Python has no planes"),
    ],
)
def test_stack_refuses(positions: object, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        po.stack(positions)  # type: ignore[arg-type]


def test_a_game_without_planes(tictactoe: Any) -> None:
    start = tictactoe.TicTacToe()
    with pytest.raises(po.BadPosition, match="TicTacToe has no planes: its game_t has no `planes`"):
        start.planes()
    assert start.legal_mask.sum() == 9


def test_a_game_without_codes() -> None:
    class Nameless(Heap):
        """Its moves have no codes."""

        code = None

    start = PythonPosition(Nameless(3))
    for use in (lambda: start.legal_mask, lambda: start.action("take 1"), lambda: start.move_of(0)):
        with pytest.raises(po.BadPosition, match="actions are the AMAF codes of moves, and this"):
            use()
