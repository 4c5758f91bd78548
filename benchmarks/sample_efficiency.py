"""The number of playouts that a method needs to find a winning move, with and without AMAF.

    python benchmarks/sample_efficiency.py            # the tables in docs/, about ten minutes
    python benchmarks/sample_efficiency.py --quick    # a few positions and playouts, for CI
    python benchmarks/sample_efficiency.py --plot docs/images/sample-efficiency.svg

Breakthrough 5x5. Positions come from games of random moves and from games of short searches, one
from each game. Every legal move is solved exactly, and a position is used if some of its moves win
and others lose, so that the choice matters. Each method searches each position several times, and
its choice is recorded after 10, 20, 50, 100, ... playouts. The chance that the move wins is
averaged over the positions. The 95 % intervals are over positions, because positions differ far
more than searches of one position.

Reading order: `drawn` finds `Puzzle`s, `measured` runs the methods on them, `needed` computes the
playouts that a curve needs to reach a chance, the tables compare these numbers, `main` prints the
report.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import playout as po
from playout import intervals
from playout.solving import values_of_moves

Array = NDArray[np.float64]

METHODS = [po.Flat(), po.UCB(), po.AMAF(), po.UCT(), po.RAVE(), po.GRAVE()]
NAMES = [type(method).__name__ for method in METHODS]
SOLVER = "UCT+solver"  # UCT with the solver
SOURCES = ("random", "search")  # the kinds of games that positions come from
SHORT = 100  # playouts a move of the short searches
STAGES = {"opening": (4, 7), "middle": (8, 12), "late": (13, 99)}  # plies played, both included
SOLVER_NODES = 1_000_000  # limit of the solver; positions that need more are left out
RACE, THREAT = 5, 3  # plies of a forced win that make a position tactical: own, the opponent's
SAMPLES = 1000  # samples of the bootstrap
MOSTLY, SELDOM = 0.8, 0.2  # shares of right searches: a method is right, or misled
FEWEST = 10  # positions; kinds with fewer are left out of the tables


@dataclass(frozen=True)
class Settings:
    """The amounts of work."""

    positions: dict[str, int]  # of each stage
    playouts: int
    runs: int  # searches of each position by each method
    seed: int


FULL = Settings({"opening": 60, "middle": 170, "late": 170}, 30_000, 10, 1)
QUICK = Settings({"opening": 0, "middle": 4, "late": 8}, 300, 3, 1)


# Positions


@dataclass(frozen=True)
class Puzzle:
    """A position with moves that win and moves that lose."""

    fen: str
    source: str
    stage: str
    plies: int
    legal: int
    wins: list[int]  # the winning moves, as indices
    tactical: str  # "", or why


def drawn(settings: Settings) -> Iterator[Puzzle]:
    """As many puzzles of each stage as asked for, half of them from each source."""
    choice = random.Random(settings.seed)
    for stage, wanted in settings.positions.items():
        for number in range(wanted):
            yield puzzle(stage, SOURCES[number % len(SOURCES)], choice)


def puzzle(stage: str, source: str, choice: random.Random) -> Puzzle:
    """The first puzzle found, trying one random position of each game."""
    while True:
        games = list(game(source, choice))
        low, high = STAGES[stage]
        fitting = [position for position in games if low <= len(position.history) <= high]
        if not fitting:
            continue
        position = choice.choice(fitting)
        exact = values_of_moves(position, SOLVER_NODES)
        if exact is None or exact.min() == exact.max():
            continue
        return Puzzle(
            fen=position.fen,
            source=source,
            stage=stage,
            plies=len(position.history),
            legal=len(exact),
            wins=np.flatnonzero(exact == 1.0).tolist(),
            tactical=tactics(position, exact == 1.0),
        )


def game(source: str, choice: random.Random) -> Iterator[po.Position]:
    """The unfinished positions of a game."""
    position = po.Breakthrough(5)
    while not position.is_over:
        yield position.copy()
        move: str = choice.choice(position.legal_moves)
        if source == "search":
            seed = choice.getrandbits(32)
            move = po.search(position, "uct", playouts=SHORT, seed=seed).move
        position.push(move)


def tactics(position: po.Position, wins: NDArray[np.bool_]) -> str:
    """The reason why a position is tactical, decided by the next few plies; empty if quiet."""
    moves = position.legal_moves
    if can_win(position, RACE):
        return "race"
    if all(is_capture(position, move) for move, is_win in zip(moves, wins, strict=True) if is_win):
        return "capture"
    if all(
        can_win(after(position, move), THREAT)
        for move, is_win in zip(moves, wins, strict=True)
        if not is_win
    ):
        return "threat"
    return ""


def can_win(position: po.Position, plies: int) -> bool:
    """Whether the player to move can force a win within `plies` plies."""
    for move in position.legal_moves:
        child = after(position, move)
        if child.is_over:
            return True
        replies = child.legal_moves
        if plies >= 3 and all(
            not reply.is_over and can_win(reply, plies - 2)
            for reply in (after(child, move) for move in replies)
        ):
            return True
    return False


def after(position: po.Position, move: str) -> po.Position:
    """The position that a move leads to."""
    child = position.copy()
    child.push(move)
    return child


def is_capture(position: po.Position, move: str) -> bool:
    """Whether the move captures a man."""
    board = position.board
    row, col = board.ranks.index(move[3:]), board.files.index(move[2])
    return board.rows[row][col] in "wb"


# Measuring


@dataclass
class Measured:
    """The chance that a method's move wins: methods, budgets, positions."""

    names: list[str]
    budgets: NDArray[np.int64]
    chance: Array
    seconds: Array  # of one search of each method, on average
    puzzles: list[Puzzle]

    def of(self, name: str) -> Array:
        """A method's chances: budgets, positions."""
        return np.asarray(self.chance[self.names.index(name)])

    def at(self, playouts: int) -> int:
        """The index of a budget."""
        return self.budgets.tolist().index(playouts)


def measured(puzzles: list[Puzzle], settings: Settings) -> Measured:
    """Run all methods on all puzzles."""
    chances, seconds = [], []
    for number, each in enumerate(puzzles):
        position = po.Breakthrough.from_fen(each.fen)
        seed = np.random.SeedSequence(settings.seed, spawn_key=(number,))
        found = po.compare(
            position,
            METHODS,
            playouts=settings.playouts,
            runs=settings.runs,
            seed=seed,
            exact_nodes=0,
        )
        began = time.perf_counter()
        proving = [proving_run(position, found.budgets, seed, run) for run in range(settings.runs)]
        spent = (time.perf_counter() - began) / settings.runs
        chosen = np.concatenate([found.moves, np.transpose(proving)[np.newaxis]])
        chances.append(np.isin(chosen, each.wins).mean(axis=-1))
        seconds.append([*found.run_seconds, spent])
        progress(f"searched {number + 1} of {len(puzzles)} positions")
    return Measured(
        [*NAMES, SOLVER],
        found.budgets,
        np.stack(chances, axis=-1),
        np.mean(seconds, axis=0),
        puzzles,
    )


def proving_run(
    position: po.Position, budgets: NDArray[np.int64], seed: np.random.SeedSequence, run: int
) -> list[int]:
    """The choices of one search with the solver, which stops when the position is proven."""
    own = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, run))
    chosen: list[int] = []
    with po.Searcher(position, po.UCT(), seed=own, solver=True) as searcher:
        for more in np.diff(budgets, prepend=0).tolist():
            result = searcher.search(playouts=more)
            chosen.append(position.legal_moves.index(result.move))
            if result.reason == "proven":
                break
    return chosen + chosen[-1:] * (len(budgets) - len(chosen))


def progress(text: str) -> None:
    """Print a progress line that overwrites itself."""
    if sys.stderr.isatty():
        print(f"\r{text} ", end="", file=sys.stderr, flush=True)


# How many playouts


def needed(curves: Array, wanted: Array, budgets: NDArray[np.int64]) -> Array:
    """The playouts at which each curve (a row) first reaches its wanted chance.

    Interpolates linearly between budgets, on a log scale. inf: never; the least budget: there or
    before.
    """
    reached = curves >= wanted[:, np.newaxis]
    later = reached.argmax(axis=1)
    earlier = np.maximum(later - 1, 0)
    rows, scale = np.arange(len(curves)), np.log(budgets)
    rise = curves[rows, later] - curves[rows, earlier]
    part = np.divide(wanted - curves[rows, earlier], rise, out=np.ones_like(rise), where=rise > 0)
    playouts = np.exp(scale[earlier] + np.clip(part, 0, 1) * (scale[later] - scale[earlier]))
    return np.where(reached.any(axis=1), playouts, np.inf)


def ratio(
    found: Measured, slow: str, fast: str, playouts: int, chosen: NDArray[np.bool_]
) -> dict[str, float]:
    """The factor of playouts that `slow` needs to be as good as `fast` with `playouts`.

    With a bootstrap interval: positions are drawn again with replacement.
    """
    n = int(chosen.sum())
    weights = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=SAMPLES) / n
    weights = np.concatenate([np.full((1, n), 1 / n), weights])
    curves = weights @ found.of(slow)[:, chosen].T
    wanted = weights @ found.of(fast)[found.at(playouts), chosen]
    times = needed(curves, wanted, found.budgets) / playouts
    low, high = np.percentile(times[1:], [2.5, 97.5], method="nearest")
    return {"ratio": float(times[0]), "low": float(low), "high": float(high)}


# Kinds of positions


def kinds(puzzles: list[Puzzle]) -> dict[str, NDArray[np.bool_]]:
    """Which positions are of each kind."""
    tests: dict[str, Callable[[Puzzle], bool]] = {"all": lambda p: True}
    for source, title in zip(SOURCES, ("random moves", "short searches"), strict=True):
        tests[f"from games of {title}"] = lambda p, source=source: p.source == source
    for stage, (low, high) in STAGES.items():
        title = f"{stage}, ply {low} to {high}" if high < 99 else f"{stage}, ply {low} on"
        tests[title] = lambda p, stage=stage: p.stage == stage
    tests |= {
        "1 winning move": lambda p: len(p.wins) == 1,
        "2 or 3 winning moves": lambda p: 2 <= len(p.wins) <= 3,
        "4 or more winning moves": lambda p: len(p.wins) >= 4,
        "quiet": lambda p: not p.tactical,
        "tactical": lambda p: bool(p.tactical),
        "- race": lambda p: p.tactical == "race",
        "- capture": lambda p: p.tactical == "capture",
        "- threat": lambda p: p.tactical == "threat",
    }
    found = {title: np.array([test(p) for p in puzzles]) for title, test in tests.items()}
    return {title: chosen for title, chosen in found.items() if chosen.sum() >= FEWEST}


# Tables


def chances_table(found: Measured) -> str:
    """The chance of a winning move, by playouts and method."""
    rows = [["playouts", *found.names]]
    bands = [intervals.of_means(chances) for chances in found.chance]
    for row, playouts in enumerate(found.budgets.tolist()):
        cells = [
            f"{100 * band.mean[row]:.1f} ±{100 * (band.high - band.mean)[row]:.1f}"
            for band in bands
        ]
        rows.append([f"{playouts:,}", *cells])
    rows.append(["ms a search", *(f"{1000 * seconds:.1f}" for seconds in found.seconds)])
    return markdown(rows)


PAIRS = [
    ("Flat", "AMAF"), ("UCB", "AMAF"), ("UCT", "AMAF"), ("Flat", "UCT"), ("Flat", "RAVE"),
    ("UCB", "RAVE"), ("UCT", "RAVE"), ("UCT", "GRAVE"),
]  # fmt: skip
RATIOS_AT = (10, 20, 100, 500, 2000, 10_000)


def ratios_table(found: Measured) -> str:
    """The ratios of each pair of methods, over all positions."""
    budgets = [playouts for playouts in RATIOS_AT if playouts in found.budgets]
    rows = [["", *(f"at {playouts:,}" for playouts in budgets)]]
    everything = np.ones(len(found.puzzles), dtype=bool)
    for slow, fast in PAIRS:
        cells = [
            times(ratio(found, slow, fast, playouts, everything), found, playouts)
            for playouts in budgets
        ]
        rows.append([f"{slow} for {fast}", *cells])
    return markdown(rows)


KIND_PAIRS = [
    ("Flat", "AMAF", 100), ("UCT", "AMAF", 100), ("Flat", "RAVE", 100), ("UCT", "RAVE", 100),
    ("UCT", "GRAVE", 100), ("UCT", "RAVE", 1000),
]  # fmt: skip


def kinds_table(found: Measured) -> str:
    """The same for each kind of positions, for a few of the pairs."""
    pairs = [pair for pair in KIND_PAIRS if pair[2] in found.budgets]
    heads = [f"{slow} for {fast} at {playouts:,}" for slow, fast, playouts in pairs]
    rows = [["positions", "number", *heads]]
    for title, chosen in kinds(found.puzzles).items():
        cells = [
            times(ratio(found, slow, fast, playouts, chosen), found, playouts)
            for slow, fast, playouts in pairs
        ]
        rows.append([title, str(chosen.sum()), *cells])
    return markdown(rows)


def kinds_chances_table(found: Measured) -> str:
    """The chance of a winning move for each kind of position, at a middle and the full budget."""
    middling, full = found.budgets[len(found.budgets) // 2], found.budgets[-1]
    rows = [["positions", "any move", *(f"{name}" for name in found.names)]]
    for title, chosen in kinds(found.puzzles).items():
        some = [p for p, is_chosen in zip(found.puzzles, chosen, strict=True) if is_chosen]
        cells = [f"{100 * np.mean([len(p.wins) / p.legal for p in some]):.0f}"]
        for name in found.names:
            means = found.of(name)[:, chosen].mean(axis=-1)
            cells.append(f"{100 * means[found.at(middling)]:.0f}, {100 * means[-1]:.0f}")
        rows.append([title, *cells])
    return f"(at {middling:,} playouts, and at {full:,})\n\n{markdown(rows)}"


def misleading_table(found: Measured) -> str:
    """With all playouts: the positions where one of two methods is right and the other misled."""
    rows = [
        ["with all playouts", "difference, points", "only the first right", "only the second",
         "the second misled in"]
    ]  # fmt: skip
    for first, second in [("Flat", "AMAF"), ("UCT", "RAVE"), ("UCT", "GRAVE")]:
        one, other = found.of(first)[-1], found.of(second)[-1]
        band = intervals.of_means(100 * (one - other))
        misled = (one >= MOSTLY) & (other <= SELDOM)
        examples = [p.fen for p, is_one in zip(found.puzzles, misled, strict=True) if is_one]
        rows.append(
            [
                f"{first} and {second}",
                f"{band.mean:+.1f} ±{band.high - band.mean:.1f}",
                str(int(misled.sum())),
                str(int(((other >= MOSTLY) & (one <= SELDOM)).sum())),
                " ".join(f"`{fen}`" for fen in examples[:2]),
            ]
        )
    return markdown(rows)


def times(found: dict[str, float], measure: Measured, playouts: int) -> str:
    """A ratio and its interval."""

    def one(value: float) -> str:
        if np.isinf(value):
            return f"> {measure.budgets[-1] / playouts:,.3g}"
        if value <= measure.budgets[0] / playouts:
            return f"<= {measure.budgets[0] / playouts:.2g}"
        return f"{value:.2g}" if value < 100 else f"{value:,.0f}"

    return f"{one(found['ratio'])} ({one(found['low'])} - {one(found['high'])})"


def markdown(rows: list[list[str]]) -> str:
    """A markdown table: words left-aligned, numbers right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        for row in rows
    ]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]])


# The report


def report(found: Measured, settings: Settings) -> str:
    """All tables."""
    n = len(found.puzzles)
    return "\n\n".join(
        [
            f"The chance, in per cent, that the chosen move wins ({n} positions, {settings.runs} "
            "searches of each by each method)",
            chances_table(found),
            'Playouts needed to do as well, over those of the other: "Flat for AMAF" at 100 is how '
            "many times 100 playouts Flat needs to find winning moves as often as AMAF does with "
            "100",
            ratios_table(found),
            "The same by kind of position",
            kinds_table(found),
            "The chance by kind of position " + kinds_chances_table(found),
            "Who is misled: the difference of the chances, position by position; and in how many "
            "positions one goes right in at least 8 searches of 10 and the other in at most 2",
            misleading_table(found),
        ]
    )


PANELS = ("all", "opening", "late", "quiet")  # the others look like the first


def plot(found: Measured, path: str) -> None:
    """The chance of a winning move against playouts, for the larger kinds of positions."""
    try:
        import matplotlib
    except ImportError:
        sys.exit('--plot needs matplotlib: pip install "playout[plot]"')
    matplotlib.use("Agg")
    from matplotlib import pyplot

    from playout.plots.figure import curve

    pyplot.rcParams["svg.fonttype"] = "none"  # text as text, for a small file
    pyplot.rcParams["svg.hashsalt"] = "sample_efficiency"  # the same file from the same figures
    chosen = {title: which for title, which in kinds(found.puzzles).items() if is_panel(title)}
    rows = math.ceil(len(chosen) / 2)
    figure, grid = pyplot.subplots(
        rows, 2, figsize=(9, 3.6 * rows + 0.5), sharey=True, layout="constrained", squeeze=False
    )
    for ax, (title, which) in zip(grid.flat, chosen.items(), strict=False):
        for index, name in enumerate(found.names):
            band = intervals.of_means(found.of(name)[:, which])
            curve(ax, found.budgets, *band, label=name, index=index)
        ax.set_title(f"{title} ({which.sum()} positions)", fontsize=10)
        ax.set_ylim(0.2, 1)
        ax.yaxis.set_major_formatter("{x:.0%}")
    for ax in grid.flat[len(chosen) :]:
        ax.set_axis_off()
    figure.supylabel("chance that the chosen move wins", fontsize=10)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=7, frameon=False, handlelength=3.5
    )
    figure.savefig(path, dpi=110, metadata={"Date": None} if path.endswith(".svg") else None)


def is_panel(title: str) -> bool:
    """Whether a kind of positions has a panel in the figure."""
    return title.split(",")[0] in PANELS


def to_dict(found: Measured, settings: Settings) -> dict[str, Any]:
    """The measurements of each position, for JSON."""
    return {
        "settings": asdict(settings),
        "methods": found.names,
        "budgets": found.budgets.tolist(),
        "seconds": found.seconds.tolist(),
        "positions": [
            asdict(puzzle) | {"chance": found.chance[:, :, number].tolist()}
            for number, puzzle in enumerate(found.puzzles)
        ],
    }


def from_dict(data: dict[str, Any]) -> tuple[Measured, Settings]:
    """The inverse of `to_dict`."""
    chances = [position.pop("chance") for position in data["positions"]]
    puzzles = [Puzzle(**position) for position in data["positions"]]
    budgets, seconds = np.array(data["budgets"]), np.array(data["seconds"])
    found = Measured(data["methods"], budgets, np.stack(chances, axis=-1), seconds, puzzles)
    return found, Settings(**data["settings"])


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="How many playouts each method needs to find a winning move on Breakthrough "
        "5x5, by kind of position. Prints markdown tables."
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="a few positions and playouts, for CI")
    add("--seed", type=int, default=FULL.seed)
    add("--json", metavar="FILE", help="also write all that was measured to FILE")
    add("--from", dest="source", metavar="FILE", help="measure nothing: take what --json wrote")
    add("--plot", metavar="FILE", help="also draw the curves into FILE (.png, .svg); matplotlib")
    return parser.parse_args()


def main() -> None:
    """Find positions, measure, print, and write the requested files."""
    args = arguments()
    if args.source:
        found, settings = from_dict(json.loads(Path(args.source).read_text()))
    else:
        settings = replace(QUICK if args.quick else FULL, seed=args.seed)
        puzzles = []
        for each in drawn(settings):
            puzzles.append(each)
            progress(f"found {len(puzzles)} of {sum(settings.positions.values())} positions")
        found = measured(puzzles, settings)
        progress("\n")
    print(report(found, settings))
    if args.json:
        Path(args.json).write_text(json.dumps(to_dict(found, settings)) + "\n")
    if args.plot:
        plot(found, args.plot)


if __name__ == "__main__":
    main()
