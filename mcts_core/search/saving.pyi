from typing import Any

from numpy.typing import NDArray

ENTRIES: dict[str, str]
LOGS: dict[str, str]
RECORDS: dict[str, str]
BLOCKS: dict[str, str]
EXTRAS: dict[str, str]

class Checked(dict[str, NDArray[Any]]):
    def __init__(self, arrays: dict[str, NDArray[Any]], types: dict[str, str]) -> None: ...
    def sized(self, names: Any, size: int) -> None: ...
    def between(self, name: str, least: float, most: float) -> None: ...

class Buffers: ...
class SavedTable: ...
