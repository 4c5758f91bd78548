"""The games, one file each, behind the contract of `mcts_core.game`, and kernels for many."""

from mcts_core import compiled_first

compiled_first(__path__)
