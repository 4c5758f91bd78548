"""Exact search of Breakthrough: boards from the start position, and positions of the middle game.

    python benchmarks/exact.py                          # boards and 40 positions, a minute or two
    python benchmarks/exact.py --board 5x6 --memory 4GB # one board; rows x columns
    python benchmarks/exact.py --board 5x5 --certificate FILE    # and writes the strategy
    python benchmarks/exact.py --board 6x5 --memory 20GB --threads 2 2> log    # a night
    python benchmarks/exact.py --quick                  # a second, for CI

`benchmarks/check_certificate.py` checks a certificate. The positions come from random games with
fixed seeds, and each is solved with a limit of nodes. "seconds" is processor time, of all threads
together; "waited" is the time by the clock. A row is printed as soon as it is known; during a long
proof a line a minute goes to standard error. With --certificate, the processor time includes
writing it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import playout as po
from sample_efficiency import can_win

BOARDS = [(4, 5), (5, 4), (5, 5)]
MIDDLES = {(5, 5): 10, (6, 6): 14}  # plies before a position of the middle game, by board
POSITIONS = 20  # of each board
MOST_NODES = 5_000_000  # of a position
TELL_EVERY = 60  # seconds between two lines of progress
HEADING = (
    f"{'position':44} {'value':>5} {'nodes':>15} {'seconds':>9} {'M nodes/s':>9} {'waited':>9}"
)


def middle_games(rows: int, cols: int, plies: int) -> Iterator[po.Breakthrough]:
    """Positions after random moves in which the side to move cannot win within three plies."""
    choice = random.Random(1)
    while True:
        position = po.Breakthrough(rows, cols)
        while len(position.history) < plies and not position.is_over:
            position.push(choice.choice(position.legal_moves))
        if not position.is_over and not can_win(position, 3):
            yield position


class Progress:
    """Prints the nodes and seconds so far, once a minute."""

    def __init__(self) -> None:
        self.minutes = 0

    def __call__(self, nodes: int, seconds: float) -> None:
        """Called ten times a second."""
        if seconds >= (self.minutes + 1) * TELL_EVERY:
            self.minutes = int(seconds // TELL_EVERY)
            pace = nodes / seconds / 1e6
            text = f"{seconds:9,.0f} s {nodes:17,} nodes {pace:6.2f} M nodes/s by the clock"
            print(text, file=sys.stderr, flush=True)


class Table:
    """Prints one row for each position, and their sum."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads
        self.nodes, self.seconds, self.waited, self.solved, self.rows = 0, 0.0, 0.0, 0, 0
        print(HEADING, flush=True)

    def add(
        self,
        name: str,
        position: po.Breakthrough,
        nodes: int | None,
        memory: str,
        certificate: Path | None = None,
    ) -> None:
        """Solve a position and print its row."""
        began, clock = time.process_time(), time.perf_counter()
        found = po.solve(
            position,
            nodes=nodes,
            memory=memory,
            threads=self.threads,
            certificate=certificate,
            progress=Progress(),
        )
        spent, waited = time.process_time() - began, time.perf_counter() - clock
        self.rows, self.solved = self.rows + 1, self.solved + found.is_solved
        self.nodes, self.seconds = self.nodes + found.nodes, self.seconds + spent
        self.waited += found.seconds
        value = "-" if found.value is None else f"{found.value:g}"
        self.print(name, value, found.nodes, spent, found.seconds)
        if certificate is not None and certificate.exists():
            size, more = certificate.stat().st_size, waited - found.seconds
            print(f"{certificate}: {size:,} bytes in {more:.1f} s more by the clock")

    def print(self, name: str, value: str, nodes: int, seconds: float, waited: float) -> None:
        """Print a row."""
        pace = nodes / max(seconds, 1e-9) / 1e6
        times = f"{seconds:9.2f} {pace:9.2f} {waited:9.2f}"
        print(f"{name:44} {value:>5} {nodes:15,} {times}", flush=True)

    def end(self) -> None:
        """Print the sum."""
        name = f"all: {self.solved} of {self.rows} solved"
        self.print(name, "", self.nodes, self.seconds, self.waited)
        print()


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Exact search of Breakthrough.")
    parser.add_argument("--board", metavar="RxC", help="one board, from the start position")
    parser.add_argument("--memory", default="1GB", help="of the table")
    parser.add_argument("--threads", type=int, default=1, help="that share the table")
    parser.add_argument("--certificate", type=Path, help="a file for the strategy of the winner")
    parser.add_argument("--quick", action="store_true", help="a small board and a few positions")
    settings = parser.parse_args()
    boards = BOARDS[:1] if settings.quick else BOARDS
    if settings.board:
        rows, cols = map(int, settings.board.split("x"))
        boards = [(rows, cols)]
    table = Table(settings.threads)
    for rows, cols in boards:
        start = po.Breakthrough(rows, cols)
        table.add(f"{rows}x{cols}", start, None, settings.memory, settings.certificate)
    table.end()
    if settings.board:
        return
    for (rows, cols), plies in MIDDLES.items():
        table, positions = Table(settings.threads), middle_games(rows, cols, plies)
        for _ in range(2 if settings.quick else POSITIONS):
            position = next(positions)
            table.add(position.fen, position, MOST_NODES, "256MB")
        table.end()


if __name__ == "__main__":
    main()
