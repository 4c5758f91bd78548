"""The twin: a slow, readable copy of the compiled engine.

It implements games, playouts, Monte Carlo searches, evaluations and alpha-beta once more, in plain
Python on boards that are strings. It shares no code with `mcts_core`, and both give the same
results from the same seed. So this package explains the algorithms, and the tests compare the
engine with it.

Reading order, one idea a file:

1. `rng.py`: random numbers
2. `game.py`, `board.py`: what a game supplies, and how boards are written
3. `breakthrough.py`, `connect_four.py`, `othello.py`: the rules
4. `perft.py`: counting sequences of moves, a test of the rules
5. `policy.py`, `mast.py`, `ppaf.py`: how a playout chooses its moves
6. `playout.py`: playing games to the end
7. `convert.py`, `plain_game.py`: the twin of a compiled position, or of a game in Python
8. `tally.py`, `formulas.py`, `draws.py`: counting results, and formulas of the counts
9. `record.py`, `base.py`, `choose.py`: what every search stores, and its final choice
10. `flat.py`, `ucb.py`, `amaf.py`: searches without a tree
11. `tree.py`, `uct.py`, `uct_tuned.py`, `rave.py`, `grave.py`, `solver.py`: those with a tree;
    `halving.py`: a schedule at the root
12. `batched.py`, `puct.py`, `gumbel.py`: searches with a network
13. `search.py`: one function for all of them
14. `evaluation.py`, `rows.py`, `net.py`: static evaluations; `alphabeta.py`, `best_first.py`:
    searches with them

>>> import playout.reference as ref
>>> ref.playout(ref.Breakthrough(4, first_rows=1), seed=1).moves[:5]
('b1b2', 'c4c3', 'c1c2', 'a4b3', 'c2d3')
>>> ref.search(ref.Breakthrough(5), "rave", playouts=500, seed=1).move
'c2d3'
"""

from .alphabeta import AlphaBetaResult, alpha_beta
from .amaf import AMAF, Estimates, compare_estimates
from .best_first import BestFirstResult, best_first
from .breakthrough import Breakthrough
from .connect_four import ConnectFour
from .convert import position
from .evaluation import evaluate
from .flat import Flat
from .game import BoardPosition, Move, Position
from .grave import GRAVE
from .gumbel import Gumbel
from .halving import Halving
from .othello import Othello
from .perft import perft
from .playout import Playout, Playouts, play_to_end, playout, playouts
from .puct import PUCT
from .rave import RAVE
from .record import Entry, MoveStatistics
from .rng import SFC64
from .search import Result, search
from .ucb import UCB
from .uct import UCT
from .uct_tuned import UCTTuned

__all__ = [
    "AMAF",
    "GRAVE",
    "PUCT",
    "RAVE",
    "SFC64",
    "UCB",
    "UCT",
    "AlphaBetaResult",
    "BestFirstResult",
    "BoardPosition",
    "Breakthrough",
    "ConnectFour",
    "Entry",
    "Estimates",
    "Flat",
    "Gumbel",
    "Halving",
    "Move",
    "MoveStatistics",
    "Othello",
    "Playout",
    "Playouts",
    "Position",
    "Result",
    "UCTTuned",
    "alpha_beta",
    "best_first",
    "compare_estimates",
    "evaluate",
    "perft",
    "play_to_end",
    "playout",
    "playouts",
    "position",
    "search",
]
