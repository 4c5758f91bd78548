"""THE CONTRACT: what a game supplies, and all that the engine knows of it.

A game is a `game_t`: a few sizes and a few C functions. A state is a plain struct of the game's
own, copied byte by byte, so it holds no pointer it owns (unless the game supplies `copy` and
`drop`). The engine never looks inside states and moves. All functions run without the GIL, must not
fail, and are never called with a move that is not legal. Two states of equal bytes are the same
position, so padding must be kept at zero.

A game of your own: write these functions, fill a `game_t`, derive a class from
`mcts_core.position.Position`; `tests/games/tictactoe.pyx` is a complete example.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from mcts_core.base.atomics cimport load
from mcts_core.rng cimport below, rng_t

ctypedef uint32_t move_t                # a move, in the game's own code

cdef enum:
    GAME_ABI = 3                        # changes when the struct below changes
    STATE_WORDS = 32                    # no state is larger, so one fits on the stack
    MOVES_ROOM = 1024                   # no game has more moves in one position, likewise

cdef struct any_state_t:                # room for the state of any game, aligned for any struct
    uint64_t[STATE_WORDS] words

cdef struct trace_t:                    # what a playout leaves behind; NULL: not wanted
    int plies                           # how many it played, passes included
    move_t* moves                       # room for max_plies moves
    int32_t* codes                      # room for max_plies AMAF codes
    uint64_t* seen                      # the AMAF codes that occurred, as bits, added to those there

cdef struct tally_t:                    # the sum of many playouts, results as the first player sees them
    int64_t wins
    int64_t draws                       # results strictly between 0 and 1
    int64_t losses
    int64_t plies
    int64_t sum                         # of results, in units of 2^-32: exact, so no order of adding matters
    int64_t squares                     # of their squares, likewise

cdef struct job_t:                      # some games from one position, one after the other
    const void* state
    rng_t rng                           # their generator, left where the last game ends
    int64_t games                       # how many to play, at most 1 << 16: lanes of 32 bits count them
    tally_t tally                       # added to
    double result                       # if it is one game: the first player's
    uint64_t* seen                      # if it is one game: as in a trace; NULL in one job: in all

cdef struct game_t

ctypedef double (*playout_t)(const game_t* game, const void* state, rng_t* rng, trace_t* trace) noexcept nogil

cdef struct game_t:
    int abi                             # GAME_ABI
    int state_size                      # bytes, at most sizeof(any_state_t)
    int max_moves                       # no position has more moves; at most MOVES_ROOM
    int max_plies                       # no game lasts longer, from any position
    int n_codes                         # AMAF codes are 0 .. n_codes-1; 0: it has none, and no AMAF
    int perft_counts_ended              # does a game that ended early count as a leaf of perft?
    int n_kinds                         # kinds of moves are 0 .. n_kinds-1; 0: the game tells none apart
    const void* context                 # for the game's own use
    int64_t* failed                     # NULL: it cannot. Else not 0 once it has: see `has_failed`

    # The legal moves, in an order that never changes; returns their number, 0: the game is over.
    # With out == NULL they are only counted. A forced pass is a move.
    int (*moves)(const game_t* game, const void* state, move_t* out) noexcept nogil
    void (*play)(const game_t* game, void* state, move_t move) noexcept nogil
    int (*turn)(const game_t* game, const void* state) noexcept nogil       # 0: the first player, 1
    uint64_t (*key)(const game_t* game, const void* state) noexcept nogil   # position and side to move
    int (*code)(const game_t* game, const void* state, move_t move) noexcept nogil  # before it is played
    double (*result)(const game_t* game, const void* state) noexcept nogil  # ended: first player's, 0..1

    # May be NULL. What multi-scale RAVE goes by.
    int (*kind)(const game_t* game, int code) noexcept nogil                # the kind of the moves with a code
    double (*progress)(const game_t* game, const void* state) noexcept nogil    # of the game, 0 to 1

    # May be NULL: states are plain bytes. Else a copy of a state owns something that `drop` gives back.
    void (*copy)(const game_t* game, void* to, const void* state) noexcept nogil
    void (*drop)(const game_t* game, void* state) noexcept nogil

    # May be NULL. A playout returns the first player's result and fills the trace.
    playout_t playout                   # uniformly random; NULL: made from moves and play
    playout_t guided                    # with the game's light knowledge; NULL: the game has none
    # Many random playouts: all the games of all the jobs, in any interleaving. NULL: one by one.
    void (*batch)(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil


cdef inline int code_words(int n_codes) noexcept nogil:
    """The length of a set of AMAF codes, in words of 64 bits."""
    return (n_codes + 63) // 64


cdef inline void copy_state(const game_t* game, void* to, const void* state) noexcept nogil:
    if game.copy == NULL:
        memcpy(to, state, game.state_size)
    else:
        game.copy(game, to, state)


cdef inline void drop_state(const game_t* game, void* state) noexcept nogil:
    if game.drop != NULL:
        game.drop(game, state)


cdef inline bint is_result(double result) noexcept nogil:
    """Whether a result lies between 0 and 1; not so if it is nan, which `any_playout` returns for a broken game."""
    return 0.0 <= result <= 1.0


cdef inline bint has_failed(const game_t* game) noexcept nogil:
    """Whether the game, one in Python, has failed: what it says since is void, and nothing is to be learnt from it."""
    return game.failed != NULL and load(game.failed)


cdef inline bint wants_moves(const trace_t* trace) noexcept nogil:
    """Whether a playout has to call `note` at all."""
    return trace.seen != NULL or trace.codes != NULL or trace.moves != NULL


cdef inline bint wants_codes_only(const trace_t* trace) noexcept nogil:
    """Whether `note_code` will do: playouts of a search with AMAF are 3 % faster with a loop of their own."""
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
    """Add many codes at once: those from `code` on whose bits are set."""
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
    """Whether every job is a single game."""
    cdef int j
    for j in range(n_jobs):
        if jobs[j].games != 1:
            return False
    return True


cdef double any_playout(const game_t* game, const void* state, rng_t* rng, trace_t* trace) noexcept nogil
cdef void any_batch(const game_t* game, playout_t playout, job_t* jobs, int n_jobs) noexcept nogil
cdef int check_game(const game_t* game) except -1
cdef object game_capsule(const game_t* game)
cdef const game_t* game_of(object capsule) except NULL
