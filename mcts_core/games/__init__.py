"""The games, behind the contract of `mcts_core.game`, and their kernels for many games at once."""

from mcts_core import compiled_first

compiled_first(__path__)
