"""Many random games of Breakthrough at once, in lanes of 32 bits: boards of at most 32 squares."""
cdef extern from *:
    """
    #define LANE_BITS 32
    """

include "breakthrough_kernel.pxi"
