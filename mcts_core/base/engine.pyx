"""The rules that all searches share: one run at a time, in one process, until `stop` is called."""
from mcts_core.base.atomics cimport fetch_add, load

import os


cdef class Engine:
    """The base of the compiled searches.

    Calls of `stop` are counted. A run compares the count with its value when the run was requested, so a later
    call ends it, and an earlier call has no effect.
    """

    def __cinit__(self):
        self.process = os.getpid()

    cdef int begin(self) except -1:
        """Begin a run or a change of the search. Raises if a run is under way. Every `begin` needs an `end`."""
        self.check_process()
        self.check_idle()
        self.is_busy = True
        return 0

    cdef void end(self):
        self.is_busy = False

    cdef int check_idle(self) except -1:
        """Raise if a run is under way."""
        if self.is_busy:
            raise RuntimeError("this search is already running in another thread: wait for it, or stop it first")
        return 0

    cpdef int check_process(self) except -1:
        """Raise in a child process that was forked while this search was in use.

        The child has none of the threads, and their locks stay taken. A search that was idle at the fork can be
        used in both processes.
        """
        if os.getpid() != self.process:
            if self.is_in_use():
                raise RuntimeError("this process was forked while the search was running, and has none of its "
                                   "threads: make a new search here")
            self.process = os.getpid()
        return 0

    cdef bint is_in_use(self):
        """Return whether a thread runs or reads this search."""
        return self.is_busy

    @property
    def stops(self):
        """The number of calls of `stop`."""
        return load(&self._stops)

    def stop(self):
        """Make the run end soon. May be called from any thread."""
        fetch_add(&self._stops, 1)
