"""Calling an evaluator: arrays in, arrays out, and what is wrong with an answer."""
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free

from mcts_core.base.array_memory cimport memory_of
from mcts_core.batched.flight cimport BAD_LOGITS, BAD_VALUE, BREACH, NO_MEMORY, expand, leaf_t, walk_t
from mcts_core.position cimport Position

import numpy as np

from mcts_core.errors import BadMethod, breach, shown

WANTED = "an evaluator gets (planes, mask) and returns (logits [n, actions], value [n])"


cdef class Buffers:
    """The arrays of a thread, with room for `room` positions and as many walks."""

    def __cinit__(self, Position position not None, int64_t room):
        cdef flight_t* flight = &self.flight
        rows, cols = position.shape()
        flight.squares, flight.n_actions = rows * cols, position.game.n_codes
        self.planes = np.zeros((room, 2, rows, cols), np.uint8)
        self.masks = np.zeros((room, flight.n_actions), np.bool_)
        flight.planes, flight.masks = <uint8_t*> memory_of(self.planes), <uint8_t*> memory_of(self.masks)
        flight.walks = <walk_t*> PyMem_RawCalloc(room, sizeof(walk_t))
        flight.rows = <leaf_t*> PyMem_RawCalloc(room, sizeof(leaf_t))
        flight.codes = <int32_t*> PyMem_RawCalloc(room * position.game.max_moves, sizeof(int32_t))
        if flight.walks == NULL or flight.rows == NULL or flight.codes == NULL:
            raise MemoryError(f"no memory for batches of {room} positions")

    def __dealloc__(self):
        PyMem_RawFree(self.flight.walks)
        PyMem_RawFree(self.flight.rows)
        PyMem_RawFree(self.flight.codes)
        free(self.flight.steps)

    cdef int evaluate(self, evaluator) except -1:
        """Have the rows of a flight evaluated, and give their nodes what the evaluator says."""
        cdef int n = self.flight.n_rows
        cdef const float* logits_memory
        cdef const float* values_memory
        answer = evaluator(self.planes[:n], self.masks[:n])
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise BadMethod(f"{WANTED}, not {shown(answer)}")
        logits = floats("logits", answer[0], (n, self.flight.n_actions))
        values = floats("value", answer[1], (n,))
        logits_memory, values_memory = <const float*> memory_of(logits), <const float*> memory_of(values)
        with nogil:
            expand(&self.flight, logits_memory, values_memory)
        if self.flight.fault:
            raise_fault(&self.flight)
        return 0


cdef object floats(name, given, shape):
    """Return what an evaluator has returned as contiguous float32, of this shape."""
    try:
        found = np.ascontiguousarray(given, np.float32)
    except (TypeError, ValueError) as fault:
        raise BadMethod(f"{WANTED}; its {name} cannot be read as numbers: {fault}") from None
    if found.shape != shape:
        raise BadMethod(f"{WANTED}; for {shape[0]} positions its {name} must have the shape {shape}, "
                        f"not {found.shape}")
    return found


cdef int raise_fault(const flight_t* flight) except -1:
    """Raise what has gone wrong in a flight."""
    if flight.fault == NO_MEMORY:
        raise MemoryError("no memory for a batched search")
    if flight.fault == BREACH:
        raise breach("a number of moves, a code, a square or a result is out of range")
    if flight.fault == BAD_VALUE:
        raise BadMethod("an evaluator's value is the expected result of the side to move, from 0 (a loss) to "
                        "1 (a win): for a network with values from -1 to 1 return (value + 1) / 2")
    if flight.fault == BAD_LOGITS:
        raise BadMethod("an evaluator's logits must be numbers, above -inf for at least one legal move: "
                        "a nan often means that training has diverged")
    return 0
