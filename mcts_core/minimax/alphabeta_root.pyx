"""Alpha-beta of any game, at the root: all moves to a depth, several principal variations, and threads that help.

If a limit ends a depth early, the moves that it has searched count: the first is the best of the depth before, so
a move that has beaten it is better.

Every thread searches the root depth by depth, with killers, history and lines of its own. They help each other
through the table and share out the moves (`sharing.pxd`); the moves that get their exact score do not wait. The
result of the thread that has come farthest counts. A helper takes the order of moves from the leader when it begins.
"""
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from mcts_core.base.atomics cimport load, store
from mcts_core.evaluator cimport evaluator_t
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, move_t
from mcts_core.minimax.alphabeta_search cimport INFINITE, MOST_LINE, PROVEN, UNKNOWN, age_history, search, search_t
from mcts_core.minimax.alphabeta_table cimport AGES
from mcts_core.minimax.finisher cimport finisher_t
from mcts_core.minimax.limits cimport begin_to_help
from mcts_core.minimax.multi_pv cimport nth_best
from mcts_core.minimax.sharing cimport marks_t, next_turn, turns_of, turns_t, unmark, wait_or_mark
from mcts_core.minimax.transposition cimport buckets_t


cdef root_t* open_root(const game_t* game, const evaluator_t* evaluator, const finisher_t* finisher,
                       bint is_selective, buckets_t* table, marks_t* marks) noexcept:
    """Return the working memory of a thread; NULL if there is none."""
    cdef root_t* root = <root_t*> calloc(1, sizeof(root_t))
    if root == NULL:
        return NULL
    root.s.game, root.s.evaluator, root.s.is_selective = game, evaluator, is_selective
    root.s.table, root.s.marks = table, marks
    root.moves = <root_move_t*> calloc(game.max_moves, sizeof(root_move_t))
    root.found = <root_move_t*> calloc(game.max_moves, sizeof(root_move_t))
    root.s.moves = <move_t*> calloc(MOST_LINE * game.max_moves, sizeof(move_t))
    root.s.ranks = <int*> calloc(MOST_LINE * game.max_moves, sizeof(int))
    root.s.finisher = finisher
    if finisher != NULL:
        root.s.finishing = finisher.open()
    if (root.moves == NULL or root.found == NULL or root.s.moves == NULL or root.s.ranks == NULL
            or finisher != NULL and root.s.finishing == NULL):
        close_root(root)
        return NULL
    return root


cdef void close_root(root_t* root) noexcept:
    if root.s.finisher != NULL:
        root.s.finisher.close(root.s.finishing)
    free(root.s.moves)
    free(root.s.ranks)
    free(root.moves)
    free(root.found)
    free(root)


cdef int place_root(root_t* root, const void* state, int most_exact) noexcept:
    """Begin a search of a position. Returns the number of its moves."""
    cdef search_t* s = &root.s
    cdef int i
    root.state, root.depth, root.reached = state, 0, 0
    root.n_moves = s.game.moves(s.game, state, s.moves)
    root.n_exact = min(most_exact, root.n_moves)
    memset(root.moves, 0, root.n_moves * sizeof(root_move_t))
    for i in range(root.n_moves):
        root.moves[i].line[0], root.moves[i].length = s.moves[i], 1
        root.found[i] = root.moves[i]
    s.age = (s.age + 1) % AGES
    age_history(s)
    memset(s.killers, 0xFF, sizeof(s.killers))
    return root.n_moves


cdef void search_root(root_t* root, int depth) noexcept nogil:
    """Search all moves to a depth. The n_exact best ones get their exact score and their line."""
    cdef search_t* s = &root.s
    cdef any_state_t after
    cdef root_move_t* move
    cdef turns_t turns = turns_of(root.n_moves)
    cdef uint64_t key
    cdef int64_t nodes
    cdef int i, score, alpha
    for i in range(root.n_moves):
        root.moves[i].exact = False
    while next_turn(&turns):
        move = &root.moves[turns.i]
        copy_state(s.game, &after, root.state)
        s.game.play(s.game, &after, move.line[0])
        key = s.game.key(s.game, &after)
        if s.marks != NULL and turns.i >= root.n_exact and wait_or_mark(&turns, s.marks, key):
            drop_state(s.game, &after)
            continue
        alpha, nodes = alpha_of(root), s.limits.nodes
        score = INFINITE
        if turns.i >= root.n_exact:
            score = -search(s, &after, depth - 1, -alpha - 1, -alpha, 1, False, UNKNOWN)
        if not s.limits.ending and score > alpha:
            score = -search(s, &after, depth - 1, -INFINITE, -alpha, 1, True, UNKNOWN)
        drop_state(s.game, &after)
        if s.marks != NULL:
            unmark(s.marks, key)
        if s.limits.ending:
            break
        move.score, move.exact = score, score > alpha
        move.nodes = s.limits.nodes - nodes
        if move.exact:
            memcpy(&move.line[1], s.lines[1], s.lengths[1] * sizeof(move_t))
            move.length = s.lengths[1] + 1
    if root.moves[0].exact:             # the first move has been searched
        sort_moves(root)
        root.reached = depth
    if not s.limits.ending:
        store(&root.depth, depth)


cdef int alpha_of(const root_t* root) noexcept nogil:
    """Return the score that a move must exceed to get its exact one: the n_exact-th best so far."""
    cdef double[MOVES_ROOM] scores
    cdef int i, n = 0
    for i in range(root.n_moves):
        if root.moves[i].exact:
            scores[n] = root.moves[i].score
            n += 1
    return <int> max(-INFINITE, nth_best(scores, n, root.n_exact))


cdef void sort_moves(root_t* root) noexcept nogil:
    """Sort the moves: exact scores first, the best first; then the others, the most nodes to refute first.

    Moves that lose for certain come last: if a depth was cut short, moves that it has not searched are better.
    """
    cdef root_move_t move
    cdef int i, j
    for i in range(1, root.n_moves):
        move = root.moves[i]
        j = i
        while j > 0 and comes_before(&move, &root.moves[j - 1]):
            root.moves[j] = root.moves[j - 1]
            j -= 1
        root.moves[j] = move
    memcpy(root.found, root.moves, root.n_moves * sizeof(root_move_t))


cdef bint comes_before(const root_move_t* a, const root_move_t* b) noexcept nogil:
    if is_lost(a) != is_lost(b):
        return is_lost(b)
    if a.exact != b.exact:
        return a.exact
    if not a.exact:
        return a.nodes > b.nodes
    return a.score > b.score


cdef inline bint is_lost(const root_move_t* move) noexcept nogil:
    """Return whether the move loses for certain. A bound proves it too."""
    return move.score <= -PROVEN


cdef bint is_proven(const root_t* root) noexcept nogil:
    """Return whether the best move wins for certain, or every move loses for certain."""
    cdef const root_move_t* best = &root.found[0]
    return root.depth > 0 and root.n_exact == 1 and (best.exact and best.score >= PROVEN or is_lost(best))


# Threads

cdef void help_leader(root_t* root, root_t* leader, int most_depth) noexcept nogil:
    """Search depth after depth with the leader, until it calls back."""
    cdef search_t* s = &root.s
    begin_to_help(&s.limits)
    while not s.limits.ending and root.depth < most_depth and not is_proven(root):
        search_root(root, min(most_depth, max(<int> root.depth, <int> load(&leader.depth)) + 1))


cdef bint knows_more(const root_t* root, const root_t* other) noexcept:
    """Return whether a thread has searched deeper than another, or has found a better move at the same depth."""
    if root.depth != other.depth:
        return root.depth > other.depth
    if root.reached != other.reached:
        return root.reached > other.reached
    return root.found[0].score > other.found[0].score


cdef void adopt(root_t* root, const root_t* other) noexcept:
    """Take over what another thread has found. Neither may be searching."""
    memcpy(root.moves, other.moves, root.n_moves * sizeof(root_move_t))
    memcpy(root.found, other.found, root.n_moves * sizeof(root_move_t))
    root.depth, root.reached = other.depth, other.reached
