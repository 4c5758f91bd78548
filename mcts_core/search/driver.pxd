"""What all Monte Carlo searches share: limits, batches, Ctrl-C, threads, the final choice."""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.engine cimport Engine, stop_t
from mcts_core.game cimport game_t
from mcts_core.playouts cimport Rollout
from mcts_core.position cimport Position
from mcts_core.rng cimport rng_t, seed_t
from mcts_core.search.choice cimport criterion_t, merit_t
from mcts_core.search.rows cimport row_t


cdef class Turns:
    cdef object taken                   # the lock
    cdef int waiting                    # threads that wait for it

    cdef int give_way(self) except -1


cdef class Driver(Engine):
    cdef const game_t* game             # that of the position, with the rewards of this search
    cdef Rollout rollout                # plays by the policy
    cdef seed_t seed
    cdef uint64_t own_number            # substream of the search's own decisions
    cdef rng_t own                      # its generator
    cdef criterion_t criterion          # of the final choice
    cdef bint ties_first                # among equally good moves the first is chosen, none drawn
    cdef int lanes                      # playouts in a flight
    cdef readonly int64_t playouts      # so far
    cdef int64_t limit                  # the most playouts, counted like them
    cdef readonly Position position     # the root
    cdef readonly Turns lock            # held by a batch, by a move of the root, and by threads that read
    cdef double deadline                # of this run, by `seconds_now`
    cdef stop_t stop_called             # whether this run is to stop
    cdef double worked                  # seconds that the slowest thread computed in the last batch

    cdef int need_codes(self, str method) except -1
    cdef int advance_to(self, int64_t target, object pool, int threads) except -1
    cdef int64_t whole_flights(self, int64_t playouts)
    cdef void use_own_stream(self, uint64_t number)
    cdef rng_t* lots(self)
    cdef int count_moves(self)
    cdef int fill_rows(self, row_t* rows) except -1
    cdef int fill_scores(self, row_t* rows) except -1
    cdef int find_merits_of(self, rows, merit_t* merits) except -1
    cdef bint is_sure(self, double error) except -1
    cdef bint is_settled(self)
    cdef int64_t most(self)
    cdef void note_work(self, double seconds)


cdef int whole_option(dict options, name, least, most) except? -1
