"""Breakthrough: rules, move codes, keys and playouts, in C.

A board is a word of 64 bits, one bit a square: bit 8*row + col for every size, with a mask of the squares in
use. All moves in one direction are one shift: white's men move up by 7, 8 or 9 bits, black's men down by 9, 8
or 7. A random playout lists no moves: it counts the bits of the target boards of the three directions, draws a
number below their sum and takes that bit.
"""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from mcts_core.base.bits cimport count_bits, first_bit, kth_bit, last_bit, reverse_bytes
from mcts_core.game cimport GAME_ABI, game_t, move_t, note, note_code, trace_t, wants_codes_only, wants_moves
from mcts_core.games cimport breakthrough_lanes, breakthrough_lanes32
from mcts_core.games.breakthrough_fold cimport folded
from mcts_core.rng cimport below, fixed_word, rng_t

cdef uint64_t FIRST_FILE = 0x0101010101010101
cdef uint64_t LAST_FILE = 0x8080808080808080

cdef uint64_t[2][64] ZOBRIST            # of a man on a square; written once, at import
cdef uint64_t ZOBRIST_TURN

cdef struct shape_t:                    # the `context` of a game_t
    int rows
    int cols

cdef shape_t[9][9] SHAPES               # by rows and columns, as GAMES; written once, at import
cdef game_t[9][9] GAMES


# The rules

cdef inline uint64_t last_row(uint64_t squares, int rows, int side) noexcept nogil:
    """Return the row that `side` wants to reach."""
    return squares & (<uint64_t> 0xFF << (8 * (rows - 1)) if side == WHITE else <uint64_t> 0xFF)


cdef inline uint64_t step(uint64_t men, int side, int direction) noexcept nogil:
    """Move men one row on and `direction` columns to the side. They may leave a board of fewer than 8 columns."""
    if direction < 0:
        men &= ~FIRST_FILE
    elif direction > 0:
        men &= ~LAST_FILE
    return men << (8 + direction) if side == WHITE else men >> (8 - direction)


cdef inline uint64_t targets(uint64_t own, uint64_t enemy, uint64_t squares, int side, int direction) noexcept nogil:
    """Return the squares that can be moved to in one direction (-1, 0, +1)."""
    return step(own, side, direction) & squares & ~(own | enemy if direction == 0 else own)


cdef inline bint is_won(const state_t* state, int side) noexcept nogil:
    return state.men[side] & last_row(state.squares, state.rows, side) != 0 or state.men[1 - side] == 0


cdef int moves(const game_t* game, const void* s, move_t* out) noexcept nogil:
    """List the moves from square to square of origin, and by direction (-1, 0, +1) within a square."""
    cdef const state_t* state = <const state_t*> s
    cdef int side = state.turn
    cdef uint64_t own = state.men[side], enemy = state.men[1 - side]
    cdef uint64_t left, straight, right, origins
    cdef int ahead = 8 if side == WHITE else -8
    cdef int square, n = 0
    if is_won(state, WHITE) or is_won(state, BLACK):
        return 0
    left = targets(own, enemy, state.squares, side, -1)
    straight = targets(own, enemy, state.squares, side, 0)
    right = targets(own, enemy, state.squares, side, 1)
    if out == NULL:
        return count_bits(left) + count_bits(straight) + count_bits(right)
    left = step(left, 1 - side, 1)              # from targets back to origins
    straight = step(straight, 1 - side, 0)
    right = step(right, 1 - side, -1)
    origins = left | straight | right
    while origins:
        square = first_bit(origins)
        origins &= origins - 1
        out[n] = pack(square, square + ahead - 1)
        n += left >> square & 1
        out[n] = pack(square, square + ahead)
        n += straight >> square & 1
        out[n] = pack(square, square + ahead + 1)
        n += right >> square & 1
    return n


cdef inline move_t pack(int origin, int target) noexcept nogil:
    return origin | target << 6


cdef void play(const game_t* game, void* s, move_t move) noexcept nogil:
    cdef state_t* state = <state_t*> s
    cdef int side = state.turn, origin = move & 63, target = move >> 6
    cdef uint64_t taken = state.men[1 - side] & <uint64_t> 1 << target
    state.men[side] ^= <uint64_t> 1 << origin | <uint64_t> 1 << target
    state.men[1 - side] ^= taken
    state.key ^= ZOBRIST[side][origin] ^ ZOBRIST[side][target] ^ ZOBRIST_TURN
    if taken:
        state.key ^= ZOBRIST[1 - side][target]
    state.turn = 1 - side


cdef int turn(const game_t* game, const void* s) noexcept nogil:
    return (<const state_t*> s).turn


cdef uint64_t key(const game_t* game, const void* s) noexcept nogil:
    return (<const state_t*> s).key


cdef uint64_t KINDS = 0x020100000403    # a byte for each direction -1, 0, 1, without and with capture

cdef inline int code_of(int origin, int direction, bint capture, int side, int rows, int cols) noexcept nogil:
    # a table, because in a playout half of the branches would be mispredicted
    cdef int kind = KINDS >> 8 * (2 * direction + 2 + capture) & 0xFF
    return 5 * (cols * (origin >> 3) + (origin & 7)) + kind + (5 * rows * cols if side == BLACK else 0)


cdef int code(const game_t* game, const void* s, move_t move) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    cdef int origin = move & 63, target = move >> 6
    return code_of(origin, (target & 7) - (origin & 7), state.men[1 - state.turn] >> target & 1,
                   state.turn, state.rows, state.cols)


cdef int kind(const game_t* game, int code) noexcept nogil:
    """Return 0 for a code of straight moves, 1 for diagonal ones, 2 for captures."""
    cdef int way = code % 5
    return 0 if way == 0 else 2 - way % 2


cdef double progress(const game_t* game, const void* s) noexcept nogil:
    """Return 1 minus the steps that the men still have to the far rows, relative to two full rows on a side."""
    cdef const state_t* state = <const state_t*> s
    cdef int row, steps = 0
    for row in range(state.rows):
        steps += (state.rows - 1 - row) * count_bits(state.men[WHITE] >> (8 * row) & 0xFF)
        steps += row * count_bits(state.men[BLACK] >> (8 * row) & 0xFF)
    return max(0.0, 1.0 - <double> steps / game.max_plies)


cdef double result(const game_t* game, const void* s) noexcept nogil:
    return 1.0 if is_won(<const state_t*> s, WHITE) else 0.0


# For searches with an evaluation

cdef void planes(const game_t* game, const void* s, uint64_t* own, uint64_t* enemy) noexcept nogil:
    """Return the men. Black's board is turned upside down, so that the mover's men move up."""
    cdef const state_t* state = <const state_t*> s
    cdef int unused = 8 * (8 - state.rows)
    own[0], enemy[0] = state.men[state.turn], state.men[1 - state.turn]
    if state.turn == BLACK:
        own[0], enemy[0] = reverse_bytes(own[0]) >> unused, reverse_bytes(enemy[0]) >> unused


cdef int square_of(const game_t* game, int bit) noexcept nogil:
    cdef const shape_t* shape = <const shape_t*> game.context
    return (bit >> 3) * shape.cols + (bit & 7) if bit >> 3 < shape.rows and bit & 7 < shape.cols else -1


cdef int solve(const game_t* game, const void* s) noexcept nogil:
    """Prove a win in 1 or 3 plies, or a loss in 2, by the men near their goals.

    A man one row before its goal wins at once, because it can always move diagonally. A man that can step to such
    a square safely wins in 3, if the opponent cannot win at once.
    """
    cdef uint64_t own, enemy, squares = (<const state_t*> s).squares
    cdef uint64_t goal = last_row(squares, (<const state_t*> s).rows, WHITE)
    cdef uint64_t captures, threats, safe
    planes(game, s, &own, &enemy)
    captures = (targets(own, enemy, squares, WHITE, -1) | targets(own, enemy, squares, WHITE, 1)) & enemy
    if own & goal >> 8 or (captures and enemy & (enemy - 1) == 0):
        return 1
    threats = enemy & squares & <uint64_t> 0xFF00
    if threats:
        return 0 if captures & threats == threats and threats & (threats - 1) == 0 else -2
    safe = goal >> 8 & ~(step(enemy & goal, BLACK, -1) | step(enemy & goal, BLACK, 1))
    own &= goal >> 16
    if (targets(own, enemy, squares, WHITE, -1) | targets(own, enemy, squares, WHITE, 0)
            | targets(own, enemy, squares, WHITE, 1)) & safe:
        return 3
    return 0


cdef int noisy(const game_t* game, const void* s, move_t* out) noexcept nogil:
    """List the captures, those of the men nearest to their goal first."""
    cdef const state_t* state = <const state_t*> s
    cdef int side = state.turn, ahead = 8 if side == WHITE else -8, n = 0, target
    cdef uint64_t own = state.men[side], enemy = state.men[1 - side]
    cdef uint64_t left = step(own, side, -1) & enemy, right = step(own, side, 1) & enemy, rest = left | right
    while rest:
        target = first_bit(rest) if side == WHITE else last_bit(rest)
        rest ^= <uint64_t> 1 << target
        out[n] = pack(target - ahead + 1, target)
        n += left >> target & 1
        out[n] = pack(target - ahead - 1, target)
        n += right >> target & 1
    return n


cdef void pass_turn(const game_t* game, void* s) noexcept nogil:
    cdef state_t* state = <state_t*> s
    state.turn = 1 - state.turn
    state.key ^= ZOBRIST_TURN


cdef uint64_t fold(const game_t* game, const void* s) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    return folded(state.men[WHITE], state.men[BLACK], state.turn, state.rows, state.cols)


# Random playouts

cdef inline uint64_t random_step(uint64_t* own, uint64_t* enemy, uint64_t squares, int side,
                                 rng_t* rng, int* direction) noexcept nogil:
    """Play a uniformly random move. Returns its target and writes its direction.

    Moves are counted by direction: -1, 0, +1. Masks choose, not branches, because a mispredicted branch
    would cost as much as the rest of the ply.
    """
    cdef uint64_t left = targets(own[0], enemy[0], squares, side, -1)
    cdef uint64_t straight = targets(own[0], enemy[0], squares, side, 0)
    cdef uint64_t right = targets(own[0], enemy[0], squares, side, 1)
    cdef int n_left = count_bits(left), n_straight = count_bits(straight)
    cdef int k = below(rng, n_left + n_straight + count_bits(right))
    cdef int past_left = k >= n_left, past_straight = k >= n_left + n_straight
    cdef uint64_t target = left ^ ((left ^ straight) & -<uint64_t> past_left) ^ (
        (straight ^ right) & -<uint64_t> past_straight)
    target = kth_bit(target, k - (n_left & -past_left) - (n_straight & -past_straight))
    direction[0] = past_left + past_straight - 1
    enemy[0] &= ~target
    own[0] ^= target | step_back(target, side, direction[0])
    return target


cdef inline uint64_t step_back(uint64_t target, int side, int direction) noexcept nogil:
    return target >> (8 + direction) if side == WHITE else target << (8 - direction)


cdef inline double run(const state_t* state, rng_t* outer_rng, trace_t* trace,
                       bint recording, bint codes_only, int cols) noexcept nogil:
    """Play a random game. The flags are constants at each call, so each of the four calls has a loop of its own."""
    cdef uint64_t white = state.men[WHITE], black = state.men[BLACK], squares = state.squares
    cdef uint64_t top = last_row(squares, state.rows, WHITE), bottom = last_row(squares, state.rows, BLACK)
    cdef uint64_t target, before
    cdef rng_t rng = outer_rng[0]               # a copy that stays in registers
    cdef int plies = 0, direction = 0
    cdef int rows = state.rows
    cdef double outcome = 1.0 if is_won(state, WHITE) else 0.0
    cdef bint going = not (is_won(state, WHITE) or is_won(state, BLACK))
    if going and state.turn == BLACK:
        before = white
        target = random_step(&black, &white, squares, BLACK, &rng, &direction)
        if recording:
            note_step(trace, plies, target, direction, BLACK, before, rows, cols, codes_only)
        plies = 1
        going = target & bottom == 0 and white != 0
    while going:
        before = black
        target = random_step(&white, &black, squares, WHITE, &rng, &direction)
        if recording:
            note_step(trace, plies, target, direction, WHITE, before, rows, cols, codes_only)
        plies += 1
        if target & top or black == 0:
            outcome = 1.0
            break
        before = white
        target = random_step(&black, &white, squares, BLACK, &rng, &direction)
        if recording:
            note_step(trace, plies, target, direction, BLACK, before, rows, cols, codes_only)
        plies += 1
        going = target & bottom == 0 and white != 0
    outer_rng[0] = rng
    trace.plies = plies
    return outcome


cdef inline void note_step(trace_t* trace, int ply, uint64_t target, int direction, int side, uint64_t enemy,
                           int rows, int cols, bint codes_only) noexcept nogil:
    """Write a move that was just played into the trace."""
    cdef int to = first_bit(target), origin = to - ((8 + direction) if side == WHITE else direction - 8)
    cdef int code = code_of(origin, direction, target & enemy != 0, side, rows, cols)
    if codes_only:
        note_code(trace.seen, code)
    else:
        note(trace, ply, pack(origin, to), code)


cdef double playout(const game_t* game, const void* s, rng_t* rng, trace_t* trace) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    if wants_codes_only(trace) and state.cols == 8:
        return run(state, rng, trace, True, True, 8)        # a constant `cols` makes RAVE 0.7 % faster
    if wants_codes_only(trace):
        return run(state, rng, trace, True, True, state.cols)
    if wants_moves(trace):
        return run(state, rng, trace, True, False, state.cols)
    return run(state, rng, trace, False, False, state.cols)


# Guided playouts

cdef struct choices_t:                  # a class of moves: their targets by direction -1, 0, +1
    uint64_t[3] to


cdef inline int count_choices(const choices_t* choices) noexcept nogil:
    return count_bits(choices.to[0]) + count_bits(choices.to[1]) + count_bits(choices.to[2])


cdef inline void narrow(choices_t* out, const choices_t* choices, uint64_t to) noexcept nogil:
    cdef int d
    for d in range(3):
        out.to[d] = choices.to[d] & to


cdef inline uint64_t choose(const choices_t* choices, int k, int* direction) noexcept nogil:
    """Return the target of the k-th move of a class, counted by direction, and write its direction."""
    cdef int d = 0
    while k >= count_bits(choices.to[d]):
        k -= count_bits(choices.to[d])
        d += 1
    direction[0] = d - 1
    return kth_bit(choices.to[d], k)


cdef uint64_t guided_step(uint64_t own, uint64_t enemy, const state_t* state, int side,
                          rng_t* rng, int* direction) noexcept nogil:
    """Choose a move: one that wins; else one that captures a man about to win; else one by weight.

    The weight is 4 for the capture of an undefended man, 2 for another capture, 1 for the rest. Returns the
    target and writes the direction.
    """
    cdef uint64_t squares = state.squares
    cdef uint64_t threats = step(last_row(squares, state.rows, 1 - side), side, 0) & enemy
    cdef uint64_t defended = step(enemy, 1 - side, -1) | step(enemy, 1 - side, 1)
    cdef choices_t every, some, captures
    cdef int d, k, n
    for d in range(3):
        every.to[d] = targets(own, enemy, squares, side, d - 1)
    narrow(&some, &every, last_row(squares, state.rows, side) | (enemy if enemy & (enemy - 1) == 0 else 0))
    n = count_choices(&some)
    if n == 0:
        narrow(&some, &every, threats)
        n = count_choices(&some)
    if n != 0:
        return choose(&some, below(rng, n), direction)

    narrow(&captures, &every, enemy)
    narrow(&some, &captures, ~defended)
    n = count_choices(&some)
    k = below(rng, 4 * n + 2 * (count_choices(&captures) - n) + count_choices(&every) - count_choices(&captures))
    if k < 4 * n:
        return choose(&some, k // 4, direction)
    k -= 4 * n
    narrow(&some, &captures, defended)
    n = count_choices(&some)
    if k < 2 * n:
        return choose(&some, k // 2, direction)
    narrow(&some, &every, ~enemy)
    return choose(&some, k - 2 * n, direction)


cdef double guided(const game_t* game, const void* s, rng_t* rng, trace_t* trace) noexcept nogil:
    cdef state_t state = (<const state_t*> s)[0]
    cdef uint64_t target
    cdef int side, direction = 0
    trace.plies = 0
    while not (is_won(&state, WHITE) or is_won(&state, BLACK)):
        side = state.turn
        target = guided_step(state.men[side], state.men[1 - side], &state, side, rng, &direction)
        note_step(trace, trace.plies, target, direction, side, state.men[1 - side], state.rows, state.cols,
                  False)
        state.men[side] ^= target | step_back(target, side, direction)
        state.men[1 - side] &= ~target
        state.turn = 1 - side
        trace.plies += 1
    return result(game, &state)


# Games and states

cdef void fill_tables() noexcept:
    cdef int rows, cols, side, square
    cdef game_t* game
    for side in range(2):
        for square in range(64):
            ZOBRIST[side][square] = fixed_word(64 * side + square)
    global ZOBRIST_TURN
    ZOBRIST_TURN = fixed_word(128)
    for rows in range(3, 9):
        for cols in range(3, 9):
            game = &GAMES[rows][cols]
            memset(game, 0, sizeof(game_t))
            SHAPES[rows][cols].rows, SHAPES[rows][cols].cols = rows, cols
            game.abi = GAME_ABI
            game.state_size = sizeof(state_t)
            game.max_moves = 6 * cols               # 2 * cols men, three moves each
            game.max_plies = 2 * cols * (2 * rows - 3)
            game.n_codes = 10 * rows * cols
            game.n_kinds = 3
            game.moves, game.play, game.turn, game.key = moves, play, turn, key
            game.kind, game.progress = kind, progress
            if breakthrough_lanes32.has_lanes() and rows * cols <= 32:
                game.batch = breakthrough_lanes32.batch
            elif breakthrough_lanes.has_lanes():
                game.batch = breakthrough_lanes.batch
            game.code, game.result, game.playout, game.guided = code, result, playout, guided
            game.context = &SHAPES[rows][cols]
            game.planes, game.square, game.solve = planes, square_of, solve
            game.noisy, game.pass_turn, game.fold = noisy, pass_turn, fold

fill_tables()


cdef const game_t* game_for(int rows, int cols) noexcept nogil:
    return &GAMES[rows][cols]


cdef void start_empty(state_t* state, int rows, int cols, int turn) noexcept nogil:
    """Set up a board without men."""
    memset(state, 0, sizeof(state_t))
    state.rows, state.cols, state.turn = rows, cols, turn
    state.key = fixed_word(1000 + 8 * rows + cols) ^ (ZOBRIST_TURN if turn == BLACK else 0)
    state.squares = ((<uint64_t> 1 << cols) - 1) * (FIRST_FILE >> (8 * (8 - rows)))


cdef void put_man(state_t* state, int side, int square) noexcept nogil:
    state.men[side] |= <uint64_t> 1 << square
    state.key ^= ZOBRIST[side][square]
