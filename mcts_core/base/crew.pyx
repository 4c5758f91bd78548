"""Threads that stay consistent when Ctrl-C interrupts the caller.

Python handles signals between two steps of Python code, also inside `threading` and
`concurrent.futures`: an exception there can leave a lock held for ever, or get lost. Compiled code
handles none between its steps. Only waiting for a lock or a queue can be interrupted, and then the
lock is not taken and the queue is unchanged.
"""
from _thread import allocate_lock, start_new_thread
from queue import SimpleQueue
from time import sleep

cdef extern from "pythread.h":
    unsigned long PyThread_get_thread_ident()


cdef class Call:
    """A call that is made in another thread."""

    cdef object function
    cdef tuple arguments
    cdef object ended                   # a lock, held from the start until the call has ended
    cdef object failure                 # the exception that the call has raised
    cdef unsigned long thread           # the thread's number
    cdef bint has_begun
    cdef bint is_given_up               # it must not begin

    def __init__(self, function, *arguments):
        self.function, self.arguments = function, arguments
        self.ended = allocate_lock()

    def start(self):
        """Begin in a new thread, unless the call was cancelled. Returns whether it begins."""
        if self.is_given_up:
            return False
        self.ended.acquire()
        try:
            start_new_thread(self.run, ())
        except BaseException:           # a lack of memory may show only after the thread was made
            if not self.has_begun:
                self.is_given_up = True
                self.function = self.arguments = None
                self.ended.release()
            raise
        return True

    def cancel(self):
        """Make sure that the call never begins. Does nothing once `start` was called."""
        if not self.has_begun and not self.ended.locked():
            self.is_given_up = True
            self.function = self.arguments = None

    def run(self):
        if self.is_given_up:
            return
        self.has_begun, self.thread = True, PyThread_get_thread_ident()
        try:
            self.function(*self.arguments)
        except BaseException as failure:
            self.failure = failure
        self.function = self.arguments = None   # breaks a cycle if they refer to this call
        self.ended.release()

    @property
    def ident(self):
        """The number of the thread; None if it has not begun."""
        return self.thread if self.has_begun else None

    @property
    def is_alive(self):
        return self.ended.locked()

    def join(self):
        """Wait until the call has ended."""
        self.ended.acquire()
        self.ended.release()

    def result(self):
        """Wait until the call has ended, and raise its exception, the first time."""
        self.join()
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure


cdef class Crew:
    """A pool of threads that make calls."""

    cdef list members
    cdef object calls

    def __init__(self, int size):
        self.members = []
        self.calls = SimpleQueue()
        try:
            for _ in range(size):
                member = Call(self.work)
                self.members.append(member)     # before it begins, because this may run out of memory
                member.start()
        except BaseException:               # the system has no more threads
            self.shutdown()
            raise

    def work(self):
        while True:
            try:
                call = self.calls.get()
            except MemoryError:         # the queue has kept the call
                continue
            if call is None:
                break
            call.run()

    def submit(self, function, *arguments):
        """Have one of the threads make this call."""
        call = Call(function, *arguments)
        (<Call> call).ended.acquire()
        self.calls.put(call)
        return call

    def shutdown(self):
        """End the threads and wait for them. If memory runs out, retry until there is some."""
        cdef int told = 0
        while told < len(self.members):
            try:
                self.calls.put(None)
                told += 1
            except MemoryError:
                sleep(0.001)
        for member in self.members:
            member.join()


def wait_for(calls):
    """Wait until all calls have ended, also after Ctrl-C, which is raised then."""
    failure = None
    for call in calls:
        while call.is_alive:
            try:
                call.join()
            except BaseException as error:
                failure = error
    if failure is not None:
        raise failure
