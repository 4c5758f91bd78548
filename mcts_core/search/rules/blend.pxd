"""What RAVE and GRAVE have in common: the mean of a move's own results blended with its AMAF mean."""
from libc.math cimport INFINITY, log, sqrt
from libc.stdint cimport uint32_t


cdef inline double blend(double w, double n, double amaf_w, double amaf_n, double beta) noexcept nogil:
    """Return (1 - beta) Q + beta A. If only one of the means is known, that one; if none is, INFINITY."""
    if n == 0.0:
        return amaf_w / amaf_n if amaf_n else INFINITY
    if amaf_n == 0.0:
        return w / n
    return (1.0 - beta) * (w / n) + beta * (amaf_w / amaf_n)


cdef inline double blend_mse(double w, double n, double amaf_w, double amaf_n, double bias) noexcept nogil:
    """Return `blend` with `beta_mse`, multiplied out: one division instead of three.

    With beta = amaf_n / D and D = n + amaf_n + bias n amaf_n, 1 - beta = n (1 + bias amaf_n) / D, so
    (1 - beta) w / n + beta amaf_w / amaf_n = (w (1 + bias amaf_n) + amaf_w) / D.
    """
    cdef double weight = bias * amaf_n
    cdef double both = n + amaf_n + n * weight
    return (w + w * weight + amaf_w) / both if both else INFINITY


cdef inline double explore(double ln_t, uint32_t n, double c) noexcept nogil:
    """Return UCT's exploration term; a move without a visit gets that of one visit."""
    return c * sqrt(ln_t / (n if n else 1))


cdef inline double ln_visits(uint32_t t, double c) noexcept nogil:
    """Return the logarithm that `explore` needs, or 0 without a constant c, because it takes time."""
    return log(<double> t) if c > 0.0 and t else 0.0
