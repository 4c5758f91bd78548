"""Perft: the number of move sequences of a length, the classical check of move generation."""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t

from mcts_core.base.stack cimport stack_close, stack_open, stack_pop, stack_push, stack_t, stack_top
from mcts_core.game cimport any_state_t, copy_state, drop_state, game_t, move_t

from operator import index

from mcts_core.errors import shown

cdef enum:
    MOST_PLIES = 1 << 20                # the longest game that the contract allows
    LISTEN_EVERY = 4096                 # steps between two checks for Ctrl-C: some milliseconds

cdef struct level_t:                    # a position on the path; its moves follow in memory
    any_state_t state
    int n_moves
    int next                            # index of the move to follow next


cdef int perft_depth(object plies) except -1:
    """Return a number of plies, checked."""
    depth = index(plies)
    if depth < 0:
        raise ValueError(f"perft needs a depth of 0 or more, not {shown(depth)}")
    if depth > MOST_PLIES:
        raise ValueError(f"perft counts {MOST_PLIES} plies at most: no game of this library lasts longer")
    return depth


cdef inline move_t* moves_at(level_t* level) noexcept nogil:
    return <move_t*> (level + 1)


cdef uint64_t perft(const game_t* game, const void* start, int depth) except? 0 nogil:
    """Return the number of leaves `depth` plies below a state."""
    cdef stack_t path
    cdef uint64_t leaves = 0, steps = 0
    if depth == 0:
        return 1
    stack_open(&path, sizeof(level_t) + game.max_moves * sizeof(move_t))
    try:
        enter(game, &path, start)
        while path.depth:
            leaves += go_on(game, &path, depth)
            steps += 1
            if steps % LISTEN_EVERY == 0:
                with gil:
                    PyErr_CheckSignals()
    finally:
        while path.depth:
            leave(game, &path)
        stack_close(&path)
    return leaves


cdef uint64_t go_on(const game_t* game, stack_t* path, int depth) except? 0 nogil:
    """Do one step of perft: count the leaves below the last position of the path, or go one ply down or up."""
    cdef level_t* level = <level_t*> stack_top(path)
    cdef uint64_t leaves = 0
    if level.n_moves == 0:
        leaves = game.perft_counts_ended
    elif path.depth == depth:
        leaves = level.n_moves
    elif path.depth == depth - 1:
        leaves = count_below(game, level)
    elif level.next < level.n_moves:
        enter(game, path, NULL)
        return 0
    leave(game, path)
    return leaves


cdef uint64_t count_below(const game_t* game, level_t* level) noexcept nogil:
    """Return the number of leaves two plies below a position."""
    cdef any_state_t after
    cdef const move_t* moves = moves_at(level)
    cdef uint64_t leaves = 0
    cdef int i, n, n_moves = level.n_moves
    for i in range(n_moves):
        copy_state(game, &after, &level.state)
        game.play(game, &after, moves[i])
        n = game.moves(game, &after, NULL)
        leaves += n if n else game.perft_counts_ended
        drop_state(game, &after)
    return leaves


cdef int enter(const game_t* game, stack_t* path, const void* start) except -1 nogil:
    """Add a position to the path: the start, or the one after the next move of the last position."""
    cdef level_t* level = <level_t*> stack_push(path)
    cdef level_t* before
    if level == NULL:
        with gil:
            raise MemoryError("no memory for perft")
    if path.depth == 1:
        copy_state(game, &level.state, start)
    else:
        before = <level_t*> (<char*> level - path.frame_size)
        copy_state(game, &level.state, &before.state)
        game.play(game, &level.state, moves_at(before)[before.next])
        before.next += 1
    level.n_moves, level.next = game.moves(game, &level.state, moves_at(level)), 0
    return 0


cdef inline void leave(const game_t* game, stack_t* path) noexcept nogil:
    drop_state(game, &(<level_t*> stack_top(path)).state)
    stack_pop(path)
