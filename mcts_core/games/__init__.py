"""The games, one file each, behind the contract `mcts_core.game`, and kernels of many at once."""

from mcts_core import compiled_first

compiled_first(__path__)
