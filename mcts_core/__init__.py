"""The compiled engine of `playout`.

The hot modules are compiled several times, for several levels of the instruction set. Each package
looks first in the folder of the chosen level, then beside its own file for the portable modules.
"""

import os
from collections.abc import MutableSequence

try:
    from mcts_core import cpu
except ImportError as _error:
    raise ImportError(
        f"the compiled modules of mcts_core are not in {os.path.dirname(__file__)}: this is the "
        "source folder. Build them there with `pip install -e .`, or start Python elsewhere."
    ) from _error

_here = os.path.dirname(__file__)
built_levels = ["baseline", *(n for n in cpu.LEVELS if os.path.isdir(os.path.join(_here, n)))]
cpu_level = cpu.choose(built_levels)


def compiled_first(path: MutableSequence[str]) -> None:
    """Put the folder of the chosen level first on the path of a package inside this one."""
    if cpu_level != "baseline":
        path.insert(0, os.path.join(_here, cpu_level, os.path.relpath(path[0], _here)))


compiled_first(__path__)
