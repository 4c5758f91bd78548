"""Evaluations: what a position is worth without playing it out."""

from mcts_core import compiled_first

compiled_first(__path__)
