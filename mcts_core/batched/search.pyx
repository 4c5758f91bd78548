"""A batched search as Python sees it: trees that grow together, their results, moving the root.

The trees are dealt into groups of as many as fill a batch. A group flies until each of its trees has all its playouts,
so its trees stay in the cache. Threads take every n-th group. The evaluator is called by one thread at a time, until
its answer has been read, so it may return arrays that it uses again.
"""
from _thread import allocate_lock

from cython cimport no_gc_clear
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport NAN, pow
from libc.stdint cimport int64_t

from mcts_core.base.clock cimport seconds_now
from mcts_core.batched.evaluation cimport Buffers, raise_fault
from mcts_core.batched.flight cimport collect, flight_t, undo, update
from mcts_core.batched.tree cimport (
    edge_t, edges_of, is_proven, line_t, logits_of, make_root, node_at, node_t, prior_of, tree_close, tree_open, tree_t
)
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, move_t
from mcts_core.position cimport Position
from mcts_core.rng cimport open_stream, rng_t, uniform
from mcts_core.search.amaf cimport seen_by
from mcts_core.search.choice cimport best_of, find_merits, merit_t
from mcts_core.search.driver cimport Driver, whole_option
from mcts_core.search.rows cimport clear_row, new_rows, row_t, rows_of

import numpy as np

from mcts_core.base.crew import wait_for
from mcts_core.batched.gumbel import Gumbel
from mcts_core.batched.puct import PUCT
from mcts_core.errors import BadPosition
from mcts_core.search.driver import MOST_LANES

MOST_BATCH = 1 << 20                    # positions in a batch

# makes the chooser of a method from its options
CHOOSERS = {"puct": PUCT, "gumbel": Gumbel}


@no_gc_clear     # the game that `__dealloc__` calls belongs to a Python object
cdef class BatchedSearch(Driver):
    """A search of one position, or of several at once (`more` of the options), with one evaluator."""

    def __cinit__(self, Position position not None, dict options not None, seed):
        cdef int t
        cdef int64_t batch
        self.positions = [self.position, *(each.copy() for each in options["more"])]
        self.evaluator, self.calling = options["evaluator"], allocate_lock()
        self.solver, self.temperature = options["solver"], options["temperature"]
        self.lanes = whole_option(options, "lanes", 1, MOST_LANES)
        batch = whole_option(options, "batch", 1, MOST_BATCH)
        self.room = max(<int64_t> self.lanes, batch // self.lanes * self.lanes)
        self.position.shape()           # raises for a game without planes
        self.position.need_codes()
        self.chooser = CHOOSERS[options["method"]](options)
        self.buffers = []
        self.trees = <tree_t*> PyMem_RawCalloc(len(self.positions), sizeof(tree_t))
        if self.trees == NULL:
            raise MemoryError("no memory for a batched search")
        for t in range(len(self.positions)):
            self.add_tree(t, <int64_t> options["memory"] // len(self.positions))

    def __dealloc__(self):
        cdef int t
        for t in range(self.n_trees):
            tree_close(&self.trees[t])
        PyMem_RawFree(self.trees)

    cdef int add_tree(self, int t, int64_t memory) except -1:
        cdef Position position = self.positions[t]
        if position.game != self.position.game:
            raise BadPosition(f"position number {t} is of another game or size than position number 0: "
                              "search each kind in a call of its own")
        if position.is_over:
            raise BadPosition(f"the game of position number {t} is over, so there is nothing to search")
        self.n_trees = t + 1            # `__dealloc__` closes it, whether it opens or not
        if not tree_open(&self.trees[t], self.game, position.state(), memory):
            raise MemoryError("no memory for a search tree")
        self.trees[t].rng = open_stream(&self.seed, t, 0)
        return 0

    # Running

    cdef int advance_to(self, int64_t target, object pool, int threads) except -1:
        cdef int number, t
        self.make_buffers(threads)
        self.is_failing = False
        failure, calls = None, []
        try:
            for number in range(1, threads):
                calls.append(pool.submit(self.share, number, threads, target))
            self.share(0, threads, target)
        except BaseException as error:
            failure, self.is_failing = error, True
        wait_for(calls)
        self.playouts = max([self.trees[t].playouts for t in range(self.n_trees)])
        for call in calls:
            call.result()
        if failure is not None:
            raise failure
        return 0

    cdef int make_buffers(self, int threads) except -1:
        """Make the arrays that are missing. With few trees they are small."""
        cdef int64_t room = min(self.room, <int64_t> self.n_trees * self.lanes)
        while len(self.buffers) < threads:
            self.buffers.append(Buffers(self.position, room))
        return 0

    def share(self, int number, int threads, int64_t target):
        """Run one thread's groups of trees."""
        cdef int each = max(1, min(self.room // self.lanes, (self.n_trees + threads - 1) // threads))
        cdef int first
        cdef double began = seconds_now()
        try:
            for first in range(number * each, self.n_trees, threads * each):
                self.fly(self.buffers[number], first, min(each, self.n_trees - first), target)
        except BaseException:
            self.is_failing = True
            raise
        self.note_work(seconds_now() - began)

    cdef int fly(self, Buffers buffers, int first, int n, int64_t target) except -1:
        """Run flights of some trees until all of them have `target` playouts, or are proven."""
        cdef flight_t* flight = &buffers.flight
        flight.chooser, flight.solver, flight.lanes = self.chooser.c, self.solver, self.lanes
        flight.trees, flight.n_trees, flight.target = self.trees + first, n, target
        while not self.is_failing:
            with nogil:
                collect(flight)
            try:
                raise_fault(flight)
                if flight.n_rows:
                    with self.calling:
                        buffers.evaluate(self.evaluator)
            except BaseException:
                undo(flight)
                raise
            if not flight.n_walks:
                return 0
            with nogil:
                update(flight)
            PyErr_CheckSignals()
        return 0

    cdef bint is_settled(self):
        """Return whether the values of all roots are proven."""
        cdef int t
        for t in range(self.n_trees):
            if self.trees[t].root == 0 or not is_proven(node_at(&self.trees[t], self.trees[t].root)):
                return False
        return True

    cdef int64_t most(self):
        return 0xFF000000               # visits have 32 bits

    # Results of the first tree, or of the only one

    @property
    def nodes(self):
        """Positions in all trees."""
        return sum([self.trees[t].n_nodes for t in range(self.n_trees)])

    @property
    def bytes(self):
        """Bytes that all trees take."""
        return sum([self.trees[t].used for t in range(self.n_trees)])

    cdef rng_t* lots(self):
        return &self.trees[0].rng

    cdef int count_moves(self):
        return self.game.moves(self.game, &self.trees[0].root_state, NULL)

    cdef int fill_rows(self, row_t* rows) except -1:
        cdef tree_t* tree = &self.trees[0]
        return self.fill(tree, node_at(tree, tree.root) if tree.root else NULL, &tree.root_state, rows)

    cdef int fill(self, const tree_t* tree, node_t* node, const void* state, row_t* rows) except -1:
        """Fill the rows of a node, or of a position that has none (NULL)."""
        cdef move_t[MOVES_ROOM] moves
        cdef double[MOVES_ROOM + 1] scores
        cdef double[MOVES_ROOM + 1] weights
        cdef int i, n = self.game.moves(self.game, state, moves)
        cdef const edge_t* edge
        cdef row_t* row
        for i in range(n):
            clear_row(&rows[i])
            rows[i].raw, rows[i].code = moves[i], self.game.code(self.game, state, moves[i])
            if node != NULL and node.total > 0.0:
                rows[i].prior = prior_of(node, logits_of(node)[i])
        if node == NULL:
            return n
        for i in range(node.n_edges):
            edge = &edges_of(tree, node)[i]
            row = &rows[edge.i]
            row.visits, row.wins, row.prior = edge.visits, edge.wins, edge.prior
            if edge.child:
                row.low, row.high = node_at(tree, edge.child).low, node_at(tree, edge.child).high
        if node == node_at(tree, tree.root) and tree.is_begun:
            self.chooser.c.merit(self.chooser.c, tree, scores)
            self.chooser.c.weigh(self.chooser.c, tree, weights)
            for i in range(n):
                rows[i].score, rows[i].weight = scores[i], weights[i]
        return n

    cdef int find_merits_of(self, rows, merit_t* merits) except -1:
        cdef int n = Driver.find_merits_of(self, rows, merits)
        self.merits_by_scores(rows_of(rows), n, merits)
        return n

    cdef void merits_by_scores(self, const row_t* rows, int n, merit_t* merits) noexcept:
        """Compare moves with equally many visits by their scores, if the chooser says so."""
        cdef int i
        for i in range(n if self.chooser.c.scores_decide else 0):
            merits[i].second = rows[i].score

    def choose(self, rows=None, lots=None):
        """Return the index of the move to play: the best, or with a temperature one drawn by its visits."""
        cdef merit_t[MOVES_ROOM] merits
        found = self.root() if rows is None else rows
        if self.temperature == 0.0 or not found["visits"].any():
            return Driver.choose(self, found, lots)
        return drawn(merits, self.find_merits_of(found, merits), self.temperature, self.lots())

    def pv(self, int first_index):
        """Return the line of most visited moves that begins with a move of the root, as raw moves."""
        cdef tree_t* tree = &self.trees[0]
        cdef any_state_t state
        cdef merit_t[MOVES_ROOM] merits
        cdef line_t line = tree.root
        cdef row_t* rows
        cdef int i = first_index, n = self.count_moves()
        if not 0 <= first_index < n:
            raise IndexError(f"the root has {n} moves, and no number {first_index}")
        found = new_rows(n)
        raw = []
        copy_state(self.game, &state, &tree.root_state)
        try:
            while True:
                rows = rows_of(found)
                self.fill(tree, node_at(tree, line) if line else NULL, &state, rows)
                if raw:
                    find_merits(self.criterion, self.game.turn(self.game, &state), rows, len(found), merits)
                    i = best_of(merits, len(found), NULL)
                raw.append(rows[i].raw)
                self.game.play(self.game, &state, <move_t> rows[i].raw)
                line = child_of(tree, line, i)
                if line == 0 or node_at(tree, line).n_edges == 0:
                    return raw
                found = new_rows(node_at(tree, line).n_moves)
        finally:
            drop_state(self.game, &state)

    def entry(self, Position position not None):
        """Return the rows of a position that the moves after the root lead to; None if the tree does not have it."""
        cdef tree_t* tree = &self.trees[0]
        cdef Position here
        cdef line_t line
        cdef const void* state
        if position.game != self.position.game:
            return None
        with self.lock:
            here, line = self.position.copy(), tree.root
            for move in position.history[len(here._past):]:
                if line == 0 or move not in here.legal_moves:
                    return None
                line = child_of(tree, line, here.legal_moves.index(move))
                here.push(move)
            if here != position or line == 0 or here.is_over:
                return None
            state = here.state()
            found = new_rows(node_at(tree, line).n_moves)
            self.fill(tree, node_at(tree, line), state, rows_of(found))
            return found

    def advance(self, move_t move):
        """Make the position after a move the new root, and keep what is known below it."""
        cdef tree_t* tree = &self.trees[0]
        cdef Position after
        cdef line_t line
        self.check_process()
        with self.lock:
            self.begin()
            try:
                after = self.position.copy()
                text = after.move_text(move)
                line = child_of(tree, tree.root, after.legal_moves.index(text))
                after.push(text)
                if not make_root(tree, line, after.state()):
                    raise MemoryError("no memory to copy what is known below a move")
                self.position, self.positions, self.playouts = after, [after], 0
            finally:
                self.end()

    # Results of all trees

    def tables(self):
        """Return what all trees have found.

        The indices of the moves to play; visits and weights [n, actions]; values, playouts and proven results [n].
        """
        cdef tree_t* tree
        cdef const row_t* rows
        cdef int t, i, n
        chosen = []
        visits = np.zeros((self.n_trees, self.game.n_codes), np.int64)
        weights = np.zeros((self.n_trees, self.game.n_codes))
        values, proven = np.full(self.n_trees, NAN), np.full(self.n_trees, NAN)
        playouts = np.zeros(self.n_trees, np.int64)
        cdef int64_t[:, ::1] visits_of = visits
        cdef double[:, ::1] weights_of = weights
        for t in range(self.n_trees):
            tree = &self.trees[t]
            playouts[t] = tree.playouts
            found = self.rows_of_tree(t)
            rows, n = rows_of(found), len(found)
            chosen.append(self.choice_of(tree, rows, n))
            for i in range(n):
                visits_of[t, rows[i].code] += rows[i].visits
                weights_of[t, rows[i].code] += rows[i].weight
            if tree.root:
                values[t] = value_of(tree, rows, n)
                if is_proven(node_at(tree, tree.root)):
                    proven[t] = values[t]
        return chosen, visits, weights, values, playouts, proven

    cdef object rows_of_tree(self, int t):
        """Return the rows of the root of tree t."""
        cdef tree_t* tree = &self.trees[t]
        found = new_rows(self.game.moves(self.game, &tree.root_state, NULL))
        self.fill(tree, node_at(tree, tree.root) if tree.root else NULL, &tree.root_state, rows_of(found))
        return found

    cdef int choice_of(self, tree_t* tree, const row_t* rows, int n) noexcept:
        """Return the index of the move to play at the root of a tree."""
        cdef merit_t[MOVES_ROOM] merits
        find_merits(self.criterion, self.game.turn(self.game, &tree.root_state), rows, n, merits)
        self.merits_by_scores(rows, n, merits)
        if self.temperature > 0.0 and tree.playouts:
            return drawn(merits, n, self.temperature, &tree.rng)
        return best_of(merits, n, NULL if self.ties_first else &tree.rng)


cdef line_t child_of(const tree_t* tree, line_t line, int i) noexcept nogil:
    """Return the node after a legal move; 0 if there is none."""
    cdef const node_t* node = node_at(tree, line)
    cdef int e
    for e in range(node.n_edges if line else 0):
        if edges_of(tree, node)[e].i == i:
            return edges_of(tree, node)[e].child
    return 0


cdef double value_of(const tree_t* tree, const row_t* rows, int n) noexcept nogil:
    """Return the value of a root to the side to move: proven, or the mean of its evaluation and of all playouts."""
    cdef const node_t* root = node_at(tree, tree.root)
    cdef double total = root.value
    cdef int i
    if is_proven(root):
        return seen_by(root.turn, root.low)
    for i in range(n):
        total += rows[i].wins
    return total / root.visits


cdef int drawn(const merit_t* merits, int n, double temperature, rng_t* rng) noexcept nogil:
    """Draw a move in proportion to visits ** (1 / temperature), with one number. Moves proven worse are left out."""
    cdef double[MOVES_ROOM] sums
    cdef double most = 0.0, total = 0.0, ticket
    cdef int i = 0
    for i in range(n):
        most = max(most, merits[i].first if merits[i].is_candidate else 0.0)
    for i in range(n):
        if merits[i].is_candidate and most > 0.0:
            total += pow(merits[i].first / most, 1.0 / temperature)
        sums[i] = total
    if total == 0.0:
        return best_of(merits, n, rng)
    ticket, i = uniform(rng) * total, 0
    while i < n - 1 and ticket >= sums[i]:
        i += 1
    return i
