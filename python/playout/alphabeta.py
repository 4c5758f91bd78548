"""Alpha-beta search: its settings, and how a search is run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mcts_core.errors import BadMethod, shown
from mcts_core.evaluation.othello_eval import CompiledEvaluation
from mcts_core.games.othello import Othello
from mcts_core.minimax.alphabeta import AlphaBetaSearch
from mcts_core.minimax.othello_alphabeta import OthelloSearch
from mcts_core.position import Position
from playout.arguments import whole_number
from playout.evaluation import AnyEvaluation, compiled, evaluation_of
from playout.games import game_of
from playout.lookahead import Lookahead, LookaheadRun
from playout.methods import METHODS
from playout.request import KeptRun, Request
from playout.result import Result
from playout.task import MOST_THREADS

DEPTH = 8  # plies, by default, if the search has no other limit
MOST_DEPTH = 121  # plies: no game of Othello lasts longer, even with a pass after each disc


@dataclass(frozen=True, slots=True, repr=False)
class AlphaBeta(Lookahead):
    """Alpha-beta with a static evaluation: the value of looking `depth` plies ahead.

    It uses an evaluation instead of playouts, and with a good one it is the strongest method by
    far. Each game and board of the package has its default evaluation.

    - `depth`: plies, where a pass is a ply. None: as deep as the limits of the search allow, or 8
      if there are none;
    - `evaluation`: None, the strongest that the package has for the board; "net", a small network,
      or "patterns" (Othello 8x8), both learned by self-play (see `playout.learn`); a file of
      either; "rows" in Breakthrough; for Othello also "weights", "ratios", "washington", an
      `Evaluation`; the capsule of a C function; or (slowly) a function of a position that returns a
      number for the side to move: in Othello in points of its own, elsewhere 256 more make a win
      e = 2.7 times as likely;
    - `multi_pv`: how many of the best moves get their exact value and their own line; the others
      are only known to be no better;
    - `selective`: True: look further where much happens, and less far where little does, which
      plays much better. False: the plain search, whose value is that of `playout.reference`;
    - `exact_ties`: True: among equally good moves play the first in `legal_moves` order, which
      takes longer. False: play any of them;
    - `threads`: how many search together and share one table. The `threads=` of a search counts if
      it is larger. More than one make a search faster, and not repeatable: only the values of a
      search that is not selective stay the same. Games in Python and evaluations of Othello by hand
      take one.

    With "net", "patterns", "rows" and other evaluations in whole points, the value of a move is the
    result that its score predicts, from 0 to 1, and `proven` is the result where it is certain.
    With evaluations of Othello by hand the value is in points, a finished game counts a million
    plus its margin, and the search is plain.

    >>> AlphaBeta(depth=6, evaluation="washington")
    AlphaBeta(depth=6, evaluation='washington')
    >>> AlphaBeta(depth=0)
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: AlphaBeta: depth must be a whole number from 1 to 121, not 0
    """

    depth: int | None = None
    evaluation: AnyEvaluation | None = None
    multi_pv: int = 1
    exact_ties: bool = False
    selective: bool = True
    threads: int = 1

    def __post_init__(self) -> None:
        Lookahead.__post_init__(self)
        if self.depth is not None:
            self._check("depth", whole_number, 1, MOST_DEPTH)
        self._check("multi_pv", whole_number, 1, 64)
        self._check("threads", whole_number, 1, MOST_THREADS)
        for name in ("exact_ties", "selective"):
            if not isinstance(getattr(self, name), bool):
                raise BadMethod(
                    f"AlphaBeta: {name} must be True or False, not {shown(getattr(self, name))}"
                )
        if self.evaluation is not None:
            evaluation_of(self.evaluation)

    def begin(self, request: Request) -> KeptRun:
        """The search for a request."""
        return AlphaBetaRun(self, request)


METHODS["alphabeta"] = AlphaBeta  # so that it can be named like the other methods


def engine_for(
    method: AlphaBeta, position: Position, memory: int, threads: int
) -> AlphaBetaSearch | OthelloSearch:
    """The compiled search of a position: the general one, or Othello's for evaluations by hand."""
    evaluation = compiled(method.evaluation, position)
    if isinstance(evaluation, CompiledEvaluation):
        assert isinstance(position, Othello)
        if threads > 1:
            raise BadMethod(
                "AlphaBeta: evaluations of Othello by hand search on one thread: leave threads out"
            )
        return OthelloSearch(position, evaluation, method.multi_pv, method.exact_ties, memory)
    if method.exact_ties:
        raise BadMethod("AlphaBeta: exact_ties is for evaluations of Othello by hand")
    game = game_of(position)
    finisher = None if game is None else game.finisher
    return AlphaBetaSearch(
        position, evaluation, method.multi_pv, method.selective, memory, threads, finisher
    )


class AlphaBetaRun(LookaheadRun):
    """One search, depth by depth."""

    engine: AlphaBetaSearch | OthelloSearch

    def __init__(self, method: AlphaBeta, request: Request) -> None:
        super().__init__(method, request)
        self.depth = method.depth or (MOST_DEPTH if self.is_limited else DEPTH)
        threads = max(method.threads, whole_number("threads", request.threads, 1, MOST_THREADS))
        self.engine = engine_for(method, self.position, self.memory, threads)

    def result(self) -> Result:
        """Search to the full depth."""
        return self.found(self.until(self.depth))

    def results(self) -> Iterator[Result]:
        """Search deeper, with a result after each depth."""
        while True:
            reason = self.until(self.engine.depth + 1)
            if reason != "depth" or self.engine.depth == self.depth:
                break
            yield self.found("running")
        yield self.found(reason)

    def stop(self) -> None:
        """End the search soon, from another thread, once depth 1 is done."""
        if self.engine.depth:
            self.is_stopped = True  # also if it comes between two depths
            self.engine.stop()

    def until(self, depth: int) -> str:
        """Search to this depth or until a limit is met. Returns why it ended."""
        if self.is_stopped:
            return "stopped"
        return self.engine.run(depth, self.seconds_left, self.nodes)
