"""Attacks on the library: each tries to break one promise, and prints a line with its figure.

    python tests/attack                  # all of them, short: a few minutes
    python tests/attack --night          # the sizes that docs/reliability.md reports: hours
    python tests/attack fuzz hammer      # some of them

An attack is a module of this folder with a PROMISE, a text, and a function `attack(night)` that
returns its figure, a text, and raises AssertionError if the promise is broken. It runs in a process
of its own, so that a crash is a failure of that attack like any other.
"""

from __future__ import annotations

import argparse
import importlib
import signal
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).parent
ATTACKS = sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))
sys.path.append(str(FOLDER.parent))  # for `exact`, `helpers` ...


def run(name: str, night: bool) -> str | None:
    """Run one attack in a process of its own; returns its figure, or None if it failed."""
    command = [sys.executable, str(FOLDER), "--here", name] + ["--night"] * night
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode == 0:
        return done.stdout.strip().splitlines()[-1]
    if done.returncode < 0:
        print(f"{name}: ended by {signal.Signals(-done.returncode).name}", file=sys.stderr)
    return None


def main() -> int:
    """Run the attacks that were asked for; 1 if one of them failed."""
    parser = argparse.ArgumentParser(description="Try to break what the library promises.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ATTACKS)}")
    parser.add_argument("--night", action="store_true", help="in full size: hours")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    for name in args.names:
        if name not in ATTACKS:
            parser.error(f"there is no attack {name!r}; known: {', '.join(ATTACKS)}")
    if args.here:
        print(importlib.import_module(args.names[0]).attack(args.night))
        return 0
    failed = []
    print("| promise | attack | figure | seconds |\n|---|---|---|--:|", flush=True)
    for name in args.names or ATTACKS:
        began = time.monotonic()
        figure = run(name, args.night)
        promise = importlib.import_module(name).PROMISE
        if figure is None:
            failed.append(name)
        shown = figure or "BROKEN"
        print(f"| {promise} | {name} | {shown} | {time.monotonic() - began:.0f} |", flush=True)
    print(f"{len(args.names or ATTACKS) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
