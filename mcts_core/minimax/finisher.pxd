"""THE CONTRACT OF A FINISHER: who wins a position near the end of the game, exactly and at once.

A finisher is a game's own exact solver, fast enough for the leaves of a search. The functions run without the GIL and
cannot raise. Each thread has its own working memory.
"""
from libc.stdint cimport int64_t

cdef enum:
    FAR = 2                             # an outcome: the end is not near enough

cdef struct finisher_t:
    void* (*open)() noexcept nogil                  # returns working memory; NULL: no memory
    void (*close)(void* memory) noexcept nogil      # `memory` may be NULL
    # Returns 1 if the mover wins, 0 for a draw, -1 for a loss, or FAR. Sets `plies`, within which the game ends, and
    # adds the positions that it visits to `nodes`.
    int (*finish)(void* memory, const void* state, int* plies, int64_t* nodes) noexcept nogil


cdef class Finisher:
    """A finisher for Python code to pass on."""

    cdef const finisher_t* c
