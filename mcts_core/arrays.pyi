from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from mcts_core.position import Position

def stack(positions: Iterable[Position]) -> NDArray[np.uint8]:
    """Return the planes of many positions of one game and size, as uint8 [n, 2, rows, cols]. See `Position.planes`."""
