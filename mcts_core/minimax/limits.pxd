"""The limits of one search: seconds, nodes, `stop`, Ctrl-C.

The search counts its nodes in a `limits_t`. When they reach `check_at` it calls `must_stop`, which checks the
limits and plans the next check. Once `ending` is set the search unwinds, and the values it returns are not used:

    limits.nodes += 1
    if limits.nodes >= limits.check_at and must_stop(limits):
        return

Threads that help a search have limits of their own, which follow those of their leader. A helper adds its nodes to
the leader's count now and then. It ends when the leader calls back, or when both have visited enough nodes. Only the
leader checks the other limits.
"""
from libc.stdint cimport int64_t

from mcts_core.base.atomics cimport load
from mcts_core.base.engine cimport Engine, stop_t

cdef enum ending_t:                     # why a run ended early
    RUNNING                             # it has not ended
    BY_NODES
    BY_SECONDS
    BY_STOP
    BY_FAILURE                          # an exception is in the owner's `failure`, or a fault in its own struct
    BY_LEADER                           # a helper: the leader has called back

cdef struct limits_t:
    int64_t nodes                       # visited in all runs of this search, by this thread
    int64_t check_at                    # value of `nodes` at which `must_stop` is due
    ending_t ending
    int64_t check_every                 # nodes between two checks
    int64_t node_limit                  # value of `all_nodes` that ends the run
    double deadline                     # by `seconds_now`
    double listened                     # when Python last handled signals, by `seconds_now`
    stop_t stop                         # whether the owner's `stop` was called
    void* owner                         # the LimitedSearch
    int helpers                         # threads that follow these limits
    int64_t helped                      # nodes that helpers have counted; atomic
    int64_t told                        # value of `nodes` that helpers know; atomic
    int64_t calls_back                  # 1: the helpers must end; atomic
    limits_t* leader                    # of a helper: those that it follows; otherwise NULL
    int64_t counted                     # of a helper: the nodes in the leader's `helped`


cdef inline int64_t all_nodes(limits_t* limits) noexcept nogil:
    """Return the nodes visited by all threads, of a helper's those that it has counted."""
    return limits.nodes + load(&limits.helped)


cdef bint must_stop(limits_t* limits) noexcept nogil
cdef void follow(limits_t* limits, limits_t* leader) noexcept
cdef void begin_to_help(limits_t* limits) noexcept nogil
cdef void fail(limits_t* limits, object failure) noexcept


cdef class LimitedSearch(Engine):
    cdef limits_t* limits               # inside the struct of the search
    cdef object failure
    cdef public object watch            # a function that is called about every millisecond of a run, or None

    cdef void own_limits(self, limits_t* limits, int64_t check_every) noexcept
    cdef int set_limits(self, seconds, nodes, int64_t since) except -1
    cdef int listen(self) except -1
    cdef int raise_failure(self) except -1
    cdef int call_back(self, list calls, failure) except -1
    cdef str reason(self)
