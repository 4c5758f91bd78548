"""The limits of one search: how long, how many nodes, and why it ended.

The search counts its nodes in a `limits_t`. In its hot loop it compares them with `check_at`; when they get
there it calls `must_stop`, which looks at the limits and plans the next check. As soon as there is an ending
the search unwinds, and every value it returns on the way is void:

    limits.nodes += 1
    if limits.nodes >= limits.check_at and must_stop(limits):
        return
"""
from libc.stdint cimport int64_t

from mcts_core.base.engine cimport Engine

cdef enum ending_t:                     # why a search ended before it was done
    RUNNING                             # it has not
    BY_NODES
    BY_SECONDS
    BY_STOP
    BY_FAILURE                          # an exception waits in the `failure` of the owner

cdef struct limits_t:
    int64_t nodes                       # visited by all runs of this search
    int64_t check_at                    # nodes at which `must_stop` is due
    ending_t ending
    int64_t check_every                 # nodes between two checks
    int64_t node_limit
    double deadline                     # on the clock of `seconds_now`
    double listened                     # when Python last had the chance to handle signals
    int64_t* stops                      # calls of `stop`, counted by the owner
    int64_t stops_before                # those that do not concern this run
    void* owner                         # the LimitedSearch


cdef bint must_stop(limits_t* limits) noexcept nogil
cdef void fail(limits_t* limits, object failure) noexcept


cdef class LimitedSearch(Engine):
    cdef limits_t* limits               # inside the struct of the search
    cdef object failure

    cdef void own_limits(self, limits_t* limits, int64_t check_every) noexcept
    cdef int set_limits(self, seconds, nodes, int64_t since) except -1
    cdef int listen(self) except -1
    cdef int raise_failure(self) except -1
    cdef str reason(self)
