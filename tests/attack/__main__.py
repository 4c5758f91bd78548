"""Attacks on the library: each tries to break one promise, and prints a line with its figure.

    python tests/attack                  # all of them, short: some minutes
    python tests/attack --night          # in full size, and the tests of the suite: about two hours
    python tests/attack fuzz hammer      # some of them
    python tests/attack suite            # the tests of the suite that hold a promise
    python tests/attack --night --write docs/reliability.md

An attack is a module of this folder with a text PROMISE and a function `attack(night)`. The
function returns its figure as text, and raises AssertionError if the promise is broken. Each attack
runs in its own process, so that a crash fails only that attack.
"""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from _tested import TESTED

FOLDER = Path(__file__).parent
TESTS = FOLDER.parent
sys.path.append(str(TESTS))  # for the package `support`
ATTACKS = sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))
SUITE = "suite"
KNOWN = [*ATTACKS, SUITE]
HEAD = "| promise | test | figure | seconds |\n|---|---|---|--:|"
MARKS = ("<!-- tests/attack: begin -->\n", "<!-- tests/attack: end -->")


def last_line(command: list[str]) -> str | None:
    """Run a command. Returns its last line of output; None if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode == 0:
        return done.stdout.strip().splitlines()[-1]
    ended_by = f", ended by {signal.Signals(-done.returncode).name}" if done.returncode < 0 else ""
    print(f"failed{ended_by}: {shlex.join(command)}\n{done.stdout}", file=sys.stderr)
    return None


def attacked(name: str, night: bool) -> str | None:
    """Run an attack. Returns its figure; None if the promise is broken."""
    return last_line([sys.executable, str(FOLDER), "--here", name] + ["--night"] * night)


def tested(tests: str) -> str | None:
    """Run tests of the suite. Returns pytest's summary; None if one fails."""
    files, _, selected = tests.partition(" -k ")
    paths = [str(TESTS / file) for file in files.split()]
    command = [sys.executable, "-m", "pytest", "-q", "-k", selected, *paths]
    summary = last_line(command)
    return summary and re.sub(r"(, \d+ deselected)? in .*", "", summary)


def rows(names: list[str], night: bool) -> Iterator[tuple[str, str, str | None]]:
    """The promise, the test and its figure (None: broken) of each."""
    for name in names:
        if name == SUITE:
            continue
        yield importlib.import_module(name).PROMISE, f"`{name}`", attacked(name, night)
    if SUITE in names:
        for promise, tests in TESTED.items():
            yield (
                promise,
                ", ".join(f"`{file}`" for file in re.findall(r"\w+/test_\w+\.py", tests)),
                tested(tests),
            )


def write(page: Path, fresh: list[str]) -> None:
    """Put rows between the marks of a page, in place of those with the same promise."""
    before, _, rest = page.read_text().partition(MARKS[0])
    old, _, after = rest.partition(MARKS[1])
    rows = {row.split("|")[1]: row for row in [*old.strip().splitlines()[2:], *fresh]}
    page.write_text("\n".join([before + MARKS[0], HEAD, *rows.values(), "", MARKS[1] + after]))


def main() -> int:
    """Run the attacks that were asked for; 1 if one of them failed."""
    parser = argparse.ArgumentParser(description="Try to break what the library promises.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(KNOWN)}")
    parser.add_argument("--night", action="store_true", help="in full size, and the suite's tests")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into this page")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    for name in args.names:
        if name not in KNOWN:
            parser.error(f"there is no attack {name!r}; known: {', '.join(KNOWN)}")
    if args.here:
        print(importlib.import_module(args.names[0]).attack(args.night))
        return 0
    lines, failed, began = [HEAD], 0, time.monotonic()
    print(HEAD, flush=True)
    names = args.names or (KNOWN if args.night else ATTACKS)
    for promise, test, figure in rows(names, args.night):
        failed += figure is None
        ended = time.monotonic()
        lines.append(f"| {promise} | {test} | {figure or 'BROKEN'} | {ended - began:.0f} |")
        print(lines[-1], flush=True)
        began = ended
    if args.write:
        write(args.write, lines[1:])
    print(f"{len(lines) - 1 - failed} passed, {failed} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
