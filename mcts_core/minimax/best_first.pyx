"""Best-first minimax of any game with an evaluator (Korf and Chickering 1996; Cohen-Solal 2020).

A tree of positions is kept in memory. The value of a leaf is that of its evaluation, after quiescence and the
game's own tactics; the value of any other position is that of its best child. Each step

1. walks down from the root to a leaf, at each position to the child with the largest
   value + scope * sqrt((N + 1) / (n + 2)), with N and n the visits of the position and of the child;
2. expands the leaf: all its children are evaluated and added;
3. sets the values on the way back, up to the root.

With scope 0 this is unbounded best-first minimax; a larger scope looks at more moves. A position is settled once its
value is certain: it is won, or all its children are settled. Walks avoid settled children, so a search ends when the
root is settled.
"""
from libc.math cimport INFINITY, sqrt
from libc.stdint cimport UINT32_MAX, int64_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from mcts_core.evaluator cimport Evaluator, expected
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, has_failed, move_t
from mcts_core.minimax.alphabeta_search cimport INFINITE, MOST_LINE, PROVEN, UNKNOWN, search, search_t
from mcts_core.minimax.evaluated cimport EvaluatedSearch
from mcts_core.minimax.limits cimport limits_t, must_stop
from mcts_core.position cimport Position

import numpy as np

from mcts_core.errors import breach

cdef enum:
    CHECK_EVERY = 1024                  # nodes between two checks of the limits: less than a millisecond
    FIRST_ROOM = 4096                   # nodes of a new tree


cdef class BestFirstSearch(EvaluatedSearch):
    """A search of a position, leaf by leaf. `scope` is in units of the evaluator's scale."""

    def __cinit__(self, Position position not None, Evaluator evaluator not None, double scope=0.1,
                  bint is_selective=True, int64_t memory=1 << 28):
        cdef const game_t* game = self.game
        self.check_moves()
        self.scope = scope * evaluator.c.scale
        self.s = <search_t*> calloc(1, sizeof(search_t))
        if self.s == NULL:
            raise MemoryError("no memory for the search")
        self.own_limits(&self.s.limits, CHECK_EVERY)
        self.s.moves = <move_t*> calloc(MOST_LINE * game.max_moves, sizeof(move_t))
        if self.s.moves == NULL:
            raise MemoryError("no memory for the search")
        self.s.game, self.s.evaluator, self.s.is_selective = game, evaluator.c, is_selective
        self.most_nodes = max(<int64_t> 1 + game.max_moves, min(memory // <int64_t> sizeof(node_t), UINT32_MAX))
        if not self.make_room(1):
            raise MemoryError("no memory for the search")
        memset(self.tree, 0, sizeof(node_t))
        self.n_nodes = 1

    def __dealloc__(self):
        if self.s != NULL:
            free(self.s.moves)
        free(self.s)
        free(self.tree)

    @property
    def bytes(self):
        """Bytes that the tree takes."""
        return self.room * <int64_t> sizeof(node_t)

    @property
    def has_result(self):
        """Whether there is a move to play. Any thread may ask, also during a run."""
        return self.n_nodes > 1

    @property
    def depth(self):
        """Plies of the best line; 0 before there is a result."""
        return len(self.line(self.best_child(0))) if self.tree[0].n_children else 0

    def run(self, seconds=None, nodes=None):
        """Grow the tree until the root is settled or a limit is met. Returns why it ended.

        The reasons are proven, seconds, nodes, memory and stopped. `nodes` counts all nodes of this search so far,
        those of quiescence too; `seconds` runs from this call. No limit ends the first step, so that there is always
        a move.
        """
        self.begin()
        try:
            while self.n_nodes == 1:
                self.set_limits(None, None, 0)
                self.advance()
            self.set_limits(seconds, nodes, 0)
            if not self.tree[0].is_settled:
                self.advance()
        finally:
            self.end()
        if self.tree[0].is_settled:
            return "proven"
        return self.reason() if self.s.limits.ending else "memory"

    cdef int advance(self) except -1:
        """Make steps until a limit is met, but one only while there is no result."""
        cdef bint is_first = self.n_nodes == 1
        with nogil:
            while self.step() and not is_first:
                pass
        self.raise_failure()
        self.evaluator.check()
        self.position.check()
        if self.s.breach:
            raise breach("a number of moves or a result is out of range")
        return 0

    cdef bint step(self) noexcept nogil:
        """Expand the best leaf. Returns whether another step may follow."""
        cdef any_state_t state
        cdef uint32_t number = 0
        cdef bint done
        copy_state(self.game, &state, &self.root_state)
        while self.tree[number].n_children:
            number = self.best_open(number)
            self.game.play(self.game, &state, self.tree[number].move)
        done = self.expand(number, &state)
        drop_state(self.game, &state)
        if done:
            self.back_up(number)
        return done and not self.tree[0].is_settled

    cdef uint32_t best_open(self, uint32_t number) noexcept nogil:
        """Return the child to walk to: the best that is not settled, the first of equals."""
        cdef const node_t* node = &self.tree[number]
        cdef double visits = node.visits + 1.0, score, best_score = -INFINITY
        cdef uint32_t child, best = node.first
        for child in range(node.first, node.first + node.n_children):
            if not self.tree[child].is_settled:
                score = -self.tree[child].value + self.scope * sqrt(visits / (self.tree[child].visits + 2.0))
                if score > best_score:
                    best_score, best = score, child
        return best

    cdef bint expand(self, uint32_t number, const void* state) noexcept nogil:
        """Evaluate all children of a leaf and add them. Returns False, with nothing changed, if a limit ends it."""
        cdef move_t[MOVES_ROOM] moves
        cdef any_state_t after
        cdef node_t* child
        cdef int64_t before = self.s.limits.nodes
        cdef int n = self.game.moves(self.game, state, moves), i
        if not 0 < n <= self.game.max_moves:
            self.s.breach = not has_failed(self.game)
            return False
        if not self.make_room(n):
            return False
        for i in range(n):
            copy_state(self.game, &after, state)
            self.game.play(self.game, &after, moves[i])
            child = &self.tree[self.n_nodes + i]
            child.parent, child.move, child.first, child.visits, child.n_children = number, moves[i], 0, 0, 0
            child.value = search(self.s, &after, 0, -INFINITE, INFINITE, 0, False, UNKNOWN)
            child.is_settled = is_proven(child.value) or self.game.moves(self.game, &after, NULL) == 0
            drop_state(self.game, &after)
            if must_end(&self.s.limits) or has_failed(self.game):
                self.s.limits.nodes = before
                return False
        self.tree[number].first, self.tree[number].n_children = <uint32_t> self.n_nodes, <uint16_t> n
        self.n_nodes += n
        return True

    cdef bint make_room(self, int n) noexcept nogil:
        """Make room for n more nodes. Returns False if there is no memory."""
        cdef int64_t room = max(2 * self.room, <int64_t> FIRST_ROOM)
        cdef void* memory
        if self.n_nodes + n <= self.room:
            return True
        if self.n_nodes + n > self.most_nodes:
            return False
        room = min(room, self.most_nodes)
        memory = realloc(self.tree, room * sizeof(node_t))
        if memory == NULL:
            return False
        self.tree, self.room = <node_t*> memory, room
        return True

    cdef void back_up(self, uint32_t number) noexcept nogil:
        """Count a visit from a node up to the root, and set the values there as far as they change."""
        cdef bint changes = True
        while True:
            self.tree[number].visits += 1
            changes = changes and self.revalue(&self.tree[number])
            if number == 0:
                break
            number = self.tree[number].parent

    cdef bint revalue(self, node_t* node) noexcept nogil:
        """Set a node's value from its children. Returns whether the value changes, or is final now."""
        cdef int best = -INFINITE, before = node.value
        cdef bint is_open = False
        cdef uint32_t child
        for child in range(node.first, node.first + node.n_children):
            best = max(best, seen_above(self.tree[child].value))
            is_open |= not self.tree[child].is_settled
        node.value, node.is_settled = best, best >= PROVEN or not is_open
        return best != before or node.is_settled

    # Results

    def root(self):
        """Return the root's moves, best first, as columns, and their lines."""
        cdef uint32_t first = self.tree[0].first, child
        cdef int n = self.tree[0].n_children, i, score
        order = sorted(range(n), key=lambda i: self.rank(first + i), reverse=True)
        columns = {
            "value": np.empty(n),
            "score": np.full(n, np.nan),
            "proven": np.full(n, np.nan),
            "visits": np.empty(n, np.int64),
        }
        lines = []
        for i, chosen in enumerate(order):
            child = first + chosen
            score = seen_above(self.tree[child].value)
            columns["visits"][i] = self.tree[child].visits
            lines.append(self.line(child))
            if is_proven(score):
                columns["value"][i] = columns["proven"][i] = 1.0 if score > 0 else 0.0
                continue
            columns["score"][i] = score
            columns["value"][i] = expected(self.evaluator.c, score)
            if self.tree[child].is_settled:         # a draw, or another result between win and loss
                columns["proven"][i] = columns["value"][i]
        return columns, lines

    cdef tuple rank(self, uint32_t number):
        """Return what moves are sorted by: certain wins first, certain losses last, others by visits and value.

        A certain draw gets no more visits, so it comes before the others if it is the best by value.
        """
        cdef const node_t* node = &self.tree[number]
        cdef const node_t* above = &self.tree[node.parent]
        cdef int score = seen_above(node.value)
        if is_proven(score):
            return (score > 0) - (score < 0), score, 0
        return 0, above.visits if node.is_settled and score == above.value else node.visits, score

    cdef uint32_t best_child(self, uint32_t number):
        """Return the child whose move is played, the first of equals."""
        cdef uint32_t first = self.tree[number].first, child, best = first
        for child in range(first + 1, first + self.tree[number].n_children):
            if self.rank(child) > self.rank(best):
                best = child
        return best

    cdef list line(self, uint32_t number):
        """Return the moves from a child of the root on: its move, and the best below it."""
        line = [self.tree[number].move]
        while self.tree[number].n_children:
            number = self.best_child(number)
            line.append(self.tree[number].move)
        return line


cdef inline bint must_end(limits_t* limits) noexcept nogil:
    return limits.ending or limits.nodes >= limits.check_at and must_stop(limits)


cdef inline bint is_proven(int score) noexcept nogil:
    return score >= PROVEN or score <= -PROVEN


cdef inline int seen_above(int value) noexcept nogil:
    """Return the value of a child as its parent's mover sees it; a proven result is a ply farther away."""
    return -value - 1 if value <= -PROVEN else 1 - value if value >= PROVEN else -value
