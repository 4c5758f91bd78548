"""Searches with a tree: UCT, RAVE, GRAVE, over one table of positions.

A simulation walks down by the selection rule, adds one entry, plays one playout from it and updates
the path; `simulate` reads as these numbered steps. Statistics belong to edges (entry, move), so a
position reached in two ways shares what is below it and nothing is averaged over its parents.

With threads, all walk the one table. A visit is counted on the way down and its result on the way
up, so an edge that a thread is busy with looks like a loss until then (virtual loss) and the next
thread tends to go elsewhere. With one thread this order makes no difference: a path never meets an
entry twice.
"""
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport INFINITY, NAN, log, sqrt
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from mcts_core.atomics cimport add_double, fetch_add, fetch_add32, load_pointer, try_lock, unlock
from mcts_core.bits cimport first_bit
from mcts_core.driver cimport Driver, lead_is_sure, pick_best
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, move_t, playout_t, trace_t
from mcts_core.position cimport Position
from mcts_core.rng cimport open_stream, rng_t
from mcts_core.select cimport (
    beta_hand, beta_heuristic, beta_mse, beta_variance, variance_of_mean
)
from mcts_core.table cimport (
    amaf_visits_of, amaf_wins_of, block_visits, code_words, codes_of, cursor_t, highs_of, layout_t, log_bits, log_t,
    lows_of, moves_of, node_size, node_t, table_add, table_close, table_find, table_new, table_open, table_reserve,
    table_t, table_take, visits_of, wins_of
)

import numpy as np

from mcts_core.errors import BadMethod

cdef enum method_t:
    UCT
    RAVE
    GRAVE

cdef enum beta_t:
    MSE
    HAND
    HEURISTIC
    VARIANCE

cdef enum scale_t:
    ONE_BIAS
    BY_KIND
    BY_PHASE

METHODS = {"uct": UCT, "rave": RAVE, "grave": GRAVE}
BETAS = {"mse": MSE, "hand": HAND, "heuristic": HEURISTIC, "variance": VARIANCE}
SCALES = {None: ONE_BIAS, "kind": BY_KIND, "phase": BY_PHASE}

cdef struct config_t:
    method_t method
    double c                            # of the exploration term; 0: none
    bint has_fpu
    double fpu                          # what an untried move scores, if not "first of all"
    beta_t beta
    double k
    double min_samples
    scale_t scale
    int n_bias
    double* bias                        # one, or by phase
    double* bias_of_code                # by kind of move, spread out
    uint32_t ref                        # GRAVE: an entry serves as reference once t is above
    bint solver

cdef struct search_t:                   # what the threads share
    const game_t* game
    playout_t playout
    config_t config
    table_t table
    any_state_t root_state
    node_t* root
    int64_t next                        # simulations begun in this batch
    int64_t batch                       # ... out of so many

cdef struct worker_t:                   # what each thread has to itself
    rng_t rng
    cursor_t cursor
    any_state_t state                   # the position on the way down
    node_t** path                       # the entries passed, the new one too
    int* chosen                         # the move chosen in each
    int32_t* codes                      # of the playout
    uint64_t* seen                      # the codes from some entry on, as bits
    int64_t played                      # simulations in this batch
    double[MOVES_ROOM] scores
    move_t[MOVES_ROOM] moves


# Selection

cdef inline bint is_dead(const table_t* table, node_t* node, int i) noexcept nogil:
    """Whether move i cannot do better than what is certain already."""
    if node.turn == 0:
        return highs_of(&table.layout, node)[i] <= node.low
    return lows_of(&table.layout, node)[i] >= node.high


cdef inline int best_score(const search_t* search, node_t* node, const double* scores) noexcept nogil:
    """The first move of the best score among those that are worth a visit."""
    cdef int i, best = 0
    cdef double best_so_far = -INFINITY
    for i in range(node.n_moves):
        if scores[i] > best_so_far and not (search.config.solver and is_dead(&search.table, node, i)):
            best, best_so_far = i, scores[i]
    return best


cdef void score_uct(const search_t* search, node_t* node, double* scores) noexcept nogil:
    """w/n + c * sqrt(ln t / n); an untried move comes before all others, or scores fpu."""
    cdef const double* w = wins_of(node)
    cdef const uint32_t* n = visits_of(&search.table.layout, node)
    cdef double c = search.config.c, untried = search.config.fpu if search.config.has_fpu else INFINITY
    cdef double log_t = log(<double> node.t) if node.t else 0.0
    cdef int i
    cdef double visits
    for i in range(node.n_moves):
        visits = n[i]
        scores[i] = w[i] / visits + c * sqrt(log_t / visits) if n[i] else untried


cdef inline double blend(double w, double n, double amaf_w, double amaf_n, double beta) noexcept nogil:
    """(1 - beta) Q + beta A, with beta at its ends where one of them is not known."""
    if n == 0.0:
        return amaf_w / amaf_n if amaf_n else INFINITY      # an untried move comes first
    if amaf_n == 0.0:
        return w / n
    return (1.0 - beta) * (w / n) + beta * (amaf_w / amaf_n)


cdef inline double bias_at(const config_t* config, node_t* node, int code) noexcept nogil:
    if config.scale == BY_KIND:
        return config.bias_of_code[code]
    return config.bias[node.phase]


cdef inline double beta_at(const config_t* config, node_t* node, int code, double w, double n,
                           double amaf_w, double amaf_n) noexcept nogil:
    """The weight of AMAF for a move that has been tried both ways; else whatever."""
    if config.beta == MSE:
        return beta_mse(n, amaf_n, bias_at(config, node, code))
    if config.beta == HAND:
        return beta_hand(node.t, config.k)
    if config.beta == HEURISTIC:
        return beta_heuristic(n, amaf_n)
    return beta_variance(w, n, amaf_w, amaf_n, config.min_samples)


cdef void explore(const search_t* search, node_t* node, double* scores) noexcept nogil:
    """RAVE and GRAVE with a constant: UCT's term on top."""
    cdef const uint32_t* n = visits_of(&search.table.layout, node)
    cdef double log_t = log(<double> max(node.t, <uint32_t> 1))
    cdef int i
    for i in range(node.n_moves):
        scores[i] += search.config.c * sqrt(log_t / max(n[i], <uint32_t> 1))


cdef void score_rave(const search_t* search, node_t* node, double* scores) noexcept nogil:
    cdef const layout_t* layout = &search.table.layout
    cdef const config_t* config = &search.config
    cdef const double* w = wins_of(node)
    cdef const double* amaf_w = amaf_wins_of(node)
    cdef const uint32_t* n = visits_of(layout, node)
    cdef const uint32_t* amaf_n = amaf_visits_of(layout, node)
    cdef const uint16_t* codes = codes_of(layout, node)
    cdef double bias
    cdef int i
    if config.beta == MSE and config.scale != BY_KIND:      # the default, as a loop without calls
        bias = config.bias[node.phase]
        for i in range(node.n_moves):
            scores[i] = blend(w[i], n[i], amaf_w[i], amaf_n[i], beta_mse(n[i], amaf_n[i], bias))
    else:
        for i in range(node.n_moves):
            scores[i] = blend(w[i], n[i], amaf_w[i], amaf_n[i],
                              beta_at(config, node, codes[i], w[i], n[i], amaf_w[i], amaf_n[i]))
    if config.c > 0.0:
        explore(search, node, scores)


cdef void score_grave(const search_t* search, node_t* node, node_t* reference, double* scores) noexcept nogil:
    """As RAVE, with the AMAF values of the nearest entry above that has seen enough."""
    cdef const layout_t* layout = &search.table.layout
    cdef const double* w = wins_of(node)
    cdef const uint32_t* n = visits_of(layout, node)
    cdef const uint16_t* codes = codes_of(layout, node)
    cdef const double* amaf_w = reference.block
    cdef const uint32_t* amaf_n = block_visits(&search.table, reference)
    cdef double bias = search.config.bias[0], wins, visits
    cdef int i
    for i in range(node.n_moves):
        visits = amaf_n[codes[i]]
        wins = amaf_w[codes[i]] if node.turn == 0 else visits - amaf_w[codes[i]]
        scores[i] = blend(w[i], n[i], wins, visits, beta_mse(n[i], visits, bias))
    if search.config.c > 0.0:
        explore(search, node, scores)


cdef inline int select(const search_t* search, node_t* node, node_t* reference, double* scores) noexcept nogil:
    """The move to walk down by."""
    if search.config.method == UCT:
        score_uct(search, node, scores)
    elif search.config.method == RAVE:
        score_rave(search, node, scores)
    else:
        score_grave(search, node, reference, scores)
    return best_score(search, node, scores)


# One simulation

cdef node_t* add_entry(search_t* search, worker_t* worker, const void* state, uint64_t key,
                       const move_t* moves, int n_moves) noexcept nogil:
    """The entry of a position that has none; NULL if there is no memory for it."""
    cdef const game_t* game = search.game
    cdef const layout_t* layout = &search.table.layout
    cdef node_t* node = table_new(&search.table, &worker.cursor, key, n_moves)
    cdef int i
    cdef double progress
    if node == NULL:
        return NULL
    node.turn = game.turn(game, state)
    memcpy(moves_of(layout, node), moves, n_moves * sizeof(move_t))
    if layout.codes:
        for i in range(n_moves):
            codes_of(layout, node)[i] = game.code(game, state, moves[i])
    if search.config.scale == BY_PHASE:
        progress = max(0.0, game.progress(game, state))
        node.phase = min(<int> (progress * search.config.n_bias), search.config.n_bias - 1)
    return table_add(&search.table, node)


cdef inline void simulate(search_t* search, worker_t* worker, bint shared) noexcept nogil:
    """Walk down, add, play, update. `shared` is a constant at each call: are there other threads?"""
    cdef const game_t* game = search.game
    cdef const layout_t* layout = &search.table.layout
    cdef node_t* node = search.root
    cdef node_t* reference = node
    cdef node_t* child = NULL
    cdef trace_t trace
    cdef double result
    cdef bint is_known = False          # the walk ended where the true value is known
    cdef int i, n_moves, depth = 0
    cdef uint64_t key

    trace.plies, trace.moves, trace.codes = 0, NULL, worker.codes if layout.codes else NULL
    copy_state(game, &worker.state, &search.root_state)
    while True:
        # 1. At an entry: choose a move, count the visit, play it
        i = select(search, node, reference, worker.scores)
        worker.path[depth], worker.chosen[depth] = node, i
        depth += 1
        if shared:
            fetch_add32(&node.t, 1)
            fetch_add32(&visits_of(layout, node)[i], 1)
        else:
            node.t += 1
            visits_of(layout, node)[i] += 1
        game.play(game, &worker.state, moves_of(layout, node)[i])
        key = game.key(game, &worker.state)

        # 2. A position with an entry: go on there, unless its value is proven
        child = table_find(&search.table, key)
        if child != NULL:
            if search.config.solver and child.low == child.high:
                result, is_known = child.low, True
                break
            node = child
            if search.config.method == GRAVE and node.t > search.config.ref and load_pointer(<void**> &node.block) != NULL:
                reference = node
            continue

        # 3. A finished game, or a new entry and a playout from it
        n_moves = game.moves(game, &worker.state, worker.moves)
        if n_moves == 0:
            result, is_known = game.result(game, &worker.state), True
            break
        child = add_entry(search, worker, &worker.state, key, worker.moves, n_moves)
        result = search.playout(game, &worker.state, &worker.rng, &trace)
        break
    drop_state(game, &worker.state)

    # 4. Update the path, from its end up
    if layout.codes:
        update_amaf(search, worker, NULL if is_known else child, depth, &trace, result, shared)
    update_wins(worker, depth, result, layout, shared)
    if search.config.solver:
        update_bounds(search, worker, child, depth, result, is_known)


cdef inline void update_wins(worker_t* worker, int depth, double result, const layout_t* layout, bint shared) noexcept nogil:
    cdef double* w
    cdef double value
    while depth:
        depth -= 1
        w = &wins_of(worker.path[depth])[worker.chosen[depth]]
        value = seen_by(worker.path[depth].turn, result)
        if shared:
            add_double(w, value)
        else:
            w[0] += value


cdef inline double seen_by(int turn, double result) noexcept nogil:
    """A first player's result as the mover sees it: the one place where results turn round."""
    return 1.0 - result if turn else result


# AMAF

cdef inline void update_amaf(search_t* search, worker_t* worker, node_t* leaf, int depth, const trace_t* trace,
                             double result, bint shared) noexcept nogil:
    """Every entry of the path gets the codes played from it to the end, each once.

    The set of codes grows from the end of the path upwards: being a set, it keeps first occurrences
    only. With threads two updates of one counter may meet and one be lost: noise like that of the
    playouts themselves, and cheaper than twenty locked additions an entry.
    """
    cdef uint64_t* seen = worker.seen
    cdef int ply, code
    memset(seen, 0, code_words(search.game.n_codes) * sizeof(uint64_t))
    for ply in range(trace.plies):
        seen[trace.codes[ply] >> 6] |= <uint64_t> 1 << (trace.codes[ply] & 63)
    if leaf != NULL:
        add_amaf(search, worker, leaf, result, shared)
    while depth:
        depth -= 1
        code = codes_of(&search.table.layout, worker.path[depth])[worker.chosen[depth]]
        seen[code >> 6] |= <uint64_t> 1 << (code & 63)
        add_amaf(search, worker, worker.path[depth], result, shared)


cdef inline void add_amaf(search_t* search, worker_t* worker, node_t* node, double result, bint shared) noexcept nogil:
    if search.config.method == RAVE:
        add_amaf_moves(&search.table.layout, node, worker.seen, seen_by(node.turn, result))
    else:
        add_amaf_codes(search, worker, node, result, shared)


cdef inline void add_amaf_moves(const layout_t* layout, node_t* node, const uint64_t* seen, double value) noexcept nogil:
    """RAVE: the entry's own moves."""
    cdef double* w = amaf_wins_of(node)
    cdef uint32_t* n = amaf_visits_of(layout, node)
    cdef const uint16_t* codes = codes_of(layout, node)
    cdef uint32_t hit
    cdef int i
    for i in range(node.n_moves):
        hit = seen[codes[i] >> 6] >> (codes[i] & 63) & 1
        n[i] += hit
        w[i] += hit * value


cdef void add_amaf_codes(search_t* search, worker_t* worker, node_t* node, double result, bint shared) noexcept nogil:
    """GRAVE: all codes; in the entry's block, or in its log while it is too young to serve as a reference.

    A block takes kilobytes and few entries ever serve, so the block is made, from the log, when t
    passes ref. A log of at most ref + 1 playouts costs a few bytes a playout.
    """
    cdef int words = code_words(search.game.n_codes), i
    cdef log_t* entry
    if shared:
        while not try_lock(&node.lock):
            pass
    if node.block == NULL:
        entry = <log_t*> table_take(&search.table, &worker.cursor, sizeof(log_t) + words * sizeof(uint64_t))
        if entry != NULL:
            entry.result, entry.next = result, node.log
            memcpy(log_bits(entry), worker.seen, words * sizeof(uint64_t))
            node.log = entry
        if node.t > search.config.ref or node == search.root:
            make_block(search, worker, node)
    else:
        add_to_block(&search.table, node.block, worker.seen, words, result)
    if shared:
        unlock(&node.lock)


cdef inline void add_to_block(const table_t* table, double* block, const uint64_t* bits, int words, double result) noexcept nogil:
    cdef uint32_t* n = <uint32_t*> (block + table.n_codes)
    cdef uint64_t rest
    cdef int word, code
    for word in range(words):
        rest = bits[word]
        while rest:
            code = 64 * word + first_bit(rest)
            rest &= rest - 1
            n[code] += 1
            block[code] += result


cdef void make_block(search_t* search, worker_t* worker, node_t* node) noexcept nogil:
    """Turn an entry's log into its block, in the order in which it was written."""
    cdef table_t* table = &search.table
    cdef double* block = <double*> table_take(
        table, &worker.cursor, table.n_codes * (sizeof(double) + sizeof(uint32_t)))
    cdef log_t* oldest = NULL
    cdef log_t* entry
    if block == NULL:
        return                                  # a full table: the entry above goes on serving
    while node.log != NULL:
        entry = node.log
        node.log = entry.next
        entry.next = oldest
        oldest = entry
    while oldest != NULL:
        add_to_block(table, block, log_bits(oldest), code_words(table.n_codes), oldest.result)
        oldest = oldest.next
    node.block = block


# Proven values

cdef void update_bounds(search_t* search, worker_t* worker, node_t* child, int depth, double result,
                        bint is_known) noexcept nogil:
    """Carry what is certain up the path. Bounds are the first player's; they only ever tighten.

    With threads, two may write the bounds of one entry; both are true, and the tighter one comes
    back with the next visit.
    """
    cdef const layout_t* layout = &search.table.layout
    cdef node_t* node
    cdef double low, high
    cdef int i
    low, high = 0.0, 1.0
    if is_known:
        low = high = result
    elif child != NULL:
        low, high = child.low, child.high
    while depth:
        depth -= 1
        node, i = worker.path[depth], worker.chosen[depth]
        if low != lows_of(layout, node)[i] or high != highs_of(layout, node)[i]:
            lows_of(layout, node)[i] = low
            highs_of(layout, node)[i] = high
            tighten(layout, node)
        low, high = node.low, node.high


cdef void tighten(const layout_t* layout, node_t* node) noexcept nogil:
    """An entry's bounds from those of its moves."""
    cdef const double* lows = lows_of(layout, node)
    cdef const double* highs = highs_of(layout, node)
    cdef double low = lows[0], high = highs[0]
    cdef int i
    for i in range(1, node.n_moves):
        if node.turn == 0:
            low, high = max(low, lows[i]), max(high, highs[i])
        else:
            low, high = min(low, lows[i]), min(high, highs[i])
    node.low, node.high = low, high


# The search object

cdef void run_simulations(search_t* search, worker_t* worker, bint shared) noexcept nogil:
    """Simulate until the batch is used up, together with whatever other threads do the same."""
    while fetch_add(&search.next, 1) < search.batch:
        if shared:
            simulate(search, worker, True)
        else:
            simulate(search, worker, False)
        worker.played += 1
        if search.config.solver and search.root.low == search.root.high:
            fetch_add(&search.next, search.batch)       # settled: nobody begins another


cdef class Worker:
    """A thread's buffers."""

    cdef worker_t* c

    def __cinit__(self, int max_plies, int n_codes):
        self.c = <worker_t*> PyMem_RawCalloc(1, sizeof(worker_t))
        if self.c == NULL:
            raise MemoryError("no memory for a search thread")
        self.c.path = <node_t**> PyMem_RawCalloc(max_plies + 1, sizeof(node_t*))
        self.c.chosen = <int*> PyMem_RawCalloc(max_plies + 1, sizeof(int))
        self.c.codes = <int32_t*> PyMem_RawCalloc(max_plies + 1, sizeof(int32_t))
        self.c.seen = <uint64_t*> PyMem_RawCalloc(code_words(n_codes), sizeof(uint64_t))
        if self.c.path == NULL or self.c.chosen == NULL or self.c.codes == NULL or self.c.seen == NULL:
            raise MemoryError("no memory for a search thread")

    def __dealloc__(self):
        if self.c != NULL:
            PyMem_RawFree(self.c.path)
            PyMem_RawFree(self.c.chosen)
            PyMem_RawFree(self.c.codes)
            PyMem_RawFree(self.c.seen)
            PyMem_RawFree(self.c)


cdef class TreeSearch(Driver):
    """UCT, RAVE or GRAVE from one position, with its table."""

    cdef search_t s
    cdef list workers
    cdef double[MOVES_ROOM] first       # the final criterion, of the root's moves
    cdef double[MOVES_ROOM] second

    def __init__(self, position, options, seed_sequence):
        cdef search_t* s = &self.s
        s.game, s.playout = self.game, self.playout
        self.workers = []
        self.configure(options)
        self.open(options.get("memory", 1 << 30))
        copy_state(self.game, &s.root_state, self.position.state())
        self.plant_root()

    def __dealloc__(self):
        table_close(&self.s.table)
        PyMem_RawFree(self.s.config.bias)
        PyMem_RawFree(self.s.config.bias_of_code)
        if self.s.game != NULL:
            drop_state(self.game, &self.s.root_state)

    cdef int configure(self, dict options) except -1:
        cdef config_t* config = &self.s.config
        cdef int code
        bias = options.get("bias", [0.0])
        fpu = options.get("fpu")
        config.method = METHODS[options["method"]]
        config.c = options["c"]
        config.has_fpu, config.fpu = fpu is not None, fpu or 0.0
        config.beta = BETAS[options.get("beta", "mse")]
        config.scale = SCALES[options.get("scale")]
        config.k = options.get("k", 1000.0)
        config.min_samples = options.get("min_samples", 10)
        config.ref = options.get("ref", 50)
        config.solver = options.get("solver", False)
        config.n_bias = len(bias)
        config.bias = <double*> PyMem_RawCalloc(config.n_bias, sizeof(double))
        config.bias_of_code = <double*> PyMem_RawCalloc(self.game.n_codes, sizeof(double))
        if config.bias == NULL or config.bias_of_code == NULL:
            raise MemoryError("no memory for a search's settings")
        for i, value in enumerate(bias):
            config.bias[i] = value
        if config.scale == BY_KIND:
            if self.game.kind == NULL or self.game.n_kinds != config.n_bias:
                raise BadMethod(f"scale='kind' needs one bias for each of this game's {self.game.n_kinds} kinds of moves, "
                                f"not {config.n_bias}")
            for code in range(self.game.n_codes):
                config.bias_of_code[code] = config.bias[self.game.kind(self.game, code)]
        elif config.scale == BY_PHASE and self.game.progress == NULL:
            raise BadMethod("scale='phase' needs a game that tells its progress, and this one does not")
        elif config.scale == ONE_BIAS and config.n_bias != 1:
            raise BadMethod(f"{config.n_bias} biases need scale='kind' or scale='phase'")
        if config.method != UCT and self.game.n_codes > 1 << 16:
            raise BadMethod(f"AMAF takes games of at most 65536 codes, and this one has {self.game.n_codes}")
        return 0

    cdef int open(self, int64_t memory) except -1:
        cdef layout_t layout
        layout.amaf = self.s.config.method == RAVE
        layout.bounds = self.s.config.solver
        layout.codes = self.s.config.method != UCT
        return table_open(&self.s.table, layout, self.game.n_codes, memory)

    cdef Worker worker(self, int number):
        """The buffers of a thread; its stream is substream (0, number)."""
        cdef Worker worker
        while len(self.workers) <= number:
            worker = Worker(self.game.max_plies, self.game.n_codes)
            worker.c.rng = open_stream(&self.seed, 0, len(self.workers))
            self.workers.append(worker)
        return self.workers[number]

    cdef int plant_root(self) except -1:
        """Give the root position its entry, if it has none, and what only the root needs."""
        cdef search_t* s = &self.s
        cdef Worker worker = self.worker(0)
        cdef uint64_t key = self.game.key(self.game, &s.root_state)
        cdef int n_moves
        s.root = table_find(&s.table, key)
        if s.root == NULL:
            n_moves = self.game.moves(self.game, &s.root_state, worker.c.moves)
            s.root = add_entry(s, worker.c, &s.root_state, key, worker.c.moves, n_moves)
        if s.root != NULL and s.config.method == GRAVE and s.root.block == NULL:
            make_block(s, worker.c, s.root)
        if s.root == NULL or (s.config.method == GRAVE and s.root.block == NULL):
            raise MemoryError(f"{s.table.limit} bytes of memory are too few for the first entry of the table")
        return 0

    # Running

    cdef int advance_to(self, int64_t target, object pool, int threads) except -1:
        cdef Worker worker
        self.s.next, self.s.batch = 0, target - self.playouts
        table_reserve(&self.s.table, self.s.batch)
        for number in range(threads):
            worker = self.worker(number)
            worker.c.played = 0
        if threads == 1:
            # the search's own stream is its only thread's
            worker = self.workers[0]
            with nogil:
                run_simulations(&self.s, worker.c, False)
        else:
            shares = [pool.submit(self.share, number) for number in range(1, threads)]
            try:
                self.share(0)
            finally:
                for share in shares:
                    share.result()
        for number in range(threads):
            worker = self.workers[number]
            self.playouts += worker.c.played
        return 0

    def share(self, int number):
        """One thread's part of a batch."""
        cdef Worker worker = self.workers[number]
        with nogil:
            run_simulations(&self.s, worker.c, True)

    cdef bint is_settled(self):
        return self.s.config.solver and self.s.root.low == self.s.root.high

    # What was found

    @property
    def nodes(self):
        """Entries in the table."""
        return self.s.table.n_nodes

    @property
    def bytes(self):
        """Memory that the table takes."""
        return self.s.table.used

    @property
    def full(self):
        """Whether the memory cap was met, so that the tree has stopped growing."""
        return bool(self.s.table.full)

    cdef double amaf_of(self, node_t* node, int i, double* visits):
        """A move's AMAF results as the mover sees them, and their number."""
        cdef const layout_t* layout = &self.s.table.layout
        cdef int code
        visits[0] = 0.0
        if self.s.config.method == RAVE:
            visits[0] = amaf_visits_of(layout, node)[i]
            return amaf_wins_of(node)[i]
        if self.s.config.method == GRAVE and node.block != NULL:
            code = codes_of(layout, node)[i]
            visits[0] = block_visits(&self.s.table, node)[code]
            return node.block[code] if node.turn == 0 else visits[0] - node.block[code]
        return 0.0

    cdef int set_criterion(self, node_t* node) except -1:
        """The final choice among an entry's moves: visits, then means; -inf for what is certainly worse."""
        cdef const layout_t* layout = &self.s.table.layout
        cdef const uint32_t* n = visits_of(layout, node)
        cdef double amaf_n = 0.0, amaf_w
        cdef int i
        for i in range(node.n_moves):
            self.first[i] = n[i]
            if n[i]:
                self.second[i] = wins_of(node)[i] / n[i]
            else:
                amaf_w = self.amaf_of(node, i, &amaf_n)
                self.second[i] = amaf_w / amaf_n if amaf_n else -INFINITY
            if layout.bounds and is_worse(layout, node, i):
                self.first[i] = -INFINITY
        return 0

    def choose(self):
        """The index of the move to play; draws from the search's own stream if several are as good."""
        self.set_criterion(self.s.root)
        return pick_best(self.first, self.second, self.s.root.n_moves,
                         NULL if self.ties_first else &self.worker(0).c.rng)

    cdef bint is_sure(self, double error):
        cdef double[MOVES_ROOM] variance
        cdef node_t* root = self.s.root
        cdef int i
        self.set_criterion(root)
        for i in range(root.n_moves):
            variance[i] = variance_of_mean(wins_of(root)[i], visits_of(&self.s.table.layout, root)[i])
        return lead_is_sure(self.first, self.second, variance, root.n_moves, error)

    def pv(self, int first_index):
        """The line of most visits behind a move of the root, as raw moves."""
        cdef node_t* node = self.s.root
        cdef any_state_t state
        cdef int i = first_index
        line = []
        copy_state(self.game, &state, &self.s.root_state)
        while True:
            line.append(moves_of(&self.s.table.layout, node)[i])
            self.game.play(self.game, &state, moves_of(&self.s.table.layout, node)[i])
            node = table_find(&self.s.table, self.game.key(self.game, &state))
            if node == NULL or node.t == 0:
                break
            self.set_criterion(node)
            i = pick_best(self.first, self.second, node.n_moves, NULL)
        drop_state(self.game, &state)
        return line

    def root(self):
        """The statistics of the root's moves, as arrays in legal order."""
        return self.describe(self.s.root)

    def entry(self, Position position not None):
        """The same for any position; None if the table does not know it."""
        cdef node_t* node = NULL
        if position.game == self.game:
            node = table_find(&self.s.table, self.game.key(self.game, position.state()))
        return None if node == NULL else self.describe(node)

    cdef dict describe(self, node_t* node):
        cdef const layout_t* layout = &self.s.table.layout
        cdef const config_t* config = &self.s.config
        cdef double[MOVES_ROOM] scores
        cdef node_t* reference = self.s.root if node.block == NULL else node
        cdef double n, w, amaf_n = 0.0, amaf_w, beta
        cdef int i, code
        table = np.zeros(node.n_moves, [
            ("raw", np.uint32), ("code", np.int64), ("visits", np.int64), ("wins", float),
            ("amaf_visits", np.int64), ("amaf_wins", float), ("beta", float), ("score", float),
            ("low", float), ("high", float)])
        if config.method == UCT:
            score_uct(&self.s, node, scores)
        elif config.method == RAVE:
            score_rave(&self.s, node, scores)
        else:
            score_grave(&self.s, node, reference, scores)
        for i in range(node.n_moves):
            n, w = visits_of(layout, node)[i], wins_of(node)[i]
            amaf_w = self.amaf_of(node, i, &amaf_n)
            code = codes_of(layout, node)[i] if layout.codes else -1
            beta = NAN
            if config.method != UCT:
                beta = 1.0 if n == 0.0 else 0.0 if amaf_n == 0.0 else beta_at(config, node, code, w, n, amaf_w, amaf_n)
            table[i] = (moves_of(layout, node)[i], code, <int64_t> n, w, <int64_t> amaf_n, amaf_w, beta,
                        scores[i] if scores[i] < INFINITY else NAN,
                        lows_of(layout, node)[i] if layout.bounds else 0.0,
                        highs_of(layout, node)[i] if layout.bounds else 1.0)
        return {name: table[name].copy() for name in table.dtype.names}

    # From move to move

    def advance(self, move_t move):
        """Make the position after a move of the root the new root, and keep what is known below it."""
        cdef Position after = self.position.copy()
        after.push(after.move_text(move))
        drop_state(self.game, &self.s.root_state)
        copy_state(self.game, &self.s.root_state, after.state())
        self.position = after
        self.playouts = 0
        if self.s.table.used > self.s.table.limit // 2:
            self.prune()
        self.plant_root()

    cdef int prune(self) except -1:
        """Copy what can be reached from the root into a fresh table and give the old one up."""
        cdef search_t old = self.s
        cdef any_state_t state
        cdef Worker worker
        self.open(old.table.limit)
        for worker in self.workers:
            memset(&worker.c.cursor, 0, sizeof(cursor_t))
        worker = self.worker(0)
        copy_state(self.game, &state, &self.s.root_state)
        with nogil:
            keep_below(&old.table, &self.s, worker.c, &state)
        drop_state(self.game, &state)
        table_close(&old.table)
        return 0


cdef bint is_worse(const layout_t* layout, node_t* node, int i) noexcept nogil:
    """Whether a move is certainly worth less than the entry, or than what the entry is proven to be worth."""
    cdef double low = lows_of(layout, node)[i], high = highs_of(layout, node)[i]
    if node.low == node.high:
        return low != node.low if node.turn == 0 else high != node.high
    return high < node.low if node.turn == 0 else low > node.high


cdef void keep_below(table_t* old, search_t* search, worker_t* worker, const void* state) noexcept nogil:
    """Copy the entry of a position, and those below it, into the table of `search`."""
    cdef const game_t* game = search.game
    cdef const layout_t* layout = &search.table.layout
    cdef uint64_t key = game.key(game, state)
    cdef node_t* known = table_find(old, key)
    cdef node_t* node
    cdef any_state_t after
    cdef int i
    if known == NULL or table_find(&search.table, key) != NULL:
        return
    table_reserve(&search.table, 1)
    node = table_new(&search.table, &worker.cursor, key, known.n_moves)
    if node == NULL:
        return
    memcpy(node, known, node_size(layout, known.n_moves))
    node.block, node.log = NULL, NULL
    table_add(&search.table, node)
    keep_amaf(old, search, worker, known, node)
    for i in range(node.n_moves):
        if visits_of(layout, node)[i]:
            copy_state(game, &after, state)
            game.play(game, &after, moves_of(layout, node)[i])
            keep_below(old, search, worker, &after)
            drop_state(game, &after)


cdef void keep_amaf(table_t* old, search_t* search, worker_t* worker, node_t* known, node_t* node) noexcept nogil:
    """Copy an entry's block or log."""
    cdef int64_t size = search.table.n_codes * (sizeof(double) + sizeof(uint32_t))
    cdef int64_t log_size = sizeof(log_t) + code_words(search.table.n_codes) * sizeof(uint64_t)
    cdef log_t* entry = known.log
    cdef log_t** tail = &node.log
    if known.block != NULL:
        node.block = <double*> table_take(&search.table, &worker.cursor, size)
        if node.block != NULL:
            memcpy(node.block, known.block, size)
    while entry != NULL:
        tail[0] = <log_t*> table_take(&search.table, &worker.cursor, log_size)
        if tail[0] == NULL:
            return
        memcpy(tail[0], entry, log_size)
        tail[0].next = NULL
        tail = &tail[0].next
        entry = entry.next
