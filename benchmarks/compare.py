"""Playouts and simulations per second: playout against plain Python and other libraries.

    python benchmarks/compare.py             # the tables in docs/speed.md, some minutes
    python benchmarks/compare.py --peers     # with OpenSpiel and rust-reversi, where installed
    python benchmarks/compare.py --quick     # about ten seconds, for CI

It measures whole random games from the start position, with moves drawn uniformly, and searches
with a tree, by the wall clock. In every round all contestants are measured once, and the best round
of each counts. So a disturbance of the machine affects all of them alike.

Reading order: in `playout.measure` a Contestant measures itself and `race` lets them take turns.
Here each table is one function that names its contestants and formats the rates, and `main` prints
the report. To add a table, write a function like `playouts_table`.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import itertools
import json
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import list_board

try:
    import calls
    import playout as po
    from playout import reference
    from playout.measure import Contestant, Row, cpu_model, race, short
except ImportError as error:
    sys.exit(f"compare.py needs the compiled library ({error}); pip install . and run it again")

# The contestants. Each function returns `play`: play(n) plays n games.


@dataclass(frozen=True)
class Game:
    """One game and size in each program. `openspiel` and `rust` are empty if it lacks the game."""

    title: str
    plain: Callable[[], Any]
    twin: Callable[[], Any]
    ours: Callable[[], Any]
    openspiel: str = ""
    rust: bool = False


def breakthrough(size: int, openspiel: bool) -> Game:
    """Breakthrough on a square board."""
    return Game(
        f"Breakthrough {size}x{size}",
        lambda: list_board.Breakthrough(size, size),
        lambda: reference.Breakthrough(size),
        lambda: po.Breakthrough(size),
        f"breakthrough(rows={size},columns={size})" if openspiel else "",
    )


GAMES = (
    breakthrough(5, openspiel=False),  # OpenSpiel's 5x5 has one row of men each
    breakthrough(6, openspiel=True),
    breakthrough(8, openspiel=True),
    Game("Othello 8x8", list_board.Othello, reference.Othello, po.Othello, "othello", rust=True),
)


def plain_python(game: Game) -> Callable[[int], object]:
    """The list-board program: copy the start position, play, n times."""
    start = game.plain()

    def play(n: int) -> None:
        for _ in range(n):
            start.copy().playout()

    return play


def twin(game: Game) -> Callable[[int], object]:
    """playout.reference, the twin in plain Python."""
    start, seeds = game.twin(), itertools.count(1)
    return lambda n: reference.playouts(start, n, seed=next(seeds))


def ours(game: Game, threads: int) -> Callable[[int], object]:
    """The compiled library."""
    start, seeds = game.ours(), itertools.count(1)
    return lambda n: po.playouts(start, n, seed=next(seeds), threads=threads)


def openspiel(game: Game, pyspiel: Any) -> Callable[[int], object]:
    """OpenSpiel's own random rollouts, looped in C++.

    A search of its MCTSBot with one simulation evaluates the root once. RandomRolloutEvaluator does
    that by n rollouts, so it plays exactly n random games from the start position without a tree.
    """
    spiel_game = pyspiel.load_game(game.openspiel)
    start, seeds = spiel_game.new_initial_state(), itertools.count(1)

    def play(n: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(n, next(seeds))
        bot = pyspiel.MCTSBot(
            spiel_game, evaluator, uct_c=1.0, max_simulations=1, max_memory_mb=0,
            solve=False, seed=1, verbose=False,
        )  # fmt: skip
        bot.mcts_search(start)

    return play


def rust_reversi(rust: Any) -> Callable[[int], object]:
    """rust-reversi's own random playouts, looped in Rust.

    Its MctsSearch expands the root and then plays n playouts. With a threshold that is never
    reached it expands nothing else. So it plays n random games that begin after one of the first
    four moves, which are equivalent.
    """
    never = sys.maxsize
    return lambda n: rust.MctsSearch(n, 1.0, never).get_move(rust.Board())


# The tables


@dataclass
class Table:
    """A table to print, and its numbers for --json."""

    title: str
    header: list[str]
    lines: list[list[str]]
    numbers: dict[str, dict[str, float]]
    note: str = ""

    def markdown(self) -> str:
        """The table as GitHub markdown, aligned so that it is readable as plain text."""
        cells = [self.header, *self.lines]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.header))]
        rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
        first, *rest = [pad(row, widths) for row in cells]
        rows = [first, rule, *rest]
        text = "\n".join("| " + " | ".join(row) + " |" for row in rows)
        return f"{self.title}\n\n{text}\n" + (f"\n{self.note}\n" if self.note else "")


def pad(row: list[str], widths: list[int]) -> list[str]:
    """Pad the cells: the first one left-aligned, the others right-aligned."""
    name, *values = row
    return [name.ljust(widths[0]), *(v.rjust(w) for v, w in zip(values, widths[1:], strict=True))]


def times(rate: float | None, yardstick: float | None) -> str:
    """A ratio such as "3,800x"; empty if one of the rates is missing."""
    if rate is None or yardstick is None:
        return ""
    ratio = rate / yardstick
    if ratio >= 100:
        return f"{float(f'{ratio:.2g}'):,.0f}x"
    return f"{ratio:.{0 if ratio >= 10 else 1}f}x"


PLAIN, TWIN, OURS = "list-board Python", "playout.reference", "playout, 1 thread"
OPENSPIEL, RUST = "OpenSpiel", "rust-reversi"


def playouts_table(settings: Settings, peers: dict[str, Any]) -> Table:
    """Playouts per second from the start position, and the ratios to other programs."""
    ours_threads = f"playout, {settings.threads} threads"
    rows = []
    for game in GAMES:
        contestants = [
            Contestant(PLAIN, plain_python(game)),
            Contestant(TWIN, twin(game)),
            Contestant(OURS, ours(game, 1)),
            Contestant(ours_threads, ours(game, settings.threads)),
        ]
        if OPENSPIEL in peers and game.openspiel:
            contestants.append(Contestant(OPENSPIEL, openspiel(game, peers[OPENSPIEL])))
        if RUST in peers and game.rust:
            contestants.append(Contestant(RUST, rust_reversi(peers[RUST])))
        rows.append(Row(game.title, contestants))
    race(rows, settings.rounds, settings.at_least)

    columns = [PLAIN, TWIN, OURS, ours_threads, *peers]
    yardsticks = [PLAIN, *peers]
    header = ["playouts per second", *columns, *(f"1 thread vs {name}" for name in yardsticks)]
    lines = [
        [row.title]
        + [short(row.rates.get(name)) for name in columns]
        + [times(row.rates[OURS], row.rates.get(name)) for name in yardsticks]
        for row in rows
    ]
    note = f"Best of {settings.rounds} rounds of at least {settings.at_least} s each."
    if OPENSPIEL in peers:
        note += " OpenSpiel plays 5x5 with one row of men each, which is another game."
    numbers = {row.title: row.rates for row in rows}
    return Table("Random games from the start position", header, lines, numbers, note)


PUSH, PUSH_INDEX = "push", "push_index"


def loop_table(settings: Settings, peers: dict[str, Any]) -> Table:
    """Random games per second in a Python loop over the moves of a position."""
    rows = []
    for game in GAMES:
        contestants = [
            Contestant(PUSH, calls.pushes(game.ours())),
            Contestant(PUSH_INDEX, calls.indices(game.ours())),
        ]
        if OPENSPIEL in peers and game.openspiel:
            loop = calls.openspiel_actions(game.openspiel, peers[OPENSPIEL])
            contestants.append(Contestant(OPENSPIEL, loop))
        rows.append(Row(game.title, contestants))
    race(rows, settings.rounds, settings.at_least)
    names = [name for name in (PUSH, PUSH_INDEX, OPENSPIEL) if name in rows[-1].rates]
    ratios = [name for name in names[:2] if OPENSPIEL in names]
    header = ["Python loop, games per second", *names, *(f"{name} vs OpenSpiel" for name in ratios)]
    lines = [
        [row.title]
        + [short(row.rates.get(name)) for name in names]
        + [times(row.rates[name], row.rates.get(OPENSPIEL)) for name in ratios]
        for row in rows
    ]
    note = "Every move is drawn and played by Python code, from `legal_moves` or by its index."
    return Table("Python loop", header, lines, {row.title: row.rates for row in rows}, note)


# A search of `SIMULATIONS` from the start position; the tree grows with each

SIMULATIONS = 200_000
DEEP = "RAVE, UCT's tree"
LANES = "UCT, lanes"
METHODS = {
    "UCT": po.UCT(),
    "RAVE": po.RAVE(),
    "GRAVE": po.GRAVE(),
    DEEP: po.RAVE(bias=1e9, c=0.4),  # AMAF is counted, but has hardly any weight
    LANES: po.UCT(lanes=16),
}
SHARED = ("UCT", "RAVE", "GRAVE")  # also measured on several threads


def our_search(game: Game, method: po.Method, threads: int) -> Callable[[int], object]:
    """One of our searches; n is the number of its simulations."""
    start, seeds = game.ours(), itertools.count(1)
    return lambda n: po.search(start, method, playouts=n, seed=next(seeds), threads=threads)


def openspiel_search(game: Game, pyspiel: Any) -> Callable[[int], object]:
    """OpenSpiel's MCTSBot in C++, one rollout a simulation."""
    spiel_game = pyspiel.load_game(game.openspiel)
    start, seeds = spiel_game.new_initial_state(), itertools.count(1)

    def play(n: int) -> None:
        bot = pyspiel.MCTSBot(
            spiel_game, pyspiel.RandomRolloutEvaluator(1, next(seeds)), uct_c=0.4,
            max_simulations=n, max_memory_mb=1000, solve=False, seed=1, verbose=False,
        )  # fmt: skip
        bot.mcts_search(start)

    return play


def rust_search(rust: Any) -> Callable[[int], object]:
    """rust-reversi's MCTS; a leaf gets children at its second visit."""
    return lambda n: rust.MctsSearch(n, 0.4, 1).get_move(rust.Board())


def searches_tables(settings: Settings, peers: dict[str, Any]) -> list[Table]:
    """Simulations per second of searches with a tree, on one thread and on several."""
    threads = settings.threads
    n = SIMULATIONS // (10 if settings.quick else 1)
    rows = []
    for game in GAMES[2:]:
        contestants = [Contestant(m, our_search(game, METHODS[m], 1), n) for m in METHODS]
        contestants += [
            Contestant(shared(m), our_search(game, METHODS[m], threads), n) for m in SHARED
        ]
        if OPENSPIEL in peers:
            contestants.append(
                Contestant(OPENSPIEL, openspiel_search(game, peers[OPENSPIEL]), 1000)
            )
        if RUST in peers and game.rust:
            contestants.append(Contestant(RUST, rust_search(peers[RUST]), n))
        rows.append(Row(game.title, contestants))
    race(rows, 3 * settings.rounds, 0.05)
    columns = [*METHODS, *peers]
    pairs = [(ours, peer) for peer in peers for ours in ("UCT", LANES)]
    header = ["simulations per second", *columns, "RAVE vs UCT"]
    header += [f"{ours} vs {peer}" for ours, peer in pairs]
    lines = [
        [row.title]
        + [short(row.rates.get(name)) for name in columns]
        + [f"{row.rates['RAVE'] / row.rates['UCT']:.2f}x"]
        + [times(row.rates[ours], row.rates.get(peer)) for ours, peer in pairs]
        for row in rows
    ]
    note = (
        f"{n:,} simulations a search, one thread. {DEEP}: RAVE with a bias of 1e9. "
        f"{LANES}: {METHODS[LANES]!r}."
    )
    numbers = {row.title: row.rates for row in rows}
    return [
        Table("Searches with a tree", header, lines, numbers, note),
        threads_table(rows, threads),
    ]


def shared(method: str) -> str:
    """The name of a method on several threads."""
    return f"{method}, shared tree"


def threads_table(rows: list[Row], threads: int) -> Table:
    """The gain of several threads on one tree, from the same race."""
    header = [f"{threads} threads", *SHARED, *(f"{m} vs 1 thread" for m in SHARED)]
    lines = [
        [row.title]
        + [short(row.rates[shared(m)]) for m in SHARED]
        + [f"{row.rates[shared(m)] / row.rates[m]:.2f}x" for m in SHARED]
        for row in rows
    ]
    numbers = {row.title: row.rates for row in rows}
    return Table("Threads on one tree", header, lines, numbers, "Simulations per second, as above.")


@dataclass
class Deepening:
    """Alpha-beta of a few positions to a depth: its nodes, and its best nodes per second."""

    start: po.Position
    depth: int
    threads: int
    nodes: int = 0
    searches: int = 0
    pace: float = 0.0

    def __call__(self, n: int) -> None:
        """Search all positions n times."""
        method = po.AlphaBeta(self.depth, threads=self.threads)
        for position in middles(self.start) * n:
            found = po.search(position, method)
            self.nodes, self.searches = self.nodes + found.nodes, self.searches + 1
            self.pace = max(self.pace, found.nodes / found.seconds)

    @property
    def seconds(self) -> float:
        """Seconds of a search with a mean number of nodes at the best pace."""
        return self.nodes / self.searches / self.pace


def middles(start: po.Position) -> list[po.Position]:
    """Positions after a few plies of random games."""
    found = []
    for seed in range(1, 9):
        position = start.copy()
        for move in po.playout(start, seed=seed).moves[: 2 + seed]:
            position.push(move)
        found.append(position)
    return found


def alphabeta_table(settings: Settings) -> Table:
    """Alpha-beta to a depth: the time and the nodes per second, on one thread and on several."""
    threads, less = settings.threads, 6 if settings.quick else 0
    boards = (
        ("Breakthrough 8x8", po.Breakthrough(), 16),
        ("Connect Four", po.ConnectFour(), 24),
        ("Othello 8x8", po.Othello(), 20),
    )
    works = {
        title: [Deepening(start, depth - less, n) for n in (1, threads)]
        for title, start, depth in boards
    }
    race(
        [Row(title, [Contestant("", work) for work in pair]) for title, pair in works.items()],
        settings.rounds,
        0.0,
    )
    header = ["alpha-beta", "depth", "seconds, 1 thread", f"{threads} threads"]
    header += ["nodes", "nodes per second", f"{threads} threads vs 1"]
    lines, numbers = [], {}
    for title, (one, more) in works.items():
        nodes = more.nodes / more.searches * one.searches / one.nodes
        lines.append([title, f"{one.depth}", f"{one.seconds:.3f}", f"{more.seconds:.3f}"])
        lines[-1] += [f"{nodes:.2f}x", f"{more.pace / one.pace:.2f}x"]
        lines[-1] += [f"{one.seconds / more.seconds:.2f}x"]
        numbers[title] = {"1 thread": 1 / one.seconds, f"{threads} threads": 1 / more.seconds}
    note = (
        "To a depth, from eight positions after 3 to 10 plies of random games: the mean number of "
        "nodes, divided by the best nodes per second."
    )
    return Table("Alpha-beta on several threads", header, lines, numbers, note)


def memory_table(settings: Settings) -> Table:
    """The average memory of an entry of the tree."""
    n = SIMULATIONS // (10 if settings.quick else 1)
    numbers = {
        game.title: {m: bytes_an_entry(game, METHODS[m], n) for m in SHARED} for game in GAMES[2:]
    }
    lines = [[game, *(f"{numbers[game][m]:.0f}" for m in SHARED)] for game in numbers]
    note = f"After {n:,} simulations on one thread, slots included; the mean of eight seeds."
    return Table("Memory", ["bytes an entry", *SHARED], lines, numbers, note)


def bytes_an_entry(game: Game, method: po.Method, n: int) -> float:
    """Bytes of the table per entry, after searches with n simulations."""
    results = [po.search(game.ours(), method, playouts=n, seed=seed) for seed in range(1, 9)]
    return sum(r.bytes for r in results) / sum(r.nodes for r in results)


def overhead_table(settings: Settings, rates: dict[str, dict[str, float]]) -> Table:
    """The overhead of a call, besides the games played in it, in microseconds.

    `rates` are those of playouts_table. Its one-thread rate gives the time of a game in bulk.
    """
    numbers, lines = {}, []
    for game in GAMES:
        start = game.ours()
        single, alone = calls.single_call(start, settings.rounds)
        bulk = 1 / rates[game.title][OURS]
        many = calls.many_positions(start, settings.rounds)
        numbers[game.title] = {
            "call_us": 1e6 * single,
            "game_us": 1e6 * alone,
            "call_overhead_us": 1e6 * (single - alone),
            "position_us": 1e6 * many,
            "bulk_game_us": 1e6 * bulk,
            "position_overhead_us": 1e6 * (many - bulk),
            "search_us": 1e6 * calls.single_search(start, settings.rounds),
        }
        lines.append([game.title, *(f"{value:.2f}" for value in numbers[game.title].values())])
    header = [
        "microseconds", "playouts(b, 1)", "a game", "overhead",
        f"one of {calls.POSITIONS:,} positions", "a game in bulk", "overhead per position",
        "search(b, playouts=1)",
    ]  # fmt: skip
    note = (
        'One game a call. "A game" is what each of 63 more games in the same call costs; '
        '"in bulk", the inverse of the rate above.'
    )
    return Table("Overhead of a call", header, lines, numbers, note)


# The report


@dataclass(frozen=True)
class Settings:
    """How long and how often to measure."""

    rounds: int
    at_least: float
    threads: int
    quick: bool


def machine(peers: dict[str, Any]) -> dict[str, str]:
    """The machine and the versions of the measurement."""
    facts = {
        "cpu": cpu_model(),
        "cores": str(os.cpu_count()),
        "system": platform.platform(terse=True),
        "Python": platform.python_version(),
        "numpy": version("numpy"),
        "playout": f"{po.__version__} ({po.cpu()})",
    }
    packages = {OPENSPIEL: "open_spiel", RUST: "rust-reversi"}
    return facts | {name: version(packages[name]) for name in peers}


def version(package: str) -> str:
    """The version of an installed package."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def installed_peers() -> dict[str, Any]:
    """The installed modules of other programs, by name. Prints which are missing."""
    peers = {}
    for name, module, package in (
        (OPENSPIEL, "pyspiel", "open_spiel"),
        (RUST, "rust_reversi", "rust-reversi"),
    ):
        try:
            peers[name] = importlib.import_module(module)
        except ImportError:
            print(f"{name} is not installed (pip install {package}); left out.", file=sys.stderr)
    return peers


def plot(table: Table, path: str) -> None:
    """A bar chart of the rates, logarithmic."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("--plot needs matplotlib: pip install matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = list(dict.fromkeys(name for rates in table.numbers.values() for name in rates))
    width = 0.8 / len(names)
    figure, axes = pyplot.subplots(figsize=(9, 4.5), layout="constrained")
    for i, name in enumerate(names):
        bars = [(x, rates[name]) for x, rates in enumerate(table.numbers.values()) if name in rates]
        places = [x + (i - (len(names) - 1) / 2) * width for x, _ in bars]
        drawn = axes.bar(places, [rate for _, rate in bars], width, label=name)
        axes.bar_label(drawn, [short(rate) for _, rate in bars], fontsize=7, padding=2, rotation=90)
    axes.set_yscale("log")
    axes.set_ylabel("random games per second")
    axes.set_xticks(range(len(table.numbers)), list(table.numbers))
    axes.margins(y=0.15)
    axes.legend(ncols=len(names), loc="upper center", bbox_to_anchor=(0.5, 1.12), fontsize=8)
    figure.savefig(path, dpi=150)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Measure random games and simulations per second: list-board Python, "
        "playout.reference, playout and, with --peers, OpenSpiel and rust-reversi. "
        "Prints markdown tables."
    )
    add = parser.add_argument
    add("--peers", action="store_true", help="also OpenSpiel and rust-reversi, if installed")
    add("--quick", action="store_true", help="two short rounds (about 10 seconds), for CI")
    add("--threads", type=int, default=max(2, os.cpu_count() or 2), metavar="N",
        help="threads of the second playout column (default: all cores, at least 2)")  # fmt: skip
    add("--json", metavar="FILE", help="also write the figures and the machine to FILE")
    add("--plot", metavar="FILE", help="also draw a bar chart into FILE (.png, .svg); matplotlib")
    args = parser.parse_args()
    if args.threads < 2:
        parser.error(f"--threads must be at least 2 (1 is measured anyway), not {args.threads}")
    return args


def main() -> None:
    """Measure, print, and write the requested files."""
    args = arguments()
    settings = Settings(
        2 if args.quick else 5, 0.2 if args.quick else 0.4, args.threads, args.quick
    )
    peers = installed_peers() if args.peers else {}

    playouts = playouts_table(settings, peers)
    print(playouts.markdown())
    searches, on_threads = searches_tables(settings, peers)
    print(searches.markdown())
    print(on_threads.markdown())
    minimax = alphabeta_table(settings)
    print(minimax.markdown())
    memory = memory_table(settings)
    print(memory.markdown())
    loop = loop_table(settings, peers)
    print(loop.markdown())
    overhead = overhead_table(settings, playouts.numbers)
    print(overhead.markdown())
    facts = machine(peers)
    print(", ".join(f"{name} {value}" for name, value in facts.items()))

    if args.json:
        report = {
            "machine": facts,
            "settings": asdict(settings),
            "playouts_per_second": playouts.numbers,
            "simulations_per_second": searches.numbers,
            "alphabeta_per_second": minimax.numbers,
            "python_loop_per_second": loop.numbers,
            "bytes_an_entry": memory.numbers,
            "overhead": overhead.numbers,
        }
        Path(args.json).write_text(json.dumps(report, indent=2) + "\n")
    if args.plot:
        plot(playouts, args.plot)


if __name__ == "__main__":
    main()
