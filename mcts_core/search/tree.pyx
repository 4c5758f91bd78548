"""A tree search as Python sees it: its results, and moving on with a game.

How the tree grows is in growing.pyx, a simulation in simulation.pyx, the rules in rules/.
"""
from cython cimport no_gc_clear
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy, memset

from mcts_core.base.array_memory cimport memory_of
from mcts_core.base.atomics cimport load
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, move_t
from mcts_core.position cimport Position
from mcts_core.rng cimport rng_t
from mcts_core.rule cimport rule_t
from mcts_core.search.amaf cimport add_to_moves, amaf_results, seen_by
from mcts_core.search.choice cimport best_of, find_merits, merit_t
from mcts_core.search.expansion cimport fill_body
from mcts_core.search.growing cimport GrowingTree, Worker
from mcts_core.search.keep cimport keep_below, put_back_logs
from mcts_core.search.knowledge cimport QuietSearch
from mcts_core.search.minimax_values cimport UNKNOWN
from mcts_core.search.node cimport (
    AMAF_OF_MOVES, codes_of, highs_of, layout_t, log_t, lows_of, moves_of, node_t, priors_of, turn_of, values_of,
    visits_of, wins_of
)
from mcts_core.search.saving cimport SavedTable, arrays_of
from mcts_core.search.rows cimport clear_row, new_rows, row_t, rows_of
from mcts_core.search.selection cimport score_moves
from mcts_core.search.simulation cimport search_t
from mcts_core.search.table cimport body_size, cursor_t, table_close, table_t

import numpy as np

from mcts_core.errors import BadMethod, breach, shown, whole

MOST_THREADS = 1024


@no_gc_clear     # the game that `__dealloc__` calls belongs to a Python object
cdef class TreeSearch(GrowingTree):
    """A search of one position by a rule."""

    # Results

    @property
    def nodes(self):
        """Entries in the table and in views; one made by n threads counts n times until it is published."""
        cdef int64_t nodes
        cdef Worker worker
        with self.lock:
            nodes = self.s.table.n_nodes
            for worker in self.workers:
                if worker.c.view != NULL:
                    nodes += worker.c.view.own
            return nodes

    @property
    def bytes(self):
        """Bytes that the table takes."""
        cdef int64_t allowances = 0
        cdef Worker worker
        with self.lock:
            for worker in self.workers:
                allowances += worker.c.cursor.allowance
            return self.s.table.used - allowances

    @property
    def full(self):
        """Whether the memory cap was met, so that the tree has stopped growing."""
        return bool(self.s.table.full)

    cdef rng_t* lots(self):
        return &self.worker(0).c.walks.rng

    cdef int count_moves(self):
        return self.s.root.n_moves

    cdef int fill_rows(self, row_t* rows) except -1:
        self.fill_counters(self.s.root, rows)
        return 0

    cdef int fill_scores(self, row_t* rows) except -1:
        self.score_rows(self.s.root, rows)
        return 0

    cdef void fill_counters(self, node_t* node, row_t* rows):
        """Fill a row for each move of an entry with what was counted."""
        cdef const layout_t* layout = &self.s.table.layout
        cdef double amaf_n = 0.0
        cdef int i
        for i in range(node.n_moves):
            clear_row(&rows[i])
            rows[i].raw = moves_of(layout, node)[i]
            if layout.codes:
                rows[i].code = codes_of(layout, node)[i]
            rows[i].visits, rows[i].wins = visits_of(layout, node)[i], wins_of(node)[i]
            if layout.has.prior:                # the move began with them
                rows[i].visits -= layout.has.prior
                rows[i].wins -= layout.has.prior * priors_of(layout, node)[i]
                rows[i].prior = priors_of(layout, node)[i]
            if layout.has.values and values_of(layout, node)[i] != UNKNOWN:
                rows[i].minimax = seen_by(turn_of(node), values_of(layout, node)[i])
            rows[i].amaf_wins = amaf_results(layout, node, i, &amaf_n)
            rows[i].amaf_visits = <int64_t> amaf_n
            if layout.has.bounds:
                rows[i].low, rows[i].high = lows_of(layout, node)[i], highs_of(layout, node)[i]

    cdef void score_rows(self, node_t* node, row_t* rows):
        """Add each move's score, and the weight of AMAF in it."""
        cdef const rule_t* rule = self.rule.c
        cdef double[MOVES_ROOM] scores
        cdef node_t* reference = node if node.has_block else self.s.root
        cdef row_t* row
        cdef int i
        score_moves(&self.s, node, reference, scores)
        for i in range(node.n_moves):
            row = &rows[i]
            if scores[i] < INFINITY:
                row.score = scores[i]
            if rule.weight != NULL:
                row.beta = rule.weight(rule, node, <int> row.code, wins_of(node)[i],
                                       visits_of(&self.s.table.layout, node)[i], row.amaf_wins, row.amaf_visits)

    def pv(self, int first_index):
        """Return the line of best moves that begins with a move of the root, as raw moves."""
        cdef node_t* node = self.s.root
        cdef Position looker = self.position.private()  # so that a failure here is not reported as the search's
        cdef const game_t* game = looker.game
        cdef any_state_t state
        cdef row_t* rows
        cdef merit_t[MOVES_ROOM] merits
        cdef int i = first_index
        line = []
        if not 0 <= first_index < node.n_moves:
            raise IndexError(f"the root has {node.n_moves} moves, and no number {first_index}")
        copy_state(game, &state, looker.state())
        try:
            while len(line) < game.max_plies:   # two positions with one key can make a line a circle
                line.append(moves_of(&self.s.table.layout, node)[i])
                game.play(game, &state, moves_of(&self.s.table.layout, node)[i])
                node = self.find(game.key(game, &state))
                if node == NULL or node.t == 0 or node.body == NULL:
                    break
                found = new_rows(node.n_moves)  # on the heap: a thread's stack may be small
                rows = rows_of(found)
                self.fill_counters(node, rows)
                find_merits(self.criterion, turn_of(node), rows, node.n_moves, merits)
                i = best_of(merits, node.n_moves, NULL)
        finally:
            drop_state(game, &state)
        looker.check()
        return line

    def entry(self, Position position not None):
        """Return the rows of any position, as `root` does; None if the table does not know it."""
        cdef move_t[MOVES_ROOM] moves
        cdef node_t* node
        cdef Position looker
        cdef int n
        self.check_process()
        if position.game != self.position.game:
            return None
        looker = position.private()             # another thread may go on with the position itself
        with self.lock:
            node = self.find(looker.game.key(looker.game, looker.state()))
            looker.check()
            if node == NULL:
                return None
            n = looker.game.moves(looker.game, looker.state(), moves)
            looker.check()
            if not 0 <= n <= looker.game.max_moves:
                raise breach(f"a position has {n} moves")
            if n == 0 or node.body != NULL and n != node.n_moves:
                raise breach("two positions with different moves have one key")
            return self.describe(node) if node.body != NULL else self.describe_leaf(node, looker, moves, n)

    cdef object describe(self, node_t* node):
        found = new_rows(node.n_moves)
        cdef row_t* rows = rows_of(found)
        self.fill_counters(node, rows)
        self.score_rows(node, rows)
        return found

    cdef object describe_leaf(self, node_t* node, Position looker, const move_t* moves, int n):
        """Do as `describe` for an entry without a body. A temporary body takes no memory of the table."""
        cdef node_t leaf = node[0]
        cdef log_t* entry = NULL if node.has_block else node.amaf.log
        cdef QuietSearch own = None
        leaf.n_moves = n
        leaf.body = <double*> PyMem_RawCalloc(1, body_size(&self.s.table.layout, leaf.n_moves))
        if leaf.body == NULL:
            raise MemoryError("no memory to describe an entry")
        try:
            if self.evaluator is not None:
                own = QuietSearch(looker, self.evaluator)
            in_range = fill_body(looker.game, &self.s.table.layout, NULL if own is None else own.c, &leaf, moves,
                                 looker.state())
            looker.check()
            if not in_range:
                raise breach("a code or a result is out of range")
            while self.s.table.layout.amaf == AMAF_OF_MOVES and entry != NULL:
                add_to_moves(&self.s.table.layout, &leaf, entry)
                entry = entry.next
            return self.describe(&leaf)
        finally:
            PyMem_RawFree(leaf.body)

    # From move to move

    def advance(self, move_t move):
        """Make the position after a move the new root, and keep what is known below it.

        If this raises, the search is unchanged.
        """
        cdef Position after
        self.check_process()
        if self.s.schedule != NULL:
            raise BadMethod("the root of a search with a schedule cannot be moved: search each position afresh")
        with self.lock:
            self.begin()
            try:
                after = self.position.copy()
                after.push(after.move_text(move))
                if self.bytes > self.memory // 2:
                    self.gather_from(0)
                    self.move_to_fresh_table(after)
                else:
                    self.move_root(after)
                self.playouts = 0
            finally:
                self.end()

    # Files

    def saved(self):
        """Return all that the search knows, as two dicts: numbers, and arrays (saving.pxd; and of each thread)."""
        cdef Worker worker
        self.check_process()
        with self.lock:
            self.begin()
            try:
                self.gather_from(0)
                arrays = arrays_of(&self.s.table)
                streams = np.empty((len(self.workers), self.lanes, 4), np.uint64)
                n_learned = self.count_learned()
                learned = np.empty((len(self.workers), n_learned), np.float64)
                for number, worker in enumerate(self.workers):
                    exchange(worker, streams[number], learned[number], False)
                arrays["streams"] = streams
                if n_learned:
                    arrays["learned"] = learned
                return {"playouts": self.playouts, "counted": self.counted}, arrays
            finally:
                self.end()

    def restore(self, dict numbers not None, dict arrays not None):
        """Take over what `saved` of a search with the same settings and root has returned.

        Raises ValueError if it cannot be that, and then this search must not be used.
        """
        cdef SavedTable saved
        cdef int64_t most = self.most()
        arrays = dict(arrays)
        streams, learned = arrays.pop("streams", None), arrays.pop("learned", None)
        self.playouts, self.counted = count_in(numbers, "playouts", most), count_in(numbers, "counted", most)
        n_learned = self.count_learned()
        check_threads(streams, learned, self.lanes, n_learned, self.game.n_codes)
        for number in range(len(streams)):
            exchange(self.worker(number), streams[number], learned[number] if n_learned else None, True)
        saved = SavedTable()
        saved.fill(self.s.table.layout, self.game, self.rule.c, arrays, self.counted)
        self.take_over(&saved.table)

    cdef Py_ssize_t count_learned(self) noexcept:
        """Return how many numbers a thread's policy has: odds, and what they were made of."""
        cdef Worker worker = self.workers[0]
        return 0 if worker.policy is None else self.game.n_codes + worker.policy.n_learned

    cdef int take_over(self, table_t* saved) except -1:
        """Copy the entries of a table that the game's positions so far lead to, and check their moves.

        The copies may take more memory than a full table has. Then those of the current position are copied alone, as
        many as fit.
        """
        positions = [self.position.copy()]
        while positions[-1].history:
            positions.append(positions[-1].copy())
            positions[-1].pop()
        self.copy_below(saved, positions[::-1])
        if self.s.table.full:
            put_back_logs(saved)
            self.copy_below(saved, positions[:1])
        return self.plant_root()

    cdef int copy_below(self, table_t* saved, list roots) except -1:
        """Make a fresh table, with copies of the entries of another that these positions lead to."""
        cdef search_t* s = &self.s
        cdef Worker worker = self.workers[0]
        cdef any_state_t state
        cdef Position root
        cdef bint had_memory
        table_close(&s.table)
        self.open_table(&s.table)
        memset(&worker.c.cursor, 0, sizeof(cursor_t))
        for root in roots:
            copy_state(self.game, &state, root.state())
            with nogil:
                had_memory = keep_below(saved, s, worker.c, &state, True)
            drop_state(self.game, &state)
            if not had_memory:
                raise MemoryError("no memory to read a saved search")
            if load(&s.breach):
                raise ValueError("an entry has other moves than its position")
        return 0

    cdef int move_root(self, Position position) except -1:
        """Make a position the root."""
        cdef search_t* s = &self.s
        cdef any_state_t state = s.root_state
        cdef node_t* root = s.root
        before, self.position = self.position, position
        copy_state(self.game, &s.root_state, position.state())
        try:
            self.plant_root()
        except BaseException:
            drop_state(self.game, &s.root_state)
            s.root_state, s.root, self.position = state, root, before
            raise
        drop_state(self.game, &state)
        return 0

    cdef int move_to_fresh_table(self, Position position) except -1:
        """Make a position the root of a fresh table, with a copy of what can be reached from it."""
        cdef search_t* s = &self.s
        cdef Worker worker = self.worker(0)
        cdef table_t old = s.table, fresh
        cdef cursor_t cursor = worker.c.cursor
        cdef any_state_t state
        cdef bint had_memory
        self.open_table(&fresh)
        s.table = fresh
        memset(&worker.c.cursor, 0, sizeof(cursor_t))
        copy_state(self.game, &state, position.state())
        try:
            with nogil:
                had_memory = keep_below(&old, s, worker.c, &state, False)
            if not had_memory:
                raise MemoryError("no memory to copy what is known below a move")
            self.move_root(position)
        except BaseException:
            put_back_logs(&old)
            table_close(&s.table)
            s.table, worker.c.cursor = old, cursor
            raise
        finally:
            drop_state(self.game, &state)
        for worker in self.workers[1:]:
            memset(&worker.c.cursor, 0, sizeof(cursor_t))
        table_close(&old)
        return 0


# Files: what each thread has to itself

cdef int exchange(Worker worker, streams, learned, bint reads) except -1:
    """Write a thread's generators, and what its policy has learned, into arrays, or read them."""
    cdef uint64_t* words = <uint64_t*> memory_of(streams)
    cdef rng_t* rng
    cdef double* numbers
    cdef int lane, n_odds
    for lane in range(len(streams)):
        rng = &worker.c.walks[lane].rng
        if reads:
            memcpy(rng, words + 4 * lane, sizeof(rng_t))
        else:
            memcpy(words + 4 * lane, rng, sizeof(rng_t))
    if worker.policy is None:
        return 0
    numbers, n_odds = <double*> memory_of(learned), len(learned) - worker.policy.n_learned
    if reads:
        memcpy(worker.policy.c.odds, numbers, n_odds * sizeof(double))
        memcpy(worker.policy.learned, numbers + n_odds, worker.policy.n_learned * sizeof(double))
    else:
        memcpy(numbers, worker.policy.c.odds, n_odds * sizeof(double))
        memcpy(numbers + n_odds, worker.policy.learned, worker.policy.n_learned * sizeof(double))
    return 0


def check_threads(streams, learned, lanes, n_learned, n_odds):
    """Refuse arrays of threads that do not fit this search. Of `learned` the first numbers of a row are the odds."""
    if (streams is None or streams.dtype != np.uint64 or streams.shape[1:] != (lanes, 4)
            or not 0 < len(streams) <= MOST_THREADS):
        raise ValueError("array streams has not the generators of this search")
    if n_learned == 0 and learned is None:
        return
    if learned is None or learned.dtype != np.float64 or learned.shape != (len(streams), n_learned):
        raise ValueError("array learned has not the numbers of this policy")
    if not np.isfinite(learned).all():
        raise ValueError("array learned has numbers that are not finite")
    if not (learned[:, :n_odds] > 0.0).all():
        raise ValueError("array learned has odds that are not above 0")


def count_in(numbers, name, most):
    """Return a number of playouts."""
    value = whole(numbers.get(name))
    if value is None or not 0 <= value <= most:
        raise ValueError(f"{name!r} is {shown(numbers.get(name))}, and not a number of playouts")
    return value
