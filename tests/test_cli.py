"""The command line as a whole: names, help, faults, start-up, missing packages."""

from __future__ import annotations

import importlib.machinery
import io
import os
import re
import shlex
import subprocess
import sys
from unittest import mock

import click
import pytest
from commands import fault, playout

import playout as po
from playout.cli.app import COMMANDS, commands

EXAMPLE = re.compile(r"^ +(?:.*\| )?playout (\S.*?)(?:   .*)?$", re.MULTILINE)


def help_of(*command: str) -> str:
    ran = playout(*command, "--help")
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def test_help_lists_the_commands() -> None:
    for text in (help_of(), playout().out):
        for name in COMMANDS:
            assert re.search(rf"^  {name} ", text, re.MULTILINE)


def test_version() -> None:
    assert playout("--version").out == f"playout {po.__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_in_a_help_is_a_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is parsed, not run."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("-----OX--XO----- X"))
    examples = [shlex.split(words) for words in EXAMPLE.findall(help_of(name))]
    assert examples
    for first, *rest in examples:
        command = commands.get_command(click.Context(commands), first)
        assert first == name
        assert command is not None
        command.make_context(first, rest)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "doctor"])
def test_every_option_has_a_help(name: str) -> None:
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    for param in command.params:
        assert isinstance(param, click.Argument) or (isinstance(param, click.Option) and param.help)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("serach", "there is no command 'serach'; did you mean 'search'? Known: search, play, "),
        ("x", "there is no command 'x'. Known: search, play, "),
        ("perft 3 --divid", "did you mean"),
        ("search --playouts many", "'many' is not a valid integer"),
        ("search --playouts", "'--playouts' requires an argument"),
        ("search --seed -1", "-1 is not in the range"),
        ("search --game othelo", "not 'othelo'; did you mean 'othello'?"),
        ("search --method rve", "there is no method 'rve'; did you mean 'rave'? Known: flat"),
        (
            "search -g othello -m AlphaBeta(evaluation=wieghts)",
            "there is no evaluation 'wieghts'; did you mean 'weights'?",
        ),
        ("search --moves a2a4", "'a2a4' is not legal here; did you mean 'a2a3'? Legal: a2a3"),
        ("perft", "Missing argument 'DEPTH'"),
    ],
)
def test_a_fault_is_one_line_with_a_remedy(words: str, message: str) -> None:
    assert message.lower() in fault(*shlex.split(words)).lower()


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_a_missing_package_has_a_remedy(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from playout import cli

    found = cli.find_spec

    def find(name: str) -> importlib.machinery.ModuleSpec | None:
        return None if name == missing else found(name)

    monkeypatch.setattr(cli, "find_spec", find)
    assert cli.main(["--version"]) == 1
    assert capsys.readouterr().err == (
        f"playout: the command line needs {missing}, which the library itself does not: "
        'pip install "playout[cli]"\n'
    )


def test_the_library_imports_neither_click_nor_rich() -> None:
    code = "import sys, playout; sys.exit(any(name in sys.modules for name in ('click', 'rich')))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_ctrl_c_where_there_is_nothing_to_show() -> None:
    with mock.patch("playout.cli.solve.solve", side_effect=KeyboardInterrupt):
        ran = playout("solve", "--size", "4")
    assert (ran.code, ran.err.strip()) == (130, "playout: interrupted")


def test_a_reader_that_has_seen_enough_ends_it_quietly() -> None:
    """As in `playout ... | head -n 1`."""
    with subprocess.Popen(
        [sys.executable, "-m", "playout", "play", "--white", "flat", "--black", "flat", "-n", "9"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


# Start-up


def best_seconds(*runs: list[str]) -> list[float]:
    """The quickest of ten runs of Python each, in turns, by the processor's time: on a machine that
    does other things as well, the clock would tell about those."""
    resource = pytest.importorskip("resource", reason="needs what Unix tells of child processes")

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return float(used.ru_utime + used.ru_stime)

    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # numpy's idle threads spin at first
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(10):
        for arguments, seconds in zip(runs, times):
            begin = spent()
            command = [sys.executable, *arguments]
            subprocess.run(command, check=True, capture_output=True, env=environment)
            seconds.append(spent() - begin)
    return [min(seconds) for seconds in times]


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="sanitizers load slowly")
def test_start_up_is_quick() -> None:
    """Within 150 ms, and the library's own part of it; more only where numpy alone is slow."""
    numpy, library, version = best_seconds(
        ["-c", "import numpy"], ["-c", "import playout"], ["-m", "playout", "--version"]
    )
    assert library - numpy < max(0.150, numpy)
    assert version < max(0.150, 2 * numpy)
