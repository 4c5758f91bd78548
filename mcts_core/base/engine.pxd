"""The base class of every compiled search."""
from libc.stdint cimport int64_t

from mcts_core.base.atomics cimport load

cdef struct stop_t:                     # whether a run is to stop
    int64_t* calls                      # the engine's count of calls of `stop`; NULL: nobody can call it
    int64_t before                      # the count from which on a call ends the run


cdef inline bint is_called(const stop_t* stop) noexcept nogil:
    """Return whether `stop` has been called since the run was requested."""
    return stop.calls != NULL and load(stop.calls) != stop.before


cdef class Engine:
    cdef int64_t _stops                 # calls of `stop` so far
    cdef bint is_busy                   # between `begin` and `end`
    cdef object process                 # id of the process that uses this engine

    cdef int begin(self) except -1
    cdef void end(self)
    cdef int check_idle(self) except -1
    cpdef int check_process(self) except -1
    cdef bint is_in_use(self)
