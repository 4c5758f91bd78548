"""`playout doctor`: versions, the processor, and checks of the engine."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import pkgutil
import platform
from collections.abc import Callable
from functools import partial
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import click

import mcts_core
from mcts_core import cpu
from mcts_core.games.breakthrough import Breakthrough
from playout import __version__
from playout.cli.errors import Command
from playout.cli.repeat import command_line
from playout.cli.screen import console, print_json, print_whole
from playout.games import GAMES, Game
from playout.measure import cpu_model
from playout.playing import playouts
from playout.searching import search

PACKAGES = ("numpy", "click", "rich", "matplotlib")
LEVELS = {"baseline": "any processor", "v3": "AVX2 and BMI2", "v4": "AVX-512"}
WINS = 46_990  # of 100,000 games from Breakthrough 5x5 after b2c3 with seed 1


@click.command(cls=Command)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def command(ctx: click.Context, /, as_json: bool) -> int:
    """Check this installation. The exit code is 1 if a check fails.

    Shows the versions and the compiled code in use. Checks the rules by counting games, the random
    numbers by a known sum, and searches by their slow twin in plain Python.

    \b
    Examples:
      playout doctor
      playout doctor --json
    """
    facts = _facts()
    checks = {name: _outcome(check) for name, check in CHECKS.items()}
    is_well = not any(checks.values())
    line = command_line(ctx)
    if as_json:
        told = {name: fault or "ok" for name, fault in checks.items()}
        print_json({"facts": facts, "checks": told, "ok": is_well, "command": line})
        return 0 if is_well else 1
    screen = console()
    for name, value in facts.items():
        screen.print(f"{name:12}{value}")
    screen.print()
    for name, fault in checks.items():
        style = "bold red" if fault else "green"
        screen.print(f"{'FAILED' if fault else 'ok':8}", style=style, end="")
        screen.print(f"{name}{f': {fault}' if fault else ''}")
    screen.print()
    if not is_well:
        screen.print("Build it anew: pip install --force-reinstall --no-cache-dir playout")
    print_whole(screen, f"Again: {line}")
    return 0 if is_well else 1


def _facts() -> dict[str, str]:
    others = [level for level in _usable() if level != mcts_core.cpu_level]
    found = {
        "playout": f"{__version__} in {_place()}",
        "Python": f"{platform.python_version()} ({platform.platform(terse=True)})",
    }
    found |= {package: _version(package) for package in PACKAGES}
    return found | {
        "processor": f"{cpu_model()}, {os.cpu_count()} cores",
        "code": f"{mcts_core.cpu_level}, for {LEVELS.get(mcts_core.cpu_level, 'this processor')}",
        "others": f"{', '.join(others) or 'none'} (PLAYOUT_CPU=... chooses one)",
    }


def _place() -> str:
    folder = Path(mcts_core.__file__).parents[1]
    return "this folder" if folder == Path.cwd() else str(folder)


def _usable() -> list[str]:
    return [level for level in cpu.supported() if level in mcts_core.built_levels]


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _outcome(check: Callable[[], str]) -> str:
    """What is wrong; empty if the check passes."""
    try:
        return check()
    except Exception as fault:
        return f"{type(fault).__name__}: {fault}"


# The checks. Each returns what is wrong, or "".


def check_modules() -> str:
    """Every compiled module can be imported and is compiled code."""
    modules = pkgutil.walk_packages(mcts_core.__path__, "mcts_core.")
    names = [module.name for module in modules if not module.ispkg]
    python = [name for name in names if not _is_compiled(name)]
    expected = {"mcts_core.board", "mcts_core.errors", "mcts_core.lines"}
    return "" if set(python) <= expected else f"not compiled: {', '.join(set(python) - expected)}"


def _is_compiled(name: str) -> bool:
    file = importlib.import_module(name).__file__ or ""
    return file.endswith(tuple(EXTENSION_SUFFIXES))


def check_level() -> str:
    """The processor has the instruction set of the code in use."""
    return "" if mcts_core.cpu_level in _usable() else f"{mcts_core.cpu_level} cannot run here"


def check_rules(game: Game) -> str:
    """Perft gives the known numbers."""
    size, known = game.perft
    start = game.start(*size)
    return _differs([start.perft(depth) for depth, _ in enumerate(known, 1)], known)


def check_seed() -> str:
    """Random games have the known sum, on one thread and on two."""
    position = Breakthrough(5)
    position.push("b2c3")
    wins = [playouts(position, 100_000, seed=1, threads=threads).wins for threads in (1, 2)]
    return _differs(wins, [WINS, WINS])


def check_twin() -> str:
    """Searches are equal to those of the twin, visit for visit."""
    from playout import reference

    for method in ("uct", "rave"):
        ours = search(Breakthrough(5), method, playouts=300, seed=1)
        slow = reference.search(reference.Breakthrough(5), method, playouts=300, seed=1)
        visits = {str(row["move"]): int(row["visits"]) for row in ours.moves}
        fault = _differs(visits, {row.move: row.visits for row in slow.moves})
        if fault or ours.move != slow.move:
            return f"{method}: {fault or f'{ours.move} and {slow.move}'}"
    return ""


def _differs(found: object, expected: object) -> str:
    return "" if found == expected else f"found {found}, not {expected}"


CHECKS: dict[str, Callable[[], str]] = {
    "the compiled modules are there": check_modules,
    "the code fits the processor": check_level,
    **{
        f"rules of {game.title}, by counting games": partial(check_rules, game)
        for game in GAMES.values()
    },
    "random games from a seed, on 1 and 2 threads": check_seed,
    "searches are those of the twin in plain Python": check_twin,
}
