"""The rules against OpenSpiel's: random games played move by move on both sides.

At every ply both must have the same legal moves for the same player, and both must end the game at
the same ply with the same result. OpenSpiel's rules were written independently, in C++.

    python benchmarks/oracle_openspiel.py --games 100000     # minutes; two processes by default

Conversion of moves. In Breakthrough, OpenSpiel's first player is Black and moves down from the top
row; ours is White and moves up from row "1". So its row counted from the top is our row counted
from the bottom, and columns are the same. OpenSpiel numbers a move ((row * columns + column) * 6 +
direction) * 2 + capture, with directions 0, 1, 2 (first player) and 3, 4, 5 (second player) for a
column step of -1, 0, +1. The capture bit follows from the position, so moves are compared without
it. In Othello the squares have the same numbers, and 64 is the pass. In Connect Four a move is its
column, which OpenSpiel counts from 0.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyspiel

from playout.games import GAMES


@dataclass(frozen=True)
class Case:
    """A game and size that both programs have."""

    title: str
    openspiel: str  # the game string for pyspiel.load_game
    game: str  # its name in playout.games
    rows: int = 8
    cols: int = 8
    first_rows: int | None = None  # Breakthrough only

    def position(self) -> Any:
        """Our start position."""
        options = {} if self.first_rows is None else {"first_rows": self.first_rows}
        return GAMES[self.game].start(self.rows, self.cols, **options)


def breakthrough(rows: int, cols: int, first_rows: int = 2) -> Case:
    """Breakthrough; OpenSpiel has two rows of men each from 6 rows up, one row below."""
    title = f"Breakthrough {rows}x{cols}" + (", first_rows=1" if first_rows == 1 else "")
    openspiel = f"breakthrough(rows={rows},columns={cols})"
    return Case(title, openspiel, "breakthrough", rows, cols, first_rows)


CASES = (
    breakthrough(5, 5, first_rows=1),
    breakthrough(6, 6),
    breakthrough(7, 7),
    breakthrough(8, 8),
    Case("Othello 8x8", "othello", "othello"),
    Case("Connect Four 6x7", "connect_four", "connect-four", 6, 7),
)


class Mismatch(AssertionError):
    """The two programs disagree. The text says on what, where, and how to repeat it."""


@dataclass(frozen=True)
class Tally:
    """The amount that was compared without a difference."""

    games: int = 0
    plies: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.games + other.games, self.plies + other.plies)


def square_name(row: int, col: int) -> str:
    """Our name of a square: "a1" is row 0, column 0."""
    return f"{chr(ord('a') + col)}{row + 1}"


def breakthrough_moves(rows: int, cols: int) -> Iterator[tuple[str, int]]:
    """Every move text that the geometry allows, with OpenSpiel's number without the capture bit."""
    for row in range(rows):
        for col in range(cols):
            for direction in range(6):
                to_row = row + (1 if direction < 3 else -1)
                to_col = col + direction % 3 - 1
                if 0 <= to_row < rows and 0 <= to_col < cols:
                    text = square_name(row, col) + square_name(to_row, to_col)
                    yield text, (row * cols + col) * 6 + direction


def othello_moves(rows: int, cols: int) -> Iterator[tuple[str, int]]:
    """Every move text with OpenSpiel's number."""
    for square in range(rows * cols):
        yield square_name(*divmod(square, cols)), square
    yield "pass", rows * cols


def connect_four_moves(rows: int, cols: int) -> Iterator[tuple[str, int]]:
    """Every move text with OpenSpiel's number."""
    return ((str(col + 1), col) for col in range(cols))


MOVES = {
    "breakthrough": breakthrough_moves,
    "othello": othello_moves,
    "connect-four": connect_four_moves,
}
CAPTURE_BITS = {"breakthrough": 1}  # at the low end of OpenSpiel's numbers


@cache
def move_numbers(case: Case) -> dict[str, int]:
    """Our move texts -> OpenSpiel's numbers (Breakthrough: without the capture bit)."""
    return dict(MOVES[case.game](case.rows, case.cols))


@cache
def openspiel_game(name: str) -> Any:
    """OpenSpiel's game, loaded once per process."""
    return pyspiel.load_game(name)


def by_number(legal_moves: Iterable[Any], numbers: dict[str, int]) -> dict[int | str, Any]:
    """Moves by OpenSpiel's number. An unknown text is its own key, so it will not match."""
    moves: dict[int | str, Any] = {}
    for move in legal_moves:
        text = str(move)
        moves[numbers.get(text, text)] = move
    return moves


def play_one(case: Case, seed: int) -> int:
    """Play one random game in both programs. Returns its plies; raises Mismatch."""
    numbers = move_numbers(case)
    capture_bits = CAPTURE_BITS.get(case.game, 0)
    rng = random.Random(seed)
    ours, theirs = case.position(), openspiel_game(case.openspiel).new_initial_state()
    start = ours.fen
    played: list[str] = []

    def agree(what: str, our_value: object, their_value: object) -> None:
        if our_value != their_value:
            raise Mismatch(
                f"{case.title}: {what} differ at ply {len(played)}\n"
                f"  ours:      {our_value}\n  OpenSpiel: {their_value}\n"
                f"  position:  {ours.fen}\n  seed:      {seed}\n"
                f"  played:    {' '.join(played) or '-'} from {start}"
            )

    while not theirs.is_terminal():
        agree("whether the game is over", ours.is_over, False)
        agree("the results (before the end)", ours.result, None)
        agree("the players to move", ours.turn, theirs.current_player())
        legal = ours.legal_moves
        moves = by_number(legal, numbers)
        actions = {action >> capture_bits: action for action in theirs.legal_actions()}
        if moves.keys() != actions.keys():
            texts = {number: text for text, number in numbers.items()}
            ours_only = [str(moves[key]) for key in moves if key not in actions]
            theirs_only = [texts[key] for key in actions if key not in moves]
            agree("the moves (those of one side only)", ours_only, theirs_only)
        agree("the numbers of moves", len(legal), len(actions))
        number, action = rng.choice(list(actions.items()))
        played.append(str(moves[number]))
        ours.push(moves[number])
        theirs.apply_action(action)
    agree("whether the game is over", ours.is_over, True)
    agree("the numbers of moves after the end", len(ours.legal_moves), 0)
    agree("the results", ours.result, (theirs.returns()[0] + 1) / 2)
    return len(played)


def check_games(case: Case, games: int, seed: int = 1) -> Tally:
    """Play `games` random games, game i with the seed `seed + i`. Raises Mismatch."""
    return Tally(games, sum(play_one(case, seed + i) for i in range(games)))


def chunks(games: int, seed: int, size: int = 1000) -> Iterable[tuple[int, int]]:
    """The pieces of work for worker processes, as (games, seed)."""
    return ((min(size, games - i), seed + i) for i in range(0, games, size))


def check_in_processes(pool: ProcessPoolExecutor, case: Case, games: int, seed: int) -> Tally:
    """The same as check_games, spread over worker processes."""
    jobs = [pool.submit(check_games, case, *chunk) for chunk in chunks(games, seed)]
    try:
        return sum((job.result() for job in jobs), Tally())
    except Mismatch:
        pool.shutdown(wait=False, cancel_futures=True)
        raise


def main() -> int:
    """Check every case and print a table; 1 at the first difference."""
    parser = argparse.ArgumentParser(
        description="Play random games in lockstep with OpenSpiel; compare the rules at every ply."
    )
    parser.add_argument("--games", type=int, default=2000, help="games per case (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (default: 1)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    args = parser.parse_args()

    print("| game | games | plies | seconds |\n|---|---:|---:|---:|")
    with ProcessPoolExecutor(args.workers) as pool:
        for case in CASES:
            begin = time.perf_counter()
            try:
                tally = check_in_processes(pool, case, args.games, args.seed)
            except Mismatch as difference:
                print(f"\nMISMATCH in {difference}")
                return 1
            seconds = time.perf_counter() - begin
            print(
                f"| {case.title} | {tally.games:,} | {tally.plies:,} | {seconds:.0f} |", flush=True
            )
    print("\nThe same moves, players, ends and results at every ply.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
