"""The memory of a tree, and moving its root. The map is tree.pxd."""
from libc.math cimport exp
from libc.stdint cimport int64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from mcts_core.base.stack cimport stack_close, stack_open, stack_pop, stack_push, stack_t, stack_top
from mcts_core.game cimport copy_state, drop_state, game_t

cdef int64_t FIRST_ROOM = 4096          # bytes of a new tree: many trees are small


cdef bint tree_open(tree_t* tree, const game_t* game, const void* state, int64_t limit) noexcept nogil:
    """Open a tree without nodes. Returns False without memory; `tree_close` is due in any case."""
    memset(tree, 0, sizeof(tree_t))
    copy_state(game, &tree.root_state, state)
    tree.game, tree.limit, tree.used = game, limit, LINE
    return tree_reserve(tree, 0)


cdef void tree_close(tree_t* tree) noexcept nogil:
    if tree.game != NULL:
        drop_state(tree.game, &tree.root_state)
    free(tree.memory)
    memset(tree, 0, sizeof(tree_t))


cdef bint tree_reserve(tree_t* tree, int64_t more) noexcept nogil:
    """Make sure that records of `more` bytes can be taken. Nodes and bodies may move. False: there is no memory."""
    cdef int64_t room = max(FIRST_ROOM, tree.room)
    cdef void* memory
    if tree.room and tree.used + more <= tree.room:
        return True
    while room < tree.used + more:
        room *= 2
    memory = realloc(tree.memory, room)
    if memory == NULL:
        return False
    tree.memory, tree.room = <char*> memory, room
    return True


cdef line_t tree_take(tree_t* tree, int64_t size) noexcept nogil:
    """Return a new record, not cleared, from memory that was reserved."""
    cdef line_t line = <line_t> (tree.used // LINE)
    tree.used += (size + LINE - 1) // LINE * LINE
    return line


# Edges

cdef void measure_logits(node_t* node) noexcept nogil:
    """Compute what priors are made of, and find the move to try first."""
    cdef const float* logits = logits_of(node)
    cdef int i
    node.next = 0
    for i in range(1, node.n_moves):
        if logits[i] > logits[node.next]:
            node.next = i
    node.most, node.total = logits[node.next], 0.0
    for i in range(node.n_moves):
        node.total += exp(<double> logits[i] - node.most)


cdef int room_for(int n_edges) noexcept nogil:
    """Return how many edges there is room for in the record of a node with n_edges edges."""
    cdef int room = 2
    while room < n_edges:
        room *= 2
    return room if n_edges else 0


cdef edge_t* add_edge(tree_t* tree, node_t* node) noexcept nogil:
    """Add an edge for the move to try next, in memory that was reserved."""
    cdef edge_t* edges = edges_of(tree, node)
    cdef edge_t* edge
    if node.n_edges == room_for(node.n_edges):
        node.edges = tree_take(tree, room_for(node.n_edges + 1) * <int64_t> sizeof(edge_t))
        memcpy(edges_of(tree, node), edges, node.n_edges * sizeof(edge_t))
        edges = edges_of(tree, node)
    edge = &edges[node.n_edges]
    set_edge(node, edge, node.next)
    node.n_edges += 1
    node.next = next_after(node, node.next)
    return edge


cdef void set_edge(node_t* node, edge_t* edge, int i) noexcept nogil:
    edge.wins, edge.visits, edge.child, edge.i, edge.logit = 0.0, 0, 0, i, logits_of(node)[i]
    edge.prior = prior_of(node, edge.logit)


cdef int next_after(node_t* node, int last) noexcept nogil:
    """Return the move that comes after another one, sorted by logits, equals in legal order; -1 if there is none."""
    cdef const float* logits = logits_of(node)
    cdef float limit = logits[last]
    cdef int i, best = -1
    for i in range(node.n_moves):
        if (logits[i] < limit or logits[i] == limit and i > last) and (best < 0 or logits[i] > logits[best]):
            best = i
    return best


cdef void give_all_edges(tree_t* tree, node_t* node) noexcept nogil:
    """Give a node an edge for each move, in legal order, in memory that was reserved."""
    cdef const edge_t* known = edges_of(tree, node)
    cdef line_t line = tree_take(tree, room_for(node.n_moves) * <int64_t> sizeof(edge_t))
    cdef edge_t* edges = <edge_t*> (tree.memory + <int64_t> line * LINE)
    cdef int i
    if node.total == 0.0:
        measure_logits(node)
    for i in range(node.n_moves):
        set_edge(node, &edges[i], i)
    for i in range(node.n_edges):
        edges[known[i].i] = known[i]
    node.edges, node.n_edges, node.next = line, node.n_moves, -1


# Moving the root

cdef struct copied_t:                   # a node whose copy gets its children next
    line_t old
    line_t new
    int i                               # the next move


cdef bint make_root(tree_t* tree, line_t line, const void* state) noexcept nogil:
    """Make a node, or a new one if `line` is 0, the root of a fresh block with what lies below it.

    Returns False, with the tree unchanged, if there is no memory.
    """
    cdef tree_t fresh
    cdef stack_t stack
    cdef bint has_memory
    stack_open(&stack, sizeof(copied_t))
    has_memory = (tree_open(&fresh, tree.game, state, tree.limit)
                  and (line == 0 or copy_below(tree, line, &fresh, &stack)))
    stack_close(&stack)
    if not has_memory:
        tree_close(&fresh)
        return False
    fresh.rng = tree.rng
    tree_close(tree)
    tree[0] = fresh
    return True


cdef bint copy_below(const tree_t* tree, line_t line, tree_t* fresh, stack_t* stack) noexcept nogil:
    """Copy a node and all below it. Returns False if there is no memory."""
    cdef copied_t* top
    cdef line_t child
    fresh.root = copy_node(tree, line, fresh)
    if fresh.root == 0 or not push(stack, line, fresh.root):
        return False
    while stack.depth:
        top = <copied_t*> stack_top(stack)
        if top.i == node_at(tree, top.old).n_edges:
            stack_pop(stack)
            continue
        top.i += 1
        child = edges_of(tree, node_at(tree, top.old))[top.i - 1].child
        if child == 0:
            continue
        line = copy_node(tree, child, fresh)
        if line == 0:
            return False
        edges_of(fresh, node_at(fresh, top.new))[top.i - 1].child = line
        if not push(stack, child, line):
            return False
    return True


cdef bint push(stack_t* stack, line_t old, line_t new) noexcept nogil:
    cdef copied_t* top = <copied_t*> stack_push(stack)
    if top != NULL:
        top.old, top.new, top.i = old, new, 0
    return top != NULL


cdef line_t copy_node(const tree_t* tree, line_t line, tree_t* fresh) noexcept nogil:
    """Copy one node with its edges. Returns 0 if there is no memory."""
    cdef const node_t* node = node_at(tree, line)
    cdef int64_t header = node_size(node.n_moves), edges = room_for(node.n_edges) * <int64_t> sizeof(edge_t)
    cdef line_t copy
    if not tree_reserve(fresh, header + edges + 2 * LINE):
        return 0
    copy = tree_take(fresh, header)
    memcpy(node_at(fresh, copy), node, header)
    fresh.n_nodes += 1
    if edges:
        node_at(fresh, copy).edges = tree_take(fresh, edges)
        memcpy(edges_of(fresh, node_at(fresh, copy)), edges_of(tree, node), edges)
    return copy
