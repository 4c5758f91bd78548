# cython: language_level=3
"""Parts of the searches that Python does not reach: the growth of a transposition table, and shared moves."""
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from mcts_core.base.engine cimport stop_t
from mcts_core.evaluator cimport EVALUATOR_ABI, evaluator_t
from mcts_core.game cimport game_t
from mcts_core.minimax.alphabeta_root cimport close_root, open_root, place_root, root_t, search_root
from mcts_core.minimax.sharing cimport marks_t, next_turn, turns_of, turns_t, unmark, wait_or_mark
from mcts_core.minimax.transposition cimport buckets_t, close_buckets, grow_buckets, open_buckets
from mcts_core.position cimport Position

cdef enum:
    CALLED = 5000                       # the bucket in which `stop` is called

cdef int64_t calls = 0
cdef int64_t moved = 0


cdef void keep_bucket(buckets_t* table, const void* bucket) noexcept nogil:
    """Keep the number of a bucket in the same place."""
    global calls, moved
    cdef uint64_t number = (<const uint64_t*> bucket)[0]
    (<uint64_t*> table.entries)[number] = number
    moved += 1
    if number == CALLED:
        calls += 1


def grow(int n_buckets, int times, bint can_stop):
    """Grow a table of numbered buckets. Returns whether it grew, its size, its sum, and how many buckets were moved."""
    global calls, moved
    cdef stop_t stop = stop_t(NULL, 0)
    cdef buckets_t table
    cdef uint64_t total = 0
    cdef int i
    calls = moved = 0
    if can_stop:
        stop.calls = &calls
    if not open_buckets(&table, n_buckets, sizeof(uint64_t)):
        raise MemoryError
    try:
        for i in range(n_buckets):
            (<uint64_t*> table.entries)[i] = i
        has_grown = grow_buckets(&table, times * n_buckets, keep_bucket, &stop)
        for i in range(table.n_buckets):
            total += (<uint64_t*> table.entries)[i]
        return has_grown, table.n_buckets, total, moved
    finally:
        close_buckets(&table)


def order(int n, marked, ended=()):
    """Return the moves in the order in which a thread searches them, while others search the marked ones.

    Those of `ended` they search no more.
    """
    cdef marks_t marks
    cdef turns_t turns = turns_of(n), others = turns_of(1)
    cdef int move
    memset(&marks, 0, sizeof(marks))
    next_turn(&others)
    for move in marked:
        assert not wait_or_mark(&others, &marks, move + 1)
    for move in ended:
        unmark(&marks, move + 1)
    found = []
    while next_turn(&turns):
        if not wait_or_mark(&turns, &marks, turns.i + 1):
            found.append(turns.i)
            unmark(&marks, turns.i + 1)
    return found


cdef uint64_t[1 << 16] evaluated        # keys of positions, in the order of the search
cdef int n_evaluated


cdef int note(const evaluator_t* evaluator, const game_t* game, const void* state) noexcept nogil:
    """Note a position, and score it by its key."""
    global n_evaluated
    evaluated[n_evaluated] = game.key(game, state)
    n_evaluated += 1
    return <int> (evaluated[n_evaluated - 1] % 1000)


def search_beside(Position position, int depth, int n_exact, others=()):
    """Search a position plainly on one thread, while others are said to search the positions `others`.

    Returns the exact scores of the moves, the best first, and the keys of the leaves in the order of first visits.
    """
    global n_evaluated
    cdef evaluator_t evaluator
    cdef buckets_t table
    cdef marks_t marks
    cdef turns_t turns = turns_of(1)
    cdef root_t* root
    cdef Position other
    n_evaluated = 0
    memset(&marks, 0, sizeof(marks))
    memset(&evaluator, 0, sizeof(evaluator))
    evaluator.abi, evaluator.scale, evaluator.score = EVALUATOR_ABI, 200.0, note
    next_turn(&turns)
    for other in others:
        wait_or_mark(&turns, &marks, other.game.key(other.game, other.state()))
    open_buckets(&table, 1 << 10, 64)
    root = open_root(position.game, &evaluator, NULL, False, &table, &marks)
    root.s.limits.check_at = <int64_t> 1 << 62
    place_root(root, position.state(), n_exact)
    search_root(root, depth)
    scores = [root.found[i].score for i in range(root.n_moves) if root.found[i].exact]
    close_root(root)
    close_buckets(&table)
    return scores, list(dict.fromkeys(evaluated[i] for i in range(n_evaluated)))
