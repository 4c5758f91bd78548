"""Playouts by a policy that learns. The map is policy.pxd."""
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport NAN
from libc.stdint cimport int32_t

from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, move_t, note, trace_t
from mcts_core.rng cimport rng_t, uniform


cdef class Policy:
    """Odds of codes, and what learns them."""

    def __dealloc__(self):
        PyMem_RawFree(self.c)

    cdef void* room(self, Py_ssize_t header, Py_ssize_t more, int max_plies, int n_codes) except NULL:
        """Take memory: a struct of `header` bytes that begins with a policy_t, the odds, the moves, `more` bytes.

        Returns where the last part begins.
        """
        cdef Py_ssize_t odds = n_codes * sizeof(double), moves = 2 * <Py_ssize_t> max_plies * sizeof(move_t)
        cdef char* memory = <char*> PyMem_RawCalloc(1, header + odds + moves + more)
        cdef int code
        if memory == NULL:
            raise MemoryError(f"no memory for a policy of {n_codes} codes")
        self.c = <policy_t*> memory
        self.c.odds = <double*> (memory + header)
        self.c.moves = <move_t*> (memory + header + odds)
        for code in range(n_codes):
            self.c.odds[code] = 1.0
        return memory + header + odds + moves


cdef int weigh(const double* odds, const game_t* game, const void* state, move_t* moves, int32_t* codes,
               double* sums) noexcept nogil:
    """Write the legal moves, their codes, and for each the sum of the odds up to and with its own.

    Returns the number of moves, or -1 if the game breaks its contract.
    """
    cdef int n = game.moves(game, state, moves)
    cdef int i
    cdef double total = 0.0
    if n > game.max_moves:
        return -1
    for i in range(n):
        codes[i] = game.code(game, state, moves[i])
        if not 0 <= codes[i] < game.n_codes:
            return -1
        total += odds[codes[i]]
        sums[i] = total
    return n


cdef double policy_playout(policy_t* policy, const game_t* game, const void* state, rng_t* rng,
                           trace_t* trace) noexcept nogil:
    """Play a game to its end as `any_playout` does, and add its moves to those of the policy."""
    cdef any_state_t current
    cdef move_t[MOVES_ROOM] moves
    cdef int32_t[MOVES_ROOM] codes
    cdef double[MOVES_ROOM] sums
    cdef int i, n
    cdef double result
    copy_state(game, &current, state)
    trace.plies = 0
    while True:
        n = weigh(policy.odds, game, &current, moves, codes, sums)
        if n <= 0 or trace.plies >= game.max_plies:
            break
        i = draw(sums, n, rng)
        note(trace, trace.plies, moves[i], codes[i])
        policy.moves[policy.plies] = moves[i]
        policy.plies += 1
        game.play(game, &current, moves[i])
        trace.plies += 1
    result = game.result(game, &current) if n == 0 else NAN
    drop_state(game, &current)
    return result


cdef inline int draw(const double* sums, int n, rng_t* rng) noexcept nogil:
    """Draw a move in proportion to its odds, with one number, even if there is one move only."""
    cdef double ticket = uniform(rng) * sums[n - 1]
    cdef int i = 0
    while i < n - 1 and ticket >= sums[i]:
        i += 1
    return i
