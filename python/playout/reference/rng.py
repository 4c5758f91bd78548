"""The random numbers: SFC64, one word at a time.

SFC64 (by Chris Doty-Humphrey) is one of numpy's generators. Its state is four 64-bit words: three
that are mixed with one another, and a counter.
"""

from typing import TypeAlias

from numpy import uint64
from numpy.random import SeedSequence

Seed: TypeAlias = int | SeedSequence

MASK = 2**64 - 1
POSITION_STEP = 0x9E3779B97F4A7C15
STREAM_STEP = 0xD1B54A32D192ED03
WORDS_DROPPED = 12


class SFC64:
    """A stream of random numbers. The same arguments give the same stream, on every machine.

    A seed has many streams, numbered (position, stream). The first one, (0, 0), is numpy's
    generator.

    >>> SFC64(1).next_word() == int(__import__("numpy").random.SFC64(1).random_raw())
    True
    >>> SFC64(1, stream=1).next_word() == SFC64(1).next_word()
    False
    """

    def __init__(self, seed: Seed, position: int = 0, stream: int = 0) -> None:
        sequence = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        first, second, third = (int(word) for word in sequence.generate_state(3, uint64))
        self.a = first
        self.b = (second + position * POSITION_STEP) & MASK
        self.c = (third + stream * STREAM_STEP) & MASK
        self.counter = 1
        for _ in range(WORDS_DROPPED):  # until the words of the seed are well mixed
            self.next_word()

    def next_word(self) -> int:
        """The next 64 random bits."""
        word = (self.a + self.b + self.counter) & MASK
        self.counter = (self.counter + 1) & MASK
        self.a = self.b ^ (self.b >> 11)
        self.b = (self.c + (self.c << 3)) & MASK
        self.c = (rotate_left(self.c, 24) + word) & MASK
        return word

    def below(self, n: int) -> int:
        """One of 0, 1, ..., n-1. It uses one word, even if n is 1.

        The lower half of the word, divided by 2**32, is a fraction. The result is n times that
        fraction, rounded down. (Some results are likelier than others, by less than n in 2**32.)

        >>> generator = SFC64(1)
        >>> [generator.below(6) for _ in range(10)]
        [2, 3, 2, 5, 5, 4, 4, 5, 2, 5]
        """
        return ((self.next_word() & 0xFFFFFFFF) * n) >> 32

    def uniform(self) -> float:
        """A number from 0 to 1, 1 excluded, made from the upper 53 bits of a word.

        >>> round(SFC64(1).uniform(), 6)
        0.99562
        """
        return (self.next_word() >> 11) * 2.0**-53


def rotate_left(word: int, bits: int) -> int:
    """A 64-bit word rotated left: bits that leave the top enter at the bottom.

    >>> hex(rotate_left(0xAB00000000000001, 8))
    '0x1ab'
    """
    return ((word << bits) | (word >> (64 - bits))) & MASK
