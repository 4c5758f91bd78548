"""Othello: perft, alpha-beta and endgames, beside the figures of other programs.

    python benchmarks/othello.py                      # perft and alpha-beta, ten seconds
    python benchmarks/othello.py --ffo FILE           # and solves the positions of a file
    python benchmarks/othello.py --ffo FILE --threads 2       # the same on two threads
    python benchmarks/othello.py --games 50           # and lets evaluations and UCT play each other
    python benchmarks/othello.py --quick              # a second, for CI

FILE is an OBF file with a position and `; MOVE:+score` in each line, or a CSV file with a header
line and the columns board, side, best_score, best_moves (and n, if the positions have numbers).
`--first` and `--last` select a part of it. Everything is measured in processor time; that of
several threads is divided by their number.

rust-reversi is measured in the same run if it is installed. Its `get_search_score` with depth d
searches the moves of the root and then d more plies, so it is compared with depth d + 1, which has
the same value. The figures of other programs were measured on an idle AMD EPYC (Zen 5).
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import playout as po
from mcts_core.evaluator import Evaluator
from playout.evaluation import compiled
from playout.formats import read_obf

try:
    import rust_reversi
except ImportError:
    rust_reversi = None

PERFT = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800, 1939886636]


def perft_table(depth: int) -> None:
    """Print the leaves of the game tree from the start, and the time."""
    began = time.process_time()
    leaves = po.Othello().perft(depth)
    seconds = time.process_time() - began
    assert leaves == PERFT[depth - 1]
    print(f"perft {depth}: {leaves:,} leaves in {seconds:.3f} s, {leaves / seconds / 1e6:.0f} M/s")
    print("  (perft 11 elsewhere: Edax 4.6 0.434 s, Egaroucid 0.353 s)\n")


def alphabeta_table(depths: range) -> None:
    """Print searches with "weights" from the start position, the best of three runs each."""
    upper = [
        [100, -10, 11, 6, 6, 11, -10, 100],
        [-10, -20, 1, 2, 2, 1, -20, -10],
        [10, 1, 5, 4, 4, 5, 1, 10],
        [6, 2, 4, 2, 2, 4, 2, 6],
    ]
    print("depth  value  nodes      seconds   M nodes/s  rust-reversi  times faster")
    for depth in depths:
        best, result = float("inf"), None
        for _ in range(3):
            began = time.process_time()
            result = po.search(po.Othello(), po.AlphaBeta(depth, "weights"))
            best = min(best, time.process_time() - began)
        assert result is not None
        line = (
            f"{depth:5}  {result.value:5g}  {result.nodes:<9,}  {best:.5f}"
            f"  {result.nodes / best / 1e6:9.1f}"
        )
        if rust_reversi:
            evaluator = rust_reversi.MatrixEvaluator([*upper, *upper[::-1]])
            theirs = float("inf")
            for _ in range(3):
                search = rust_reversi.AlphaBetaSearch(evaluator, depth - 1, 1 << 20)
                began = time.process_time()
                value = search.get_search_score(rust_reversi.Board())
                theirs = min(theirs, time.process_time() - began)
            assert value == result.value
            line += f"  {theirs:12.5f}  {theirs / best:12.1f}"
        print(line)
    print()


def patterns_table(depth: int, deep: int) -> None:
    """Print what the learned patterns cost, and how fast alpha-beta searches with them.

    `deep` is the depth that two threads search, whose start takes a part of a millisecond.
    """
    patterns = compiled(None, po.Othello())
    assert isinstance(patterns, Evaluator)
    middle = po.random_positions(po.Othello(), 1000, plies=(22, 24), seed=1)
    replies = [reply for move in middle[0].children() for reply in move.children()]
    near = [position for reply in replies for position in reply.children()]
    for several, what in ((middle, "1,000 positions"), (near, "three plies after one position")):
        spent = min(seconds_of(partial(patterns.scores, several)) for _ in range(200))
        each = 1e9 * spent / len(several)
        print(f"patterns, {what}: {each:.0f} ns each, with a look at the moves")
    searched = middle[:10]
    one, nodes = best_of(searched, 1, depth, time.process_time)
    print(f"alpha-beta with patterns, depth {depth}: {nodes / one / 1e6:.1f} M nodes/s")
    alone, _ = best_of(searched, 1, deep, time.perf_counter)
    both, _ = best_of(searched, 2, deep, time.perf_counter)
    print(f"depth {deep}: two threads are {alone / both:.2f} times as fast, by the clock\n")


def best_of(
    positions: list[po.Position], threads: int, depth: int, clock: Callable[[], float]
) -> tuple[float, int]:
    """The seconds in which all positions are searched to a depth, and the nodes."""
    seconds, nodes = 0.0, 0
    for position in positions:
        found = [
            (clock(), po.search(position, po.AlphaBeta(depth, threads=threads)), clock())
            for _ in range(3)
        ]
        seconds += min(ended - began for began, _, ended in found)
        nodes += found[0][1].nodes
    return seconds, nodes


def seconds_of(call: Callable[[], object]) -> float:
    """The processor time of a call."""
    began = time.process_time()
    call()
    return time.process_time() - began


@dataclass
class Endgame:
    """A position to solve, and its answer if the file has it."""

    name: str
    position: po.Othello
    score: int | None
    moves: list[str]


def read_endgames(file: Path) -> list[Endgame]:
    """The positions of an OBF or CSV file."""
    text = file.read_text()
    if file.suffix.lower() != ".csv":
        found = []
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip() and not line.startswith(("%", "#")):
                obf = read_obf(line)
                best = max(obf.scores.values(), default=None)
                moves = [move for move, score in obf.scores.items() if score == best]
                found.append(Endgame(str(number), obf.position, best, moves))
        return found
    return [
        Endgame(
            row.get("n", str(number)),
            po.Othello.from_fen(f"{row['board']} {row['side']}"),
            int(row["best_score"]),
            row["best_moves"].lower().split(),
        )
        for number, row in enumerate(csv.DictReader(text.splitlines()), start=1)
    ]


def endgame_table(endgames: list[Endgame], threads: int) -> bool:
    """Solve positions and print the results. Returns whether all were right."""
    po.solve(endgames[0].position, seconds=0.01)  # reads the patterns
    print("number  empty  score  move  nodes            seconds  M nodes/s")
    nodes, seconds, wrong = 0, 0.0, 0
    for endgame in endgames:
        began = time.process_time()
        found = po.solve(endgame.position, threads=threads)
        spent = (time.process_time() - began) / threads
        right = endgame.score in (None, found.score) and (
            not endgame.moves or found.move in endgame.moves
        )
        nodes, seconds, wrong = nodes + found.nodes, seconds + spent, wrong + (not right)
        print(
            f"{endgame.name:>6}  {64 - sum(endgame.position.discs):5}  {found.score:+5}"
            f"  {found.move:4}  {found.nodes:<14,} {spent:9.3f}  {found.nodes / spent / 1e6:9.1f}"
            + ("" if right else f"  WRONG: {endgame.score} {endgame.moves}"),
            flush=True,
        )
    print(
        f"{len(endgames)} positions, {wrong} wrong: {nodes:,} nodes in {seconds:.3f} s, "
        f"{nodes / max(seconds, 1e-9) / 1e6:.1f} M nodes/s"
    )
    print(
        "  (elsewhere: FFO 40 Edax 4.6 with a zeroed evaluation 0.33 s, Egaroucid 0.315 s; "
        "FFO 1-19 0.054 s, 20-39 20.8 s; FFO 40-49 Edax with weights 22.7 s, Egaroucid 21.0 s)\n"
    )
    return wrong == 0


@dataclass
class Player:
    """A method and the limit of its searches."""

    name: str
    method: po.Method | str
    seconds: float | None = None

    def move(self, position: po.Othello, seed: int) -> str:
        """The chosen move."""
        if isinstance(self.method, po.AlphaBeta):
            return po.search(position, self.method, seconds=self.seconds).move
        return po.search(position, self.method, seconds=self.seconds, seed=seed).move


def match(first: Player, second: Player, games: int) -> None:
    """Pairs of games with colours changed, from eight random moves each."""
    score = 0.0
    for game in range(games):
        choice = random.Random(game // 2)
        position = po.Othello()
        while len(position.history) < 8 and not position.is_over:
            position.push(choice.choice(position.legal_moves))
        players = (first, second) if game % 2 == 0 else (second, first)
        while not position.is_over:
            legal = position.legal_moves
            player = players[position.turn]
            position.push(legal[0] if len(legal) == 1 else player.move(position, game))
        result = position.result
        assert result is not None
        score += result if game % 2 == 0 else 1 - result
    mean = score / games
    error = (mean * (1 - mean) / games) ** 0.5
    print(f"{first.name} - {second.name}: {100 * mean:.1f} % (+-{100 * error:.1f}), {games} games")


def matches(games: int) -> None:
    """Matches between the evaluations at depth 6, and of alpha-beta against UCT by the clock."""
    depth_6 = {name: po.AlphaBeta(6, name) for name in ("weights", "ratios", "washington")}
    players = [Player(f"{name} at depth 6", method) for name, method in depth_6.items()]
    weights, ratios, washington = players
    match(washington, weights, games)
    match(washington, ratios, games)
    match(ratios, weights, games)
    uct = Player("UCT 0.1 s", "uct", 0.1)
    match(Player("alpha-beta washington 0.1 s", po.AlphaBeta(None, "washington"), 0.1), uct, games)
    match(Player("alpha-beta weights 0.1 s", po.AlphaBeta(None, "weights"), 0.1), uct, games)


def main() -> int:
    """Print the requested tables. Returns 1 if an endgame was solved wrongly."""
    parser = argparse.ArgumentParser(description="Othello: perft, alpha-beta, endgames.")
    parser.add_argument("--quick", action="store_true", help="smaller depths")
    parser.add_argument("--ffo", type=Path, help="an OBF or CSV file of endgames to solve")
    parser.add_argument("--first", type=int, default=1, help="number of the first one to solve")
    parser.add_argument("--last", type=int, default=10**9, help="and of the last one")
    parser.add_argument("--threads", type=int, default=1, help="threads that solve an endgame")
    parser.add_argument("--games", type=int, default=0, help="games of each match, an even number")
    options = parser.parse_args()
    perft_table(9 if options.quick else 11)
    alphabeta_table(range(6, 9 if options.quick else 13))
    patterns_table(*(6, 8) if options.quick else (13, 20))
    right = True
    if options.ffo:
        endgames = read_endgames(options.ffo)
        right = endgame_table(endgames[options.first - 1 : options.last], options.threads)
    if options.games:
        matches(options.games)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
