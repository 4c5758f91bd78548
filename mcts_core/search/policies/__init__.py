"""Playout policies that learn, one file each, behind the contract of `mcts_core.search.policy`."""

from mcts_core import compiled_first

compiled_first(__path__)
