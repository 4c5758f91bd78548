"""The true value of small positions by full search, to check proofs.

Rules and solver are written again here, as plainly as possible. They share no code with `mcts_core`
or `playout.reference`, and use only a position's line of text.

The search is minimax with a memory. A player who has found a move with the best possible result
does not search the others.
"""

from __future__ import annotations

from functools import cache
from math import isqrt
from typing import NamedTuple, Protocol

import playout as po


class State(NamedTuple):
    """Men of the first and of the second player, as bits (square = cols * row + column)."""

    first: int
    second: int
    turn: int  # 0: the first player is to move


class Rules(Protocol):
    def result(self, state: State) -> float | None:
        """The first player's result of a finished game."""

    def children(self, state: State) -> list[State]:
        """The positions after each move, in any order."""


class Breakthrough:
    """Row 0 is the first player's side."""

    def __init__(self, rows: int, cols: int) -> None:
        board = (1 << rows * cols) - 1
        self.cols = cols
        self.first_row = (1 << cols) - 1
        self.last_row = self.first_row << cols * (rows - 1)
        self.not_first_column = board - board // self.first_row
        self.not_last_column = board - (board // self.first_row << cols - 1)

    def result(self, state: State) -> float | None:
        if state.first & self.last_row or not state.second:
            return 1.0
        if state.second & self.first_row or not state.first:
            return 0.0
        return None

    def children(self, state: State) -> list[State]:
        own, enemy = (state.second, state.first) if state.turn else (state.first, state.second)
        up = -self.cols if state.turn else self.cols
        found = []
        for sources, step, blocked in (
            (own, up, own | enemy),
            (own & self.not_first_column, up - 1, own),
            (own & self.not_last_column, up + 1, own),
        ):
            for source in bits(sources):
                target = 1 << source + step
                if not target & blocked:
                    men, others = own ^ 1 << source | target, enemy & ~target
                    if state.turn:
                        men, others = others, men
                    found.append(State(men, others, 1 - state.turn))
        found.sort(key=lambda after: after.first.bit_count() + after.second.bit_count())
        return found  # captures first, because they are often best


class Othello:
    """Black is the first player. The side to move may have to pass."""

    def __init__(self, size: int) -> None:
        self.rays = [
            [
                [
                    1 << size * (row + down * i) + col + right * i
                    for i in range(1, size)
                    if 0 <= row + down * i < size and 0 <= col + right * i < size
                ]
                for down in (-1, 0, 1)
                for right in (-1, 0, 1)
                if down or right
            ]
            for row in range(size)
            for col in range(size)
        ]

    def flips(self, own: int, enemy: int, square: int) -> int:
        """The discs that `own` flips by a disc on this square."""
        flipped = 0
        for ray in self.rays[square]:
            passed = 0
            for bit in ray:
                if not bit & enemy:
                    flipped |= passed if bit & own else 0
                    break
                passed |= bit
        return flipped

    def placements(self, state: State) -> list[State]:
        """The positions after a disc was placed."""
        own, enemy = (state.second, state.first) if state.turn else (state.first, state.second)
        found = []
        for square in range(len(self.rays)):
            if not (own | enemy) >> square & 1:
                flipped = self.flips(own, enemy, square)
                if flipped:
                    men, others = own | flipped | 1 << square, enemy & ~flipped
                    if state.turn:
                        men, others = others, men
                    found.append(State(men, others, 1 - state.turn))
        return found

    def children(self, state: State) -> list[State]:
        return self.placements(state) or [State(state.first, state.second, 1 - state.turn)]

    def result(self, state: State) -> float | None:
        if self.placements(state) or self.placements(state._replace(turn=1 - state.turn)):
            return None
        lead = state.first.bit_count() - state.second.bit_count()
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


def bits(men: int) -> list[int]:
    """The numbers of the occupied squares."""
    return [square for square in range(men.bit_length()) if men >> square & 1]


class Solver:
    """The values of positions of one game on one board."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.values: dict[State, float] = {}

    def value(self, state: State) -> float:
        """The first player's result when both play their best."""
        if state not in self.values:
            result = self.rules.result(state)
            self.values[state] = self.best_of_children(state) if result is None else result
        return self.values[state]

    def best_of_children(self, state: State) -> float:
        goal = 1.0 - state.turn
        children = self.rules.children(state)
        for child in children:  # first the children with known values
            if self.values.get(child) == goal or self.rules.result(child) == goal:
                return goal
        best = 1.0 - goal
        for child in children:
            best = min(best, self.value(child)) if state.turn else max(best, self.value(child))
            if best == goal:
                break
        return best

    def wins_within(self, state: State, plies: int) -> bool:
        """Whether the side to move can force a win within `plies` plies."""
        goal = 1.0 - state.turn
        if plies < 1 or self.rules.result(state) is not None:
            return False
        for child in self.rules.children(state):
            result = self.rules.result(child)
            if result == goal:
                return True
            if result is None and plies > 2:
                replies = self.rules.children(child)
                if all(self.wins_within(reply, plies - 2) for reply in replies):
                    return True
        return False


@cache
def solver_of(rows: int, cols: int) -> Solver:
    """The solver of a board size, which keeps all values it has found; rows = 0: Othello."""
    return Solver(Breakthrough(rows, cols) if rows > 1 else Othello(isqrt(cols)))


def read(position: po.Position) -> tuple[Solver, State]:
    """The solver of a position, and the state read from its line of text."""
    squares, side = position.fen.split()
    rows = squares.split("/")[::-1]  # the last row comes first; Othello's are not divided
    first, second = "wb" if len(rows) > 1 else "XO"
    squares = "".join(rows)
    state = State(
        sum(1 << i for i, man in enumerate(squares) if man == first),
        sum(1 << i for i, man in enumerate(squares) if man == second),
        int(side == second),
    )
    return solver_of(len(rows), len(rows[0])), state


def value(position: po.Position) -> float:
    """The first player's result when both play their best."""
    solver, state = read(position)
    return solver.value(state)


def wins_within(position: po.Position, plies: int) -> bool:
    """Whether the side to move can force a win within `plies` plies."""
    solver, state = read(position)
    return solver.wins_within(state, plies)
