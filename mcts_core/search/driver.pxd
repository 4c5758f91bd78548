"""Driver: what all searches share: limits, batches, Ctrl-C, threads, the final choice."""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.engine cimport Engine
from mcts_core.game cimport game_t, playout_t
from mcts_core.position cimport Position
from mcts_core.rng cimport rng_t, seed_t
from mcts_core.search.choice cimport criterion_t, merit_t
from mcts_core.search.rows cimport row_t


cdef class Turns:
    cdef object taken
    cdef int waiting                    # threads

    cdef int give_way(self) except -1


cdef class Driver(Engine):
    cdef const game_t* game
    cdef playout_t playout              # of the policy
    cdef seed_t seed
    cdef uint64_t own_number            # substream of the search's own decisions
    cdef rng_t own                      # the search's own stream, as far as it is used up
    cdef criterion_t criterion          # of the final choice
    cdef bint ties_first
    cdef int lanes                      # playouts that are begun together
    cdef readonly int64_t playouts      # so far
    cdef int64_t limit                  # and how many there may be at most
    cdef readonly Position position     # the root
    cdef readonly Turns lock            # of a batch, of a move of the root, and of other threads that look
    cdef double deadline                # of the run that is under way
    cdef double worked                  # seconds that the last batch took its slowest thread

    cdef int need_codes(self, str method) except -1
    cdef int advance_to(self, int64_t target, object pool, int threads) except -1
    cdef int64_t whole_flights(self, int64_t playouts)
    cdef void use_own_stream(self, uint64_t number)
    cdef rng_t* lots(self)
    cdef int count_moves(self)
    cdef int fill_rows(self, row_t* rows) except -1
    cdef int fill_scores(self, row_t* rows) except -1
    cdef int judge_rows(self, rows, merit_t* merits) except -1
    cdef bint is_sure(self, double error) except -1
    cdef bint is_settled(self)
    cdef int64_t most(self)
    cdef void note_work(self, double seconds)


cdef int whole_option(dict options, name, least, most) except? -1
