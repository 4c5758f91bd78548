"""A board as planes of bytes, one byte for each square."""
from libc.stdint cimport uint8_t, uint64_t

from mcts_core.base.bits cimport first_bit
from mcts_core.game cimport game_t


cdef inline bint write_planes(const game_t* game, const void* state, int squares, uint8_t* out) noexcept nogil:
    """Write 1 into two zeroed planes for the mover's and the opponent's men. False: a man stands outside the board."""
    cdef uint64_t own, enemy
    game.planes(game, state, &own, &enemy)
    return write_plane(game, own, squares, out) and write_plane(game, enemy, squares, out + squares)


cdef inline bint write_plane(const game_t* game, uint64_t men, int squares, uint8_t* out) noexcept nogil:
    cdef int square
    while men:
        square = game.square(game, first_bit(men))
        if not 0 <= square < squares:
            return False
        out[square] = 1
        men &= men - 1
    return True
