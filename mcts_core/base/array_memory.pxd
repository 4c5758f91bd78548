"""The memory of NumPy arrays, without the C API of NumPy."""
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer


cdef inline void* memory_of(object array) except? NULL:
    """Return a pointer to the content of a contiguous array, valid as long as the array lives.

    Faster than a typed memoryview. It is got by a view of bytes, because NumPy needs memory to describe a structured
    array, and raises ValueError if there is none.
    """
    cdef Py_buffer content
    PyObject_GetBuffer(array.view("u1"), &content, PyBUF_SIMPLE)
    PyBuffer_Release(&content)
    return content.buf
