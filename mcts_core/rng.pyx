"""The generator for Python, and the words of a seed."""
from libc.stdint cimport uint64_t

from operator import index

import numpy as np

from mcts_core.errors import shown, whole

LONGEST_SEED = 8192                     # bits: Python refuses to write much longer numbers into a record or JSON


def seed_sequence(seed=None):
    """Return the SeedSequence of a seed: an int, a SeedSequence (returned as it is) or None (fresh entropy).

    >>> seed_sequence(7).entropy
    7
    """
    if isinstance(seed, np.random.SeedSequence):
        return seed
    number = whole(seed)
    if seed is not None and number is None:
        raise ValueError(f"seed must be an int, a numpy SeedSequence or None, not {shown(seed)}")
    if number is not None and number < 0:
        raise ValueError(f"seed must not be negative, but it is {shown(seed)}")
    if number is not None and number.bit_length() > LONGEST_SEED:
        raise ValueError(f"seed must be below 2**{LONGEST_SEED}, not {shown(seed)}")
    return np.random.SeedSequence(number)


cdef seed_t seed_words(object seed_sequence) except *:
    cdef seed_t seed
    cdef const uint64_t[::1] words = seed_sequence.generate_state(3, np.uint64)
    seed.a, seed.b, seed.c = words[0], words[1], words[2]
    return seed


cdef class SFC64:
    """The generator of every playout, open for inspection and for tests.

    >>> SFC64(5).random_raw() == int(np.random.SFC64(5).random_raw())
    True
    """
    cdef rng_t _rng

    def __init__(self, seed=None, position=0, stream=0):
        cdef seed_t words = seed_words(seed_sequence(seed))
        self._rng = open_stream(&words, index(position), index(stream))

    def random_raw(self):
        """Draw a 64-bit word."""
        return next_word(&self._rng)

    def below(self, n):
        """Draw a number in 0..n-1."""
        bound = index(n)
        if not 1 <= bound <= 0xFFFFFFFF:
            raise ValueError(f"below() needs a bound from 1 to 2**32 - 1, not {bound}")
        return below(&self._rng, bound)

    def uniform(self):
        """Draw a double in [0, 1)."""
        return uniform(&self._rng)
