"""The base class of every compiled search."""
from libc.stdint cimport int64_t


cdef class Engine:
    cdef int64_t _stops                 # calls of `stop` so far
    cdef bint is_busy                   # between `begin` and `end`
    cdef object process                 # id of the process that uses this engine

    cdef int begin(self) except -1
    cdef void end(self)
    cdef int check_idle(self) except -1
    cpdef int check_process(self) except -1
    cdef bint is_in_use(self)
