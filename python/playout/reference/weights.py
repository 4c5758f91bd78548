"""Files of learned weights, read in plain Python. `playout.learning.weights` describes them."""

import json
import math
import struct
import zlib
from pathlib import Path
from typing import Any


def read(path: str) -> tuple[dict[str, Any], dict[str, tuple[int, ...]]]:
    """The facts of a file, and the numbers of each array, row by row.

    >>> read("no such file.net")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'no such file.net'
    """
    _, line, rest = Path(path).read_bytes().split(b"\n", 2)
    facts = json.loads(line)
    numbers = zlib.decompress(rest[:-32])
    arrays = {}
    for name, type_, shape in facts.pop("arrays"):
        count = math.prod(shape)
        code, size = ("h", 2) if type_ == "<i2" else ("i", 4)
        arrays[name] = struct.unpack(f"<{count}{code}", numbers[: count * size])
        numbers = numbers[count * size :]
    return facts, arrays
