"""The rules of tree methods, one file each, behind the contract of `mcts_core.rule`."""

from mcts_core import compiled_first

compiled_first(__path__)
