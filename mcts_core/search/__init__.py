"""Monte Carlo search: at the root, and in a tree that threads and proven values share."""

from mcts_core import compiled_first

compiled_first(__path__)
