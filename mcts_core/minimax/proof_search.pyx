"""The exact solver of any game: win, draw or loss under best play.

Depth-first proof-number search (df-pn). The goal is that one player gets at least a given result. One side wants
to reach the goal, the other to prevent it. A position's `proof` is the least number of positions that still have
to be won to show that its mover succeeds; its `disproof` is that number for the other side. 0 means shown, SETTLED
means impossible. The search enters the move with the least left to show, and stays below it until another move is
clearly better. A new position has a proof of 1, and a disproof of its number of moves, because all of them must fail.
A position that the game's own tactics decide (`solve`) is settled at once. If they would decide it for the other side
after a pass (`pass_turn`), few moves meet that threat, so the disproof of a new position is FEW.

The line of positions under search is kept on the heap, because a game may be a million plies long.

With several threads each searches from the root for itself, and they share the table. Only the first thread's result
counts; the others, its helpers, fill the table. From time to time a thread takes the numbers of the children of a
position from the table, leaves the part of its line that another thread has settled, and marks the positions in
which it spends long. To other threads a marked position seems harder than it is, so they choose another one.
"""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from mcts_core.base.atomics cimport fetch_add, load
from mcts_core.base.stack cimport stack_pop, stack_push, stack_top
from mcts_core.game cimport MOVES_ROOM, copy_state, drop_state, has_failed, is_result, is_threatened
from mcts_core.minimax.limits cimport BY_FAILURE, RUNNING, must_stop
from mcts_core.minimax.proof_table cimport SETTLED, find, grow, keep, prefetch, proof_t
from mcts_core.search.table cimport hash_of

cdef enum:
    FEW = 2                             # moves that meet a threat, as a guess; higher: threats are tried later
    # of several threads:
    RECALL_EVERY = 64                   # nodes below a position before its children are recalled; it is marked then
    MOST_OTHERS = 200                   # that are counted in one position


# Positions

cdef inline void give_up(exact_t* s, fault_t fault) noexcept nogil:
    """End the proof by a fault."""
    s.fault = fault
    s.limits.ending = BY_FAILURE


cdef void look_up(exact_t* s, const void* state, child_t* child) noexcept nogil:
    """Set the numbers of a position."""
    if rate(s, state, child):
        recall(s, child)


cdef bint rate(exact_t* s, const void* state, child_t* child) noexcept nogil:
    """Set the numbers of a new position. Returns whether it is open: neither the rules nor tactics settle it."""
    cdef int n = s.game.moves(s.game, state, NULL), plies
    child.key = 0
    if n == 0:
        settle(child, goal_is_reached(s, state) == (s.game.turn(s.game, state) == s.player))
        return False
    plies = s.game.solve(s.game, state) if s.game.solve != NULL else 0
    if plies != 0:
        settle(child, plies > 0)
        return False
    child.key = s.key(s.game, state)
    child.proof, child.disproof = 1, min(n, FEW) if is_threatened(s.game, state) else n
    return True


cdef bint goal_is_reached(exact_t* s, const void* state) noexcept nogil:
    """Return whether a game has ended with the goal reached."""
    cdef double result = s.game.result(s.game, state)
    if not is_result(result):
        give_up(s, BREACH)
    if 0.0 < result < 1.0:
        s.draw_seen = True
    return (result if s.player == 0 else 1.0 - result) >= s.least


cdef void settle(child_t* child, bint succeeds) noexcept nogil:
    """Set the numbers of a position whose mover is known to succeed, or to fail."""
    child.proof = 0 if succeeds else SETTLED
    child.disproof = SETTLED if succeeds else 0


cdef void recall(exact_t* s, child_t* child) noexcept nogil:
    """Set the numbers of an open position from the table, if it is there."""
    cdef proof_t known
    if find(&s.crew.table, child.key, &known):
        child.proof, child.disproof = known.proof, known.disproof


cdef void search(exact_t* s, const void* state, child_t* root) noexcept nogil:
    """Search below an unfinished position until it is settled or the search has to stop."""
    cdef any_state_t start
    copy_state(s.game, &start, state)
    enter(s, &start, root, SETTLED, SETTLED)
    while s.line.depth and s.limits.ending == RUNNING:
        if (not s.is_shared or keep_up(s)) and count_up(s, <frame_t*> stack_top(&s.line)):
            go_on(s, <frame_t*> stack_top(&s.line))
        else:
            root[0] = leave(s)
    while s.line.depth:
        drop_frame(s)


cdef void enter(exact_t* s, any_state_t* state, const child_t* node, uint32_t proof_limit,
                uint32_t disproof_limit) noexcept nogil:
    """Add a position to the line, which takes its state, and look up its children."""
    cdef frame_t* frame
    s.limits.nodes += 1
    if s.limits.nodes >= s.limits.check_at and must_stop(&s.limits):
        drop_state(s.game, state)
        return
    frame = <frame_t*> stack_push(&s.line)
    if frame == NULL:
        give_up(s, NO_MEMORY)
        drop_state(s.game, state)
        return
    memcpy(&frame.state, state, s.game.state_size)
    frame.node = node[0]
    frame.proof_limit, frame.disproof_limit, frame.before = proof_limit, disproof_limit, s.limits.nodes - 1
    frame.recall_at, frame.is_marked = s.limits.nodes + RECALL_EVERY, False
    if s.line.depth > s.game.max_plies:
        frame.children = NULL
        give_up(s, TOO_DEEP)
        return
    list_children(s, frame)


cdef inline uint32_t to_win(const child_t* child) noexcept nogil:
    """Return what is left to show that a move succeeds for the player who makes it."""
    return child.proof if child.same_mover else child.disproof


cdef inline uint32_t to_lose(const child_t* child) noexcept nogil:
    """Return what is left to show that a move fails for the player who makes it."""
    return child.disproof if child.same_mover else child.proof


cdef void list_children(exact_t* s, frame_t* frame) noexcept nogil:
    """List the moves that may succeed with their numbers, up to the first move that does succeed."""
    cdef move_t[MOVES_ROOM] moves
    cdef int i, n = s.game.moves(s.game, &frame.state, moves)
    frame.n_children, frame.children = 0, NULL
    if has_failed(s.game):
        give_up(s, GAME_FAILED)
    elif not 0 < n <= s.game.max_moves:
        give_up(s, BREACH)
    if s.limits.ending != RUNNING:
        return
    frame.children = <child_t*> malloc(n * sizeof(child_t))
    if frame.children == NULL:
        give_up(s, NO_MEMORY)
        return
    for i in range(n):
        if add_child(s, frame, moves[i]):
            return
    for i in range(frame.n_children):           # the table's answers, after all prefetches are on their way
        recall(s, &frame.children[i])


cdef bint add_child(exact_t* s, frame_t* frame, move_t move) noexcept nogil:
    """Play a move, and list it unless it fails. Returns whether it succeeds: then the others do not matter."""
    cdef any_state_t after
    cdef child_t* child = &frame.children[frame.n_children]
    copy_state(s.game, &after, &frame.state)
    s.game.play(s.game, &after, move)
    child.move, child.others = move, 0
    child.same_mover = s.game.turn(s.game, &after) == s.game.turn(s.game, &frame.state)
    if rate(s, &after, child):
        prefetch(&s.crew.table, child.key)
    drop_state(s.game, &after)
    frame.n_children += to_lose(child) != 0
    return to_win(child) == 0


cdef bint count_up(exact_t* s, frame_t* frame) noexcept nogil:
    """Set a position's numbers from those of its children, and choose the child to search.

    One move must succeed (the least of their numbers), or all must fail (the sum). The child is left when its number
    exceeds the second least by a quarter. Returns False if the position's own limits are reached.
    """
    cdef uint32_t least = SETTLED, first = SETTLED, second = SETTLED, win_limit, lose_limit, left
    cdef uint64_t sum = 0, rest
    cdef int i
    frame.best = 0
    for i in range(frame.n_children):
        left = to_win(&frame.children[i])
        sum += to_lose(&frame.children[i])
        least = min(least, left)
        if frame.children[i].others and left < frame.proof_limit:
            left = seeming(left, frame.children[i].others, frame.proof_limit)
        if left < first:
            second = first
            first = left
            frame.best = i
        elif left < second:
            second = left
    if least == 0:
        sum = SETTLED
    frame.node.proof = least
    frame.node.disproof = <uint32_t> min(sum, <uint64_t> (SETTLED if least == 0 else SETTLED - 1))
    if frame.node.proof >= frame.proof_limit or frame.node.disproof >= frame.disproof_limit or least == 0 or sum == 0:
        return False
    rest = sum - to_lose(&frame.children[frame.best])
    lose_limit = SETTLED if sum >= SETTLED else <uint32_t> (frame.disproof_limit - rest)
    win_limit = min(frame.proof_limit, second + second // 4 + 1)
    if frame.children[frame.best].same_mover:
        frame.best_proof_limit, frame.best_disproof_limit = win_limit, lose_limit
    else:
        frame.best_proof_limit, frame.best_disproof_limit = lose_limit, win_limit
    return True


cdef inline uint32_t seeming(uint32_t left, uint32_t others, uint32_t limit) noexcept nogil:
    """Return what seems left to show of a move that other threads work at: half as much again for each.

    It stays below the limit, so that moves beyond the limit are not preferred.
    """
    return min(left + others * (left // 2 + 1), limit - 1)


cdef void go_on(exact_t* s, const frame_t* frame) noexcept nogil:
    """Enter the best child."""
    cdef any_state_t after
    cdef child_t best = frame.children[frame.best]
    copy_state(s.game, &after, &frame.state)
    s.game.play(s.game, &after, best.move)
    enter(s, &after, &best, frame.best_proof_limit, frame.best_disproof_limit)


cdef child_t leave(exact_t* s) noexcept nogil:
    """Drop the last position of the line. Its numbers go to the table and to the position before it."""
    cdef frame_t* frame = <frame_t*> stack_top(&s.line)
    cdef child_t node = frame.node
    if has_failed(s.game):
        give_up(s, GAME_FAILED)                 # the numbers may come from a failed game
    else:
        s.n_new += keep(&s.crew.table, node.key, node.proof, node.disproof, s.limits.nodes - frame.before)
        if s.is_shared:
            recall(s, &node)                    # another thread may have settled it
        elif s.n_new:
            grow_table(s)
    drop_frame(s)
    if s.line.depth:
        frame = <frame_t*> stack_top(&s.line)
        frame.children[frame.best] = node
    return node


cdef inline void grow_table(exact_t* s) noexcept nogil:
    grow(&s.crew.table, s.n_new)
    s.n_new = 0


cdef void drop_frame(exact_t* s) noexcept nogil:
    cdef frame_t* frame = <frame_t*> stack_top(&s.line)
    if frame.is_marked:
        fetch_add(mark_of(s, frame.node.key), -1)
    drop_state(s.game, &frame.state)
    free(frame.children)
    stack_pop(&s.line)


# Several threads

cdef inline int64_t* mark_of(exact_t* s, uint64_t key) noexcept nogil:
    return &s.crew.marks[hash_of(key) >> 32 & MARKS - 1]


cdef bint keep_up(exact_t* s) noexcept nogil:
    """Learn what other threads have found. Returns False if the last position of the line is settled."""
    cdef frame_t* frame
    if s.limits.nodes >= s.look_at:
        s.look_at = s.limits.nodes + LOOK_EVERY
        if s.is_helper:
            tell(s)
        else:
            listen_to_helpers(s)
        if cut_line(s):
            return False
    frame = <frame_t*> stack_top(&s.line)
    if s.limits.nodes >= frame.recall_at:
        frame.recall_at = s.limits.nodes + RECALL_EVERY
        recall_children(s, frame)
    return True


cdef void tell(exact_t* s) noexcept nogil:
    """Tell the first thread what a helper has counted."""
    fetch_add(&s.crew.helped, s.limits.nodes - s.told)
    fetch_add(&s.crew.n_new, s.n_new)
    s.told, s.n_new = s.limits.nodes, 0


cdef void listen_to_helpers(exact_t* s) noexcept nogil:
    """Grow the table, see how many nodes are left, and end with a helper's fault."""
    cdef int64_t n_new = load(&s.crew.n_new)
    fetch_add(&s.crew.n_new, -n_new)
    s.n_new += n_new
    grow_table(s)
    s.limits.node_limit = s.node_limit - load(&s.crew.helped)
    if load(&s.crew.fault) != NONE:
        give_up(s, <fault_t> load(&s.crew.fault))


cdef bint cut_line(exact_t* s) noexcept nogil:
    """Drop what is below the first settled position of the line. Returns whether there is one."""
    cdef frame_t* frame
    cdef proof_t known
    cdef int64_t i
    for i in range(s.line.depth):
        frame = <frame_t*> (s.line.frames + i * s.line.frame_size)
        if find(&s.crew.table, frame.node.key, &known) and not (known.proof and known.disproof):
            while s.line.depth > i + 1:
                drop_frame(s)
            frame.node.proof, frame.node.disproof = known.proof, known.disproof
            return True
    return False


cdef void recall_children(exact_t* s, frame_t* frame) noexcept nogil:
    """Take the numbers of the children from the table, see where others are at work, and mark this position."""
    cdef child_t* child
    cdef int i
    if not frame.is_marked:
        fetch_add(mark_of(s, frame.node.key), 1)
        frame.is_marked = True
    for i in range(frame.n_children):
        child = &frame.children[i]
        if child.proof and child.disproof:
            recall(s, child)
            child.others = <uint8_t> min(load(mark_of(s, child.key)), <int64_t> MOST_OTHERS)
