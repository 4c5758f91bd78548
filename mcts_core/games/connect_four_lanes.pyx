"""Many random games of Connect Four at once, on the bitboards of connect_four_rules.pyx. See lane_frame.pxi."""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.lanes cimport (
    lanes_add_if, lanes_all, lanes_below, lanes_count, lanes_get, lanes_if, lanes_kth, lanes_mask_t, lanes_rngs_t,
    lanes_set, lanes_t, lanes_zero, word_gather
)
from mcts_core.game cimport note_bits
from mcts_core.games.connect_four_rules cimport BLACK, WHITE, state_t

cdef enum:
    GROUPS = 2
    SINGLE_GROUPS = 2
    ENDS_ARE_RARE = 0

# The score of a game that white has won, and of a draw. A job has at most 1 << 16 games, so the sums do not overlap.
cdef uint64_t A_WIN = <uint64_t> 1 << 32
cdef uint64_t A_DRAW = 1

cdef struct board_t:
    int rows
    uint64_t lowest                     # the lowest row
    uint64_t squares

cdef struct games_t:
    lanes_t mover                       # the discs of the side to move
    lanes_t opponent
    lanes_t landings                    # squares where the next disc can land: at least one between steps
    lanes_t turn                        # 0: white is to move, 1: black
    lanes_t fours                       # lines of four of the last mover: none between steps

cdef struct ply_t:
    lanes_t disc

cdef struct made_t:
    lanes_t[2] discs                    # of the side that moved first, and of the other

include "lane_frame.pxi"


cdef inline board_t board_of(const state_t* state) noexcept nogil:
    cdef board_t board
    cdef int col
    board.rows = state.rows
    board.lowest = 0
    for col in range(state.cols):
        board.lowest |= <uint64_t> 1 << col * (state.rows + 1)
    board.squares = board.lowest * ((<uint64_t> 1 << state.rows) - 1)
    return board


cdef inline void load_game(games_t* start, int lane, const state_t* state, const board_t* board) noexcept nogil:
    cdef uint64_t discs = state.men[WHITE] | state.men[BLACK]
    lanes_set(&start.mover, lane, state.men[state.turn])
    lanes_set(&start.opponent, lane, state.men[1 - state.turn])
    lanes_set(&start.landings, lane, discs + board.lowest & board.squares)
    lanes_set(&start.turn, lane, state.turn)
    lanes_set(&start.fours, lane, 0)


cdef inline lanes_t lines(lanes_t men, int step) noexcept nogil:
    """Return a bit for each line of four in one direction."""
    cdef lanes_t pairs = men & (men >> step)
    return pairs & (pairs >> 2 * step)


cdef inline lanes_mask_t step(games_t* games, lanes_rngs_t* rngs, const board_t* board, ply_t* ply) noexcept nogil:
    """Play a random disc in every lane, with the numbers and choices of `run` in connect_four_rules.pyx."""
    cdef lanes_t disc = lanes_kth(games.landings, lanes_below(rngs, lanes_count(games.landings)))
    cdef lanes_t moved = games.mover | disc
    cdef int rows = board.rows
    games.mover, games.opponent = games.opponent, moved
    games.landings = ((games.mover | moved) + board.lowest) & board.squares
    games.turn = games.turn ^ 1
    games.fours = lines(moved, 1) | lines(moved, rows) | lines(moved, rows + 1) | lines(moved, rows + 2)
    ply.disc = disc
    return ~lanes_zero(games.fours) | lanes_zero(games.landings)


cdef inline games_t games_if(lanes_mask_t mask, const games_t* yes, const games_t* no) noexcept nogil:
    cdef games_t games
    games.mover = lanes_if(mask, yes.mover, no.mover)
    games.opponent = lanes_if(mask, yes.opponent, no.opponent)
    games.landings = lanes_if(mask, yes.landings, no.landings)
    games.turn = lanes_if(mask, yes.turn, no.turn)
    games.fours = lanes_all(0)
    return games


cdef inline lanes_t score_of(const games_t* games) noexcept nogil:
    cdef lanes_t zero = lanes_all(0)
    cdef lanes_t won = lanes_if(lanes_zero(games.turn), zero, lanes_all(A_WIN))     # black is to move: white has won
    return lanes_if(lanes_zero(games.fours), lanes_all(A_DRAW), won)


cdef inline outcome_t outcome_of(uint64_t score, int64_t games, const board_t* board) noexcept nogil:
    cdef outcome_t outcome
    outcome.wins = score // A_WIN
    outcome.draws = score % A_WIN
    outcome.passes = 0
    return outcome


cdef inline void note(made_t* made, const ply_t* ply, bint odd_step, lanes_mask_t over) noexcept nogil:
    cdef lanes_t disc = lanes_if(over, lanes_all(0), ply.disc)
    if odd_step:
        made.discs[1] = made.discs[1] | disc
    else:
        made.discs[0] = made.discs[0] | disc


cdef inline void write_codes(const made_t* made, const games_t* start, int lane, const state_t* state,
                             uint64_t* seen) noexcept nogil:
    """Write the codes of each side: its squares row by row, the lowest row first."""
    cdef board_t board = board_of(state)
    cdef int rows = state.rows, cols = state.cols, second, row, first_code
    cdef uint64_t discs
    for second in range(2):
        discs = lanes_get(made.discs[second], lane)
        first_code = rows * cols if state.turn ^ second == BLACK else 0
        for row in range(rows):
            note_bits(seen, first_code + cols * row, word_gather(discs, board.lowest << row))
