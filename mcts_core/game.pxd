"""THE CONTRACT: what a game supplies, and all that the engine knows of it.

A game is a `game_t`: a few sizes and a few C functions. A state is a plain struct of the game's
own, copied byte by byte, so it owns no memory (unless the game supplies `copy` and `drop`). The
engine never looks inside states and moves. All functions run without the GIL, cannot raise, and are
only called with legal moves. Two states of equal bytes are the same position, so padding must be
kept at zero.

To add a game: write these functions, fill a `game_t`, and derive a class from
`mcts_core.position.Position`. `tests/games/tictactoe.pyx` is a complete example.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from mcts_core.base.atomics cimport load
from mcts_core.rng cimport below, rng_t

ctypedef uint32_t move_t                # a move, in the game's own code

cdef enum:
    GAME_ABI = 5                        # changes when the struct below changes
    STATE_WORDS = 32                    # words of 64 bits in the largest state, so that one fits on the stack
    MOVES_ROOM = 1024                   # most moves in one position, so that a list of them fits on the stack

cdef struct any_state_t:                # room for the state of any game, aligned for any struct
    uint64_t[STATE_WORDS] words

cdef struct trace_t:                    # the record of a playout; a pointer that is NULL: not wanted
    int plies                           # played, passes included
    move_t* moves                       # room for max_plies moves
    int32_t* codes                      # room for max_plies AMAF codes
    uint64_t* seen                      # a set of AMAF codes, as bits: the playout adds those that occur

cdef struct tally_t:                    # sums over many playouts; results are the first player's
    int64_t wins
    int64_t draws                       # results strictly between 0 and 1
    int64_t losses
    int64_t plies
    int64_t sum                         # of results, in units of 2^-32: integers, so the order does not matter
    int64_t squares                     # of squared results, in the same units

cdef struct job_t:                      # some games from one position, one after the other
    const void* state
    rng_t rng                           # draws for all of them; advanced to the end of the last game
    int64_t games                       # how many to play, at most 1 << 16: lanes of 32 bits count them
    tally_t tally                       # their sums are added to it
    double result                       # a job of one game: the first player's result
    uint64_t* seen                      # a job of one game: as in trace_t; NULL in all jobs or in none

cdef struct game_t

ctypedef double (*playout_t)(const game_t* game, const void* state, rng_t* rng, trace_t* trace) noexcept nogil

cdef struct game_t:
    int abi                             # GAME_ABI
    int state_size                      # bytes, at most sizeof(any_state_t)
    int max_moves                       # no position has more moves; at most MOVES_ROOM
    int max_plies                       # no game lasts longer, from any position
    int n_codes                         # AMAF codes are 0 .. n_codes-1; 0: the game has no codes, and no AMAF
    int perft_counts_ended              # 1: perft counts a game that ended early as a leaf
    int n_kinds                         # kinds of moves are 0 .. n_kinds-1; 0: the game has no kinds
    const void* context                 # for the game's own use
    int64_t* failed                     # not 0 once the game has failed; NULL: it cannot fail

    # Writes the legal moves to `out`, in an order that never changes, and returns their number
    # (0: the game is over). With out == NULL it only counts them. A forced pass is a move.
    int (*moves)(const game_t* game, const void* state, move_t* out) noexcept nogil
    void (*play)(const game_t* game, void* state, move_t move) noexcept nogil
    int (*turn)(const game_t* game, const void* state) noexcept nogil       # 0: the first player, 1: the second
    uint64_t (*key)(const game_t* game, const void* state) noexcept nogil   # of position and side to move
    int (*code)(const game_t* game, const void* state, move_t move) noexcept nogil  # asked before the move is played
    double (*result)(const game_t* game, const void* state) noexcept nogil  # of an ended game: the first player's, 0..1

    # May be NULL. RAVE takes its biases by kind of move or by phase of the game from these.
    int (*kind)(const game_t* game, int code) noexcept nogil                # the kind of the moves with a code
    double (*progress)(const game_t* game, const void* state) noexcept nogil    # how far the game has gone, 0 to 1

    # May be NULL: states are plain bytes. Otherwise each copy of a state owns something that `drop` releases.
    void (*copy)(const game_t* game, void* to, const void* state) noexcept nogil
    void (*drop)(const game_t* game, void* state) noexcept nogil

    # May be NULL. A playout returns the first player's result and fills the trace.
    playout_t playout                   # uniformly random; NULL: the engine uses `moves` and `play`
    playout_t guided                    # by simple heuristics of the game; NULL: the game has none
    # Plays all the random games of all jobs, interleaved in any way. NULL: the engine plays them one by one.
    void (*batch)(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil

    # May be NULL. Searches with an evaluation use these, and `Position.planes` the first two. `planes` and `square` may
    # be called after the end of the game, too, the others only while it goes on.
    # The board as two bitboards, the mover's men and the opponent's, turned so that the game looks the same to both
    # players: in Breakthrough the mover's men move up.
    void (*planes)(const game_t* game, const void* state, uint64_t* own, uint64_t* enemy) noexcept nogil
    int (*square)(const game_t* game, int bit) noexcept nogil   # row * columns + column of a bit of the planes; or -1
    # What tactics alone prove. n > 0: the mover wins within n plies; n < 0: the mover loses within -n; 0: unknown.
    int (*solve)(const game_t* game, const void* state) noexcept nogil
    # Lists the legal moves that change much, such as captures, the most urgent first, and returns their number.
    int (*noisy)(const game_t* game, const void* state, move_t* out) noexcept nogil
    void (*pass_turn)(const game_t* game, void* state) noexcept nogil   # as if the mover could pass
    # The same game, whose `result`, playouts included, is the first player's share of the margin, such as of the discs:
    # 1/2 is a draw. States, moves and codes are the same. NULL: the game has no margins.
    const game_t* by_margin
    # A key that a position shares with its images, such as its mirror image: they have the same mover, as many moves
    # and the same best result. An exact search uses it instead of `key`.
    uint64_t (*fold)(const game_t* game, const void* state) noexcept nogil


cdef inline int code_words(int n_codes) noexcept nogil:
    """Return the length of a set of AMAF codes, in words of 64 bits."""
    return (n_codes + 63) // 64


cdef inline void copy_state(const game_t* game, void* to, const void* state) noexcept nogil:
    if game.copy == NULL:
        memcpy(to, state, game.state_size)
    else:
        game.copy(game, to, state)


cdef inline void drop_state(const game_t* game, void* state) noexcept nogil:
    if game.drop != NULL:
        game.drop(game, state)


cdef inline bint is_threatened(const game_t* game, const void* state) noexcept nogil:
    """Return whether tactics would win for the other side if the mover passed. False for a game without tactics."""
    cdef any_state_t passed
    cdef bint answer
    if game.solve == NULL or game.pass_turn == NULL:
        return False
    copy_state(game, &passed, state)
    game.pass_turn(game, &passed)
    answer = game.solve(game, &passed) > 0
    drop_state(game, &passed)
    return answer


cdef inline bint is_result(double result) noexcept nogil:
    """Return whether a result lies between 0 and 1. False for nan, which `any_playout` returns for a broken game."""
    return 0.0 <= result <= 1.0


cdef inline bint has_failed(const game_t* game) noexcept nogil:
    """Return whether the game has failed, as one in Python may. What it has returned since then must not be used."""
    return game.failed != NULL and load(game.failed)


cdef inline bint wants_moves(const trace_t* trace) noexcept nogil:
    """Return whether a playout has to call `note` at all."""
    return trace.seen != NULL or trace.codes != NULL or trace.moves != NULL


cdef inline bint wants_codes_only(const trace_t* trace) noexcept nogil:
    """Return whether `note_code` is enough. Playouts of AMAF searches are 3 % faster with a loop of their own."""
    return trace.seen != NULL and trace.codes == NULL and trace.moves == NULL


cdef inline void note_code(uint64_t* seen, int code) noexcept nogil:
    seen[code >> 6] |= <uint64_t> 1 << (code & 63)


cdef inline void note(trace_t* trace, int ply, move_t move, int code) noexcept nogil:
    """Write a move of a playout into its trace."""
    if trace.seen != NULL:
        note_code(trace.seen, code)
    if trace.codes != NULL:
        trace.codes[ply] = code
    if trace.moves != NULL:
        trace.moves[ply] = move


cdef inline void note_bits(uint64_t* seen, int code, uint64_t bits) noexcept nogil:
    """Add many codes at once: bit i stands for the code `code` + i."""
    seen[code >> 6] |= bits << (code & 63)
    if code & 63 and bits >> (64 - (code & 63)):
        seen[(code >> 6) + 1] |= bits >> (64 - (code & 63))


cdef inline void record(tally_t* tally, double result, int plies) noexcept nogil:
    tally.wins += result == 1.0
    tally.losses += result == 0.0
    tally.draws += (result > 0.0) & (result < 1.0)
    tally.plies += plies
    tally.sum += <int64_t> (result * 4294967296.0)
    tally.squares += <int64_t> (result * result * 4294967296.0)


cdef inline bint one_game_each(const job_t* jobs, int n_jobs) noexcept nogil:
    """Return whether every job is a single game."""
    cdef int j
    for j in range(n_jobs):
        if jobs[j].games != 1:
            return False
    return True


cdef int random_plies(const game_t* game, void* state, rng_t* rng, trace_t* trace, int most) noexcept nogil
cdef double any_playout(const game_t* game, const void* state, rng_t* rng, trace_t* trace) noexcept nogil
cdef void any_batch(const game_t* game, playout_t playout, job_t* jobs, int n_jobs) noexcept nogil
cdef int check_game(const game_t* game) except -1
cdef object game_capsule(const game_t* game)
cdef const game_t* game_of(object capsule) except NULL
