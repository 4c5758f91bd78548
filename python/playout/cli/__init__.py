"""The command line: `playout search`, `playout play` and the others.

Click and rich are imported below this package only, and below `main` only, so that their absence
has a message and `playout --version` is quick. Reading order: `app.py` lists the commands, each of
which has a file of its name; `positions.py` and `methods.py` turn words into a position and a
method; `errors.py` is what becomes of a fault, `repeat.py` the line that repeats a run, `record.py`
a saved game and `files.py` its file; all that is printed goes by way of `visible.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command (that of `sys.argv` unless given) and return the exit code.

    0: done; 1: `doctor` found a fault, click or rich is not installed, or nobody reads the output;
    2: wrong input; 130: interrupted with nothing to show.
    """
    missing = [name for name in ("click", "rich") if find_spec(name) is None]
    if missing:
        print(
            f"playout: the command line needs {' and '.join(missing)}, which the library itself "
            'does not: pip install "playout[cli]"',
            file=sys.stderr,
        )
        return 1
    from playout.cli.app import commands
    from playout.cli.errors import run

    return run(commands, arguments)
