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

from mcts_core.arrays import stack
from mcts_core.board import Board
from mcts_core.cpu import in_use as cpu
from mcts_core.errors import BadGame, BadMethod, BadPosition, IllegalMove
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.games.connect_four import ConnectFour
from mcts_core.games.othello import Othello
from mcts_core.playouts import Playout
from mcts_core.position import LegalMoves, Move, Moves, Position
from playout.alphabeta import AlphaBeta
from playout.batched import PUCT, Gumbel
from playout.best import Best
from playout.best_first import BestFirst
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
from playout.evaluation import evaluate
from playout.halving import Halving
from playout.many import Searches
from playout.method import Method
from playout.methods import AMAF, GRAVE, RAVE, UCB, UCT, Flat, Rule, UCTTuned, method_of
from playout.mixes import Evaluation
from playout.playing import Playouts, playout, playouts
from playout.record import Record
from playout.result import Result
from playout.searching import Searcher, analysis, search
from playout.solving import Solution, solve
from playout.task import PythonGame
from playout.tree import Node

if _TYPE_CHECKING:
    from playout import formats as formats
    from playout import reference as reference
    from playout import testing as testing
    from playout.arena.game import Adjudication
    from playout.arena.levels import levels
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
    from playout.engines.checking import EngineReport, check_engine
    from playout.engines.engine import Engine
    from playout.learning.book import Book
    from playout.learning.learn import learn
    from playout.learning.net import Net
    from playout.learning.patterns import Patterns
    from playout.plots.plot import plot
    from playout.reviewing import Review, Reviewed, review
    from playout.sampling import random_positions
    from playout.side_by_side import compare_estimates
    from playout.simulating import Simulation, simulations
else:
    _LATER = {  # what is imported when it is first used, because it takes long
        "Adjudication": "playout.arena.game",
        "Book": "playout.learning.book",
        "check_engine": "playout.engines.checking",
        "check_game": "playout.check",
        "compare": "playout.comparing",
        "compare_estimates": "playout.side_by_side",
        "Comparison": "playout.comparison",
        "Engine": "playout.engines.engine",
        "EngineReport": "playout.engines.checking",
        "learn": "playout.learning.learn",
        "levels": "playout.arena.levels",
        "Limit": "playout.arena.limit",
        "match": "playout.arena.match",
        "Match": "playout.arena.results",
        "Net": "playout.learning.net",
        "Openings": "playout.arena.openings",
        "Pairs": "playout.arena.statistics",
        "Patterns": "playout.learning.patterns",
        "Player": "playout.arena.players",
        "plot": "playout.plots.plot",
        "random_positions": "playout.sampling",
        "review": "playout.reviewing",
        "Review": "playout.reviewing",
        "Reviewed": "playout.reviewing",
        "Searching": "playout.arena.players",
        "Simulation": "playout.simulating",
        "simulations": "playout.simulating",
        "SPRT": "playout.arena.statistics",
        "tournament": "playout.arena.match",
        "Tournament": "playout.arena.results",
        "tune": "playout.arena.tune",
        "Tuning": "playout.arena.tune",
    }

    _MODULES = ("formats", "reference", "testing")  # that users read from, imported when used

    def __getattr__(name: str) -> object:
        """The names of `_LATER` and `_MODULES`."""
        from importlib import import_module

        if name in _MODULES:
            return import_module(f"playout.{name}")
        if name in _LATER:
            globals()[name] = found = getattr(import_module(_LATER[name]), name)
            return found
        raise AttributeError(f"module 'playout' has no attribute {name!r}")

    def __dir__() -> list[str]:
        """The public names, whether they are imported yet or not."""
        own = (name for name in globals() if name.startswith("__"))
        return sorted({*own, *_MODULES, *__all__})


__version__ = "0.1.0"

__all__ = [
    "AMAF",
    "GRAVE",
    "PUCT",
    "RAVE",
    "SPRT",
    "UCB",
    "UCT",
    "Adjudication",
    "AlphaBeta",
    "BadGame",
    "BadMethod",
    "BadPosition",
    "Best",
    "BestFirst",
    "Board",
    "Book",
    "Breakthrough",
    "Comparison",
    "ConnectFour",
    "Engine",
    "EngineReport",
    "Evaluation",
    "Flat",
    "Gumbel",
    "Halving",
    "IllegalMove",
    "LegalMoves",
    "Limit",
    "Match",
    "Method",
    "Move",
    "Moves",
    "Net",
    "Node",
    "Openings",
    "Othello",
    "Pairs",
    "Patterns",
    "Player",
    "Playout",
    "Playouts",
    "Position",
    "PythonGame",
    "Record",
    "Result",
    "Review",
    "Reviewed",
    "Rule",
    "Searcher",
    "Searches",
    "Searching",
    "Simulation",
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
    "learn",
    "levels",
    "match",
    "method_of",
    "playout",
    "playouts",
    "plot",
    "random_positions",
    "regret",
    "regret_bound",
    "review",
    "search",
    "simulations",
    "solve",
    "stack",
    "tournament",
    "tune",
    "ucb1",
    "ucb_bayes",
    "ucb_tuned",
    "variance_of_mean",
]
