"""The command line: `playout search`, `playout play` and the others.

Only this package imports click and rich, and only when `main` runs, so that `import playout` stays
fast. Reading order: `app.py` lists the commands, each in a file of its name; `positions.py` and
`methods.py` turn words into a position and a method; `errors.py` reports errors; `repeat.py` makes
the line that repeats a run; `record.py` is a saved game and `files.py` its file. All output passes
through `visible.py`.
"""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command (by default that of `sys.argv`) and return the exit code.

    0: done; 1: `doctor` found a fault, or the reader of the output has closed it; 2: wrong input;
    130: interrupted with nothing to show.
    """
    from playout.cli.app import commands
    from playout.cli.errors import run

    return run(commands, arguments)
