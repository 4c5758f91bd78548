from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

ROW: np.dtype[np.void]
SHOWN: np.dtype[np.void]

def type_of_table(width: int, names: tuple[str, ...]) -> np.dtype[np.void]: ...
def table(
    rows: NDArray[np.void],
    order: Sequence[int],
    moves: Sequence[str],
    names: Sequence[str],
    turn: int,
    recent: bool,
) -> NDArray[np.void]: ...
