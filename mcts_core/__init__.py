"""The compiled engine of `playout`.

The modules where the time goes are compiled several times, for several levels of the instruction
set; the folder of the chosen level is put first on this package's path, so that its modules are
found before the portable ones of the same name beside this file.
"""

import os as _os

try:
    from mcts_core import cpu as _cpu
except ImportError as _error:
    raise ImportError(
        f"the compiled modules of mcts_core are not in {_os.path.dirname(__file__)}: this is the "
        "source folder. Build them there with `pip install -e .`, or start Python elsewhere."
    ) from _error

_here = _os.path.dirname(__file__)
built_levels = ["baseline", *(n for n in _cpu.LEVELS if _os.path.isdir(_os.path.join(_here, n)))]
cpu_level = _cpu.choose(built_levels)
if cpu_level != "baseline":
    __path__.insert(0, _os.path.join(_here, cpu_level))
