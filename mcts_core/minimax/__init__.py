"""Minimax searches: alpha-beta for Othello, and two exact solvers."""

from mcts_core import compiled_first

compiled_first(__path__)
