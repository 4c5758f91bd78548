"""The command line as a whole: names, help, faults, start-up."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import click
import pytest

import playout as po
from playout.cli.app import COMMANDS, commands
from support.commands import fault, playout

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


def found(*names: str) -> click.Command:
    """The command of these names."""
    command: click.Command | None = commands
    for name in names:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
    assert command is not None
    return command


def paths() -> list[tuple[str, ...]]:
    """The names of all commands, with those inside others."""
    inside = {name: getattr(found(name), "commands", {}) for name in COMMANDS}
    return [(name,) for name in COMMANDS] + [(n, sub) for n, subs in inside.items() for sub in subs]


@pytest.mark.parametrize("path", paths(), ids=" ".join)
def test_every_example_in_a_help_is_a_command(
    path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Examples are parsed, not run."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("-----OX--XO----- X"))
    examples = [shlex.split(words) for words in EXAMPLE.findall(help_of(*path))]
    assert examples
    for words in examples:
        assert tuple(words[: len(path)]) == path
        found(*path).make_context(path[-1], words[len(path) :])


@pytest.mark.parametrize("path", [path for path in paths() if path != ("doctor",)], ids=" ".join)
def test_every_option_has_a_help(path: tuple[str, ...]) -> None:
    for param in found(*path).params:
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


def best_seconds(cache: Path, *runs: list[str]) -> Iterator[list[float]]:
    """The quickest run of each command after 2, 3, ... 10 rounds of Python processes.

    All but the first find bytecode in the folder `cache`. In processor time, because other work on
    the machine does not add to it.
    """
    resource = pytest.importorskip("resource", reason="needs what Unix tells of child processes")

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return float(used.ru_utime + used.ru_stime)

    environment = os.environ | {
        "OPENBLAS_NUM_THREADS": "1",  # numpy's idle threads spin at first
        "PYTHONPYCACHEPREFIX": str(cache),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    times: list[list[float]] = [[] for _ in runs]
    for done in range(1, 11):
        for arguments, seconds in zip(runs, times):
            begin = spent()
            command = [sys.executable, *arguments]
            subprocess.run(command, check=True, capture_output=True, env=environment)
            seconds.append(spent() - begin)
        if done > 1:
            yield [min(seconds) for seconds in times]


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="sanitizers load slowly")
def test_start_up_is_quick(tmp_path: Path) -> None:
    """The library takes at most 60 ms more than numpy, which it imports, or as long again."""
    runs = ["-c", "import numpy"], ["-c", "import playout"], ["-m", "playout", "--version"]
    assert any(
        library - numpy < max(0.060, numpy) and version < max(0.150, 2 * numpy)
        for numpy, library, version in best_seconds(tmp_path, *runs)
    )


# Control characters

CODES = "\x1b[2J\x9b31m\a\u202e"  # clears the screen, colours, rings, writes backwards
SHOWN = r"\x1b[2J\x9b31m\x07\u202e"
GGF = f"(;GM[Othello]PB[{CODES}]TY[4]BO[4 -----O*--*O----- *];)"


def is_harmless(text: str) -> bool:
    return all(char.isprintable() or char == "\n" for char in text)


@pytest.mark.parametrize(
    "words",
    [
        [CODES],
        [f"--{CODES}"],
        ["search", "--playouts", CODES],
        ["search", "--game", CODES],
        ["search", "--moves", f"a2a3 {CODES}"],
        ["search", "-g", "othello", "--moves", f"f5{CODES}"],
        ["search", "--position", CODES],
        ["search", "--position", f"{GGF[:-2]}{CODES}[]"],
        ["search", "--method", CODES],
        ["play", "--resume", CODES],
        ["play", "--save", f"no/{CODES}"],
        ["perft", CODES],
    ],
)
def test_a_fault_shows_control_characters_and_sends_none(words: list[str]) -> None:
    assert is_harmless(playout(*words).err)
    assert r"\x1b[" in fault(*words)


def test_a_record_with_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    playout("play", "--save", str(path))
    saved = json.loads(path.read_text())
    for part in ({"moves": [CODES]}, {"game": CODES}, {"seed": CODES}, {CODES: 1, "start": CODES}):
        path.write_text(json.dumps(saved | part))
        assert SHOWN in fault("play", "--resume", str(path))


def test_moves_and_files_typed_with_control_characters(tmp_path: Path) -> None:
    path = tmp_path / f"{CODES}.json"
    ran = playout("play", "--size", "5", "-n", "9", stdin=f"{CODES}\nsave {path}\nsave no/{path}\n")
    assert is_harmless(ran.out)
    assert f"'{SHOWN}' is neither a legal move nor a word" in ran.out
    assert f"Saved in {tmp_path}/{SHOWN}.json, and kept up to date there." in ran.out
    assert path.exists()


@pytest.mark.skipif(not shutil.which("bash"), reason="the last line is for bash or zsh")
@pytest.mark.parametrize("word", [CODES, "it's \x1b\\ 1", "a\nb", "\x7fä", os.fsdecode(b"\xff")])
def test_the_last_line_names_such_files_so_that_a_shell_reads_them(
    word: str, tmp_path: Path
) -> None:
    """`$'...'` keeps the line free of unprintable characters."""
    path = tmp_path / word
    ran = playout("play", "--size", "5", "-n", "9", "--save", str(path))
    assert is_harmless(ran.out)
    assert ran.last_line.startswith("Go on with: playout play --resume ")
    given = ran.last_line.removeprefix("Go on with: playout play --resume ")
    read = subprocess.run(["bash", "-c", f"printf %s {given}"], stdout=subprocess.PIPE).stdout
    assert read == os.fsencode(path)


def test_a_players_name_with_control_characters() -> None:
    ran = playout("solve", "--position", GGF)
    assert (ran.code, ran.err) == (0, "")
    assert is_harmless(ran.out)
    assert r"PB[\x1b[2J" in ran.last_line


def test_what_is_typed_need_not_be_utf_8() -> None:
    """A typing error does not end the game."""
    ran = subprocess.run(
        [sys.executable, "-m", "playout", "play", "--size", "5", "-n", "9"],
        input=b"\xff\na2a3\n",
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8:strict"},
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert rb"'\udcff' is neither a legal move nor a word" in ran.stdout
    assert b"black plays " in ran.stdout
