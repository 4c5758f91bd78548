"""The base class of choosers. The contract is chooser.pxd."""


cdef class Chooser:
    """A chooser of a batched search."""
