"""Connect Four: rules, move codes, keys and playouts, in C.

A board is a word of 64 bits. Each column takes rows + 1 bits, the lowest row first; its top bit, the
sentinel, is not a square and stays empty. So adding the lowest row to all discs sets, in each column,
the bit of its first free square, or the sentinel if the column is full. Lines of four are found by
shifts (1 up, rows + 1 to the right, one more or less diagonally); the sentinels keep a line from
running on into the next column.

A board fits if (rows + 1) * columns is at most 64. Rows and columns are 4 to 9: with fewer there is no
line in some direction, and one digit names a column.
"""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from mcts_core.base.bits cimport count_bits, first_bit, kth_bit, list_bits
from mcts_core.game cimport GAME_ABI, game_t, move_t, note, trace_t, wants_moves
from mcts_core.games cimport connect_four_lanes
from mcts_core.rng cimport below, fixed_word, rng_t

cdef shape_t[MOST + 1][MOST + 1] SHAPES     # by rows and columns, as GAMES; written once, at import
cdef game_t[MOST + 1][MOST + 1] GAMES


# The rules

cdef inline bint has_line(uint64_t men, int step) noexcept nogil:
    cdef uint64_t pairs = men & men >> step
    return pairs & pairs >> 2 * step != 0


cdef bint has_four(uint64_t men, int rows) noexcept nogil:
    return has_line(men, 1) or has_line(men, rows) or has_line(men, rows + 1) or has_line(men, rows + 2)


cdef inline uint64_t landings(uint64_t discs, const shape_t* shape) noexcept nogil:
    """Return the square in each column where the next disc lands."""
    return discs + shape.lowest & shape.squares


cdef int moves(const game_t* game, const void* s, move_t* out) noexcept nogil:
    """List the moves by column; a move is the bit number of the square where the disc lands."""
    cdef const state_t* state = <const state_t*> s
    cdef const shape_t* shape = shape_of(game)
    cdef uint64_t legal
    if has_four(state.men[1 - state.turn], shape.rows):     # the side to move cannot have won
        return 0
    legal = landings(state.men[WHITE] | state.men[BLACK], shape)
    return list_bits(legal, out)


cdef void play(const game_t* game, void* s, move_t move) noexcept nogil:
    cdef state_t* state = <state_t*> s
    state.men[state.turn] |= <uint64_t> 1 << move
    state.turn = 1 - state.turn


cdef int turn(const game_t* game, const void* s) noexcept nogil:
    return (<const state_t*> s).turn


cdef uint64_t key(const game_t* game, const void* s) noexcept nogil:
    """Return a key that no other position has.

    In each column the sum of the mover's discs and all discs is unique: a stack of h discs gives
    2^h - 1 to 2^(h+1) - 2, which leaves no carry. The number of discs gives the side to move.
    `fixed_word` mixes the bits and is one to one.
    """
    cdef const state_t* state = <const state_t*> s
    return fixed_word(state.men[state.turn] + (state.men[WHITE] | state.men[BLACK]))


cdef inline int code_of(int move, int side, const shape_t* shape) noexcept nogil:
    """Return the AMAF code of a move: its square, row by row, white's codes before black's."""
    return shape.place[move] + (shape.rows * shape.cols if side == BLACK else 0)


cdef int code(const game_t* game, const void* s, move_t move) noexcept nogil:
    return code_of(move, (<const state_t*> s).turn, shape_of(game))


cdef int kind(const game_t* game, int code) noexcept nogil:
    """Return how far the column is from the nearer edge: 0 is an outer column."""
    cdef int cols = shape_of(game).cols
    cdef int col = code % cols
    return min(col, cols - 1 - col)


cdef double progress(const game_t* game, const void* s) noexcept nogil:
    """Return the share of the squares that is taken."""
    cdef const state_t* state = <const state_t*> s
    return <double> count_bits(state.men[WHITE] | state.men[BLACK]) / game.max_plies


cdef double result(const game_t* game, const void* s) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    cdef int rows = shape_of(game).rows
    return 0.5 * (1 + has_four(state.men[WHITE], rows) - has_four(state.men[BLACK], rows))


# Lines of four

cdef inline uint64_t fourths(uint64_t men, int step) noexcept nogil:
    """Return the squares that would complete a line of four of these men in one direction."""
    cdef uint64_t two_below = men << step & men << 2 * step
    cdef uint64_t two_above = men >> step & men >> 2 * step
    return two_below & (men << 3 * step | men >> step) | two_above & (men >> 3 * step | men << step)


cdef inline uint64_t winning(uint64_t men, int rows) noexcept nogil:
    return fourths(men, 1) | fourths(men, rows) | fourths(men, rows + 1) | fourths(men, rows + 2)


# For searches with an evaluation

cdef void planes(const game_t* game, const void* s, uint64_t* own, uint64_t* enemy) noexcept nogil:
    cdef const state_t* state = <const state_t*> s
    own[0], enemy[0] = state.men[state.turn], state.men[1 - state.turn]


cdef int square_of(const game_t* game, int bit) noexcept nogil:
    return shape_of(game).place[bit] if shape_of(game).squares >> bit & 1 else -1


cdef int solve(const game_t* game, const void* s) noexcept nogil:
    """Prove a win by a line, or a loss: the opponent threatens two lines, or another one above the only one."""
    cdef const state_t* state = <const state_t*> s
    cdef const shape_t* shape = shape_of(game)
    cdef uint64_t own = state.men[state.turn], enemy = state.men[1 - state.turn]
    cdef uint64_t legal = landings(own | enemy, shape), lines, threats
    if legal & winning(own, shape.rows):
        return 1
    lines = winning(enemy, shape.rows) & shape.squares
    threats = legal & lines
    return -2 if threats & (threats - 1) or threats << 1 & lines else 0


cdef uint64_t fold(const game_t* game, const void* s) noexcept nogil:
    """Return one key for a position and its mirror image. The numbers that make up `key` are one for each column."""
    cdef const state_t* state = <const state_t*> s
    cdef const shape_t* shape = shape_of(game)
    cdef uint64_t columns = state.men[state.turn] + (state.men[WHITE] | state.men[BLACK]), rest = columns, mirrored = 0
    cdef int _, height = shape.rows + 1
    for _ in range(shape.cols):
        mirrored = mirrored << height | rest & ((<uint64_t> 1 << height) - 1)
        rest >>= height
    return fixed_word(min(columns, mirrored))


# Playouts

cdef inline uint64_t guided_choices(uint64_t own, uint64_t enemy, uint64_t legal, int rows) noexcept nogil:
    """Return the moves that win; else those that stop the enemy from winning there; else all."""
    cdef uint64_t wins = legal & winning(own, rows), rescues = legal & winning(enemy, rows)
    return wins if wins else rescues if rescues else legal


cdef inline double run(const state_t* state, const shape_t* shape, rng_t* outer_rng, trace_t* trace,
                       bint recording, bint is_guided) noexcept nogil:
    """Play a game to its end. `recording` and `is_guided` are constants at each call."""
    cdef int side = state.turn, rows = shape.rows, plies = 0, move
    cdef uint64_t own = state.men[side], enemy = state.men[1 - side]
    cdef uint64_t choices, disc
    cdef rng_t rng = outer_rng[0]               # a copy that stays in registers
    cdef double outcome = 0.5
    while True:
        if has_four(enemy, rows):
            outcome = 1.0 if side == BLACK else 0.0
            break
        choices = landings(own | enemy, shape)
        if choices == 0:
            break
        if is_guided:
            choices = guided_choices(own, enemy, choices, rows)
        disc = kth_bit(choices, below(&rng, count_bits(choices)))
        if recording:
            move = first_bit(disc)
            note(trace, plies, move, code_of(move, side, shape))
        plies += 1
        own, enemy = enemy, own | disc
        side ^= 1
    outer_rng[0] = rng
    trace.plies = plies
    return outcome


cdef double playout(const game_t* game, const void* s, rng_t* rng, trace_t* trace) noexcept nogil:
    if wants_moves(trace):
        return run(<const state_t*> s, shape_of(game), rng, trace, True, False)
    return run(<const state_t*> s, shape_of(game), rng, trace, False, False)


cdef double guided(const game_t* game, const void* s, rng_t* rng, trace_t* trace) noexcept nogil:
    return run(<const state_t*> s, shape_of(game), rng, trace, True, True)


# Games

cdef void fill_tables() noexcept:
    cdef int rows, cols
    for rows in range(LEAST, MOST + 1):
        for cols in range(LEAST, MOST + 1):
            if (rows + 1) * cols <= 64:
                fill_shape(&SHAPES[rows][cols], rows, cols)
                fill_game(&GAMES[rows][cols], &SHAPES[rows][cols])


cdef void fill_shape(shape_t* shape, int rows, int cols) noexcept:
    cdef int row, col, bit
    memset(shape, 0, sizeof(shape_t))
    shape.rows, shape.cols = rows, cols
    for col in range(cols):
        shape.lowest |= <uint64_t> 1 << col * (rows + 1)
        for row in range(rows):
            bit = col * (rows + 1) + row
            shape.squares |= <uint64_t> 1 << bit
            shape.place[bit] = row * cols + col


cdef void fill_game(game_t* game, const shape_t* shape) noexcept:
    memset(game, 0, sizeof(game_t))
    game.abi = GAME_ABI
    game.state_size = sizeof(state_t)
    game.max_moves = shape.cols
    game.max_plies = shape.rows * shape.cols
    game.n_codes = 2 * shape.rows * shape.cols
    game.n_kinds = (shape.cols + 1) // 2
    game.context = shape
    game.moves, game.play, game.turn, game.key = moves, play, turn, key
    game.kind, game.progress = kind, progress
    game.code, game.result, game.playout, game.guided = code, result, playout, guided
    game.planes, game.square, game.solve, game.fold = planes, square_of, solve, fold
    if connect_four_lanes.has_lanes():
        game.batch = connect_four_lanes.batch

fill_tables()


cdef const game_t* game_for(int rows, int cols) noexcept nogil:
    return &GAMES[rows][cols]
