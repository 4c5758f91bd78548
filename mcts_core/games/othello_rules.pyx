"""Othello: rules, move codes, keys and playouts, in C.

othello_board.pxd describes boards, and how moves and flips are found. A state is seen from the side to
move: `own` discs and `enemy` discs.
"""
from libc.math cimport floor
from libc.stdint cimport uint64_t
from libc.string cimport memset

from mcts_core.base.bits cimport count_bits, first_bit, kth_bit, list_bits
from mcts_core.game cimport GAME_ABI, game_t, move_t, note, trace_t, wants_moves
from mcts_core.games cimport othello_lanes
from mcts_core.games.othello_board cimport fill_rays, flips_of, lines_of, moves_of
from mcts_core.rng cimport below, fixed_word, rng_t

cdef enum:
    GRAINS = 1 << 20                    # of a margin
    FEW = 8                             # most discs of an opponent that `solve` looks at; higher: slower, for rare wins

cdef uint64_t[2][64] ZOBRIST            # of a disc on a square, by colour; written once, at import
cdef uint64_t[8][256] FLIP_KEYS         # by row and squares of it: of discs that change colour
cdef uint64_t ZOBRIST_TURN
cdef game_t[9] GAMES                    # by size
cdef game_t[9] GAMES_BY_MARGIN


# The rules

cdef int moves(const game_t* game, const void* s, move_t* out) noexcept nogil:
    """List the moves by ascending square, or a pass if only the opponent can move."""
    cdef const state_t* state = <const state_t*> s
    cdef uint64_t legal = moves_of(state.own, state.enemy, state.squares)
    if legal == 0:
        if moves_of(state.enemy, state.own, state.squares) == 0:
            return 0
        if out != NULL:
            out[0] = PASS
        return 1
    return list_bits(legal, out)


cdef inline uint64_t key_of_flips(uint64_t flips) noexcept nogil:
    """Return what discs that change colour change in the key. Without a loop over them alpha-beta is a tenth faster."""
    return (FLIP_KEYS[0][flips & 0xFF] ^ FLIP_KEYS[1][flips >> 8 & 0xFF] ^ FLIP_KEYS[2][flips >> 16 & 0xFF]
            ^ FLIP_KEYS[3][flips >> 24 & 0xFF] ^ FLIP_KEYS[4][flips >> 32 & 0xFF] ^ FLIP_KEYS[5][flips >> 40 & 0xFF]
            ^ FLIP_KEYS[6][flips >> 48 & 0xFF] ^ FLIP_KEYS[7][flips >> 56])


cdef void play(const game_t* game, void* s, move_t move) noexcept nogil:
    cdef state_t* state = <state_t*> s
    cdef uint64_t flips
    cdef uint64_t own = state.own, enemy = state.enemy
    if move != PASS:
        flips = flips_of(own, enemy, move)
        own ^= flips | <uint64_t> 1 << move
        enemy ^= flips
        state.key ^= ZOBRIST[state.turn][move]
        state.key ^= key_of_flips(flips)
    state.own, state.enemy = enemy, own
    state.key ^= ZOBRIST_TURN
    state.turn ^= 1


cdef int turn(const game_t* game, const void* s) noexcept nogil:
    return (<const state_t*> s).turn


cdef uint64_t key(const game_t* game, const void* s) noexcept nogil:
    return (<const state_t*> s).key


cdef inline int code_of(int move, int side, int size) noexcept nogil:
    """Return the AMAF code of a move: its square, row by row, then the pass; black's codes before white's."""
    cdef int place = size * size if move == PASS else size * (move >> 3) + (move & 7)
    return side * (size * size + 1) + place


cdef int code(const game_t* game, const void* s, move_t move) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    return code_of(move, state.turn, state.size)


cdef inline int size_of(const game_t* game) noexcept nogil:
    return 8 if game.n_codes == 130 else 6 if game.n_codes == 74 else 4


cdef int kind(const game_t* game, int code) noexcept nogil:
    """Return 0 for a square inside and for the pass, 1 for an edge, 2 for a corner."""
    cdef int size = size_of(game)
    cdef int place = code % (size * size + 1)
    cdef int row = place // size, col = place % size
    if place == size * size:
        return 0
    return (row == 0 or row == size - 1) + (col == 0 or col == size - 1)


cdef double progress(const game_t* game, const void* s) noexcept nogil:
    """Return the share of the squares that is taken, without the four of the first position."""
    cdef const state_t* state = <const state_t*> s
    cdef int discs = count_bits(state.own | state.enemy), squares = count_bits(state.squares)
    return max(0.0, <double> (discs - 4) / (squares - 4))


cdef inline double outcome(uint64_t black, uint64_t white) noexcept nogil:
    cdef int lead = count_bits(black) - count_bits(white)
    return 0.5 * ((lead > 0) + (lead >= 0))


cdef inline double margin(uint64_t black, uint64_t white, int squares) noexcept nogil:
    """Return black's share of the discs, the empty squares counted for the winner.

    It is a multiple of 2^-20, so that sums are exact on boards of 36 squares, too.
    """
    cdef int n_black = count_bits(black), n_white = count_bits(white), lead = n_black - n_white
    lead += (squares - n_black - n_white) * ((lead > 0) - (lead < 0))
    return floor((squares + lead) * <double> GRAINS / (2 * squares) + 0.5) / GRAINS


cdef inline double result_of(const game_t* game, uint64_t black, uint64_t white) noexcept nogil:
    """Return the result of a finished game with these discs."""
    if game.by_margin == game:
        return margin(black, white, size_of(game) * size_of(game))
    return outcome(black, white)


cdef double result(const game_t* game, const void* s) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    if state.turn == BLACK:
        return result_of(game, state.own, state.enemy)
    return result_of(game, state.enemy, state.own)


# For searches with an evaluation

cdef void planes(const game_t* game, const void* s, uint64_t* own, uint64_t* enemy) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    own[0], enemy[0] = state.own, state.enemy


cdef int square_of(const game_t* game, int bit) noexcept nogil:
    cdef int size = size_of(game)
    return (bit >> 3) * size + (bit & 7) if bit >> 3 < size and bit & 7 < size else -1


cdef int solve(const game_t* game, const void* s) noexcept nogil:
    """Return 1 if a move takes all discs of the opponent, who has few."""
    cdef const state_t* state = <const state_t*> s
    cdef uint64_t enemy = state.enemy, candidates = state.squares & ~(state.own | enemy)
    if count_bits(enemy) > FEW:
        return 0
    while enemy and candidates:                 # such a move lies on a line with each of the discs
        candidates &= lines_of(first_bit(enemy))
        enemy &= enemy - 1
    while candidates:
        if flips_of(state.own, state.enemy, first_bit(candidates)) == state.enemy != 0:
            return 1
        candidates &= candidates - 1
    return 0


# Playouts

cdef inline uint64_t guided_choice(uint64_t legal, uint64_t occupied, int size, rng_t* rng) noexcept nogil:
    """Draw a legal square: a corner weighs 16, a square next to an empty corner 1, any other 4."""
    cdef uint64_t last = <uint64_t> 1 << (size - 1)
    cdef uint64_t corners = last | 1
    cdef uint64_t near
    cdef int k, n_corners, n_others
    corners |= corners << (8 * (size - 1))
    near = corners & ~occupied
    near |= (near << 1 & ~<uint64_t> 0x0101010101010101) | (near >> 1 & ~<uint64_t> 0x8080808080808080)
    near |= near << 8 | near >> 8
    n_corners = count_bits(legal & corners)
    n_others = count_bits(legal & ~near & ~corners)
    k = below(rng, 16 * n_corners + 4 * n_others + count_bits(legal & near & ~corners))
    if k < 16 * n_corners:
        return kth_bit(legal & corners, k // 16)
    k -= 16 * n_corners
    if k < 4 * n_others:
        return kth_bit(legal & ~near & ~corners, k // 4)
    return kth_bit(legal & near & ~corners, k - 4 * n_others)


cdef inline double run(const game_t* game, const state_t* state, rng_t* outer_rng, trace_t* trace,
                       bint recording, bint is_guided) noexcept nogil:
    """Play a game to its end. `recording` and `is_guided` are constants at each call."""
    cdef uint64_t own = state.own, enemy = state.enemy, squares = state.squares
    cdef uint64_t disc, flips, legal = moves_of(own, enemy, squares)
    cdef rng_t rng = outer_rng[0]               # a copy that stays in registers
    cdef int plies = 0, side = state.turn, size = state.size, square
    while True:
        if legal == 0:
            legal = moves_of(enemy, own, squares)
            if legal == 0:
                break
            if recording:
                note(trace, plies, PASS, code_of(PASS, side, size))
            plies += 1
            side ^= 1
            own, enemy = enemy, own
        if is_guided:
            disc = guided_choice(legal, own | enemy, size, &rng)
        else:
            disc = kth_bit(legal, below(&rng, count_bits(legal)))
        square = first_bit(disc)
        if recording:
            note(trace, plies, square, code_of(square, side, size))
        plies += 1
        flips = flips_of(own, enemy, square)
        own, enemy = enemy ^ flips, own ^ (flips | disc)
        side ^= 1
        legal = moves_of(own, enemy, squares)
    outer_rng[0] = rng
    trace.plies = plies
    return result_of(game, own, enemy) if side == BLACK else result_of(game, enemy, own)


cdef double playout(const game_t* game, const void* s, rng_t* rng, trace_t* trace) noexcept nogil:
    if not wants_moves(trace):
        return run(game, <const state_t*> s, rng, trace, False, False)
    return run(game, <const state_t*> s, rng, trace, True, False)


cdef double guided(const game_t* game, const void* s, rng_t* rng, trace_t* trace) noexcept nogil:
    return run(game, <const state_t*> s, rng, trace, True, True)


# Games and states

cdef void fill_tables() noexcept:
    cdef int square, squares, size
    cdef game_t* game
    global ZOBRIST_TURN
    fill_rays()
    ZOBRIST_TURN = fixed_word(128)
    for square in range(64):
        ZOBRIST[BLACK][square] = fixed_word(square)
        ZOBRIST[WHITE][square] = fixed_word(64 + square)
        for squares in range(256):
            if squares >> (square & 7) & 1:
                FLIP_KEYS[square >> 3][squares] ^= ZOBRIST[BLACK][square] ^ ZOBRIST[WHITE][square]
    for size in (4, 6, 8):
        game = &GAMES[size]
        memset(game, 0, sizeof(game_t))
        game.abi = GAME_ABI
        game.state_size = sizeof(state_t)
        game.max_moves = size * size
        game.max_plies = 2 * size * size        # a pass is followed by a disc
        game.n_codes = 2 * (size * size + 1)
        game.n_kinds = 3
        game.perft_counts_ended = True
        game.moves, game.play, game.turn, game.key = moves, play, turn, key
        game.kind, game.progress = kind, progress
        if othello_lanes.has_lanes():
            game.batch = othello_lanes.batch
        game.code, game.result, game.playout, game.guided = code, result, playout, guided
        game.planes, game.square, game.solve = planes, square_of, solve
        GAMES_BY_MARGIN[size] = game[0]
        GAMES_BY_MARGIN[size].batch = NULL      # the kernel knows win, draw and loss only
        game.by_margin = GAMES_BY_MARGIN[size].by_margin = &GAMES_BY_MARGIN[size]

fill_tables()


cdef const game_t* game_for(int size) noexcept nogil:
    return &GAMES[size]


cdef void start_empty(state_t* state, int size, int turn) noexcept nogil:
    """Set up a board without discs."""
    memset(state, 0, sizeof(state_t))
    state.size, state.turn = size, turn
    state.key = fixed_word(1000 + size) ^ (ZOBRIST_TURN if turn == WHITE else 0)
    state.squares = ((<uint64_t> 1 << size) - 1) * (<uint64_t> 0x0101010101010101 >> (8 * (8 - size)))


cdef void put_disc(state_t* state, int side, int square) noexcept nogil:
    if side == state.turn:
        state.own |= <uint64_t> 1 << square
    else:
        state.enemy |= <uint64_t> 1 << square
    state.key ^= ZOBRIST[side][square]
