"""Many random games of Breakthrough at once, in lanes of 64 or of 32 bits. See lane_frame.pxi.

A board in a lane has no gaps: square (row, col) is bit cols*row + col. A lane sees its game from the
side to move, so mover and opponent change places after every ply. A move rotates a man's bit to the
left: `ahead` bits straight on, ahead - 1 towards a lower column, ahead + 1 towards a higher column.
`ahead` is `cols` for white, and LANE_BITS - cols for black, which is `cols` bits to the right.

Included by breakthrough_lanes.pyx and breakthrough_lanes32.pyx.
"""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.lanes cimport (
    LANE_BITS, lanes_all, lanes_below, lanes_count, lanes_get, lanes_if, lanes_kth, lanes_less, lanes_mask_t,
    lanes_rngs_t, lanes_rotate, lanes_rotate_back, lanes_set, lanes_t, lanes_within, lanes_without,
    lanes_without_both, lanes_zero, word_gather, word_spread
)
from mcts_core.game cimport note_bits
from mcts_core.games.breakthrough_rules cimport BLACK, state_t

cdef enum:
    GROUPS = 4                          # one has half the speed, three 0.95 of it
    SINGLE_GROUPS = 3                   # four are no faster
    ENDS_ARE_RARE = 0                   # on small boards nearly every step ends a game of a group
    KINDS = 5                           # kinds of moves with AMAF codes of their own

cdef uint64_t FIRST_FILE = 0x0101010101010101
cdef uint64_t EVERY_FIFTH = 0x0084210842108421      # every fifth of 60 bits: the first code of each of 12 squares

cdef struct board_t:
    uint64_t not_left                   # squares that no move to a lower column reaches: last file, off the board
    uint64_t not_right                  # the same for a higher column: first file, off the board
    uint64_t ends                       # the first and the last row
    int up                              # `ahead` of white
    int down                            # `ahead` of black

cdef struct games_t:
    lanes_t mover                       # the men of the side to move
    lanes_t opponent
    lanes_t ahead

cdef struct ply_t:
    lanes_t origin                      # the square moved from
    lanes_mask_t is_quiet               # no capture
    lanes_mask_t is_left                # to a lower column
    lanes_mask_t is_not_right           # to a lower column or straight on

cdef struct made_t:                     # the squares that moves were made from, by player and kind of move
    lanes_t[2][KINDS] origins           # [0]: the player who moved first, [1]: the other

include "lane_frame.pxi"


cdef inline board_t board_of(const state_t* state) noexcept nogil:
    cdef board_t board
    cdef uint64_t squares = word_gather(state.squares, state.squares)
    cdef uint64_t first_file = word_gather(FIRST_FILE & state.squares, state.squares)
    cdef uint64_t bottom = (<uint64_t> 1 << state.cols) - 1
    board.not_left = ~squares | first_file << (state.cols - 1)
    board.not_right = ~squares | first_file
    board.ends = bottom | bottom << (state.cols * (state.rows - 1))
    board.up, board.down = state.cols, LANE_BITS - state.cols
    return board


cdef inline void load_game(games_t* start, int lane, const state_t* state, const board_t* board) noexcept nogil:
    lanes_set(&start.mover, lane, word_gather(state.men[state.turn], state.squares))
    lanes_set(&start.opponent, lane, word_gather(state.men[1 - state.turn], state.squares))
    lanes_set(&start.ahead, lane, board.down if state.turn == BLACK else board.up)


cdef inline lanes_mask_t step(games_t* games, lanes_rngs_t* rngs, const board_t* board, ply_t* ply) noexcept nogil:
    """Play a random ply in every lane, with the numbers and choices of `random_step` in breakthrough_rules.pyx."""
    cdef lanes_t mover = games.mover, opponent = games.opponent, ahead = games.ahead
    # no man leaves the board straight on, because a man on the last row has won
    cdef lanes_t left = lanes_without_both(lanes_rotate(mover, ahead - 1), mover, lanes_all(board.not_left))
    cdef lanes_t straight = lanes_without_both(lanes_rotate(mover, ahead), mover, opponent)
    cdef lanes_t right = lanes_without_both(lanes_rotate(mover, ahead + 1), mover, lanes_all(board.not_right))
    cdef lanes_t n_left = lanes_count(left)
    cdef lanes_t n_left_straight = n_left + lanes_count(straight)
    cdef lanes_t k = lanes_below(rngs, n_left_straight + lanes_count(right))
    cdef lanes_mask_t is_left = lanes_less(k, n_left), is_not_right = lanes_less(k, n_left_straight)
    cdef lanes_t targets = lanes_if(is_left, left, lanes_if(is_not_right, straight, right))
    cdef lanes_t direction = lanes_if(is_left, ahead - 1, lanes_if(is_not_right, ahead, ahead + 1))
    cdef lanes_t target = lanes_kth(
        targets, lanes_if(is_left, k, k - lanes_if(is_not_right, n_left, n_left_straight)))
    cdef lanes_t origin = lanes_rotate_back(target, direction)
    cdef lanes_t opponent_left = lanes_without(opponent, target)
    cdef lanes_mask_t ended = lanes_within(target, lanes_all(board.ends)) | lanes_zero(opponent_left)
    ply.origin, ply.is_left, ply.is_not_right = origin, is_left, is_not_right
    ply.is_quiet = lanes_zero(target & opponent)
    games.mover = opponent_left
    games.opponent = mover ^ (target | origin)
    games.ahead = lanes_all(LANE_BITS) - ahead
    return ended


cdef inline games_t games_if(lanes_mask_t mask, const games_t* yes, const games_t* no) noexcept nogil:
    cdef games_t games
    games.mover = lanes_if(mask, yes.mover, no.mover)
    games.opponent = lanes_if(mask, yes.opponent, no.opponent)
    games.ahead = lanes_if(mask, yes.ahead, no.ahead)
    return games


cdef inline lanes_t score_of(const games_t* games) noexcept nogil:
    """Return `ahead` of the winner. The loser is to move, but the compiler still has the winner's in a register."""
    return lanes_all(LANE_BITS) - games.ahead


cdef inline outcome_t outcome_of(uint64_t score, int64_t games, const board_t* board) noexcept nogil:
    """Solve for the wins: each win of white has added `up` to the score, each loss `down`."""
    cdef outcome_t outcome
    outcome.wins = (games * board.down - <int64_t> score) // (board.down - board.up)
    outcome.draws = outcome.passes = 0
    return outcome


cdef inline void note(made_t* made, const ply_t* ply, bint odd_step, lanes_mask_t over) noexcept nogil:
    """Note the squares moved from, by kind in the order of codes: straight, right, its capture, left, its capture."""
    cdef lanes_t zero = lanes_all(0)
    cdef lanes_t origin = lanes_if(over, zero, ply.origin)
    cdef lanes_t left = lanes_if(ply.is_left, origin, zero)
    cdef lanes_t right = lanes_if(ply.is_not_right, zero, origin)
    cdef lanes_t* origins = made.origins[odd_step]
    origins[0] = origins[0] | lanes_without(origin, left | right)
    origins[1] = origins[1] | lanes_if(ply.is_quiet, right, zero)
    origins[2] = origins[2] | lanes_if(ply.is_quiet, zero, right)
    origins[3] = origins[3] | lanes_if(ply.is_quiet, left, zero)
    origins[4] = origins[4] | lanes_if(ply.is_quiet, zero, left)


cdef inline void write_codes(const made_t* made, const games_t* start, int lane, const state_t* state,
                             uint64_t* seen) noexcept nogil:
    """Write 12 squares at a time: a square has five codes, so 12 squares have 60 bits of a word."""
    cdef int area = state.rows * state.cols
    cdef uint64_t[KINDS] origins
    cdef uint64_t bits
    cdef int player, kind, square, first
    for player in range(2):
        first = 5 * area if player ^ state.turn == BLACK else 0
        for kind in range(KINDS):
            origins[kind] = lanes_get(made.origins[player][kind], lane)
        for square in range(0, area, 12):
            bits = 0
            for kind in range(KINDS):
                bits |= word_spread(origins[kind] >> square & 0xFFF, EVERY_FIFTH << kind)
            note_bits(seen, first + 5 * square, bits)
