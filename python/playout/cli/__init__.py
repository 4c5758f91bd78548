"""The command line: `playout search`, `playout play` and the others.

Only this package imports click and rich, and only when `main` runs, so that `import playout` stays
quick. Reading order: `app.py` lists the commands, each of
which has a file of its name; `positions.py` and `methods.py` turn words into a position and a
method; `errors.py` is what becomes of a fault, `repeat.py` the line that repeats a run, `record.py`
a saved game and `files.py` its file; all that is printed goes by way of `visible.py`.
"""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command (that of `sys.argv` unless given) and return the exit code.

    0: done; 1: `doctor` found a fault, or nobody reads the output; 2: wrong input; 130: interrupted
    with nothing to show.
    """
    from playout.cli.app import commands
    from playout.cli.errors import run

    return run(commands, arguments)
