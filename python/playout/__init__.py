"""Fast, exact, seeded Monte Carlo game search.

>>> import playout as po
>>> b = po.Breakthrough(5)
>>> b.push("a2a3")
Move('a2a3')
>>> po.playouts(b, 10_000, seed=1).mean > 0.4
True
>>> po.search(b, po.RAVE(), playouts=10_000, seed=1).move in b.legal_moves
True
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from playout import interrupts as _interrupts

if _interrupts.is_command_line():  # before the slow imports
    _interrupts.end_at_once()

from mcts_core.board import Board
from mcts_core.cpu import in_use as cpu
from mcts_core.errors import BadGame, BadMethod, BadPosition, IllegalMove
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.games.connect_four import ConnectFour
from mcts_core.games.othello import Othello
from mcts_core.playouts import Playout, playout
from mcts_core.position import Move, Moves, Position
from playout.alphabeta import AlphaBeta
from playout.arena.game import Adjudication
from playout.arena.limit import Limit
from playout.arena.match import match, tournament
from playout.arena.openings import Openings
from playout.arena.players import Player, Searching
from playout.arena.results import Match, Tournament
from playout.arena.statistics import SPRT, Pairs
from playout.arena.tune import Tuning, tune
from playout.check import check_game
from playout.comparing import compare
from playout.comparison import Comparison
from playout.estimates import (
    beta_from,
    beta_hand,
    beta_heuristic,
    beta_mse,
    estimate_bias_squared,
    estimate_variances,
    regret,
    regret_bound,
    ucb1,
    ucb_bayes,
    ucb_tuned,
    variance_of_mean,
)
from playout.evaluation import Evaluation, evaluate
from playout.methods import AMAF, GRAVE, RAVE, UCB, UCT, Flat, Method, Rule, UCTTuned, method_of
from playout.playing import Playouts, playouts
from playout.plots.plot import plot
from playout.record import Record
from playout.result import Result
from playout.searching import Searcher, analysis, search
from playout.side_by_side import compare_estimates
from playout.solving import Solution, solve
from playout.task import PythonGame
from playout.tree import Node

if _TYPE_CHECKING:
    from playout import reference as reference
    from playout.engines.checking import EngineReport, check_engine
    from playout.engines.engine import Engine
else:
    _LATER = {  # what is imported when it is first used, because it takes long
        "Engine": "playout.engines.engine",
        "EngineReport": "playout.engines.checking",
        "check_engine": "playout.engines.checking",
    }

    def __getattr__(name: str) -> object:
        """`playout.reference` and the names of `_LATER`."""
        from importlib import import_module

        if name == "reference":
            return import_module("playout.reference")
        if name in _LATER:
            return getattr(import_module(_LATER[name]), name)
        raise AttributeError(f"module 'playout' has no attribute {name!r}")


__version__ = "0.1.0"

__all__ = [
    "AMAF",
    "GRAVE",
    "RAVE",
    "SPRT",
    "UCB",
    "UCT",
    "Adjudication",
    "AlphaBeta",
    "BadGame",
    "BadMethod",
    "BadPosition",
    "Board",
    "Breakthrough",
    "Comparison",
    "ConnectFour",
    "Engine",
    "EngineReport",
    "Evaluation",
    "Flat",
    "IllegalMove",
    "Limit",
    "Match",
    "Method",
    "Move",
    "Moves",
    "Node",
    "Openings",
    "Othello",
    "Pairs",
    "Player",
    "Playout",
    "Playouts",
    "Position",
    "PythonGame",
    "Record",
    "Result",
    "Rule",
    "Searcher",
    "Searching",
    "Solution",
    "Tournament",
    "Tuning",
    "UCTTuned",
    "analysis",
    "beta_from",
    "beta_hand",
    "beta_heuristic",
    "beta_mse",
    "check_engine",
    "check_game",
    "compare",
    "compare_estimates",
    "cpu",
    "estimate_bias_squared",
    "estimate_variances",
    "evaluate",
    "match",
    "method_of",
    "playout",
    "playouts",
    "plot",
    "regret",
    "regret_bound",
    "search",
    "solve",
    "tournament",
    "tune",
    "ucb1",
    "ucb_bayes",
    "ucb_tuned",
    "variance_of_mean",
]
