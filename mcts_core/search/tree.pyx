"""Searches with a tree as Python sees them: any rule over one table of positions.

What happens in a simulation is in simulation.pyx, the table in table.pxd, the rules in rules/.
"""
from cython cimport no_gc_clear
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from mcts_core.base.aligned_memory cimport in_lines, lines_give_back, lines_take
from mcts_core.base.atomics cimport load
from mcts_core.game cimport MOVES_ROOM, any_state_t, code_words, copy_state, drop_state, game_t, job_t, move_t
from mcts_core.position cimport Position
from mcts_core.rng cimport open_stream, rng_t
from mcts_core.rule cimport Rule, rule_t
from mcts_core.search.amaf cimport add_to_moves, make_block
from mcts_core.search.amaf_block cimport block_read
from mcts_core.search.choice cimport best_of, judge, merit_t
from mcts_core.search.driver cimport Driver
from mcts_core.search.keep cimport keep_below, put_back_logs
from mcts_core.search.node cimport (
    AMAF_OF_MOVES, NO_AMAF, amaf_visits_of, amaf_wins_of, codes_of, highs_of, lacks_block, layout_t, log_t, lows_of,
    moves_of, node_t, turn_of, visits_of, wins_of
)
from mcts_core.search.rows cimport clear_row, new_rows, row_t
from mcts_core.search.simulation cimport (
    add_entry, fill_body, give_body, is_proven, layout_for, run_simulations, search_t, set_rule
)
from mcts_core.search.table cimport (
    body_size, cursor_t, table_close, table_find, table_open, table_reserve, table_slots, table_t
)
from mcts_core.search.thread_view cimport (
    gather, gather_all, synchronise, view_close, view_limit, view_open, view_pace, view_t
)
from mcts_core.search.walk cimport walk_t, worker_t

import time

from mcts_core.errors import BadMethod, BadPosition, breach
from mcts_core.rule import rule_of
from mcts_core.search.rules.grave import GRAVE
from mcts_core.search.rules.rave import RAVE
from mcts_core.search.rules.uct import UCT

cdef enum:
    MOST_AT_A_TIME = 32                 # simulations that a thread takes from a batch at a time
    MANY_ENTRIES = 1 << 18              # from so many on a table grows by doubling

cdef int64_t MOST_COUNTED = 0xFF000000  # simulations: what 32 bits hold, virtual losses included

# how the rule of a method is made, from the method's options and a position of the game
RULES = {"uct": UCT, "rave": RAVE, "grave": GRAVE, "rule": lambda options, position: rule_of(options["capsule"])}


cdef class Worker:
    """A thread's buffers."""

    cdef worker_t* c

    def __cinit__(self, int max_plies, int n_codes, int lanes):
        cdef int64_t plies = max_plies + 1, words = code_words(n_codes)
        cdef int64_t a_path = plies * (sizeof(node_t*) + sizeof(int64_t)) + 8 * words
        cdef int64_t size = sizeof(worker_t) + lanes * (sizeof(job_t) + sizeof(walk_t) + a_path)
        cdef char* free
        cdef walk_t* walk
        cdef int lane
        self.c = <worker_t*> lines_take(in_lines(size))
        if self.c == NULL:
            raise MemoryError("no memory for a search thread")
        memset(self.c, 0, size)
        self.c.walks = <walk_t*> (self.c + 1)
        self.c.jobs = <job_t*> (self.c.walks + lanes)
        free = <char*> (self.c.jobs + lanes)
        for lane in range(lanes):
            walk = &self.c.walks[lane]
            walk.path = <node_t**> (free + lane * a_path)
            walk.seen = <uint64_t*> (walk.path + plies)
            walk.chosen = <int*> (walk.seen + words)

    def __dealloc__(self):
        if self.c != NULL:
            view_close(self.c.view)
            lines_give_back(self.c)


@no_gc_clear     # the game that `__dealloc__` calls belongs to a Python object
cdef class TreeSearch(Driver):
    """A search of one position by a rule, with its table."""

    cdef search_t s
    cdef Rule rule
    cdef int64_t memory                 # bytes that the table may take
    cdef list workers
    cdef int64_t counted                # simulations, ever: no counter is higher
    cdef int64_t batches                # on several threads, up to now
    cdef int at_it                      # threads that are at work; read and written with the GIL

    def __cinit__(self, Position position not None, dict options not None, seed_sequence):
        cdef search_t* s = &self.s
        copy_state(self.game, &s.root_state, self.position.state())
        s.game, s.playout, s.lanes = self.game, self.playout, self.lanes     # now there is a state to be dropped
        s.has_kernel = self.game.batch != NULL and options.get("policy", "random") == "random"
        self.workers = []
        self.rule = RULES[options["method"]](options, self.position)
        if self.rule.c.amaf != NO_AMAF:
            self.need_codes(options["method"])
        set_rule(s, self.rule.c, options.get("solver", False))
        self.memory = options.get("memory", 1 << 30)
        self.open_table(&s.table)
        self.plant_root()

    def __dealloc__(self):
        table_close(&self.s.table)
        if self.s.game != NULL:
            drop_state(self.game, &self.s.root_state)

    cdef int open_table(self, table_t* table) except -1:
        """Open a table for entries of this search."""
        cdef layout_t layout = layout_for(self.game, self.rule.c, self.s.solver)
        if layout.codes and self.game.n_codes > 1 << 16:
            raise BadMethod(f"AMAF takes games of at most 65536 codes, and this one has {self.game.n_codes}")
        if self.rule.c.n_phases > 1 and self.game.progress == NULL:
            raise BadMethod("this method needs a game that tells its progress, and this one does not")
        return table_open(table, layout, self.memory)

    cdef Worker worker(self, int number):
        """The buffers of a thread. The walks in a lane draw from substream (lane, number)."""
        cdef Worker worker
        while len(self.workers) <= number:
            worker = Worker(self.game.max_plies, self.game.n_codes, self.s.lanes)
            for p in range(self.s.lanes):
                worker.c.walks[p].rng = open_stream(&self.seed, p, len(self.workers))
            self.workers.append(worker)
        return self.workers[number]

    cdef int plant_root(self) except -1:
        """Give the root position its entry, if it has none, and what only the root needs."""
        cdef search_t* s = &self.s
        cdef Worker worker = self.worker(0)
        cdef uint64_t key = self.game.key(self.game, &s.root_state)
        self.position.check()
        if not self.make_room(len(self.workers) + 1):
            raise MemoryError("no memory for the slots of a search table")
        s.root = self.find(key)
        if s.root == NULL:
            s.root = add_entry(s, worker.c, &s.root_state, key, False)
        self.count_entries()
        if s.root != NULL and give_body(s, worker.c, s.root, &s.root_state) and lacks_block(&s.table.layout, s.root):
            make_block(&s.table, &worker.c.cursor, s.root)
        self.position.check()
        if load(&s.breach):
            raise breach("a number of moves or a code is out of range")
        if s.root == NULL or s.root.body == NULL or lacks_block(&s.table.layout, s.root):
            raise MemoryError(f"{self.memory} bytes of memory are too few for the first entry of the table")
        return 0

    # Running

    cdef int advance_to(self, int64_t target, object pool, int threads) except -1:
        cdef Worker worker
        failure = None
        self.s.next, self.s.batch, self.s.endless, self.s.breach = 0, target - self.playouts, 0, 0
        self.s.handful = self.whole_flights(max(1, min(MOST_AT_A_TIME, self.s.batch // (8 * threads))))
        self.make_ready(threads)
        if threads == 1:
            # the search's own stream is its only thread's
            worker = self.workers[0]
            self.at_it += 1
            with nogil:
                run_simulations(&self.s, worker.c, False)
            self.at_it -= 1
        else:
            failure = self.share_out(pool, threads)
        for number in range(threads):
            worker = self.workers[number]
            self.playouts += worker.c.played
            self.counted += worker.c.played
            self.note_work(worker.c.seconds)
            if threads > 1:
                if failure is None and worker.c.view.root == NULL:
                    failure = MemoryError("no memory for a search thread")
                gather(worker.c.view, self.s.root.key)
        self.count_entries()
        if failure is not None:
            raise failure
        if load(&self.s.breach):
            self.position.check()
            raise breach("a number of moves, a code or a result is out of range")
        if load(&self.s.endless):
            self.position.check()
            raise BadPosition(f"a line of moves went on for more than {self.game.max_plies} plies, the most this game "
                              "can last: key() must tell all its positions apart, and no game may come back to one")
        return 0

    cdef int make_ready(self, int threads) except -1:
        """For a batch on so many threads: make slots, and fringes if there are several."""
        cdef search_t* s = &self.s
        cdef Worker worker
        cdef view_t* view
        # at once for all that is to come, if that is known and not too much
        cdef int64_t nodes = self.nodes
        cdef int64_t more = min(self.limit - self.playouts, max(s.batch, min(8 * nodes, nodes + MANY_ENTRIES)))
        s.table.deadline = self.deadline
        for number in range(threads):
            worker = self.worker(number)
            worker.c.played, worker.c.seconds = 0, 0.0
        if threads == 1:
            self.gather_from(0)
            table_reserve(&s.table, s.batch, more)
            return 0
        self.gather_from(threads)
        table_reserve(&s.table, s.batch + 64 * threads, s.batch + 64 * threads)
        more += more // 8                       # one thread may do more than its part
        for number in range(threads):
            worker = self.workers[number]
            if worker.c.view == NULL:
                worker.c.view = view_open(&s.table, &worker.c.cursor)
            view = worker.c.view
            view.number, view.threads = number, threads
            view_pace(view, self.playouts)
            view.table.limit = view_limit(&s.table)         # a table that got no slots has none
            view.table.deadline = self.deadline
            view.expected = max(s.batch, more // threads)
        return 0

    cdef int gather_from(self, int first) except -1:
        """Put into the table what threads from this one on have counted for themselves."""
        cdef Worker worker
        for worker in self.workers[first:]:
            if worker.c.view != NULL and worker.c.view.table.n_nodes:
                if not self.make_room(worker.c.view.own):
                    raise MemoryError("no memory for the slots of a search table")
                gather_all(worker.c.view)
                self.count_entries()
        return 0

    cdef node_t* find(self, uint64_t key):
        """A position's entry, with all that threads have counted for themselves; NULL if there is none.

        No batch is under way: those who look hold the lock.
        """
        cdef Worker worker
        if self.make_room(len(self.workers) + 1):
            for worker in self.workers:
                if worker.c.view != NULL:
                    gather(worker.c.view, key)
            self.count_entries()
        return table_find(&self.s.table, key)

    cdef bint make_room(self, int64_t entries):
        """See that there are slots for so many more entries."""
        table_reserve(&self.s.table, entries, entries)
        return table_slots(&self.s.table) > entries

    cdef void count_entries(self):
        """Add what the threads have added to the table."""
        cdef Worker worker
        for worker in self.workers:
            self.s.table.n_nodes += worker.c.added
            worker.c.added = 0
            if worker.c.view != NULL:
                self.s.table.n_nodes += worker.c.view.published
                worker.c.view.published = 0

    cdef object share_out(self, object pool, int threads):
        """A batch on so many threads; when this returns none is at it any more, also after Ctrl-C.

        Returns the exception, if there was one. Ctrl-C may be raised anywhere in the pool's own code, so
        its word is not enough: who comes late finds the batch closed, who is still at it is waited for.
        """
        failure = None
        try:
            shares = [pool.submit(self.share, number, self.batches) for number in range(1, threads)]
            self.share(0, self.batches)
            for share in shares:
                share.result()
        except BaseException as error:
            failure = error
        self.batches += 1
        while self.at_it:
            try:
                time.sleep(0.0002)
            except BaseException as error:
                failure = error
        return failure

    def share(self, int number, int64_t batch):
        """One thread's part of a batch."""
        cdef Worker worker = self.workers[number]
        if batch == self.batches:
            self.at_it += 1
            worker.c.view.may_publish = table_slots(&self.s.table) // (worker.c.view.threads + 1)
            with nogil:
                table_reserve(&worker.c.view.table, self.s.batch, worker.c.view.expected)
                if synchronise(worker.c.view, self.s.root, self.s.lanes):
                    run_simulations(&self.s, worker.c, True)
            self.at_it -= 1

    cdef bint is_settled(self):
        return is_proven(&self.s)

    cdef int64_t most(self):
        return self.playouts + MOST_COUNTED - self.counted

    # What was found

    @property
    def nodes(self):
        """Entries in the table; one that several threads have made counts for each until it is gathered."""
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
        """Memory that the table takes."""
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

    cdef double amaf_of(self, node_t* node, int i, double* visits):
        """A move's AMAF results as the mover sees them, and their number."""
        cdef const layout_t* layout = &self.s.table.layout
        cdef double wins = 0.0
        visits[0] = 0.0
        if layout.amaf == AMAF_OF_MOVES:
            visits[0] = amaf_visits_of(layout, node)[i]
            return amaf_wins_of(node)[i]
        if node.has_block:
            block_read(node.amaf.block, layout.n_codes, codes_of(layout, node) + i, 1, turn_of(node), visits, &wins)
        return wins

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
        """Fill what was counted of an entry's moves into a row for each."""
        cdef const layout_t* layout = &self.s.table.layout
        cdef double amaf_n = 0.0
        cdef int i
        for i in range(node.n_moves):
            clear_row(&rows[i])
            rows[i].raw = moves_of(layout, node)[i]
            if layout.codes:
                rows[i].code = codes_of(layout, node)[i]
            rows[i].visits, rows[i].wins = visits_of(layout, node)[i], wins_of(node)[i]
            rows[i].amaf_wins = self.amaf_of(node, i, &amaf_n)
            rows[i].amaf_visits = <int64_t> amaf_n
            if layout.bounds:
                rows[i].low, rows[i].high = lows_of(layout, node)[i], highs_of(layout, node)[i]

    cdef void score_rows(self, node_t* node, row_t* rows):
        """Add the moves' scores, and AMAF's weights in them."""
        cdef const rule_t* rule = self.rule.c
        cdef double[MOVES_ROOM] scores
        cdef node_t* reference = node if node.has_block else self.s.root
        cdef row_t* row
        cdef int i
        rule.score(rule, &self.s.table.layout, node, reference, scores)
        for i in range(node.n_moves):
            row = &rows[i]
            if scores[i] < INFINITY:
                row.score = scores[i]
            if rule.weight != NULL:
                row.beta = rule.weight(rule, node, <int> row.code, row.wins, row.visits,
                                       row.amaf_wins, row.amaf_visits)

    def pv(self, int first_index):
        """The line of most visits behind a move of the root, as raw moves."""
        cdef node_t* node = self.s.root
        cdef Position looker = self.position.private()  # so a failure here is not reported as the search's
        cdef const game_t* game = looker.game
        cdef any_state_t state
        cdef row_t[::1] rows = new_rows(MOVES_ROOM)     # on the heap: a thread's stack may be small
        cdef merit_t[MOVES_ROOM] merits
        cdef int i = first_index
        line = []
        if not 0 <= first_index < node.n_moves:
            raise IndexError(f"the root has {node.n_moves} moves, and no number {first_index}")
        copy_state(game, &state, looker.state())
        try:
            while len(line) < game.max_plies:   # a key that does not tell positions apart leads round in circles
                line.append(moves_of(&self.s.table.layout, node)[i])
                game.play(game, &state, moves_of(&self.s.table.layout, node)[i])
                node = self.find(game.key(game, &state))
                if node == NULL or node.t == 0 or node.body == NULL:
                    break
                self.fill_counters(node, &rows[0])
                judge(self.criterion, turn_of(node), &rows[0], node.n_moves, merits)
                i = best_of(merits, node.n_moves, NULL)
        finally:
            drop_state(game, &state)
        looker.check()
        return line

    def entry(self, Position position not None):
        """What `root` gives, for any position; None if the table does not know it."""
        cdef node_t* node
        cdef Position looker
        self.check_process()
        if position.game != self.game:
            return None
        looker = position.private()             # another thread may go on with the position itself
        with self.lock:
            node = self.find(looker.game.key(looker.game, looker.state()))
            looker.check()
            if node == NULL:
                return None
            found = self.describe(node) if node.body != NULL else self.describe_leaf(node, looker)
            looker.check()
            return found

    cdef object describe(self, node_t* node):
        found = new_rows(node.n_moves)
        cdef row_t[::1] rows = found
        self.fill_counters(node, &rows[0])
        self.score_rows(node, &rows[0])
        return found

    cdef object describe_leaf(self, node_t* node, Position looker):
        """As `describe`, with a body for this once: to look at an entry takes no memory of the table."""
        cdef move_t[MOVES_ROOM] moves
        cdef node_t leaf = node[0]
        cdef log_t* entry = NULL if node.has_block else node.amaf.log
        cdef int n
        n = looker.game.moves(looker.game, looker.state(), moves)
        if not 0 <= n <= looker.game.max_moves:
            raise breach(f"a position has {n} moves")
        leaf.n_moves = n
        leaf.body = <double*> PyMem_RawCalloc(1, body_size(&self.s.table.layout, leaf.n_moves))
        if leaf.body == NULL:
            raise MemoryError("no memory to describe an entry")
        try:
            if not fill_body(looker.game, &self.s.table.layout, &leaf, moves, looker.state()):
                looker.check()
                raise breach("a code is out of range")
            while self.s.table.layout.amaf == AMAF_OF_MOVES and entry != NULL:
                add_to_moves(&self.s.table.layout, &leaf, entry)
                entry = entry.next
            return self.describe(&leaf)
        finally:
            PyMem_RawFree(leaf.body)

    # From move to move

    def advance(self, move_t move):
        """Make the position after a move of the root the new root, and keep what is known below it.

        If that fails, as when a game in Python fails, nothing has changed.
        """
        cdef Position after
        self.check_process()
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
        """The same, with a copy of what can be reached from there in a table of its own."""
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
                had_memory = keep_below(&old, s, worker.c, &state)
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
