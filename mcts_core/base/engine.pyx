"""One run at a time, in one process, until it is asked to stop: the rules that all searches share."""
from mcts_core.base.atomics cimport fetch_add, load

import os


cdef class Engine:
    """The base of the compiled searches.

    Calls of `stop` are counted. A run compares the count with that of the moment when it was asked for, so it
    ends at each later call, and a call from before it has no effect.
    """

    def __cinit__(self):
        self.process = os.getpid()

    cdef int begin(self) except -1:
        """Refuse a second run, or a change of the search, while a run is under way. Every `begin` has its `end`."""
        self.check_process()
        self.check_idle()
        self.is_busy = True
        return 0

    cdef void end(self):
        self.is_busy = False

    cdef int check_idle(self) except -1:
        """Refuse a call that reads or changes what a run is changing."""
        if self.is_busy:
            raise RuntimeError("this search is already running in another thread: wait for it, or stop it first")
        return 0

    cpdef int check_process(self) except -1:
        """Refuse to go on in a child process that was forked while this search was in use.

        The child has none of the threads, and locks stay taken. If the search was idle at the fork, it goes on in
        both processes.
        """
        if os.getpid() != self.process:
            if self.is_in_use():
                raise RuntimeError("this process was forked while the search was running, and has none of its "
                                   "threads: make a new search here")
            self.process = os.getpid()
        return 0

    cdef bint is_in_use(self):
        """Whether a thread runs this search or looks at it."""
        return self.is_busy

    @property
    def stops(self):
        """How often `stop` was called."""
        return load(&self._stops)

    def stop(self):
        """Make the run end soon, from another thread."""
        fetch_add(&self._stops, 1)
