"""What a user's own Python code pays: loops over moves, and the overhead of a call.

`compare.py` prints the tables. Its module docstring says how to read them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import playout as po

POSITIONS = 10_000
CALLS = 50
SHORT_ROUNDS = 50  # for each round of longer measurements: a few milliseconds are often disturbed


def best_seconds(call: Callable[[], object], rounds: int) -> float:
    """The time of the shortest of `rounds` calls."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


# Random games in a Python loop. Each function returns `play`: play(n) plays n games.


def pushes(start: po.Position) -> Callable[[int], object]:
    """Choose from `legal_moves` and push the move."""

    def play(n: int) -> None:
        draw = random.Random(1).random
        for _ in range(n):
            position = start.copy()
            while moves := position.legal_moves:
                position.push(moves[int(draw() * len(moves))])

    return play


def indices(start: po.Position) -> Callable[[int], object]:
    """Count the legal moves and push one by its index."""

    def play(n: int) -> None:
        draw = random.Random(1).random
        for _ in range(n):
            position = start.copy()
            while n_moves := len(position.legal_moves):
                position.push_index(int(draw() * n_moves))

    return play


def openspiel_actions(name: str, pyspiel: Any) -> Callable[[int], object]:
    """Choose from OpenSpiel's `legal_actions` and apply the action."""
    start = pyspiel.load_game(name).new_initial_state()

    def play(n: int) -> None:
        draw = random.Random(1).random
        for _ in range(n):
            state = start.clone()
            while actions := state.legal_actions():
                state.apply_action(actions[int(draw() * len(actions))])

    return play


# Seconds of a call


def single_call(start: po.Position, rounds: int) -> tuple[float, float]:
    """Seconds of a call with one game; and of one game, measured by 63 more games in a call."""

    def repeat(n: int) -> Callable[[], None]:
        def run() -> None:
            for seed in range(CALLS):
                po.playouts(start, n, seed=seed)

        return run

    one, sixty_four = (best_seconds(repeat(n), SHORT_ROUNDS * rounds) / CALLS for n in (1, 64))
    return one, (sixty_four - one) / 63


def many_positions(start: po.Position, rounds: int) -> float:
    """Seconds per position of one call with many positions (separate objects), one game each."""
    positions = [type(start).from_fen(start.fen) for _ in range(POSITIONS)]
    return best_seconds(lambda: po.playouts(positions, 1, seed=1), rounds) / POSITIONS


def single_search(start: po.Position, rounds: int) -> float:
    """Seconds of a search with one playout."""

    def run() -> None:
        for seed in range(CALLS):
            po.search(start, playouts=1, seed=seed)

    return best_seconds(run, SHORT_ROUNDS * rounds) / CALLS
