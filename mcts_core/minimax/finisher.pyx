"""The Python object that holds a finisher."""


cdef class Finisher:
    pass
