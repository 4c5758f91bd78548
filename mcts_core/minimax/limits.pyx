"""When a search has to stop: the clock, the nodes, `stop` and Ctrl-C."""
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport int64_t

from mcts_core.base.atomics cimport fetch_add, load, store
from mcts_core.base.clock cimport seconds_now
from mcts_core.base.engine cimport Engine, is_called

from mcts_core.base.crew import wait_for

# Seconds after which Python handles signals. This takes the GIL: less slows searches beside other Python
# threads down, more delays Ctrl-C.
cdef double LISTEN_EVERY = 1e-3

cdef enum:
    HELP_CHECK_EVERY = 256              # nodes between two checks of a helper; the leader waits for it at most so long

REASONS = {BY_NODES: "nodes", BY_SECONDS: "seconds", BY_STOP: "stopped"}


cdef bint must_stop(limits_t* limits) noexcept nogil:
    """Check the limits, and plan the next check, at the node limit at the latest. Returns whether to stop."""
    cdef int64_t left
    cdef double now
    if limits.leader != NULL:
        return must_return(limits)
    now, left = seconds_now(), limits.node_limit - all_nodes(limits)
    limits.check_at = limits.nodes + max(<int64_t> 1, min(limits.check_every, left // (1 + limits.helpers)))
    store(&limits.told, limits.nodes)
    if left <= 0:
        limits.ending = BY_NODES
    elif now >= limits.deadline:
        limits.ending = BY_SECONDS
    elif is_called(&limits.stop):
        limits.ending = BY_STOP
    elif now - limits.listened >= LISTEN_EVERY:
        with gil:
            try:
                (<LimitedSearch> limits.owner).listen()
            except BaseException as failure:
                fail(limits, failure)
        limits.listened = seconds_now()         # not `now`: the wait for the GIL may have been long
    return limits.ending != RUNNING


cdef bint must_return(limits_t* limits) noexcept nogil:
    """Count a helper's nodes, and plan its next check. Returns whether it must end."""
    cdef limits_t* leader = limits.leader
    cdef int64_t fresh = limits.nodes - limits.counted
    cdef int64_t helped = fetch_add(&leader.helped, fresh) + fresh
    limits.counted = limits.nodes
    limits.check_at = limits.nodes + HELP_CHECK_EVERY
    if load(&leader.calls_back):
        limits.ending = BY_LEADER
    elif load(&leader.told) + helped >= leader.node_limit:
        limits.ending = BY_NODES
    return limits.ending != RUNNING


cdef void follow(limits_t* limits, limits_t* leader) noexcept:
    """Make these the limits of a helper. It ends at once until the leader sets `calls_back` to 0."""
    limits.leader = leader
    store(&leader.calls_back, 1)
    leader.helpers += 1


cdef void begin_to_help(limits_t* limits) noexcept nogil:
    """Begin a helper's part of a run, with a check at the first node."""
    limits.ending, limits.check_at = RUNNING, limits.nodes


cdef void fail(limits_t* limits, object failure) noexcept:
    """End the search with an exception, which `raise_failure` raises after it has unwound."""
    (<LimitedSearch> limits.owner).failure = failure
    limits.ending = BY_FAILURE


cdef class LimitedSearch(Engine):
    """The base of the searches that count nodes."""

    cdef void own_limits(self, limits_t* limits, int64_t check_every) noexcept:
        """Connect the limits in the search's struct with this object. Called first of all, when the search is made."""
        self.limits = limits
        limits.owner = <void*> self
        limits.stop.calls = &self._stops
        limits.check_every = check_every
        limits.helpers, limits.leader = 0, NULL
        limits.helped = limits.told = 0

    cdef int set_limits(self, seconds, nodes, int64_t since) except -1:
        """Set limits: `seconds` from this call, `nodes` beyond the count `since`; None: no limit."""
        cdef limits_t* limits = self.limits
        limits.listened = seconds_now()
        limits.deadline = INFINITY if seconds is None else limits.listened + <double> seconds
        limits.node_limit = (<int64_t> 1 << 62) if nodes is None else since + <int64_t> nodes
        limits.stop.before = load(limits.stop.calls)
        limits.check_at = limits.nodes
        limits.ending = RUNNING
        return 0

    cdef int listen(self) except -1:
        """Let Python handle signals, and call `watch`. An exception ends the search."""
        if self.watch is not None:
            self.watch()
        return PyErr_CheckSignals()

    cdef int raise_failure(self) except -1:
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        return 0

    cdef int call_back(self, list calls, failure) except -1:
        """End the helpers and wait for them. Then raise the exception of the leader's part, unless it is None."""
        store(&self.limits.calls_back, 1)
        wait_for(calls)
        if failure is not None:
            raise failure
        return 0

    cdef str reason(self):
        """Return the name of the limit that ended the search."""
        return REASONS[self.limits.ending]

    @property
    def nodes(self):
        """Positions visited so far."""
        return all_nodes(self.limits)
