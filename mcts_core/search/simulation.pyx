"""A simulation of the tree searches, in numbered steps: walk down, add one entry, play, update.

Statistics belong to edges (entry, move), so a position reached in two ways shares what is below it
and nothing is averaged over its parents.

A visit is counted on the way down and its result on the way up. With one simulation after the other
the order makes no difference: a path never meets an entry twice. But with lanes a flight of them
walks down before their playouts are played together: then an edge that one of them is busy with
looks like a loss until the result is in (virtual loss), and the next one tends to go elsewhere.

With threads each finds and changes entries of its own only, and copies of those that others have too
(fringe.pxd).
"""
from libc.math cimport INFINITY, log, sqrt
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from mcts_core.search.amaf cimport add_to_block, count_log, make_block, seen_by, take_log, write_log
from mcts_core.base.atomics cimport fetch_add, load, store, store_pointer
from mcts_core.search.bounds cimport bound_move
from mcts_core.base.clock cimport seconds_now
from mcts_core.search.thread_view cimport add_own, note_due, share_bounds, take_over, tend
from mcts_core.game cimport any_batch, copy_state, drop_state, game_t, has_failed, is_result, job_t, move_t, trace_t
from mcts_core.search.amaf_simd cimport HITS_CHOOSES, hits_add, hits_choose, hits_load, hits_mark, hits_t
from mcts_core.base.aligned_memory cimport lines_ask
from mcts_core.search.select cimport beta_hand, beta_heuristic, beta_mse, beta_variance
from mcts_core.search.table cimport (
    COPY, SHARED, WIDTH, amaf_visits_of, amaf_wins_of, block_of, block_visits, body_size, child_of, code_words,
    first_slot, hash_of, codes_of, highs_of, layout_t, lows_of, moves_of, node_t, phase_of, room_of, table_find,
    table_node, table_put, table_t, table_take, table_takes, turn_of, visits_of, wins_of
)

cdef enum:
    FEW = 3                             # playouts that are played together; in Breakthrough that pays from 6 on


# Selection

cdef inline int choose(const search_t* search, worker_t* worker, node_t* node, node_t* reference,
                       bint shared) noexcept nogil:
    """The first move of the best score among those that are worth a visit."""
    cdef const config_t* config = &search.config
    cdef uint32_t i = node.t
    if config.method == UCT and not config.has_fpu and i < node.n_moves:
        if shared:
            i = (i + node.n_moves * worker.fringe.number // worker.fringe.threads) % node.n_moves
        if visits_of(&search.table.layout, node)[i] == 0:
            return i                            # untried moves come first, one after the other
    score_moves(search, node, reference, worker.scores)
    if config.solver:
        strike_out(&search.table.layout, node, worker.scores)
    return first_best(worker.scores, node.n_moves, room_of(node))


cdef inline void strike_out(const layout_t* layout, node_t* node, double* scores) noexcept nogil:
    """Score the moves down that cannot do better than what is certain already."""
    cdef const double* lows = lows_of(layout, node)
    cdef const double* highs = highs_of(layout, node)
    cdef double low = node.low, high = node.high
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
    cdef const double* amaf_w = block_of(layout, reference)
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

cdef node_t* add_entry(search_t* search, worker_t* worker, const void* state, uint64_t key,
                       bint shared) noexcept nogil:
    """The entry of a position that has none; NULL if there is no memory for it."""
    cdef node_t* node = NULL
    cdef double progress
    if not shared or table_takes(&worker.fringe.table):
        node = table_node(&search.table, &worker.cursor)
    if node == NULL:
        return NULL
    node.key = key
    node.high = 1.0
    node.side = search.game.turn(search.game, state) & 1
    if search.config.scale == BY_PHASE:
        progress = max(0.0, search.game.progress(search.game, state))
        node.side |= min(<int> (progress * search.config.n_bias), search.config.n_bias - 1) << 1
    if has_failed(search.game):
        return NULL
    if shared:
        add_own(worker.fringe, node)
        return node
    worker.added += 1
    table_put(&search.table, node)
    return node


cdef bint give_body(search_t* search, worker_t* worker, node_t* node, const void* state) noexcept nogil:
    """Make an entry's arrays, if it has none; false if there is no memory for them.

    Or if the game has just failed.
    """
    cdef node_t made
    cdef int n
    if node.body != NULL:
        return True
    n = search.game.moves(search.game, state, worker.moves)
    if n == 0:
        return False
    if not 0 < n <= search.game.max_moves:
        store(&search.breach, 1)
        return False
    made.n_moves = n
    made.body = <double*> table_take(&search.table, &worker.cursor, body_size(&search.table.layout, made.n_moves))
    if made.body == NULL:
        return False
    if not fill_body(search.game, &search.table.layout, &made, worker.moves, state):
        store(&search.breach, 1)
        return False
    if has_failed(search.game):
        return False
    node.n_moves = made.n_moves
    store_pointer(<void**> &node.body, made.body)       # others may look
    if search.table.layout.amaf:
        count_log(&search.table, &worker.cursor, take_log(node), node)
    return True


cdef bint fill_body(const game_t* game, const layout_t* layout, node_t* node, const move_t* moves,
                    const void* state) noexcept nogil:
    """Write an entry's moves into a body of zeros; false if the game gave one of them a code out of range."""
    cdef int i, code
    memcpy(moves_of(layout, node), moves, node.n_moves * sizeof(move_t))
    if layout.codes:
        for i in range(node.n_moves):
            code = game.code(game, state, moves[i])
            if not 0 <= code < game.n_codes:
                return False
            codes_of(layout, node)[i] = code
    if layout.bounds:
        for i in range(node.n_moves):
            highs_of(layout, node)[i] = 1.0
    return True


cdef inline void walk_down(search_t* search, worker_t* worker, place_t* place, bint shared) noexcept nogil:
    """Steps 1 to 3, but for the playout. `shared` is a constant at each call: are there other threads?"""
    cdef const game_t* game = search.game
    cdef const layout_t* layout = &search.table.layout
    cdef table_t* table = &worker.fringe.table if shared else &search.table
    cdef node_t* node = worker.fringe.root if shared else search.root
    cdef node_t* reference = node
    cdef node_t* child = NULL
    cdef int i, depth = 0
    cdef uint64_t key

    place.is_known = place.needs_playout = False
    if layout.codes:
        memset(place.seen, 0, code_words(game.n_codes) * sizeof(uint64_t))
    copy_state(game, &place.state, &search.root_state)
    while True:
        # 1. At an entry: choose a move, count the visit, play it
        if depth == game.max_plies:
            store(&search.endless, 1)           # a key that does not tell positions apart leads round in circles
            place.result = 0.5
            break
        if shared and node.t >= node.due:
            note_due(worker.fringe, node)
        if search.config.method == GRAVE and has_block(search, worker, node):
            reference = node
        i, child = node.next - 1, NULL
        if i < 0:
            i = choose(search, worker, node, reference, shared)
        else:
            child = child_of(layout, node)
            if shared and child != NULL and child.kind == SHARED:
                child = NULL                    # no longer this thread's own
        node.next = 0
        place.path[depth], place.chosen[depth] = node, i
        depth += 1
        node.t += 1
        visits_of(layout, node)[i] += 1
        game.play(game, &place.state, moves_of(layout, node)[i])

        # 2. A position with an entry: go on there, unless its value is proven
        if child == NULL:
            key = game.key(game, &place.state)
            if shared:
                lines_ask(&search.table.slots[first_slot(&search.table, hash_of(key))])     # take_over may look there
            child = table_find(table, key)
        if shared and child == NULL:
            child = take_over(worker.fringe, key)
        if child != NULL:
            if search.config.solver and child.low == child.high:
                place.result, place.is_known = child.low, True
                break
            if child.body != NULL or give_body(search, worker, child, &place.state):
                node = child
                continue

        # 3. A finished game, or a new entry (or one without memory for a body) and a playout from it
        elif game.moves(game, &place.state, NULL) == 0:
            place.result, place.is_known = game.result(game, &place.state), True
            break
        else:
            child = add_entry(search, worker, &place.state, key, shared)
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
    update_wins(place)
    if search.table.layout.amaf:
        update_moves(search, worker, place)
    elif search.table.layout.codes:
        update_blocks(search, worker, place)
    if search.config.solver:
        update_bounds(search, worker, place, shared)


cdef inline bint simulate(search_t* search, worker_t* worker, bint shared) noexcept nogil:
    """One simulation; false: the game has failed, and nothing is counted."""
    walk_down(search, worker, worker.places, shared)
    if worker.places.needs_playout:
        play_out(search, worker.places)
    if is_void(search, worker.places):
        forget_walk(search, worker.places)
        return False
    update(search, worker, worker.places, shared)
    return True


cdef inline bint simulate_together(search_t* search, worker_t* worker, int n, bint shared) noexcept nogil:
    """A flight of n simulations: all walk down, all play, all update, in this order."""
    cdef int p
    cdef bint nothing_counts = False
    for p in range(n):
        walk_down(search, worker, &worker.places[p], shared)
    play_together(search, worker, n)
    for p in range(n):
        nothing_counts |= is_void(search, &worker.places[p])
    if nothing_counts:
        for p in range(n):
            forget_walk(search, &worker.places[p])
        return False
    for p in range(n):
        update(search, worker, &worker.places[p], shared)
    return True


cdef inline bint is_void(search_t* search, const place_t* place) noexcept nogil:
    """Whether a simulation must not be counted: the game has failed, or gave no result."""
    if not is_result(place.result):
        store(&search.breach, 1)
        return True
    return has_failed(search.game)


cdef void forget_walk(search_t* search, place_t* place) noexcept nogil:
    """Take the visits of a walk back."""
    cdef node_t* node
    cdef int depth
    drop_state(search.game, &place.state)
    for depth in range(place.depth):
        node = place.path[depth]
        node.t -= 1
        visits_of(&search.table.layout, node)[place.chosen[depth]] -= 1


cdef inline void update_wins(place_t* place) noexcept nogil:
    cdef node_t* node
    cdef int depth = place.depth
    while depth:
        depth -= 1
        node = place.path[depth]
        wins_of(node)[place.chosen[depth]] += seen_by(turn_of(node), place.result)


# AMAF

# Every entry of the path gets the codes played from it to the end, each once. The set of codes grows from
# the end of the path upwards: being a set, it keeps first occurrences only.

cdef bint can_choose_ahead(const search_t* search) noexcept nogil:
    """Whether an entry's next move is chosen while its AMAF counters are updated: in the default of RAVE."""
    cdef const config_t* config = &search.config
    return (HITS_CHOOSES and config.method == RAVE and config.beta == MSE and config.scale != BY_KIND
            and config.c == 0.0 and not config.solver and search.game.max_moves <= 64 and search.game.n_codes <= 1024)


cdef inline void update_moves(search_t* search, worker_t* worker, place_t* place) noexcept nogil:
    """RAVE: the counters of each entry's own moves."""
    cdef const layout_t* layout = &search.table.layout
    cdef node_t* node
    cdef node_t* child = place.leaf
    cdef double value
    cdef hits_t hits
    cdef int depth = place.depth
    hits_load(&hits, place.seen, code_words(search.table.n_codes))
    node = place.leaf
    if node != NULL and not place.is_known and node.body == NULL:
        write_log(&search.table, &worker.cursor, node, place.seen, place.result)
    elif node != NULL and not place.is_known:   # a later walk of the same flight has been here
        hits_add(&hits, codes_of(layout, node), amaf_visits_of(layout, node), amaf_wins_of(node), room_of(node),
                 seen_by(turn_of(node), place.result))
    while depth:
        depth -= 1
        node = place.path[depth]
        value = seen_by(turn_of(node), place.result)
        hits_mark(&hits, codes_of(layout, node)[place.chosen[depth]])
        if search.chooses_ahead:
            node.next = 1 + hits_choose(
                &hits, codes_of(layout, node), amaf_visits_of(layout, node), amaf_wins_of(node),
                visits_of(layout, node), wins_of(node), node.n_moves, value, search.config.bias[phase_of(node)])
            node.extra = child if node.next == 1 + place.chosen[depth] else NULL
            child = node
        else:
            hits_add(&hits, codes_of(layout, node), amaf_visits_of(layout, node), amaf_wins_of(node), room_of(node),
                     value)


cdef inline void update_blocks(search_t* search, worker_t* worker, place_t* place) noexcept nogil:
    """GRAVE: the block of each entry that has one, and the log of the others."""
    cdef uint64_t* seen = place.seen
    cdef int code, depth = place.depth
    if place.leaf != NULL and not place.is_known:
        update_block(search, worker, place.leaf, seen, place.result)
    while depth:
        depth -= 1
        code = codes_of(&search.table.layout, place.path[depth])[place.chosen[depth]]
        seen[code >> 6] |= <uint64_t> 1 << (code & 63)
        update_block(search, worker, place.path[depth], seen, place.result)


cdef inline void update_block(search_t* search, worker_t* worker, node_t* node, const uint64_t* seen,
                              double result) noexcept nogil:
    if block_of(&search.table.layout, node) != NULL:
        add_to_block(&search.table, block_of(&search.table.layout, node), seen, result)
    else:
        write_log(&search.table, &worker.cursor, node, seen, result)
        if node.t > search.config.ref:
            make_own_block(search, worker, node)


cdef inline bint has_block(search_t* search, worker_t* worker, node_t* node) noexcept nogil:
    """Whether an entry may serve as a reference and has what it takes.

    In a flight t may pass `ref` by visits whose results are still to come, on which the block would be made.
    """
    if node.t <= search.config.ref:
        return False
    if search.lanes > 1 and block_of(&search.table.layout, node) == NULL:
        make_own_block(search, worker, node)
    return block_of(&search.table.layout, node) != NULL


cdef void make_own_block(search_t* search, worker_t* worker, node_t* node) noexcept nogil:
    """A copy gets its block when it is settled: it has part of the log only."""
    if node.kind != COPY:
        make_block(&search.table, &worker.cursor, node)


# Proven values

cdef void update_bounds(search_t* search, worker_t* worker, place_t* place, bint shared) noexcept nogil:
    """Carry what is certain up the path."""
    cdef node_t* node
    cdef double low, high
    cdef int depth = place.depth
    low, high = 0.0, 1.0
    if place.is_known:
        low = high = place.result
    elif place.leaf != NULL:
        low, high = place.leaf.low, place.leaf.high
    while depth:
        depth -= 1
        node = place.path[depth]
        if bound_move(&search.table.layout, node, place.chosen[depth], low, high) and node.kind == COPY:
            share_bounds(worker.fringe, node)
        low, high = node.low, node.high


# Many simulations

cdef inline bint fly(search_t* search, worker_t* worker, int n, bint shared) noexcept nogil:
    """A flight of n simulations; false: they do not count. `shared` becomes a constant."""
    if search.lanes == 1 and shared:
        return simulate(search, worker, True)
    if search.lanes == 1:
        return simulate(search, worker, False)
    if shared:
        return simulate_together(search, worker, n, True)
    return simulate_together(search, worker, n, False)


cdef bint run_some(search_t* search, worker_t* worker, int64_t simulations, bint shared) noexcept nogil:
    """So many simulations; false: there is a reason to stop."""
    cdef bint counted, more = True
    cdef int n
    while simulations > 0 and more:
        if load(&search.endless) or load(&search.breach) or is_proven(search):
            return False
        n = <int> min(search.lanes, simulations)
        counted = fly(search, worker, n, shared)
        if shared and not tend(worker.fringe, search.root, search.lanes):
            more = False                        # no memory to go on with: tree.pyx will tell
        if not counted:
            return False
        worker.played += n
        simulations -= n
    return more


cdef void run_simulations(search_t* search, worker_t* worker, bint shared) noexcept nogil:
    """Simulate until the batch is used up, together with whatever other threads do the same."""
    cdef int64_t first, end
    cdef bint more = True
    cdef double began = seconds_now()
    while more:
        first = fetch_add(&search.next, search.handful)
        end = min(first + search.handful, search.batch)
        more = run_some(search, worker, end - first, shared) and end < search.batch
    worker.seconds = seconds_now() - began
