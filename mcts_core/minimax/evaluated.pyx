"""A search of a position with an evaluator: its root, and what the game or the evaluation may raise."""
from cython cimport no_gc_clear

from mcts_core.evaluator cimport Evaluator
from mcts_core.game cimport copy_state, drop_state
from mcts_core.minimax.limits cimport LimitedSearch
from mcts_core.position cimport Position

from mcts_core.errors import BadPosition, breach


@no_gc_clear     # the game that `__dealloc__` calls belongs to a Python object
cdef class EvaluatedSearch(LimitedSearch):
    """The base of AlphaBetaSearch and BestFirstSearch."""

    def __cinit__(self, Position position not None, Evaluator evaluator not None, *settings, **more_settings):
        position.state()                # raises if the position was never set up
        evaluator.check_for(position.game)
        self.position, self.evaluator = position.copy(), evaluator
        copy_state(self.position.game, &self.root_state, self.position.state())
        self.game = self.position.game  # from now on `__dealloc__` drops the state

    def __dealloc__(self):
        if self.game != NULL:
            drop_state(self.game, &self.root_state)

    cdef int check_moves(self) except -1:
        """Refuse a game that is over, or one that breaks its contract."""
        cdef int n_moves = self.game.moves(self.game, &self.root_state, NULL)
        self.position.check()           # raises what a game in Python has raised
        if not 0 <= n_moves <= self.game.max_moves:
            raise breach("a number of moves is out of range")
        if n_moves == 0:
            raise BadPosition("this game is over, so there is nothing to search")
        return 0

    cdef int listen(self) except -1:
        """Raise what the evaluation has raised."""
        self.evaluator.check()
        return LimitedSearch.listen(self)
