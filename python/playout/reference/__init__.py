"""The slow, readable twin of the compiled engine.

Everything that `mcts_core` does on bitboards is done here once more in plain Python, on boards that
are strings. The two share no code and agree move for move from the same seed, so this package is
both a text to learn from and the test of the fast one.

Reading order, one idea a file:

1. `rng.py`: random numbers
2. `game.py`, `board.py`: what a game supplies, and how boards are written
3. `breakthrough.py`, `othello.py`: the rules
4. `perft.py`: counting games, which tests the rules
5. `policy.py`, `guided.py`: how a playout chooses its moves
6. `playout.py`: playing games to the end
7. `convert.py`: from a compiled position to its twin

>>> import playout.reference as ref
>>> ref.playout(ref.Breakthrough(4, first_rows=1), seed=1).moves[:5]
('b1b2', 'c4c3', 'c1c2', 'a4b3', 'c2d3')
"""

from .breakthrough import Breakthrough
from .convert import position
from .game import Move, Position
from .othello import Othello
from .perft import perft
from .playout import Playout, Playouts, play_to_end, playout, playouts
from .rng import SFC64

__all__ = [
    "SFC64",
    "Breakthrough",
    "Move",
    "Othello",
    "Playout",
    "Playouts",
    "Position",
    "perft",
    "play_to_end",
    "playout",
    "playouts",
    "position",
]
