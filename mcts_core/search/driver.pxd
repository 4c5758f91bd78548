"""Driver: what all searches have in common: limits, batches, Ctrl-C, threads, the final choice."""
from libc.stdint cimport int64_t

from mcts_core.base.engine cimport Engine
from mcts_core.game cimport game_t, playout_t
from mcts_core.position cimport Position
from mcts_core.rng cimport rng_t, seed_t


cdef class Turns:
    cdef object taken
    cdef int waiting                    # threads

    cdef int give_way(self) except -1


cdef class Driver(Engine):
    cdef const game_t* game
    cdef playout_t playout              # of the policy
    cdef seed_t seed
    cdef rng_t own                      # the search's own stream
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
    cdef bint is_sure(self, double error)
    cdef bint is_settled(self)
    cdef int64_t most(self)
    cdef void note_work(self, double seconds)


cdef int whole_option(dict options, name, default, least, most) except? -1
cdef int pick_best(const double* first, const double* second, int n, rng_t* rng) noexcept
cdef bint lead_is_sure(const double* first, const double* second, const double* variance, int n, double error) noexcept
