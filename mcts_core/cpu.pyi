LEVELS: tuple[str, ...]

def supported() -> list[str]:
    """Return the levels that this machine can run, the lowest first."""

def choose(built: list[str]) -> str:
    """Return the level to use: the highest that is built and fast here, or the one in PLAYOUT_CPU."""

def in_use() -> str:
    """Return the level in use: 'baseline', 'v3' or 'v4'. The environment variable PLAYOUT_CPU forces one."""
