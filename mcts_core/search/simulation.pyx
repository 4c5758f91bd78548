"""One simulation of a tree search, in numbered steps: walk down, add one entry, play, update.

The rule decides through `rule_t`; the loop names no method.

Statistics belong to edges (entry, move). A position reached in two ways has one entry, so both share
what is below it, and nothing is averaged over its parents.

A walk counts visits on its way down; `update` counts the result. One simulation at a time, the order
makes no difference, because a path never meets an entry twice. With lanes, a flight of simulations
walks down before their playouts are played together: until its result is known, an edge that one of
them has taken looks like a loss to the others (virtual loss), so they tend to choose other moves.

With several threads, each finds and changes only entries and copies in its own view (thread_view.pxd).
`shared` says whether there are several threads. It is a constant where a simulation is called, so the
compiler makes a version of each step for both cases.
"""
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from mcts_core.base.aligned_memory cimport prefetch_line
from mcts_core.base.atomics cimport fetch_add, load, store
from mcts_core.base.clock cimport seconds_now
from mcts_core.game cimport any_batch, code_words, copy_state, drop_state, has_failed, is_result, job_t, trace_t
from mcts_core.playouts cimport roll_out
from mcts_core.search.amaf cimport prefetch_own_counters, count_codes, count_moves, make_block, seen_by
from mcts_core.search.bounds cimport bound_move
from mcts_core.search.expansion cimport add_entry, give_body
from mcts_core.search.knowledge cimport cut_playout, evaluates, is_certain, quiet_score, worth
from mcts_core.search.minimax_values cimport keep_values
from mcts_core.search.node cimport (
    AMAF_OF_CODES, AMAF_OF_MOVES, COPY, NO_AMAF, SHARED, columns_t, layout_of, moves_of, turn_of, visits_of, wins_of
)
from mcts_core.search.policy cimport policy_playout, policy_t
from mcts_core.search.proof_numbers cimport keep_proofs
from mcts_core.search.selection cimport choose
from mcts_core.search.table cimport first_slot, hash_of, table_find
from mcts_core.search.thread_view cimport adopt, note_due, share_bounds, synchronise

cdef enum:
    FEW = 3                             # playouts in a flight from which the game's kernel is faster than one by one


# The rule

cdef layout_t layout_for(const search_t* search) noexcept:
    """Return the columns that entries have. Those of AMAF_OF_MOVES come before the rule's own."""
    cdef const rule_t* rule = search.rule
    cdef bint of_moves = rule.amaf == AMAF_OF_MOVES
    cdef layout_t layout
    cdef columns_t has
    has.bounds, has.prior = search.solver, search.knowledge.prior
    has.values, has.proofs = search.knowledge.minimax > 0.0, search.knowledge.proof > 0.0
    layout = layout_of(1 + of_moves + rule.n_sums, 1 + of_moves + rule.n_counts, has, rule.amaf != NO_AMAF)
    layout.amaf, layout.n_codes, layout.ref = rule.amaf, search.game.n_codes, rule.ref
    return layout


cdef void set_rule(search_t* search, const rule_t* rule) noexcept:
    """Set the rule of a search whose solver and knowledge are set."""
    cdef const knowledge_t* knowledge = &search.knowledge
    search.rule, search.count_amaf = rule, NULL
    search.values_leaves = knowledge.tactics or evaluates(knowledge)
    search.adjusts = search.solver or knowledge.minimax > 0.0 or knowledge.proof > 0.0
    if rule.amaf == AMAF_OF_MOVES:
        search.count_amaf = count_moves
    elif rule.amaf == AMAF_OF_CODES:
        search.count_amaf = count_codes
    if rule.plan != NULL and not search.adjusts:    # a plan ignores adjustments, such as moves that are struck out
        search.count_amaf = rule.plan


# One simulation

cdef inline void walk_down(search_t* search, worker_t* worker, walk_t* walk, bint shared) noexcept nogil:
    """Do steps 1 to 3, without the playout."""
    cdef const game_t* game = search.game
    cdef const layout_t* layout = &search.table.layout
    cdef table_t* table = &worker.view.table if shared else &search.table
    cdef node_t* node = worker.view.root if shared else search.root
    cdef node_t* reference = node
    cdef node_t* child = NULL
    cdef int i, depth = 0
    cdef uint64_t key = 0

    walk.is_known = walk.needs_playout = False
    if layout.codes:
        memset(walk.seen, 0, code_words(game.n_codes) * sizeof(uint64_t))
    copy_state(game, &walk.state, &search.root_state)
    if not shared and search.schedule != NULL:
        node.planned, node.planned_node = 1 + search.schedule.next(search.schedule, layout, node), NULL
    while True:
        # 1. At an entry: choose a move, count the visit, play it
        if depth == game.max_plies:
            store(&search.endless, 1)           # two positions with one key can make a path a circle
            walk.result = walk.value = 0.5
            break
        if shared and node.t >= node.due:
            note_due(worker.view, node)
        if layout.amaf == AMAF_OF_CODES and may_serve(search, worker, node):
            reference = node
            prefetch_own_counters(node)
        i, child = node.planned - 1, NULL
        if i < 0:
            i = choose(search, worker, node, reference, shared)
        else:
            child = node.planned_node
            if shared and child != NULL and child.kind == SHARED:
                child = NULL                    # published or given up since the plan was made
        node.planned = 0
        walk.path[depth], walk.chosen[depth] = node, i
        depth += 1
        node.t += 1
        visits_of(layout, node)[i] += 1
        game.play(game, &walk.state, moves_of(layout, node)[i])

        # 2. A position with an entry: go on there, unless its value is proven
        if child == NULL:
            key = game.key(game, &walk.state)
            if shared:
                prefetch_line(&search.table.slots[first_slot(&search.table, hash_of(key))])     # `adopt` may look there
            child = table_find(table, key)
        if shared and child == NULL:
            child = adopt(worker.view, key)
        if child != NULL:
            if search.solver and child.low == child.high:
                walk.result, walk.is_known = child.low, True
                break
            if child.body != NULL or give_body(search, worker, child, &walk.state):
                node = child
                continue

        # 3. A finished game, or one that knowledge decides; else a playout, from a new entry or one that got no body
        elif game.moves(game, &walk.state, NULL) == 0:
            walk.result, walk.is_known = game.result(game, &walk.state), True
            break
        if search.values_leaves and is_decided(search, worker, walk):
            break
        if child == NULL:
            child = add_entry(search, worker, &walk.state, key, shared)
        walk.needs_playout = search.knowledge.cut != 0
        break
    walk.depth, walk.leaf = depth, child


cdef bint is_decided(search_t* search, worker_t* worker, walk_t* walk) noexcept nogil:
    """Evaluate the position that a walk has reached. Returns whether its result is certain.

    A playout of no plies has the value as its result.
    """
    cdef int turn = search.game.turn(search.game, &walk.state), score
    if evaluates(&search.knowledge):
        score = quiet_score(worker.quiet, &walk.state)
        if worker.quiet.breach:
            store(&search.breach, 1)
        walk.value = walk.result = seen_by(turn, worth(worker.quiet, score))
        walk.is_known = is_certain(score)
    elif search.game.solve != NULL:
        score = search.game.solve(search.game, &walk.state)
        if score:
            walk.result, walk.is_known = seen_by(turn, 1.0 if score > 0 else 0.0), True
    return walk.is_known


cdef inline void play_out(search_t* search, worker_t* worker, walk_t* walk) noexcept nogil:
    """Play the playout of a walk."""
    cdef trace_t trace
    trace.plies, trace.moves, trace.codes, trace.seen = 0, NULL, NULL, NULL
    if search.table.layout.codes:
        trace.seen = walk.seen
    if worker.policy != NULL:
        walk.result = policy_playout(worker.policy, search.game, &walk.state, &walk.rng, &trace)
    elif search.knowledge.cut > 0:
        walk.result = cut_playout(worker.quiet, search.game, &walk.state, search.knowledge.cut, &walk.rng, &trace)
    else:
        walk.result = roll_out(&search.rollout, &walk.state, &walk.rng, &trace)


cdef void show_path(search_t* search, policy_t* policy, const walk_t* walk) noexcept nogil:
    """Begin the moves that a policy learns from with those of a walk."""
    cdef int depth
    for depth in range(walk.depth):
        policy.moves[depth] = moves_of(&search.table.layout, walk.path[depth])[walk.chosen[depth]]
    policy.plies = walk.depth


cdef void play_together(search_t* search, worker_t* worker, int n) noexcept nogil:
    """Play the playouts of n walks, each with the generator of its walk."""
    cdef job_t* job = worker.jobs
    cdef walk_t* walk
    cdef int p, n_jobs = 0
    for p in range(n):
        walk = &worker.walks[p]
        if walk.needs_playout and search.knowledge.cut > 0:
            play_out(search, worker, walk)
        elif walk.needs_playout:
            job = &worker.jobs[n_jobs]
            job.state, job.rng, job.games = &walk.state, walk.rng, 1
            job.seen = walk.seen if search.table.layout.codes else NULL
            n_jobs += 1
    if search.rollout.has_batch and n_jobs >= FEW:
        search.game.batch(search.game, worker.jobs, n_jobs)
    else:
        any_batch(search.rollout.game, search.rollout.playout, worker.jobs, n_jobs)
    job = worker.jobs
    for p in range(n if n_jobs else 0):
        walk = &worker.walks[p]
        if walk.needs_playout:
            walk.rng, walk.result = job.rng, job.result
            job += 1


cdef inline void update(search_t* search, worker_t* worker, walk_t* walk, bint shared) noexcept nogil:
    """Do step 4: update the path, from its end up."""
    drop_state(search.game, &walk.state)
    learn(search, walk)
    if search.count_amaf != NULL:
        search.count_amaf(search.rule, &search.table, worker, walk)
    if search.solver:
        update_bounds(search, worker, walk, shared)
    if search.knowledge.minimax > 0.0:
        keep_values(&search.table.layout, walk, walk.result if walk.is_known else walk.value)
    if search.knowledge.proof > 0.0:
        keep_proofs(&search.table.layout, walk)


cdef inline bint simulate(search_t* search, worker_t* worker, bint shared) noexcept nogil:
    """Run one simulation. Returns False if it must not be counted."""
    walk_down(search, worker, worker.walks, shared)
    if worker.policy != NULL:
        show_path(search, worker.policy, worker.walks)
    if worker.walks.needs_playout:
        play_out(search, worker, worker.walks)
    if is_void(search, worker.walks):
        forget_walk(search, worker.walks)
        return False
    update(search, worker, worker.walks, shared)
    if worker.policy != NULL:
        worker.policy.learn(worker.policy, search.game, &search.root_state, worker.walks.result)
    return True


cdef inline bint simulate_together(search_t* search, worker_t* worker, int n, bint shared) noexcept nogil:
    """Run a flight of n simulations: all walk down, all play, all update. Returns False if none may be counted."""
    cdef int p
    cdef bint nothing_counts = False
    for p in range(n):
        walk_down(search, worker, &worker.walks[p], shared)
    play_together(search, worker, n)
    for p in range(n):
        nothing_counts |= is_void(search, &worker.walks[p])
    if nothing_counts:
        for p in range(n):
            forget_walk(search, &worker.walks[p])
        return False
    for p in range(n):
        update(search, worker, &worker.walks[p], shared)
    return True


cdef inline bint is_void(search_t* search, const walk_t* walk) noexcept nogil:
    """Return whether a simulation must not be counted: the game has failed, or gave an invalid result."""
    if not is_result(walk.result):
        store(&search.breach, 1)
        return True
    return has_failed(search.game)


cdef void forget_walk(search_t* search, walk_t* walk) noexcept nogil:
    """Take the visits of a walk back."""
    cdef node_t* node
    cdef int depth
    drop_state(search.game, &walk.state)
    for depth in range(walk.depth):
        node = walk.path[depth]
        node.t -= 1
        visits_of(&search.table.layout, node)[walk.chosen[depth]] -= 1


cdef inline void learn(search_t* search, walk_t* walk) noexcept nogil:
    """Count the result of a walk for each edge of its path."""
    cdef const rule_t* rule = search.rule
    cdef node_t* node
    cdef bint learns = rule.learn != NULL
    cdef double result
    cdef int i, depth = walk.depth
    while depth:
        depth -= 1
        node, i = walk.path[depth], walk.chosen[depth]
        result = seen_by(turn_of(node), walk.result)
        wins_of(node)[i] += result
        if learns:
            rule.learn(rule, &search.table.layout, node, i, result)


cdef inline bint may_serve(search_t* search, worker_t* worker, node_t* node) noexcept nogil:
    """Return whether an entry is a reference for those below it: it has more than `ref` visits, and a block.

    With lanes, visits of the flight under way may be the first beyond `ref`: then the block is made here.
    """
    if node.t <= search.table.layout.ref:
        return False
    if search.lanes > 1 and not node.has_block and node.kind != COPY:
        make_block(&search.table, &worker.cursor, node)
    return node.has_block


# Proven values

cdef void update_bounds(search_t* search, worker_t* worker, walk_t* walk, bint shared) noexcept nogil:
    """Tighten the bounds of the path, from its end up."""
    cdef node_t* node
    cdef double low, high
    cdef int depth = walk.depth
    low, high = 0.0, 1.0
    if walk.is_known:
        low = high = walk.result
    elif walk.leaf != NULL:
        low, high = walk.leaf.low, walk.leaf.high
    while depth:
        depth -= 1
        node = walk.path[depth]
        if bound_move(&search.table.layout, node, walk.chosen[depth], low, high) and node.kind == COPY:
            share_bounds(worker.view, node)
        low, high = node.low, node.high


# Many simulations

cdef inline bint simulate_lanes(search_t* search, worker_t* worker, int n, bint shared) noexcept nogil:
    """Run n simulations, one for each lane. Returns False if they must not be counted."""
    if search.lanes == 1 and shared:
        return simulate(search, worker, True)
    if search.lanes == 1:
        return simulate(search, worker, False)
    if shared:
        return simulate_together(search, worker, n, True)
    return simulate_together(search, worker, n, False)


cdef bint run_some(search_t* search, worker_t* worker, int64_t simulations, bint shared) noexcept nogil:
    """Run up to n simulations. Returns False if the search must stop."""
    cdef bint counted, more = True
    cdef int n
    while simulations > 0 and more:
        if load(&search.endless) or load(&search.breach) or is_proven(search):
            return False
        n = <int> min(search.lanes, simulations)
        counted = simulate_lanes(search, worker, n, shared)
        if shared and not synchronise(worker.view, search.root, search.lanes):
            more = False                        # no memory for a copy of the root: `advance_to` raises
        if not counted:
            return False
        worker.played += n
        simulations -= n
    return more


cdef void run_simulations(search_t* search, worker_t* worker, bint shared) noexcept nogil:
    """Run simulations until the batch is used up. Several threads may do so at once."""
    cdef int64_t first, end
    cdef bint more = True
    cdef double began = seconds_now()
    while more:
        first = fetch_add(&search.next, search.handful)
        end = min(first + search.handful, search.batch)
        more = run_some(search, worker, end - first, shared) and end < search.batch
    worker.seconds = seconds_now() - began
