"""Several principal variations: the value that a move of the root must exceed to get its exact one."""
from libc.math cimport INFINITY


cdef inline double nth_best(const double* values, int n, int rank) noexcept nogil:
    """Return the value that `rank` of n values reach or exceed, the highest such value; -INFINITY if n is less."""
    cdef double nth = -INFINITY
    cdef int i, k, better
    for i in range(n):
        if values[i] > nth:
            better = 0
            for k in range(n):
                better += values[k] >= values[i]
            if better >= rank:
                nth = values[i]
    return nth
