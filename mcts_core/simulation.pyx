"""A simulation of the tree searches, in numbered steps: walk down, add one entry, play, update.

Statistics belong to edges (entry, move), so a position reached in two ways shares what is below it
and nothing is averaged over its parents.

A visit is counted on the way down and its result on the way up. With one simulation after the other
the order makes no difference: a path never meets an entry twice. But with lanes a flight of them
walks down before their playouts are played together, and with threads all walk the one table: then
an edge that somebody is busy with looks like a loss until the result is in (virtual loss), and the
next one tends to go elsewhere. Where entries are busy each thread counts in copies of its own,
settled now and then (views.pxd).
"""
from libc.math cimport INFINITY, log, sqrt
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from mcts_core.atomics cimport (
    add_double, fetch_add, fetch_add32, load, load32, load_double, load_pointer, store, store_double, swap_pointer,
    unlock
)
from mcts_core.bits cimport first_bit
from mcts_core.game cimport any_batch, copy_state, drop_state, game_t, job_t, move_t, trace_t
from mcts_core.hits cimport hits_add
from mcts_core.select cimport beta_hand, beta_heuristic, beta_mse, beta_variance
from mcts_core.table cimport (
    WIDTH, amaf_visits_of, amaf_wins_of, block_size, block_visits, body_size, code_words, codes_of, highs_of, layout_t,
    lock, log_bits, log_t, lows_of, moves_of, node_t, phase_of, room_of, table_add, table_find, table_log, table_node,
    table_t, table_take, table_want, turn_of, visits_of, wins_of
)
from mcts_core.views cimport view_of

cdef enum:
    FEW = 3                             # playouts that are played together; in Breakthrough that pays from 6 on


# Selection

cdef inline int choose(const search_t* search, node_t* node, node_t* reference, double* scores) noexcept nogil:
    """The first move of the best score among those that are worth a visit."""
    cdef const config_t* config = &search.config
    cdef uint32_t t = load32(&node.t)
    if config.method == UCT and not config.has_fpu and t < node.n_moves and (
            load32(&visits_of(&search.table.layout, node)[t]) == 0):
        return t                                # untried moves come first, one after the other
    score_moves(search, node, reference, scores)
    if config.solver:
        strike_out(&search.table.layout, node, scores)
    return first_best(scores, node.n_moves, room_of(node))


cdef inline void strike_out(const layout_t* layout, node_t* node, double* scores) noexcept nogil:
    """Score the moves down that cannot do better than what is certain already."""
    cdef const double* lows = lows_of(layout, node)
    cdef const double* highs = highs_of(layout, node)
    cdef double low = load_double(&node.low), high = load_double(&node.high)
    cdef int i
    if turn_of(node) == 0:
        for i in range(room_of(node)):
            scores[i] = -INFINITY if highs[i] <= low else scores[i]
    else:
        for i in range(room_of(node)):
            scores[i] = -INFINITY if lows[i] >= high else scores[i]


cdef inline int first_best(double* scores, int n, int room) noexcept nogil:
    """The first index of the highest of n scores; `room` is n rounded up to whole vectors."""
    cdef double[WIDTH] tops
    cdef double top
    cdef int i, k, block
    for i in range(n, room):
        scores[i] = -INFINITY
    for k in range(WIDTH):
        tops[k] = scores[k]
    for block in range(1, room // WIDTH):
        i = block * WIDTH
        for k in range(WIDTH):
            tops[k] = scores[i + k] if scores[i + k] > tops[k] else tops[k]
    top = tops[0]
    for k in range(1, WIDTH):
        top = tops[k] if tops[k] > top else top
    i = 0
    while i < n - 1 and scores[i] != top:
        i += 1
    return i


cdef void score_uct(const search_t* search, node_t* node, double* scores) noexcept nogil:
    """w/n + c * sqrt(ln t / n); an untried move comes before all others, or scores fpu."""
    cdef const double* w = wins_of(node)
    cdef const uint32_t* n = visits_of(&search.table.layout, node)
    cdef double c = search.config.c, untried = search.config.fpu if search.config.has_fpu else INFINITY
    cdef double ln_t = log(<double> node.t) if node.t else 0.0
    cdef int i
    cdef double visits
    for i in range(room_of(node)):
        visits = n[i]
        scores[i] = w[i] / visits + c * sqrt(ln_t / visits) if n[i] else untried


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
    return config.bias[phase_of(node)]


cdef double beta_of(const config_t* config, node_t* node, int code, double w, double n,
                    double amaf_w, double amaf_n) noexcept nogil:
    """The weight of AMAF for a move."""
    if n == 0.0:
        return 1.0
    if amaf_n == 0.0:
        return 0.0
    if config.beta == MSE:
        return beta_mse(n, amaf_n, bias_at(config, node, code))
    if config.beta == HAND:
        return beta_hand(node.t, config.k)
    if config.beta == HEURISTIC:
        return beta_heuristic(n, amaf_n)
    return beta_variance(w, n, amaf_w, amaf_n, config.min_samples)


cdef inline double blend_mse(double w, double n, double amaf_w, double amaf_n, double bias) noexcept nogil:
    """`blend` with `beta_mse`, multiplied out: one division instead of three."""
    cdef double weight = bias * amaf_n
    cdef double both = n + amaf_n + n * weight
    return (w + w * weight + amaf_w) / both if both else INFINITY


cdef inline double explore(double ln_t, uint32_t n, double c) noexcept nogil:
    """RAVE and GRAVE with a constant: UCT's term on top."""
    return c * sqrt(ln_t / (n if n else 1))


cdef inline double ln_visits(const search_t* search, const node_t* node) noexcept nogil:
    """What `explore` needs; not computed without need."""
    return log(<double> node.t) if search.config.c > 0.0 and node.t else 0.0


cdef void score_rave(const search_t* search, node_t* node, double* scores) noexcept nogil:
    cdef const layout_t* layout = &search.table.layout
    cdef const config_t* config = &search.config
    cdef const double* w = wins_of(node)
    cdef const double* amaf_w = amaf_wins_of(node)
    cdef const uint32_t* n = visits_of(layout, node)
    cdef const uint32_t* amaf_n = amaf_visits_of(layout, node)
    cdef const uint16_t* codes = codes_of(layout, node)
    cdef double c = config.c, ln_t = ln_visits(search, node), bias
    cdef int i
    if config.beta == MSE and config.scale != BY_KIND:      # the default, in loops without calls
        bias = config.bias[phase_of(node)]
        if c > 0.0:
            for i in range(room_of(node)):
                scores[i] = blend_mse(w[i], n[i], amaf_w[i], amaf_n[i], bias) + explore(ln_t, n[i], c)
        else:
            for i in range(room_of(node)):
                scores[i] = blend_mse(w[i], n[i], amaf_w[i], amaf_n[i], bias)
    elif config.beta == MSE:
        for i in range(node.n_moves):
            bias = config.bias_of_code[codes[i]]
            scores[i] = blend_mse(w[i], n[i], amaf_w[i], amaf_n[i], bias) + explore(ln_t, n[i], c)
    else:
        for i in range(node.n_moves):
            scores[i] = blend(w[i], n[i], amaf_w[i], amaf_n[i], beta_of(
                config, node, codes[i], w[i], n[i], amaf_w[i], amaf_n[i])) + explore(ln_t, n[i], c)


cdef void score_grave(const search_t* search, node_t* node, node_t* reference, double* scores) noexcept nogil:
    """As RAVE, with the AMAF values of the nearest entry above that has seen enough."""
    cdef const layout_t* layout = &search.table.layout
    cdef const double* w = wins_of(node)
    cdef const uint32_t* n = visits_of(layout, node)
    cdef const uint16_t* codes = codes_of(layout, node)
    cdef const double* amaf_w = reference.block
    cdef const uint32_t* amaf_n = block_visits(&search.table, reference)
    cdef double bias = search.config.bias[0], c = search.config.c, ln_t = ln_visits(search, node), wins, visits
    cdef int i
    for i in range(node.n_moves):
        visits = amaf_n[codes[i]]
        wins = amaf_w[codes[i]] if turn_of(node) == 0 else visits - amaf_w[codes[i]]
        scores[i] = blend_mse(w[i], n[i], wins, visits, bias) + explore(ln_t, n[i], c)


cdef void score_moves(const search_t* search, node_t* node, node_t* reference, double* scores) noexcept nogil:
    """What the moves are chosen by on the way down. Only GRAVE looks at the reference."""
    if search.config.method == UCT:
        score_uct(search, node, scores)
    elif search.config.method == RAVE:
        score_rave(search, node, scores)
    else:
        score_grave(search, node, reference, scores)


# One simulation

cdef node_t* add_entry(search_t* search, worker_t* worker, const void* state, uint64_t key) noexcept nogil:
    """The entry of a position that has none; NULL if there is no memory for it."""
    cdef node_t* node = table_node(&search.table, &worker.cursor)
    cdef node_t* hung
    cdef double progress
    if node == NULL:
        return NULL
    node.key = key
    node.high = 1.0
    node.side = search.game.turn(search.game, state)
    if search.config.scale == BY_PHASE:
        progress = max(0.0, search.game.progress(search.game, state))
        node.side |= min(<int> (progress * search.config.n_bias), search.config.n_bias - 1) << 1
    hung = table_add(&search.table, node)
    worker.added += hung == node
    return hung


cdef bint give_body(search_t* search, worker_t* worker, node_t* node, const void* state) noexcept nogil:
    """Make an entry's arrays, if it has none; false if there is no memory for them.

    Or if the position has no moves, as in a game in Python whose code has just failed.
    """
    cdef bint has_body
    lock(node)
    if node.body == NULL:
        make_body(search, worker, node, state)
    has_body = node.body != NULL
    unlock(&node.lock)
    return has_body


cdef void make_body(search_t* search, worker_t* worker, node_t* node, const void* state) noexcept nogil:
    cdef node_t made
    cdef log_t* entry
    made.log, made.side = node.log, node.side
    made.n_moves = search.game.moves(search.game, state, worker.moves)
    if made.n_moves == 0:
        return
    made.body = <double*> table_take(&search.table, &worker.cursor, body_size(&search.table.layout, made.n_moves))
    if made.body == NULL:
        return
    fill_body(search, &made, worker.moves, state)
    if search.table.layout.amaf:
        entry = take_log(node)
        while entry != NULL:
            entry = give_back(worker, entry)
    node.n_moves = made.n_moves
    swap_pointer(<void**> &node.body, NULL, made.body)      # now others may see it


cdef void fill_body(const search_t* search, node_t* node, const move_t* moves, const void* state) noexcept nogil:
    """Write an entry's moves, and what its log knows of them, into a body of zeros."""
    cdef const layout_t* layout = &search.table.layout
    cdef log_t* entry = node.log
    cdef int i
    memcpy(moves_of(layout, node), moves, node.n_moves * sizeof(move_t))
    if layout.codes:
        for i in range(node.n_moves):
            codes_of(layout, node)[i] = search.game.code(search.game, state, moves[i])
    if layout.bounds:
        for i in range(node.n_moves):
            highs_of(layout, node)[i] = 1.0
    while layout.amaf and entry != NULL:
        add_amaf_moves(&search.table, node, log_bits(entry), seen_by(turn_of(node), entry.result))
        entry = entry.next


cdef inline void start(search_t* search, place_t* place) noexcept nogil:
    """At the root."""
    place.pauses = place.is_known = place.needs_playout = False
    place.depth, place.reference = 0, search.root
    if search.table.layout.codes:
        memset(place.seen, 0, code_words(search.game.n_codes) * sizeof(uint64_t))
    copy_state(search.game, &place.state, &search.root_state)


cdef inline void walk_down(search_t* search, worker_t* worker, place_t* place,
                           bint shared, bint pausing) noexcept nogil:
    """Steps 1 to 3, but for the playout. `shared` is a constant at each call: are there other threads?

    So is `pausing`: whether to come back before a position that probably has no entry yet, with the
    line of the table that will hold it asked for. The next call goes on from there.
    """
    cdef const game_t* game = search.game
    cdef const layout_t* layout = &search.table.layout
    cdef node_t* entry = search.root
    cdef node_t* reference = place.reference
    cdef node_t* child = NULL
    cdef node_t* node                   # the entry, or this thread's copy of it
    cdef int i, depth = place.depth
    cdef uint64_t key = place.key
    cdef bint resumes = pausing and place.pauses

    place.pauses = False
    while True:
        if not resumes:
            # 1. At an entry: choose a move, count the visit, play it
            if depth == game.max_plies:
                store(&search.endless, 1)       # a key that does not tell positions apart leads round in circles
                place.result = 0.5
                break
            node = view_of(worker.views, &search.table, entry, worker.walks) if shared else entry
            if search.config.method == GRAVE:
                if shared and node != entry and node.block != NULL:
                    reference = node
                elif has_block(search, worker, entry):
                    reference = entry
            i = choose(search, node, reference, worker.scores)
            place.path[depth], place.counted[depth], place.chosen[depth] = entry, node, i
            depth += 1
            if shared and node == entry:
                fetch_add32(&node.t, 1)
                fetch_add32(&visits_of(layout, node)[i], 1)
            else:
                node.t += 1
                visits_of(layout, node)[i] += 1
            game.play(game, &place.state, moves_of(layout, node)[i])
            key = game.key(game, &place.state)
            if pausing and load32(&visits_of(layout, node)[i]) == 1:
                table_want(&search.table, key)
                place.pauses, place.key, place.reference, place.depth = True, key, reference, depth
                return
        resumes = False

        # 2. A position with an entry: go on there, unless its value is proven
        child = table_find(&search.table, key)
        if child != NULL:
            if search.config.solver and load_double(&child.low) == load_double(&child.high):
                place.result, place.is_known = load_double(&child.low), True
                break
            if load_pointer(<void**> &child.body) != NULL or give_body(search, worker, child, &place.state):
                entry = child
                continue

        # 3. A finished game, or a new entry (or one without memory for a body) and a playout from it
        elif game.moves(game, &place.state, NULL) == 0:
            place.result, place.is_known = game.result(game, &place.state), True
            break
        else:
            child = add_entry(search, worker, &place.state, key)
        place.needs_playout = True
        break
    place.depth, place.leaf = depth, child


cdef inline void play_out(search_t* search, place_t* place) noexcept nogil:
    """The playout of a walk."""
    cdef trace_t trace
    trace.plies, trace.moves, trace.codes, trace.seen = 0, NULL, NULL, NULL
    if search.table.layout.codes:
        trace.seen = place.seen
    place.result = search.playout(search.game, &place.state, &place.rng, &trace)


cdef void play_together(search_t* search, worker_t* worker, int n) noexcept nogil:
    """The playouts of n walks, each with the generator of its place."""
    cdef job_t* job = worker.jobs
    cdef place_t* place
    cdef int p, n_jobs = 0
    for p in range(n):
        place = &worker.places[p]
        if place.needs_playout:
            job = &worker.jobs[n_jobs]
            job.state, job.rng, job.games = &place.state, place.rng, 1
            job.seen = place.seen if search.table.layout.codes else NULL
            n_jobs += 1
    if search.has_kernel and n_jobs >= FEW:
        search.game.batch(search.game, worker.jobs, n_jobs)
    else:
        any_batch(search.game, search.playout, worker.jobs, n_jobs)
    job = worker.jobs
    for p in range(n):
        place = &worker.places[p]
        if place.needs_playout:
            place.rng, place.result = job.rng, job.result
            job += 1


cdef inline void update(search_t* search, worker_t* worker, place_t* place, bint shared) noexcept nogil:
    """Step 4: update the path, from its end up."""
    drop_state(search.game, &place.state)
    if search.table.layout.codes:
        update_amaf(search, worker, place, shared)
    update_wins(place, shared)
    if search.config.solver:
        update_bounds(search, place, shared)


cdef inline void finish(search_t* search, worker_t* worker, place_t* place, bint shared) noexcept nogil:
    """What comes after the walk."""
    if place.needs_playout:
        play_out(search, place)
    update(search, worker, place, shared)


cdef inline void simulate(search_t* search, worker_t* worker) noexcept nogil:
    """One simulation."""
    start(search, worker.places)
    walk_down(search, worker, worker.places, False, False)
    finish(search, worker, worker.places, False)


cdef inline void simulate_overlapping(search_t* search, worker_t* worker) noexcept nogil:
    """One simulation up to its playout, which waits for the next walk; and first the one that waits.

    With threads a walk ends at a line of the table that another thread has often written last. While it
    is on its way, there is the playout and the update of the simulation before.
    """
    cdef place_t* place = &worker.places[worker.walks & 1]
    start(search, place)
    walk_down(search, worker, place, True, True)
    finish_waiting(search, worker)
    while place.pauses:
        walk_down(search, worker, place, True, True)
    worker.unfinished = place


cdef inline void finish_waiting(search_t* search, worker_t* worker) noexcept nogil:
    if worker.unfinished != NULL:
        finish(search, worker, worker.unfinished, True)
        worker.unfinished = NULL


cdef inline void simulate_together(search_t* search, worker_t* worker, int n, bint shared) noexcept nogil:
    """A flight of n simulations: all walk down, all play, all update, in this order."""
    cdef int p
    for p in range(n):
        start(search, &worker.places[p])
        walk_down(search, worker, &worker.places[p], shared, False)
    play_together(search, worker, n)
    for p in range(n):
        update(search, worker, &worker.places[p], shared)


cdef inline void update_wins(place_t* place, bint shared) noexcept nogil:
    cdef node_t* node
    cdef double* w
    cdef double value
    cdef int depth = place.depth
    while depth:
        depth -= 1
        node = place.counted[depth]
        w = &wins_of(node)[place.chosen[depth]]
        value = seen_by(turn_of(node), place.result)
        if shared and node == place.path[depth]:
            add_double(w, value)
        else:
            w[0] += value


cdef inline double seen_by(int turn, double result) noexcept nogil:
    """A first player's result as the mover sees it: the one place where results turn round."""
    return 1.0 - result if turn else result


# AMAF

cdef inline void update_amaf(search_t* search, worker_t* worker, place_t* place, bint shared) noexcept nogil:
    """Every entry of the path gets the codes played from it to the end, each once.

    The set of codes grows from the end of the path upwards: being a set, it keeps first occurrences
    only. With threads an entry is locked for it: cheaper than twenty atomic additions.
    """
    cdef uint64_t* seen = place.seen
    cdef double result = place.result
    cdef int code, depth = place.depth
    if place.leaf != NULL and not place.is_known:
        add_amaf(search, worker, place.leaf, place.leaf, seen, result, shared)
    while depth:
        depth -= 1
        code = codes_of(&search.table.layout, place.counted[depth])[place.chosen[depth]]
        seen[code >> 6] |= <uint64_t> 1 << (code & 63)
        add_amaf(search, worker, place.path[depth], place.counted[depth], seen, result, shared)


cdef inline void add_amaf(search_t* search, worker_t* worker, node_t* node, node_t* counted,
                          const uint64_t* seen, double result, bint shared) noexcept nogil:
    """Count a playout's codes: in the counters that matter, or in the log while there are none.

    RAVE has counters for the moves of entries with a body, GRAVE a block of all codes for those that
    may serve as a reference, made when t passes ref. A block takes kilobytes and few entries get one.
    """
    cdef bint locked = shared
    if shared and counted != node and (search.config.method == RAVE or counted.block != NULL):
        node, locked = counted, False           # the thread's own
    if locked:
        lock(node)
    if search.config.method == RAVE:
        if node.body != NULL:
            add_amaf_moves(&search.table, node, seen, seen_by(turn_of(node), result))
        else:
            write_log(search, worker, node, seen, result)
    elif node.block != NULL:
        add_to_block(&search.table, node.block, seen, result)
    else:
        write_log(search, worker, node, seen, result)
        if load32(&node.t) > search.config.ref:
            make_block(search, worker, node)
    if locked:
        unlock(&node.lock)


cdef inline void add_amaf_moves(const table_t* table, node_t* node, const uint64_t* seen,
                                double value) noexcept nogil:
    """RAVE: the entry's own moves."""
    cdef const layout_t* layout = &table.layout
    hits_add(seen, code_words(table.n_codes), codes_of(layout, node), amaf_visits_of(layout, node),
             amaf_wins_of(node), room_of(node), value)


cdef inline void add_to_block(const table_t* table, double* block, const uint64_t* bits, double result) noexcept nogil:
    """GRAVE: all codes."""
    cdef uint32_t* n = <uint32_t*> (block + table.n_codes)
    cdef uint64_t rest
    cdef int word, code
    for word in range(code_words(table.n_codes)):
        rest = bits[word]
        while rest:
            code = 64 * word + first_bit(rest)
            rest &= rest - 1
            n[code] += 1
            block[code] += result


cdef inline bint has_block(search_t* search, worker_t* worker, node_t* node) noexcept nogil:
    """Whether an entry may serve as a reference and has what it takes.

    In a flight t may pass `ref` by visits whose results are still to come, on which the block would be made.
    """
    if load32(&node.t) <= search.config.ref:
        return False
    if search.lanes > 1 and load_pointer(<void**> &node.block) == NULL:
        lock(node)
        if node.block == NULL:
            make_block(search, worker, node)
        unlock(&node.lock)
    return load_pointer(<void**> &node.block) != NULL


cdef void make_block(search_t* search, worker_t* worker, node_t* node) noexcept nogil:
    """Turn an entry's log into its block."""
    cdef table_t* table = &search.table
    cdef double* block = <double*> table_take(table, &worker.cursor, block_size(table))
    cdef log_t* entry
    if block == NULL:
        return                                  # a full table: the entry above goes on serving
    entry = take_log(node)
    while entry != NULL:
        add_to_block(table, block, log_bits(entry), entry.result)
        entry = give_back(worker, entry)
    swap_pointer(<void**> &node.block, NULL, block)


cdef void write_log(search_t* search, worker_t* worker, node_t* node, const uint64_t* seen,
                    double result) noexcept nogil:
    cdef log_t* entry = table_log(&search.table, &worker.cursor)
    if entry != NULL:
        entry.result, entry.next = result, node.log
        memcpy(log_bits(entry), seen, code_words(search.table.n_codes) * sizeof(uint64_t))
        node.log = entry


cdef log_t* take_log(node_t* node) noexcept nogil:
    """Empty an entry's log; returned in the order in which it was written."""
    cdef log_t* oldest = NULL
    cdef log_t* entry
    while node.log != NULL:
        entry = node.log
        node.log = entry.next
        entry.next = oldest
        oldest = entry
    return oldest


cdef log_t* give_back(worker_t* worker, log_t* entry) noexcept nogil:
    """Keep the room of a playout that is counted for the next one; returns the one after it."""
    cdef log_t* following = entry.next
    entry.next = worker.cursor.logs
    worker.cursor.logs = entry
    return following


# Proven values

cdef void update_bounds(search_t* search, place_t* place, bint shared) noexcept nogil:
    """Carry what is certain up the path. Bounds are the first player's; they only ever tighten.

    With threads an entry is locked while its bounds change, which is seldom: so no thread's finding
    is overwritten by what another found before it.
    """
    cdef const layout_t* layout = &search.table.layout
    cdef node_t* node
    cdef node_t* copy
    cdef double* known_low
    cdef double* known_high
    cdef double low, high
    cdef int i, depth = place.depth
    low, high = 0.0, 1.0
    if place.is_known:
        low = high = place.result
    elif place.leaf != NULL:
        low, high = load_double(&place.leaf.low), load_double(&place.leaf.high)
    while depth:
        depth -= 1
        node, copy, i = place.path[depth], place.counted[depth], place.chosen[depth]
        if low > load_double(&lows_of(layout, copy)[i]) or high < load_double(&highs_of(layout, copy)[i]):
            if shared:
                lock(node)
            known_low, known_high = &lows_of(layout, node)[i], &highs_of(layout, node)[i]
            store_double(known_low, max(low, known_low[0]))
            store_double(known_high, min(high, known_high[0]))
            tighten(layout, node)
            if copy != node:
                lows_of(layout, copy)[i], highs_of(layout, copy)[i] = known_low[0], known_high[0]
                copy.low, copy.high = node.low, node.high
            if shared:
                unlock(&node.lock)
        low, high = load_double(&node.low), load_double(&node.high)


cdef void tighten(const layout_t* layout, node_t* node) noexcept nogil:
    """An entry's bounds from those of its moves."""
    cdef const double* lows = lows_of(layout, node)
    cdef const double* highs = highs_of(layout, node)
    cdef double low = lows[0], high = highs[0]
    cdef int i
    for i in range(1, node.n_moves):
        if turn_of(node) == 0:
            low, high = max(low, lows[i]), max(high, highs[i])
        else:
            low, high = min(low, lows[i]), min(high, highs[i])
    store_double(&node.low, low)
    store_double(&node.high, high)


cdef bint is_worse(const layout_t* layout, node_t* node, int i) noexcept nogil:
    """Whether a move is certainly worth less than the entry, or than what the entry is proven to be worth."""
    cdef double low = lows_of(layout, node)[i], high = highs_of(layout, node)[i]
    if node.low == node.high:
        return low != node.low if turn_of(node) == 0 else high != node.high
    return high < node.low if turn_of(node) == 0 else low > node.high


# Many simulations

cdef void run_simulations(search_t* search, worker_t* worker, bint shared) noexcept nogil:
    """Simulate until the batch is used up, together with whatever other threads do the same."""
    cdef int64_t first, end
    cdef int n
    cdef bint more = True
    while more:
        first = fetch_add(&search.next, search.handful)
        end = min(first + search.handful, search.batch)
        more = end < search.batch
        while first < end:
            if load(&search.endless) or is_proven(search):
                more = False
                break
            n = <int> min(search.lanes, end - first)
            if search.lanes == 1 and shared:
                simulate_overlapping(search, worker)
            elif search.lanes == 1:
                simulate(search, worker)
            elif shared:
                simulate_together(search, worker, n, True)
            else:
                simulate_together(search, worker, n, False)
            worker.played += n
            worker.walks += 1
            first += n
    finish_waiting(search, worker)
