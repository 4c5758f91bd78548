"""The steps of a flight. The map is flight.pxd."""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport realloc
from libc.string cimport memset

from mcts_core.base.aligned_memory cimport prefetch_line
from mcts_core.batched.tree cimport (
    LINE, add_edge, edge_t, edges_of, give_all_edges, is_proven, logits_of, measure_logits, moves_of, node_at,
    node_size, node_t, tree_reserve, tree_take
)
from mcts_core.game cimport MOVES_ROOM, any_state_t, copy_state, drop_state, game_t, is_result
from mcts_core.planes cimport write_planes
from mcts_core.search.amaf cimport seen_by


# Walking down

cdef void collect(flight_t* flight) noexcept nogil:
    """Send the walks of each tree down that has not reached the target, and is not proven."""
    cdef tree_t* tree
    cdef int t, _
    flight.n_walks, flight.n_steps, flight.n_rows, flight.n_codes, flight.fault = 0, 0, 0, 0, NO_FAULT
    for t in range(flight.n_trees):
        tree = &flight.trees[t]
        if tree.playouts >= flight.target or tree.root and is_proven(node_at(tree, tree.root)):
            continue
        if not make_ready(flight, tree):
            return
        for _ in range(min(flight.lanes, flight.target - tree.playouts) if tree.is_begun else 1):
            walk_down(flight, tree)
            if flight.fault:
                return


cdef bint make_ready(flight_t* flight, tree_t* tree) noexcept nogil:
    """Reserve memory for the walks of a tree, and prepare the root once it is evaluated."""
    cdef int most = tree.game.max_moves
    cdef int64_t a_walk = node_size(most) + 2 * most * <int64_t> sizeof(edge_t) + 3 * LINE
    if not tree_reserve(tree, (flight.lanes + 1) * a_walk):
        flight.fault = NO_MEMORY
        return False
    if tree.root and not tree.is_begun:
        give_all_edges(tree, node_at(tree, tree.root))
        tree.noise = tree_take(tree, most * <int64_t> sizeof(double))
        if flight.chooser.begin != NULL:
            flight.chooser.begin(flight.chooser, tree)
        tree.is_begun = True
    tree.is_full = tree.used >= tree.limit
    tree.mark = tree.used
    return True


cdef void walk_down(flight_t* flight, tree_t* tree) noexcept nogil:
    """Follow the best moves to the end of the tree, and add the position there."""
    cdef walk_t* walk = &flight.walks[flight.n_walks]
    cdef any_state_t state
    cdef line_t line = tree.root
    cdef node_t* node
    cdef edge_t* edge
    cdef int e
    walk.tree, walk.first, walk.n_steps, walk.is_new = tree, flight.n_steps, 0, False
    flight.n_walks += 1
    copy_state(tree.game, &state, &tree.root_state)
    if line == 0:
        tree.root = line = new_leaf(flight, tree, &state)
        walk.is_new = True
    while not walk.is_new:
        node = node_at(tree, line)
        if node.is_waiting or is_proven(node):
            break
        if node.total == 0.0:
            measure_logits(node)
        e = best_edge(flight, tree, node)
        if e == node.n_edges and tree.is_full or not add_step(flight, walk, line, e):
            break
        edge = add_edge(tree, node) if e == node.n_edges else &edges_of(tree, node)[e]
        node.visits += 1
        edge.visits += 1
        prefetch_line(node_at(tree, edge.child))    # waiting for memory is most of a walk
        tree.game.play(tree.game, &state, moves_of(node)[edge.i])
        line = edge.child
        if line == 0:
            edge.child = line = new_leaf(flight, tree, &state)
            walk.is_new = True
    walk.leaf = line
    drop_state(tree.game, &state)


cdef int best_edge(const flight_t* flight, const tree_t* tree, const node_t* node) noexcept nogil:
    """Return the edge with the best score, the first of equals in legal order; n_edges: the move to try next.

    Moves that cannot be better than what is certain are left out.
    """
    cdef double[MOVES_ROOM + 1] scores
    cdef const edge_t* edges = edges_of(tree, node)
    cdef int e, i, best = -1, best_i = 0
    flight.chooser.score(flight.chooser, tree, node, scores)
    for e in range(node.n_edges + (node.next >= 0)):
        i = edges[e].i if e < node.n_edges else node.next
        if best >= 0 and (scores[e] < scores[best] or scores[e] == scores[best] and i > best_i):
            continue
        if not (node.has_bounds and e < node.n_edges and is_closed(tree, node, edges[e].child)):
            best, best_i = e, i
    return max(0, best)


cdef bint is_closed(const tree_t* tree, const node_t* node, line_t child) noexcept nogil:
    """Return whether a move cannot be better than what is certain."""
    if child == 0:
        return False
    return node_at(tree, child).low >= node.high if node.turn else node_at(tree, child).high <= node.low


cdef bint add_step(flight_t* flight, walk_t* walk, line_t line, int e) noexcept nogil:
    cdef int64_t room
    cdef void* steps
    if flight.n_steps == flight.room_for_steps:
        room = max(<int64_t> 1024, 2 * flight.room_for_steps)
        steps = realloc(flight.steps, room * sizeof(step_t))
        if steps == NULL:
            flight.fault = NO_MEMORY
            return False
        flight.steps, flight.room_for_steps = <step_t*> steps, room
    flight.steps[flight.n_steps].node, flight.steps[flight.n_steps].e = line, e
    flight.n_steps += 1
    walk.n_steps += 1
    return True


cdef line_t new_leaf(flight_t* flight, tree_t* tree, const void* state) noexcept nogil:
    """Add a node, and a row for it unless the game is over."""
    cdef const game_t* game = tree.game
    cdef line_t line = <line_t> (tree.used // LINE)
    cdef node_t* node = node_at(tree, line)
    cdef int n
    memset(node, 0, sizeof(node_t))
    n = game.moves(game, state, moves_of(node))
    if not 0 <= n <= game.max_moves:
        flight.fault = BREACH
        n = 0
    tree_take(tree, node_size(n))
    tree.n_nodes += 1
    node.turn, node.n_moves, node.visits, node.high = game.turn(game, state), n, 1, 1.0
    if n:
        add_row(flight, tree, line, state)
    else:
        node.low = node.high = game.result(game, state)
        node.value = seen_by(node.turn, node.low)
        if not is_result(node.low):
            flight.fault = BREACH
    return line


cdef void add_row(flight_t* flight, tree_t* tree, line_t line, const void* state) noexcept nogil:
    """Write a position into the planes and masks."""
    cdef const game_t* game = tree.game
    cdef node_t* node = node_at(tree, line)
    cdef leaf_t* row = &flight.rows[flight.n_rows]
    cdef uint8_t* planes = flight.planes + flight.n_rows * <int64_t> 2 * flight.squares
    cdef uint8_t* mask = flight.masks + flight.n_rows * <int64_t> flight.n_actions
    cdef int i, code
    row.tree, row.node, row.first_code = tree, line, flight.n_codes
    node.is_waiting = True
    flight.n_rows += 1
    memset(planes, 0, 2 * flight.squares)
    memset(mask, 0, flight.n_actions)
    if not write_planes(game, state, flight.squares, planes):
        flight.fault = BREACH
    for i in range(node.n_moves):
        code = game.code(game, state, moves_of(node)[i])
        if not 0 <= code < flight.n_actions:
            flight.fault = BREACH
            return
        mask[code] = 1
        flight.codes[flight.n_codes + i] = code
    flight.n_codes += node.n_moves


# What an evaluator has answered

cdef void expand(flight_t* flight, const float* logits, const float* values) noexcept nogil:
    """Give each row's node its value and logits."""
    cdef leaf_t* row
    cdef node_t* node
    cdef float* own
    cdef const int32_t* codes
    cdef float most
    cdef int r, i
    for r in range(flight.n_rows):
        row = &flight.rows[r]
        node = node_at(row.tree, row.node)
        own, codes = logits_of(node), flight.codes + row.first_code
        most = -INFINITY
        for i in range(node.n_moves):
            own[i] = logits[codes[i]]
            if not own[i] < INFINITY:
                flight.fault = BAD_LOGITS
            most = max(most, own[i])
        if not most > -INFINITY:
            flight.fault = BAD_LOGITS
        if not 0.0 <= values[r] <= 1.0:
            flight.fault = BAD_VALUE
        node.value = values[r]
        logits += flight.n_actions
    if not flight.fault:
        for r in range(flight.n_rows):
            node_at(flight.rows[r].tree, flight.rows[r].node).is_waiting = False


# Counting

cdef void update(flight_t* flight) noexcept nogil:
    """Count the walks."""
    cdef walk_t* walk
    cdef int w
    for w in range(flight.n_walks):
        walk = &flight.walks[w]
        add_value(flight, walk)
        if flight.solver and is_proven(node_at(walk.tree, walk.leaf)) and not walk.tree.is_full:
            raise_bounds(flight, walk)
    for w in range(flight.n_walks):
        walk = &flight.walks[w]
        if walk.tree.is_full and walk.is_new and walk.n_steps:
            last_edge(flight, walk).child = 0       # memory is full
            walk.tree.n_nodes -= 1
            walk.tree.used = walk.tree.mark


cdef void add_value(flight_t* flight, walk_t* walk) noexcept nogil:
    """Add the value of a walk's end to the moves that it made."""
    cdef const node_t* leaf = node_at(walk.tree, walk.leaf)
    cdef double value = seen_by(leaf.turn, leaf.value)
    cdef const node_t* node
    cdef int64_t s
    for s in range(walk.first, walk.first + walk.n_steps):
        node = node_at(walk.tree, flight.steps[s].node)
        edges_of(walk.tree, node)[flight.steps[s].e].wins += seen_by(node.turn, value)
    walk.tree.playouts += walk.n_steps > 0


cdef void raise_bounds(flight_t* flight, walk_t* walk) noexcept nogil:
    """Compute the bounds along a walk to a proven position, from its end up, as far as they change."""
    cdef node_t* node
    cdef double low, high
    cdef int64_t s
    for s in range(walk.first + walk.n_steps - 1, walk.first - 1, -1):
        node = node_at(walk.tree, flight.steps[s].node)
        node.has_bounds = True
        bounds_of(walk.tree, node, &low, &high)
        if low == node.low and high == node.high:
            break
        node.low, node.high = low, high


cdef void bounds_of(const tree_t* tree, const node_t* node, double* low, double* high) noexcept nogil:
    """Compute the bounds of a node from those of its moves: the mover takes the best."""
    cdef const edge_t* edges = edges_of(tree, node)
    cdef const node_t* child
    cdef bint is_open = node.next >= 0          # there is a move without bounds
    cdef int e
    low[0] = high[0] = 1.0 if node.turn else 0.0
    for e in range(node.n_edges):
        if edges[e].child == 0:
            is_open = True
            continue
        child = node_at(tree, edges[e].child)
        low[0] = min(low[0], child.low) if node.turn else max(low[0], child.low)
        high[0] = min(high[0], child.high) if node.turn else max(high[0], child.high)
    if is_open and node.turn:
        low[0] = 0.0
    elif is_open:
        high[0] = 1.0


cdef edge_t* last_edge(const flight_t* flight, const walk_t* walk) noexcept nogil:
    cdef const step_t* step = &flight.steps[walk.first + walk.n_steps - 1]
    return &edges_of(walk.tree, node_at(walk.tree, step.node))[step.e]


cdef void undo(flight_t* flight) noexcept nogil:
    """Take the walks back: they are not counted. Edges and memory of new leaves stay."""
    cdef walk_t* walk
    cdef node_t* node
    cdef int64_t s
    cdef int w
    for w in range(flight.n_walks):
        walk = &flight.walks[w]
        for s in range(walk.first, walk.first + walk.n_steps):
            node = node_at(walk.tree, flight.steps[s].node)
            node.visits -= 1
            edges_of(walk.tree, node)[flight.steps[s].e].visits -= 1
        if walk.is_new:
            walk.tree.n_nodes -= 1
            if walk.n_steps:
                last_edge(flight, walk).child = 0
            else:
                walk.tree.root = 0
    flight.n_walks = 0
