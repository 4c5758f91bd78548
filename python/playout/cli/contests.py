"""What `playout match` and `playout tournament` share: their options, playing, and the report."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from playout.arena.contest import Contest, Row
from playout.arena.game import Adjudication
from playout.arena.limit import CLOCK, Limit
from playout.arena.match import (
    MOST_WORKERS,
    Playing,
    contest_of,
    crowd,
    pairs_of,
    recorded,
    recorded_seed,
)
from playout.arena.openings import Openings, openings_of
from playout.arena.results import Match, Tournament
from playout.arena.statistics import SPRT
from playout.cli import files
from playout.cli.counts import COUNT
from playout.cli.errors import Fault
from playout.cli.positions import own_game, position_options, to_search
from playout.cli.repeat import command_line, drawn
from playout.cli.screen import console, is_terminal, print_json, print_whole
from playout.names import TournamentSchedule
from playout.record import Record

F = TypeVar("F", bound=Callable[..., Any])

GAMES = 100
PLAYOUTS = 1000  # a move, where no limit is given
PLIES = 4
PAUSE = 0.25  # seconds between two looks at the report while games are played

KEPT = ("resume", "report", "workers", "dask", "as_json", "html", "export")


def contest_options(command: F) -> F:
    """The options of a match, as a decorator."""
    options = [
        click.option(
            "--games", type=COUNT, default=GAMES, metavar="N", show_default=True,
            help="For each two players who meet; even, because each opening is played twice.",
        ),
        click.option(
            "-n", "--playouts", type=COUNT, metavar="N",
            help=f"Playouts a move of players without a level; {PLAYOUTS:,} by default.",
        ),
        click.option("-s", "--seconds", type=float, metavar="S", help="Seconds a move instead."),
        click.option("--nodes", type=COUNT, metavar="N", help="Nodes a move instead."),
        click.option(
            "--clock", metavar="S[+I]", help="Seconds a game, and what each move adds: 60+0.5."
        ),
        click.option(
            "--speed", type=float, metavar="N",
            help="Times are meant for a machine that plays N random games of Breakthrough 8x8 in "
            "a second on a core; on others they grow or shrink.",
        ),
        click.option(
            "--openings", default=str(PLIES), metavar="PLIES|FILE", show_default=True,
            help="Moves at random, or a file with a line of moves for each opening.",
        ),
        click.option(
            "--balance", type=float, metavar="E",
            help="Only random openings that a search values within E of a draw, such as 0.05.",
        ),
        click.option(
            "--solve-nodes", type=COUNT, metavar="N",
            help="End a game once it is solved, with N nodes for each position.",
        ),
        click.option(
            "--agreed", type=float, metavar="P",
            help="End a game once both players expect P or more of the same side, as 0.98.",
        ),
        click.option("--most-plies", type=int, metavar="N", help="A longer game is a draw."),
        click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Drawn by default."),
        click.option(
            "--workers", type=click.IntRange(1, MOST_WORKERS), metavar="N",
            help="Processes that play at a time, at most one for each core; 1 by default, in this "
            "process.",
        ),
        click.option("--dask", metavar="ADDRESS", help="Play on this Dask cluster."),
        click.option("--record", metavar="FILE", help="Keep every game here as it ends."),
        click.option("--resume", metavar="FILE", help="Go on with a record, all from the file."),
        click.option("--report", metavar="FILE", help="Play nothing; report what a record holds."),
        click.option("--html", metavar="FILE", help="Write the report as a page with pictures."),
        click.option(
            "--export", metavar="FOLDER|FILE.pgn",
            help="Write each game as JSON into a folder, or all as text into one file.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print the report as JSON."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return position_options(command)


def run(
    ctx: click.Context,
    players: tuple[str, ...],
    options: dict[str, Any],
    sprt: SPRT | None = None,
    schedule: TournamentSchedule = "round robin",
) -> None:
    """Play what the command says, and report, also after Ctrl-C."""
    is_whole = True
    if options["report"] is not None or options["resume"] is not None:
        contest, games, sprt, rows = _from_record(ctx, players, options)
    else:
        contest, games, rows = _from_options(players, options, schedule), options["games"], []
    screen = console()
    if options["report"] is None:
        path = options["resume"] or options["record"]
        playing = Playing(contest, pairs_of(games), sprt, path)
        if options["dask"] is None and (warning := crowd(contest, options["workers"] or 1)):
            print(f"playout: {warning}", file=sys.stderr)
        is_whole = _play(screen, playing, options)
        rows = playing.rows
    report = report_of(contest, rows, sprt)
    if options["as_json"]:
        print_json(report.to_dict())
        if not is_whole:
            print(_last_line(ctx, contest, options, is_whole), file=sys.stderr)
    else:
        print_whole(screen, str(report))
        if options["report"] is None:
            print_whole(screen, _last_line(ctx, contest, options, is_whole))
    _write(report, options)  # may fail, so it comes after the report
    if not is_whole:
        raise KeyboardInterrupt  # for the exit code


def report_of(contest: Contest, rows: list[Row], sprt: SPRT | None) -> Match | Tournament:
    """What came of it: a match if there are two players."""
    if len(contest.players) == 2:
        return Match(contest, rows, sprt)
    return Tournament(contest, rows)


def _from_options(
    players: tuple[str, ...], options: dict[str, Any], schedule: TournamentSchedule
) -> Contest:
    position = to_search(
        **{name: options[name] for name in ("game", "size", "first_rows", "position", "moves")}
    )
    return contest_of(
        players,
        position,
        _limit(options),
        _seed(options),
        _openings(options),
        Adjudication(
            solve_nodes=options["solve_nodes"],
            agreed=options["agreed"],
            most_plies=options["most_plies"],
        ),
        schedule,
        options["speed"],
    )


def _seed(options: dict[str, Any]) -> int:
    seed = options["seed"]
    return drawn(recorded_seed(options["record"]) if seed is None else seed)


def _limit(options: dict[str, Any]) -> Limit:
    clock, increment = None, 0.0
    if options["clock"] is not None:
        text = options["clock"].strip().removesuffix("s")
        found = CLOCK.fullmatch(f"{text}s" if "+" in text else f"{text}+0s")
        if found is None:
            raise Fault("--clock is seconds of a game, and what each move adds: 60 or 60+0.5")
        clock, increment = float(found[1]), float(found[2])
    limit = Limit(options["playouts"], options["nodes"], options["seconds"], clock, increment)
    return limit if limit.is_given else Limit(playouts=PLAYOUTS)


def _openings(options: dict[str, Any]) -> Openings:
    text = options["openings"].strip()
    if text.isascii() and text.isdigit():
        return Openings(plies=int(text[:9]), balance=options["balance"])
    if options["balance"] is not None:
        raise Fault("--balance is for random openings: give --openings as a number of plies")
    return openings_of(text)


def _from_record(
    ctx: click.Context, players: tuple[str, ...], options: dict[str, Any]
) -> tuple[Contest, int, SPRT | None, list[Row]]:
    if options["report"] is not None and options["resume"] is not None:
        raise Fault("--report plays nothing and --resume plays on: give one of them")
    word = "--report" if options["report"] is not None else "--resume"
    if players:
        raise Fault(f"{word} takes the players from the file: leave {players[0]} out")
    kept = (*KEPT, "players", "first", "second", *own_game(options))
    for param in ctx.command.params:
        name = param.name or ""
        is_given = ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
        if is_given and name not in kept:
            raise Fault(f"{word} takes all from the file: leave {param.opts[-1]} out")
    return recorded(Path(options["report"] or options["resume"]))


# Playing


def _play(screen: Console, playing: Playing, options: dict[str, Any]) -> bool:
    """Play, and show how it goes. Returns False if Ctrl-C ended it."""
    view = _View(screen, playing) if is_terminal() and not options["as_json"] else None
    try:
        with _hands(options) as hands, view or nullcontext():
            for _ in playing.play(hands):
                if view is not None:
                    view.update()
    except KeyboardInterrupt:
        return False
    return True


def _hands(options: dict[str, Any]) -> AbstractContextManager[Executor | int | None]:
    """What plays the games."""
    if options["dask"] is None:
        workers = options["workers"]
        return nullcontext(None if workers in (None, 1) else workers)
    if options["workers"] is not None:
        raise Fault("--dask and --workers are two ways to play at a time: choose one")
    return dask_executor(options["dask"])


def dask_executor(address: str) -> AbstractContextManager[Executor]:
    """An executor on a Dask cluster."""
    try:
        from distributed import Client
    except ImportError:
        raise Fault('--dask needs Dask: pip install "playout[cluster]"') from None
    try:
        executor: AbstractContextManager[Executor] = Client(address, timeout="10s").get_executor(
            pure=False, retries=3
        )
    except (OSError, ValueError) as fault:
        raise Fault(f"--dask {address}: no scheduler answers there: {fault}") from None
    return executor


class _View:
    """The report so far, drawn anew in place."""

    def __init__(self, screen: Console, playing: Playing) -> None:
        self._playing, self._began, self._next = playing, time.monotonic(), 0.0
        self._live = Live(console=screen, auto_refresh=False, transient=True)
        self._known: int | None = None

    def __enter__(self) -> None:
        self._live.start()

    def __exit__(self, *fault: object) -> None:
        self._live.stop()

    def update(self) -> None:
        """Draw, if the last time is long enough ago."""
        now, playing = time.monotonic(), self._playing
        if self._known is None:
            self._known = len(playing.rows) - 1
        if now < self._next:
            return
        self._next = now + PAUSE
        played = len(playing.rows) - self._known
        rate = played / max(now - self._began, 1e-9)
        total = 2 * playing.pairs * len(playing.contest.pairings)
        report = report_of(playing.contest, playing.rows, playing.sprt)
        lines = [
            Text(str(report)),
            Text(f"{len(playing.rows):,} of {total:,} games, {rate:.3g} a second", style="bold"),
            *(
                Text(f"  {worker}: {n:,} games, {residual:+.1f} standard errors off the mean")
                for worker, (n, residual) in report.residuals().items()
            ),
            Text("Ctrl-C ends it and reports.", style="dim"),
        ]
        self._live.update(Group(*lines), refresh=True)


def _last_line(
    ctx: click.Context, contest: Contest, options: dict[str, Any], is_whole: bool
) -> str:
    path = options["resume"] or options["record"]
    own = "".join(f" --game {name}" for name in own_game(options).values())
    if not is_whole:
        if path is None:
            return "These games are not kept: with --record FILE a match can go on later."
        return f"Go on with: playout {ctx.info_name} --resume {path}{own}"
    if path is not None:
        return f"Report: playout {ctx.info_name} --report {path}{own}"
    return f"Again: {command_line(ctx, seed=contest.seed)}"


# Writing


def _write(report: Match | Tournament, options: dict[str, Any]) -> None:
    if options["html"] is not None:
        _replace(Path(options["html"]), report.to_html())
    if options["export"] is None:
        return
    folder = Path(options["export"])
    if folder.suffix == ".pgn":
        _replace(folder, "\n".join(record.to_pgn() for record in report.records()))
    else:
        games = zip(report.records(), report.rows, strict=True)
        for number, (record, row) in enumerate(games, start=1):
            _replace(folder / f"game-{number:06}.json", _text(record, row))


def _text(record: Record, row: Row) -> str:
    """A game with what the match knows of it."""
    played = row.played
    match = {
        "opening_plies": len(row.opening),
        "result": played.result,
        "reason": played.reason,
        "fault": played.fault,
    }
    return json.dumps(record.to_dict() | {"match": match}, indent=2) + "\n"


def _replace(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.replace(path, text)
    except OSError as fault:
        raise Fault(f"{path} cannot be written: {fault.strerror}; give another name") from None
