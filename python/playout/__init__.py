"""Fast, exact, seeded Monte Carlo game search.

>>> import playout as po
>>> b = po.Breakthrough(5)
>>> b.push("a2a3")
Move('a2a3')
>>> po.playouts(b, 10_000, seed=1).mean > 0.4
True
"""

from mcts_core.board import Board
from mcts_core.breakthrough import Breakthrough
from mcts_core.cpu import in_use as cpu
from mcts_core.errors import BadMethod, BadPosition, IllegalMove
from mcts_core.othello import Othello
from mcts_core.playouts import Playout, playout
from mcts_core.position import Move, Moves, Position
from playout.playouts import Playouts, playouts

__version__ = "0.1.0"

__all__ = [
    "BadMethod",
    "BadPosition",
    "Board",
    "Breakthrough",
    "IllegalMove",
    "Move",
    "Moves",
    "Othello",
    "Playout",
    "Playouts",
    "Position",
    "cpu",
    "playout",
    "playouts",
]
