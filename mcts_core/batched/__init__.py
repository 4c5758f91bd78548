"""Tree searches whose leaves are evaluated many at once, by a function of arrays."""

from mcts_core import compiled_first

compiled_first(__path__)
