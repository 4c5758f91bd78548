"""What knows nothing of games: bits, SIMD lanes, a clock, atomics, memory, a stack, threads."""

from mcts_core import compiled_first

compiled_first(__path__)
