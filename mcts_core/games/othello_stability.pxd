"""Discs that can never be flipped, and discs that the opponent could flip with one move."""
from libc.stdint cimport uint64_t


cdef uint64_t stable_discs(uint64_t own, uint64_t enemy, uint64_t squares, int size) noexcept nogil
cdef uint64_t loose_discs(uint64_t own, uint64_t enemy, uint64_t squares) noexcept nogil
