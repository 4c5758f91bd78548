"""SFC64 (Chris Doty-Humphrey's small fast counting generator), word for word the same as numpy's.

numpy's SeedSequence makes three words of a seed. Substream (position, stream) starts from these
words plus multiples of two odd constants, so any number of streams can be opened in any order and
on any thread, each at the cost of twelve steps. Substream (0, 0) is `numpy.random.SFC64(seed)`.
"""
from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    STREAM_GAMES = 64                   # games in a substream; more: cheaper to open, less to share out among threads

cdef struct rng_t:
    uint64_t a
    uint64_t b
    uint64_t c
    uint64_t counter

cdef struct seed_t:                     # the words of a seed, from which every substream starts
    uint64_t a
    uint64_t b
    uint64_t c


cdef inline uint64_t next_word(rng_t* rng) noexcept nogil:
    cdef uint64_t word = rng.a + rng.b + rng.counter
    rng.counter += 1
    rng.a = rng.b ^ (rng.b >> 11)
    rng.b = rng.c + (rng.c << 3)
    rng.c = ((rng.c << 24) | (rng.c >> 40)) + word
    return word


cdef inline uint32_t below(rng_t* rng, uint32_t n) noexcept nogil:
    """Draw a number in 0..n-1 from one word: multiply-shift on its low 32 bits."""
    return <uint32_t> (<uint64_t> <uint32_t> next_word(rng) * n >> 32)


cdef inline double uniform(rng_t* rng) noexcept nogil:
    """Draw a double in [0, 1) with 53 random bits."""
    return <double> (next_word(rng) >> 11) * (1.0 / 9007199254740992.0)


cdef inline rng_t open_stream(const seed_t* seed, uint64_t position, uint64_t stream) noexcept nogil:
    cdef rng_t rng
    cdef int _
    rng.a = seed.a
    rng.b = seed.b + position * <uint64_t> 0x9E3779B97F4A7C15
    rng.c = seed.c + stream * <uint64_t> 0xD1B54A32D192ED03
    rng.counter = 1
    for _ in range(12):
        next_word(&rng)
    return rng


cdef inline uint64_t fixed_word(uint64_t i) noexcept nogil:
    """Return the i-th word of a fixed sequence (splitmix64), so that Zobrist tables are the same in every run."""
    cdef uint64_t x = (i + 1) * <uint64_t> 0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t> 0x94D049BB133111EB
    return x ^ (x >> 31)


cdef seed_t seed_words(object seed) except *
