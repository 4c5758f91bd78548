"""Files of what was learned or searched: a kind, a line of facts, numbers, a checksum.

    playout net 1                              the kind, and the version of its format
    {"game": "breakthrough", ..., "arrays":    facts, and the name, type and shape of each array
     [["inputs", "<i2", [128, 32]], ...]}
    ...                                        all arrays one after the other, compressed by zlib
    32 bytes                                   SHA-256 of everything before

The facts say for which game and board they are, and how they were learned.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import zlib
from collections.abc import Callable, Collection
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import BadMethod, shown

Arrays: TypeAlias = dict[str, NDArray[Any]]
Made = TypeVar("Made")

VERSION = 1
DIGEST = hashlib.sha256().digest_size  # bytes
MOST_BYTES = 1 << 28  # of the arrays of a file; more is refused
TYPES = ("<i2", "<i4")


def write(
    path: str | os.PathLike[str],
    kind: str,
    facts: dict[str, Any],
    arrays: Arrays,
    *,
    effort: int = 9,
) -> None:
    """Write a file, whole or not at all. `effort` is zlib's level: less is faster and larger."""
    types = {name: f"<{array.dtype.str[1:]}" for name, array in arrays.items()}
    named = [[name, types[name], list(array.shape)] for name, array in arrays.items()]
    payload = b"".join(array.astype(types[name]).tobytes() for name, array in arrays.items())
    head = f"playout {kind} {VERSION}\n{json.dumps({**facts, 'arrays': named})}\n".encode()
    body = head + zlib.compress(payload, effort)
    target = Path(path)
    draft = target.with_name(f"{target.name}.{os.getpid()}.part")
    draft.write_bytes(body + hashlib.sha256(body).digest())
    draft.replace(target)


def read(
    path: str | os.PathLike[str],
    kind: str,
    what: str = "weights",
    *,
    types: Collection[str] = TYPES,
    most: int = MOST_BYTES,
) -> tuple[dict[str, Any], Arrays]:
    """The facts and arrays of a file. Raises BadMethod if it is damaged or of another kind.

    Arrays have one of the `types`, and take `most` bytes at most.
    """
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as fault:  # ValueError: no file can have that name
        reason = fault.strerror if isinstance(fault, OSError) else fault
        raise BadMethod(f"cannot read {what} from {shown(str(path))}: {reason}") from None
    try:
        return _parsed(data, kind, types, most)
    except (ValueError, RecursionError) as fault:
        raise BadMethod(f"{shown(str(path))} holds no {what} of kind {kind}: {fault}") from None


def latest(make: Callable[[str], Made], path: str) -> Made:
    """What a function makes of a file. It is called again only after the file has changed."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return make(path)  # which says what is wrong
    made: Made = _made(make, path, status.st_mtime_ns, status.st_size)
    return made


@lru_cache(maxsize=8)
def _made(make: Callable[[str], Any], path: str, changed: int, size: int) -> Any:
    return make(path)


def _parsed(
    data: bytes, kind: str, types: Collection[str], most: int
) -> tuple[dict[str, Any], Arrays]:
    first, _, rest = data.partition(b"\n")
    if first != f"playout {kind} {VERSION}".encode():
        raise ValueError(f"it does not begin with 'playout {kind} {VERSION}'")
    if hashlib.sha256(data[:-DIGEST]).digest() != data[-DIGEST:]:
        raise ValueError("its checksum is wrong, so it is damaged or incomplete")
    line, _, packed = rest[:-DIGEST].partition(b"\n")
    facts = json.loads(line)
    if not isinstance(facts, dict) or not isinstance(facts.get("arrays"), list):
        raise ValueError("its second line does not list arrays")
    return facts, _unpacked(packed, facts.pop("arrays"), types, most)


def _unpacked(packed: bytes, named: list[Any], types: Collection[str], most: int) -> Arrays:
    sizes = [_size(entry, types) for entry in named]
    total = sum(sizes)
    if total > most:
        raise ValueError(f"its arrays take {total} bytes, and {most} is the most")
    try:
        payload = zlib.decompressobj().decompress(packed, total + 1)
    except zlib.error as fault:
        raise ValueError(f"its numbers cannot be unpacked: {fault}") from None
    if len(payload) != total:
        raise ValueError(f"its numbers do not take {total} bytes")
    arrays, begin = {}, 0
    for (name, type_, shape), size in zip(named, sizes, strict=True):
        flat = np.frombuffer(payload, np.dtype(type_), count=math.prod(shape), offset=begin)
        arrays[name] = flat.astype(flat.dtype.newbyteorder("=")).reshape(shape)
        begin += size
    return arrays


def _size(entry: Any, types: Collection[str]) -> int:
    """The bytes of an array, from its name, type and shape, checked."""
    if not isinstance(entry, list) or len(entry) != 3 or not isinstance(entry[0], str):
        raise ValueError("an array is listed without name, type and shape")
    name, type_, shape = entry
    if type_ not in types or not isinstance(shape, list) or len(shape) > 4:
        raise ValueError(f"array {shown(name)} is of a type or shape that such files do not have")
    if not all(
        isinstance(n, int) and not isinstance(n, bool) and 0 < n <= MOST_BYTES for n in shape
    ):
        raise ValueError(f"array {shown(name)} has a shape that is not of whole numbers above 0")
    return math.prod(shape) * int(type_[-1])
