"""Defaults for what a game does not supply, and the capsule that carries a game between modules."""
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New
from libc.math cimport NAN
from libc.string cimport memset

cdef const char* CAPSULE_NAME = "mcts_core.game_t"


cdef int random_plies(const game_t* game, void* state, rng_t* rng, trace_t* trace, int most) noexcept nogil:
    """Play random moves by `moves` and `play`, at most `most`. Draws one number a move, even if it is forced.

    Returns how many moves the last position has: 0 if the game is over, -1 if it breaks its contract (more moves or
    codes than it says).
    """
    cdef move_t[MOVES_ROOM] moves
    cdef int n, code
    cdef move_t move
    trace.plies = 0
    while True:
        n = game.moves(game, state, moves)
        if not 0 <= n <= game.max_moves:
            return -1
        if n == 0 or trace.plies == most:
            return n
        move = moves[below(rng, n)]
        if wants_moves(trace):
            code = game.code(game, state, move)
            if code != 0 and not 0 <= code < game.n_codes:
                return -1
            note(trace, trace.plies, move, code)
        game.play(game, state, move)
        trace.plies += 1


cdef double any_playout(const game_t* game, const void* state, rng_t* rng, trace_t* trace) noexcept nogil:
    """Play a random game, for a game without `playout`. If it breaks its contract, the result is nan."""
    cdef any_state_t current
    cdef double result
    copy_state(game, &current, state)
    result = game.result(game, &current) if random_plies(game, &current, rng, trace, game.max_plies) == 0 else NAN
    drop_state(game, &current)
    return result


cdef void any_batch(const game_t* game, playout_t playout, job_t* jobs, int n_jobs) noexcept nogil:
    """Play the games of all jobs one by one, for a game without `batch`."""
    cdef trace_t trace
    cdef double result
    cdef int j
    cdef int64_t _
    memset(&trace, 0, sizeof(trace))
    for j in range(n_jobs):
        trace.seen = jobs[j].seen
        for _ in range(jobs[j].games):
            result = playout(game, jobs[j].state, &jobs[j].rng, &trace)
            record(&jobs[j].tally, result, trace.plies)
            jobs[j].result = result


cdef int check_game(const game_t* game) except -1:
    """Refuse a game that was compiled against another contract, or filled in wrongly."""
    if game.abi != GAME_ABI:
        raise ValueError(f"this game was compiled for contract {game.abi}, the engine for {GAME_ABI}: compile it again")
    if not (0 < game.state_size <= <int> sizeof(any_state_t) and 0 < game.max_moves <= MOVES_ROOM):
        raise ValueError(f"a game's state takes 1 to {sizeof(any_state_t)} bytes and its moves number "
                         f"1 to {MOVES_ROOM}, not {game.state_size} and {game.max_moves}")
    if not (0 < game.max_plies <= 1 << 20 and 0 <= game.n_codes <= 1 << 20):
        raise ValueError("a game needs max_plies from 1 to 2**20 and n_codes from 0 to 2**20, "
                         f"not {game.max_plies} and {game.n_codes}")
    if (game.moves == NULL or game.play == NULL or game.turn == NULL
            or game.key == NULL or game.code == NULL or game.result == NULL):
        raise ValueError("a game needs all of moves, play, turn, key, code and result")
    return 0


cdef object game_capsule(const game_t* game):
    """Return a capsule with the game, checked. The struct must live as long as the program, as a global does."""
    check_game(game)
    return PyCapsule_New(<void*> game, CAPSULE_NAME, NULL)


cdef const game_t* game_of(object capsule) except NULL:
    if not PyCapsule_IsValid(capsule, CAPSULE_NAME):
        raise TypeError(f"expected a capsule {CAPSULE_NAME.decode()!r}, not {capsule!r}")
    return <const game_t*> PyCapsule_GetPointer(capsule, CAPSULE_NAME)
