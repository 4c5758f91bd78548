"""Random numbers for exploration at the root: Dirichlet and Gumbel noise."""
from libc.math cimport log, pow

from mcts_core.rng cimport rng_t, uniform
from mcts_core.search.select cimport gamma


cdef inline double above_zero(rng_t* rng) noexcept nogil:
    """Draw a double between 0 and 1, neither of them included."""
    cdef double u = uniform(rng)
    while u == 0.0:
        u = uniform(rng)
    return u


cdef inline double gumbel_draw(rng_t* rng) noexcept nogil:
    """Draw from the standard Gumbel distribution."""
    return -log(-log(above_zero(rng)))


cdef inline void dirichlet_draw(rng_t* rng, double alpha, int n, double* out) noexcept nogil:
    """Draw n shares from the symmetric Dirichlet distribution: gamma draws over their sum.

    A gamma draw with a shape below 1 is one with a shape above 1, times a power of a uniform number.
    """
    cdef double total = 0.0
    cdef int i
    for i in range(n):
        out[i] = gamma(rng, alpha + 1.0) * pow(above_zero(rng), 1.0 / alpha)
        total += out[i]
    for i in range(n):
        out[i] = out[i] / total if total > 0.0 else 1.0 / n
