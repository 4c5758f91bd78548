"""What a game knows for exact search is true: tactics, and mirror images that share a key."""

from __future__ import annotations

import random

import pytest

import playout as po
from mcts_core.errors import BadPosition
from mcts_core.minimax.proof import ExactSolver, tactics
from support import exact
from support.helpers import random_game


def every_position(start: po.Breakthrough) -> list[po.Breakthrough]:
    """All unfinished positions that can be reached."""
    found = {start.key: start}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        for move in position.legal_moves:
            after = position.copy()
            after.push(move)
            if not after.is_over and after.key not in found:
                found[after.key] = after
                waiting.append(after)
    return list(found.values())


def placed(rows: int, cols: int, number: int) -> list[po.Breakthrough]:
    """Unfinished positions with a few men on random squares."""
    choice = random.Random(100 * rows + cols)
    found = []
    for _ in range(number):
        men = choice.randint(1, cols), choice.randint(1, cols)
        white = set(choice.sample(range((rows - 1) * cols), men[0]))
        black = set(choice.sample(sorted(set(range(cols, rows * cols)) - white), men[1]))
        board = ["w" if i in white else "b" if i in black else "." for i in range(rows * cols)]
        lines = ["".join(board[cols * row : cols * row + cols]) for row in range(rows)]
        found.append(po.Breakthrough.from_fen(f"{'/'.join(lines[::-1])} {choice.choice('wb')}"))
    return found


def loses_within(position: po.Breakthrough, plies: int) -> bool:
    """Whether every move lets the other side win within the rest of the plies."""
    for move in position.legal_moves:
        after = position.copy()
        after.push(move)
        if after.is_over or not exact.wins_within(after, plies - 1):
            return False
    return True


def check(positions: list[po.Breakthrough]) -> None:
    seen = set()
    for position in positions:
        plies = tactics(position)
        seen.add(plies)
        if plies > 0:
            assert exact.wins_within(position, plies), position.fen
        elif plies < 0:
            assert loses_within(position, -plies), position.fen
        assert (plies == 1) == exact.wins_within(position, 1), position.fen
    assert seen == {-2, 0, 1, 3}


@pytest.mark.parametrize(
    ("rows", "cols"), [(4, 3), (5, 3), pytest.param(4, 4, marks=pytest.mark.slow)]
)
def test_tactics_of_every_position(rows: int, cols: int) -> None:
    check(every_position(po.Breakthrough(rows, cols, first_rows=1)))


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (3, 8), (4, 5), (5, 5), (6, 6), (8, 3), (8, 8)])
def test_tactics_of_men_on_random_squares(rows: int, cols: int) -> None:
    check(placed(rows, cols, 1000))


def forces(position: po.Position, player: int, plies: int) -> bool:
    """Whether a player can force a win within some plies, by a search of every move."""
    if position.result is not None:
        return position.result == 1 - player
    if plies == 0:
        return False
    choose = any if position.turn == player else all
    return choose(forces(child, player, plies - 1) for child in position.children())


def test_tactics_of_connect_four() -> None:
    seen = set()
    for seed in range(60):
        for position in random_game(po.ConnectFour(), seed):
            if not position.is_over:
                plies = tactics(position)
                seen.add(plies)
                winner = position.turn if plies > 0 else 1 - position.turn
                assert plies == 0 or forces(position, winner, abs(plies)), position.fen
                assert (plies == 1) == forces(position, position.turn, 1)
    assert seen == {-2, 0, 1}


def test_tactics_need_a_game_that_goes_on() -> None:
    over = po.Breakthrough.from_fen("w../.b./... b")
    with pytest.raises(BadPosition, match="game is over"):
        tactics(over)


def mirrored(position: po.Position) -> po.Position:
    lines, side = position.fen.split()
    return type(position).from_fen("/".join(row[::-1] for row in lines.split("/")) + f" {side}")


@pytest.mark.parametrize("cols", [4, 5, 8])
def test_a_mirror_image_shares_the_proof(cols: int) -> None:
    """Of boards with and without a key that no other position has (up to 31 squares)."""
    shared = 0
    for position in placed(4, cols, 1000):
        solver = ExactSolver(position)
        if solver.known(position) is None:
            solver.prove(position, position.turn, 1.0)
            mirror = mirrored(position)
            assert solver.known(mirror) is not None
            assert solver.known(mirror) == (exact.value(mirror) == 1 - mirror.turn)
            shared += mirror != position
    assert shared > 5


def test_a_mirror_image_shares_the_proof_in_connect_four() -> None:
    shared = 0
    for seed in range(60):
        for position in random_game(po.ConnectFour(4, 5), seed):
            if len(position.history) >= 10 and not position.is_over:
                solver = ExactSolver(position)
                if solver.known(position) is None:
                    wins = solver.prove(position, position.turn, 1.0)
                    assert solver.known(mirrored(position)) is wins
                    shared += mirrored(position) != position
    assert shared > 10
