"""The choice of the instruction set. The hot modules are compiled once for each level.

baseline    any machine
v3          x86-64 with AVX2, BMI2, FMA (Haswell 2013, Zen 2017)
v4          v3 and AVX-512 with VPOPCNTDQ, BITALG, VBMI (Ice Lake 2019, Zen 4 2022)
"""

import os

LEVELS = ("baseline", "v3", "v4")

cdef extern from "mcts_core/cpu.h":
    bint cpu_has_v3() noexcept nogil
    bint cpu_has_v4() noexcept nogil
    bint cpu_has_slow_pdep() noexcept nogil


def supported():
    """Return the levels that this machine can run, the lowest first."""
    return list(LEVELS[:1 + cpu_has_v3() + cpu_has_v4()])


def choose(built):
    """Return the level to use: the highest that is built and fast here, or the one in PLAYOUT_CPU."""
    usable = [level for level in supported() if level in built]
    wanted = os.environ.get("PLAYOUT_CPU", "")
    if not wanted:
        return "baseline" if cpu_has_slow_pdep() else usable[-1]
    if wanted not in usable:
        raise ImportError(f"PLAYOUT_CPU={wanted}: this build and this machine offer {', '.join(usable)}")
    return wanted


def in_use():
    """Return the level in use: 'baseline', 'v3' or 'v4'. The environment variable PLAYOUT_CPU forces one.

    >>> import playout as po
    >>> po.cpu() in ("baseline", "v3", "v4")
    True
    """
    import mcts_core
    return mcts_core.cpu_level
