"""The generator for Python, and the words of a seed."""
from libc.stdint cimport uint32_t, uint64_t

from operator import index
from secrets import randbits

import numpy as np

from mcts_core.errors import shown, whole

LONGEST_SEED = 8192                     # bits: Python refuses to write much longer numbers into a record or JSON


def known_seed(seed=None):
    """Return a seed, checked: an int, a SeedSequence, or for None a fresh random int of 128 bits.

    A numpy Generator gives its next 128 bits.

    >>> known_seed(7)
    7
    """
    if isinstance(seed, np.random.SeedSequence):
        return seed
    if isinstance(seed, np.random.Generator):
        return int.from_bytes(seed.bytes(16), "little")
    if seed is None:
        return randbits(128)
    number = whole(seed)
    if number is None:
        raise ValueError(f"seed must be an int, a numpy SeedSequence or Generator, or None, not {shown(seed)}")
    if number < 0:
        raise ValueError(f"seed must not be negative, but it is {shown(seed)}")
    if number.bit_length() > LONGEST_SEED:
        raise ValueError(f"seed must be below 2**{LONGEST_SEED}, not {shown(seed)}")
    return number


def seed_sequence(seed=None):
    """Return the SeedSequence of a seed, for numpy's own generators and to spawn further seeds.

    >>> seed_sequence(7).entropy
    7
    """
    known = known_seed(seed)
    return known if isinstance(known, np.random.SeedSequence) else np.random.SeedSequence(known)


cdef seed_t seed_words(object seed) except *:
    """Return the words of a seed, an int or a SeedSequence."""
    cdef seed_t words
    cdef const uint64_t[::1] generated
    if type(seed) is int and 0 <= seed <= LARGEST_SHORT:
        return mixed_words(<uint64_t> (seed & LARGEST_WORD), <uint64_t> (seed >> 64))
    generated = seed_sequence(seed).generate_state(3, np.uint64)
    words.a, words.b, words.c = generated[0], generated[1], generated[2]
    return words


# numpy's SeedSequence of an int below 2**128, again in C: making the object takes longer than a random game

cdef enum:
    POOL = 4                            # words of 32 bits into which numpy mixes a seed

LARGEST_WORD = 0xFFFFFFFFFFFFFFFF
LARGEST_SHORT = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF      # the largest int that has as many bits as the pool


cdef inline uint32_t folded(uint32_t x) noexcept nogil:
    return x ^ x >> 16


cdef inline uint32_t hashed(uint32_t value, uint32_t* constant) noexcept nogil:
    value ^= constant[0]
    constant[0] *= 0x931E8875U
    return folded(value * constant[0])


cdef seed_t mixed_words(uint64_t low, uint64_t high) noexcept nogil:
    """Return `SeedSequence(low + (high << 64)).generate_state(3, uint64)`."""
    cdef uint32_t[POOL] pool = [<uint32_t> low, <uint32_t> (low >> 32), <uint32_t> high, <uint32_t> (high >> 32)]
    cdef uint32_t[6] state
    cdef uint32_t constant = 0x43B0D7E5U
    cdef int i, j
    cdef seed_t words
    for i in range(POOL):
        pool[i] = hashed(pool[i], &constant)
    for i in range(POOL):
        for j in range(POOL):
            if i != j:
                pool[j] = folded(0xCA01F9DDU * pool[j] - 0x4973F715U * hashed(pool[i], &constant))
    constant = 0x8B51F9DDU
    for i in range(6):
        state[i] = pool[i % POOL] ^ constant
        constant *= 0x58F38DEDU
        state[i] = folded(state[i] * constant)
    words.a = state[0] | <uint64_t> state[1] << 32
    words.b = state[2] | <uint64_t> state[3] << 32
    words.c = state[4] | <uint64_t> state[5] << 32
    return words


cdef class SFC64:
    """The generator of every playout, open for inspection and for tests.

    >>> SFC64(5).random_raw() == int(np.random.SFC64(5).random_raw())
    True
    """
    cdef rng_t _rng

    def __init__(self, seed=None, position=0, stream=0):
        cdef seed_t words = seed_words(known_seed(seed))
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
