"""A tree that grows: its table, its threads, and their batches. The map is growing.pxd."""
from cython cimport no_gc_clear
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from mcts_core.base.aligned_memory cimport free_lines, take_lines, whole_lines
from mcts_core.base.atomics cimport load, store
from mcts_core.base.engine cimport is_called
from mcts_core.game cimport code_words, copy_state, drop_state, job_t
from mcts_core.position cimport Position
from mcts_core.rng cimport open_stream
from mcts_core.rule cimport check_rule
from mcts_core.search.amaf cimport make_block
from mcts_core.search.driver cimport Driver, whole_option
from mcts_core.search.expansion cimport add_entry, give_body
from mcts_core.search.halving cimport Halving
from mcts_core.search.knowledge cimport NO_CUT, QuietSearch, knowledge_t
from mcts_core.search.node cimport NO_AMAF, lacks_block, layout_t, node_t
from mcts_core.search.simulation cimport is_proven, layout_for, run_simulations, search_t, set_rule
from mcts_core.search.table cimport table_close, table_find, table_open, table_reserve, table_slots, table_t
from mcts_core.search.thread_view cimport (
    gather, gather_all, synchronise, view_close, view_limit, view_open, view_pace, view_t
)
from mcts_core.search.walk cimport walk_t, worker_t

import time

from mcts_core.errors import BadMethod, BadPosition, breach
from mcts_core.rule import rule_of
from mcts_core.search.driver import MOST_LANES
from mcts_core.search.knowledge import MOST_CUT, MOST_PRIOR
from mcts_core.search.policies.mast import MAST
from mcts_core.search.policies.ppaf import PPAF
from mcts_core.search.rules.grave import GRAVE
from mcts_core.search.rules.rave import RAVE
from mcts_core.search.rules.uct import UCT
from mcts_core.search.rules.uct_tuned import UCTTuned

cdef enum:
    MOST_AT_A_TIME = 32                 # simulations that a thread takes from a batch at a time
    MANY_ENTRIES = 1 << 18              # a table of n entries gets slots for 8 n more at once, but n + this at most
    SPARE_SLOTS = 64                    # slots for each thread beyond those for a batch, to publish older entries

cdef int64_t ALL_HANDED_OUT = 1 << 62   # simulations, more than a batch has
cdef int64_t MOST_COUNTED = 0xFF000000  # simulations: counters of 32 bits hold them and 2**24 virtual losses

# makes the rule of a method, from the method's options and a position of the game
RULES = {
    "uct": UCT,
    "ucttuned": UCTTuned,
    "rave": RAVE,
    "grave": GRAVE,
    "rule": lambda options, position: rule_of(options["capsule"]),
}

# makes a policy that learns, for a position of the game
LEARNERS = {"mast": MAST, "ppaf": PPAF}


cdef class Worker:
    """A thread's buffers."""

    def __cinit__(self, int max_plies, int n_codes, int lanes):
        cdef int64_t plies = max_plies + 1, words = code_words(n_codes)
        cdef int64_t a_path = plies * (sizeof(node_t*) + sizeof(int64_t)) + 8 * words
        cdef int64_t size = sizeof(worker_t) + lanes * (sizeof(job_t) + sizeof(walk_t) + a_path)
        cdef char* free
        cdef walk_t* walk
        cdef int lane
        self.c = <worker_t*> take_lines(whole_lines(size))
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
            free_lines(self.c)


@no_gc_clear     # the game that `__dealloc__` calls belongs to a Python object
cdef class GrowingTree(Driver):
    """The base of TreeSearch: the tree grows here, and is read there."""

    def __cinit__(self, Position position not None, dict options not None, seed):
        cdef search_t* s = &self.s
        copy_state(self.game, &s.root_state, self.position.state())
        s.game, s.rollout = self.game, self.rollout.c   # after the copy, because with a game `__dealloc__` drops it
        self.lanes = s.lanes = whole_option(options, "lanes", 1, MOST_LANES)
        self.workers = []
        self.set_learner(options)
        self.rule = RULES[options["method"]](options, self.position)
        check_rule(self.rule.c)
        if self.rule.c.amaf != NO_AMAF:
            self.need_codes(options["method"])
        s.solver = options["solver"]
        self.set_knowledge(options)
        set_rule(s, self.rule.c)
        self.memory = options["memory"]
        self.open_table(&s.table)
        self.plant_root()
        self.set_schedule(options)

    def __dealloc__(self):
        table_close(&self.s.table)
        if self.s.game != NULL:
            drop_state(self.game, &self.s.root_state)

    cdef int open_table(self, table_t* table) except -1:
        """Open a table for entries of this search."""
        cdef layout_t layout = layout_for(&self.s)
        if layout.codes and self.game.n_codes > 1 << 16:
            raise BadMethod(f"AMAF takes games of at most 65536 codes, and this one has {self.game.n_codes}")
        if self.rule.c.n_phases > 1 and self.game.progress == NULL:
            raise BadMethod("this method needs a game that tells its progress, and this one does not")
        return table_open(table, layout, self.memory)

    cdef Worker worker(self, int number):
        """Return the buffers of a thread. The walks in a lane draw from substream (lane, number)."""
        cdef Worker worker
        while len(self.workers) <= number:
            worker = Worker(self.game.max_plies, self.game.n_codes, self.s.lanes)
            if self.learner is not None:
                worker.policy = self.learner(self.position)
                worker.c.policy = worker.policy.c
            if self.evaluator is not None:
                worker.quiet = QuietSearch(self.position, self.evaluator)
                worker.c.quiet = worker.quiet.c
            for p in range(self.s.lanes):
                worker.c.walks[p].rng = open_stream(&self.seed, p, len(self.workers))
            self.workers.append(worker)
        return self.workers[number]

    cdef int plant_root(self) except -1:
        """Find or make the entry of the root position, with a body and, where the rule needs one, a block."""
        cdef search_t* s = &self.s
        cdef Worker worker = self.worker(0)
        cdef uint64_t key = self.game.key(self.game, &s.root_state)
        s.breach = 0                        # one of an earlier run has been raised
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

    cdef int set_knowledge(self, dict options) except -1:
        """Note what is known of positions. `evaluator` is an Evaluator, or None if no part needs one."""
        cdef knowledge_t* knowledge = &self.s.knowledge
        cut = options.get("cut")
        self.evaluator = options.get("evaluator")
        knowledge.tactics, knowledge.minimax = options.get("tactics", False), options.get("minimax", 0.0)
        knowledge.proof = options.get("proof", 0.0)
        knowledge.cut = NO_CUT if cut is None else whole_option(options, "cut", 0, MOST_CUT)
        knowledge.prior = whole_option(options, "prior_visits", 1, MOST_PRIOR) if options.get("prior") else 0
        if self.evaluator is None and (knowledge.cut >= 0 or knowledge.minimax > 0.0 or knowledge.prior):
            raise BadMethod("cut=, minimax= and prior= need an evaluation")
        if self.evaluator is not None and self.game != self.position.game:
            raise BadMethod("cut=, minimax= and prior= predict who wins, and rewards='margin' counts by how much: "
                            "leave one of them out")
        if knowledge.prior and self.rule.c.learn != NULL:
            raise BadMethod(f"prior= makes visits and wins, and {options['method']} learns more from each visit: use "
                            "uct, rave or grave")
        if knowledge.tactics and self.game.solve == NULL:
            raise BadMethod("tactics=True needs a game with tactics (`solve`), and this one has none")
        return 0

    cdef int set_learner(self, dict options) except -1:
        """Note which policy learns, if one does. Only one simulation at a time can teach it."""
        if options.get("learner") is None:
            return 0
        self.learner = LEARNERS[options["learner"]]
        if self.game.n_codes == 0:
            raise BadMethod(f"policy={options['learner']!r} needs the AMAF codes of moves, and this game has none: "
                            "give it code() and n_codes, or use policy='random'")
        if self.lanes > 1:
            raise BadMethod(f"policy={options['learner']!r} learns after each playout, so lanes= must be 1")
        return 0

    cdef int set_schedule(self, dict options) except -1:
        """Halve the moves of the root if the method says so. `halving` is the weight of AMAF means in it."""
        weight, playouts = options.get("halving"), options.get("budget")
        if weight is None:
            return 0
        if playouts is None:
            raise BadMethod("Halving shares out a known number of playouts: give playouts= (a Searcher cannot)")
        if weight and self.rule.c.amaf == NO_AMAF:
            raise BadMethod(f"{options['method']} has no AMAF means to halve by: use grave or rave")
        self.halving = Halving(self.s.root.n_moves, playouts, weight)
        self.s.schedule = &self.halving.halving.schedule
        return 0

    # Running

    def stop(self):
        """Make the run end soon. May be called from any thread.

        No more simulations of the batch are handed out, because a batch of several threads is long.
        """
        Driver.stop(self)
        store(&self.s.next, ALL_HANDED_OUT)

    cdef int advance_to(self, int64_t target, object pool, int threads) except -1:
        cdef Worker worker
        failure = None
        self.s.batch, self.s.endless, self.s.breach = target - self.playouts, 0, 0
        self.make_ready(threads)
        self.s.next = 0
        if is_called(&self.stop_called):        # before `next` was 0, so that `stop` could not end the batch
            self.s.batch = min(self.s.batch, self.whole_flights(threads))
        self.s.handful = self.whole_flights(max(1, min(MOST_AT_A_TIME, self.s.batch // (8 * threads))))
        if threads == 1:
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
        if self.evaluator is not None:
            self.evaluator.check()
        if load(&self.s.breach):
            self.position.check()
            self.rollout.check()
            raise breach("a number of moves, a code or a result is out of range")
        if load(&self.s.endless):
            self.position.check()
            raise BadPosition(f"a line of moves went on for more than {self.game.max_plies} plies, the most this game "
                              "can last: key() must tell all its positions apart, and no game may come back to one")
        return 0

    cdef int make_ready(self, int threads) except -1:
        """Make slots for a batch, and views if there are several threads."""
        cdef search_t* s = &self.s
        cdef Worker worker
        cdef view_t* view
        # slots for the rest of the run at once, if it is limited and not too long
        cdef int64_t nodes = self.nodes
        cdef int64_t more = min(self.limit - self.playouts, max(s.batch, min(8 * nodes, nodes + MANY_ENTRIES)))
        s.table.deadline, s.table.stop = self.deadline, self.stop_called
        for number in range(threads):
            worker = self.worker(number)
            worker.c.played, worker.c.seconds = 0, 0.0
        if threads == 1:
            self.gather_from(0)
            with nogil:                         # here and below, so that other threads can call `stop`
                table_reserve(&s.table, s.batch, more)
            return 0
        self.gather_from(threads)
        with nogil:
            table_reserve(&s.table, s.batch + SPARE_SLOTS * threads, s.batch + SPARE_SLOTS * threads)
        more += more // 8                       # one thread may do more than its share
        for number in range(threads):
            worker = self.workers[number]
            if worker.c.view == NULL:
                worker.c.view = view_open(&s.table, &worker.c.cursor)
            view = worker.c.view
            view.number, view.threads = number, threads
            view_pace(view, self.playouts)
            view.table.limit = view_limit(&s.table)         # `make_slots` sets it to 0 when there is no memory
            view.table.deadline, view.table.stop = self.deadline, self.stop_called
            view.expected = max(s.batch, more // threads)
        return 0

    cdef int gather_from(self, int first) except -1:
        """Move what the threads from number `first` on have counted into the shared table."""
        cdef Worker worker
        for worker in self.workers[first:]:
            if worker.c.view != NULL and worker.c.view.table.n_nodes:
                if not self.make_room(worker.c.view.own):
                    raise MemoryError("no memory for the slots of a search table")
                gather_all(worker.c.view)
                self.count_entries()
        return 0

    cdef node_t* find(self, uint64_t key):
        """Return a position's entry, with all that threads have counted; NULL if there is none.

        No batch may be under way.
        """
        cdef Worker worker
        if self.make_room(len(self.workers) + 1):
            for worker in self.workers:
                if worker.c.view != NULL:
                    gather(worker.c.view, key)
            self.count_entries()
        return table_find(&self.s.table, key)

    cdef bint make_room(self, int64_t entries):
        """Make slots for more entries. Returns False if there are fewer than `entries`."""
        cdef table_t* table = &self.s.table
        with nogil:
            table_reserve(table, entries, entries)
        return table_slots(table) > entries

    cdef void count_entries(self):
        """Add the threads' new entries to the table's count."""
        cdef Worker worker
        for worker in self.workers:
            self.s.table.n_nodes += worker.c.added
            worker.c.added = 0
            if worker.c.view != NULL:
                self.s.table.n_nodes += worker.c.view.published
                worker.c.view.published = 0

    cdef object share_out(self, object pool, int threads):
        """Run a batch on several threads. Returns the exception, if there was one.

        When this returns no thread works on the batch. Ctrl-C may be raised anywhere in the pool's own code, so the
        pool's results do not tell whether a thread has ended. So a thread that starts late finds `batches` raised and
        does nothing, and this waits until no thread is at work.
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
        """Run one thread's part of a batch."""
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
        return self.playouts + MOST_COUNTED - self.s.knowledge.prior - self.counted
