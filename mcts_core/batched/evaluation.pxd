"""The arrays between a search and an evaluator."""
from mcts_core.batched.flight cimport flight_t
from mcts_core.position cimport Position


cdef int raise_fault(const flight_t* flight) except -1


cdef class Buffers:
    """The arrays of a thread, and the memory of its flights."""

    cdef flight_t flight
    cdef object planes                  # uint8 [room, 2, rows, cols]
    cdef object masks                   # bool [room, n_actions]

    cdef int evaluate(self, evaluator) except -1
