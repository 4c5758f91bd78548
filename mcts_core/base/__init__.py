"""Below the games: bits, vector lanes, the clock, atomics, aligned memory, a heap stack, threads.

Nothing here knows what a game is.
"""

from mcts_core import compiled_first

compiled_first(__path__)
