"""Monte Carlo searches: of the root's moves, and in a tree."""

from mcts_core import compiled_first

compiled_first(__path__)
