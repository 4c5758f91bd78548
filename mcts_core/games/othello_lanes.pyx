"""Many random games of Othello at once. See lane_frame.pxi.

Moves and flips are found by flooding all eight directions, which needs no tables. A step is one disc
in every lane, and a pass after it in lanes where the next side cannot move.
"""
from libc.stdint cimport int64_t, uint64_t

from mcts_core.base.lanes cimport (
    lanes_add_if, lanes_all, lanes_below, lanes_count, lanes_get, lanes_if, lanes_kth, lanes_less, lanes_mask_t,
    lanes_rngs_t, lanes_set, lanes_some, lanes_t, lanes_zero, word_gather
)
from mcts_core.game cimport note_bits
from mcts_core.games.othello_rules cimport state_t

cdef enum:
    GROUPS = 2                          # one has 0.86 of their speed
    SINGLE_GROUPS = 2
    ENDS_ARE_RARE = 1

cdef uint64_t INNER_FILES = 0x7E7E7E7E7E7E7E7E

# The score of a game: its passes, plus A_WIN if black has won, or A_DRAW. A job has at most 1 << 16 games, and a
# game less than 64 passes, so the three sums of a job do not overlap in one word.
cdef uint64_t A_DRAW = <uint64_t> 1 << 22
cdef uint64_t A_WIN = <uint64_t> 1 << 44

cdef struct board_t:
    uint64_t squares

cdef struct games_t:
    lanes_t mover                       # the discs of the side to move
    lanes_t opponent
    lanes_t legal                       # the mover's moves: at least one between steps
    lanes_t turn                        # 0: black is to move, 1: white
    lanes_t passes                      # of the game so far

cdef struct ply_t:
    lanes_t disc
    lanes_t turn                        # who placed it: 0 black, 1 white
    lanes_t passed                      # 1: the other side passed after it

cdef struct made_t:
    lanes_t[2] discs                    # by color
    lanes_t passes                      # bit 0: black has passed, bit 1: white has

include "lane_frame.pxi"


cdef inline board_t board_of(const state_t* state) noexcept nogil:
    cdef board_t board
    board.squares = state.squares
    return board


cdef inline void load_game(games_t* start, int lane, const state_t* state, const board_t* board) noexcept nogil:
    """Write a state into a lane. A forced pass at its beginning is played here, once for all games of the job."""
    cdef uint64_t mover = state.own, opponent = state.enemy, turn = state.turn, passes = 0
    cdef lanes_t legal = moves_of(lanes_all(mover), lanes_all(opponent), board.squares)
    if lanes_get(legal, 0) == 0:
        mover, opponent, turn, passes = opponent, mover, 1 - turn, 1
        legal = moves_of(lanes_all(mover), lanes_all(opponent), board.squares)
    lanes_set(&start.mover, lane, mover)
    lanes_set(&start.opponent, lane, opponent)
    lanes_set(&start.legal, lane, lanes_get(legal, 0))
    lanes_set(&start.turn, lane, turn)
    lanes_set(&start.passes, lane, passes)


cdef struct flood_t:
    lanes_t up
    lanes_t down


cdef inline flood_t flood(lanes_t start, lanes_t opponent, int shift) noexcept nogil:
    """Return the unbroken lines of the opponent's discs next to some squares, both ways: `othello_flood` in lanes."""
    cdef lanes_t up = opponent & (start << shift)
    cdef lanes_t down = opponent & (start >> shift)
    cdef lanes_t up_pairs = opponent & (opponent << shift)
    cdef lanes_t down_pairs = opponent & (opponent >> shift)
    cdef flood_t lines
    up = up | (opponent & (up << shift))
    down = down | (opponent & (down >> shift))
    up = up | (up_pairs & (up << 2 * shift))
    down = down | (down_pairs & (down >> 2 * shift))
    up = up | (up_pairs & (up << 2 * shift))
    down = down | (down_pairs & (down >> 2 * shift))
    lines.up, lines.down = up, down
    return lines


cdef inline lanes_t line_moves(lanes_t mover, lanes_t opponent, int shift) noexcept nogil:
    """Return the squares behind an unbroken line of the opponent's discs, both ways."""
    cdef flood_t lines = flood(mover, opponent, shift)
    return (lines.up << shift) | (lines.down >> shift)


cdef inline lanes_t moves_of(lanes_t mover, lanes_t opponent, uint64_t squares) noexcept nogil:
    cdef lanes_t inner = opponent & INNER_FILES
    return (line_moves(mover, inner, 1) | line_moves(mover, opponent, 8) | line_moves(mover, inner, 7)
            | line_moves(mover, inner, 9)) & ~(mover | opponent) & squares


cdef inline lanes_t line_flips(lanes_t disc, lanes_t mover, lanes_t opponent, int shift) noexcept nogil:
    """Return the opponent's discs between a new disc and the mover's other discs, both ways along a line."""
    cdef lanes_t zero = lanes_all(0)
    cdef flood_t lines = flood(disc, opponent, shift)
    return (lanes_if(lanes_zero((lines.up << shift) & mover), zero, lines.up)
            | lanes_if(lanes_zero((lines.down >> shift) & mover), zero, lines.down))


cdef inline lanes_t flips_of(lanes_t disc, lanes_t mover, lanes_t opponent) noexcept nogil:
    cdef lanes_t inner = opponent & INNER_FILES
    return (line_flips(disc, mover, inner, 1) | line_flips(disc, mover, opponent, 8)
            | line_flips(disc, mover, inner, 7) | line_flips(disc, mover, inner, 9))


cdef inline lanes_mask_t step(games_t* games, lanes_rngs_t* rngs, const board_t* board, ply_t* ply) noexcept nogil:
    """Play a random disc in every lane, with the numbers and choices of `run` in othello_rules.pyx."""
    cdef lanes_t disc = lanes_kth(games.legal, lanes_below(rngs, lanes_count(games.legal)))
    cdef lanes_t flips = flips_of(disc, games.mover, games.opponent)
    cdef lanes_t moved = games.mover | disc | flips
    ply.disc, ply.turn, ply.passed = disc, games.turn, lanes_all(0)
    games.mover = games.opponent ^ flips
    games.opponent = moved
    games.turn = games.turn ^ 1
    games.legal = moves_of(games.mover, games.opponent, board.squares)
    if lanes_some(lanes_zero(games.legal)):
        pass_where_stuck(games, board, ply)
    return lanes_zero(games.legal)          # neither side can move


cdef inline void pass_where_stuck(games_t* games, const board_t* board, ply_t* ply) noexcept nogil:
    """Play a pass in lanes where the mover has no move but the opponent has one."""
    cdef lanes_t mover = games.mover, opponent = games.opponent
    cdef lanes_t legal = moves_of(opponent, mover, board.squares)
    cdef lanes_mask_t passed = lanes_zero(games.legal) & ~lanes_zero(legal)
    ply.passed = lanes_if(passed, lanes_all(1), lanes_all(0))
    games.mover = lanes_if(passed, opponent, mover)
    games.opponent = lanes_if(passed, mover, opponent)
    games.legal = lanes_if(passed, legal, games.legal)
    games.turn = games.turn ^ ply.passed
    games.passes = games.passes + ply.passed


cdef inline games_t games_if(lanes_mask_t mask, const games_t* yes, const games_t* no) noexcept nogil:
    cdef games_t games
    games.mover = lanes_if(mask, yes.mover, no.mover)
    games.opponent = lanes_if(mask, yes.opponent, no.opponent)
    games.legal = lanes_if(mask, yes.legal, no.legal)
    games.turn = lanes_if(mask, yes.turn, no.turn)
    games.passes = lanes_if(mask, yes.passes, no.passes)
    return games


cdef inline lanes_t score_of(const games_t* games) noexcept nogil:
    cdef lanes_mask_t is_black = lanes_zero(games.turn)
    cdef lanes_t mover = lanes_count(games.mover), opponent = lanes_count(games.opponent)
    cdef lanes_t black = lanes_if(is_black, mover, opponent), white = lanes_if(is_black, opponent, mover)
    cdef lanes_t score = lanes_add_if(lanes_less(white, black), games.passes, lanes_all(A_WIN))
    return lanes_add_if(lanes_zero(black - white), score, lanes_all(A_DRAW))


cdef inline outcome_t outcome_of(uint64_t score, int64_t games, const board_t* board) noexcept nogil:
    cdef outcome_t outcome
    outcome.wins = score // A_WIN
    outcome.draws = score % A_WIN // A_DRAW
    outcome.passes = score % A_DRAW
    return outcome


cdef inline void note(made_t* made, const ply_t* ply, bint odd_step, lanes_mask_t over) noexcept nogil:
    cdef lanes_t zero = lanes_all(0)
    cdef lanes_t disc = lanes_if(over, zero, ply.disc)
    cdef lanes_mask_t is_black = lanes_zero(ply.turn)
    made.discs[0] = made.discs[0] | lanes_if(is_black, disc, zero)
    made.discs[1] = made.discs[1] | lanes_if(is_black, zero, disc)
    made.passes = made.passes | lanes_if(over, zero, ply.passed << (ply.turn ^ 1))


cdef inline void write_codes(const made_t* made, const games_t* start, int lane, const state_t* state,
                             uint64_t* seen) noexcept nogil:
    """Write the codes of each color: its squares row by row, then the pass."""
    cdef int area = state.size * state.size, color
    cdef uint64_t passes
    for color in range(2):
        passes = lanes_get(made.passes, lane) >> color & 1
        if color == state.turn:
            passes |= lanes_get(start.passes, lane)         # the forced pass that load_game played
        note_bits(seen, color * (area + 1), word_gather(lanes_get(made.discs[color], lane), state.squares))
        note_bits(seen, color * (area + 1) + area, passes)
