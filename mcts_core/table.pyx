"""The arena and the buckets of the transposition table. The map is table.pxd."""
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from mcts_core.atomics cimport fetch_add, load, load_pointer, store, swap_pointer
from mcts_core.lines cimport in_lines, lines_give_back, lines_take

cdef enum:
    FIRST_BUCKETS = 1 << 10
    FIRST_CHUNK = 1 << 16               # bytes; chunks grow with the table, by an eighth of it,
    LAST_CHUNK = 1 << 24                # up to this
    ALLOWANCE = 1 << 12                 # bytes of the limit that a thread takes at a time
    LOGS = 8                            # playouts' codes in one piece


cdef int table_open(table_t* table, layout_t layout, int n_codes, int64_t limit) except -1:
    memset(table, 0, sizeof(table_t))
    table.layout = layout
    table.n_codes = n_codes
    table.limit = limit
    table.buckets = empty_buckets(FIRST_BUCKETS)
    if table.buckets == NULL:
        raise MemoryError("no memory for a search table")
    table.n_buckets = FIRST_BUCKETS
    table.used = table.held = FIRST_BUCKETS * sizeof(node_t*)
    return 0


cdef node_t** empty_buckets(int64_t n) noexcept nogil:
    cdef node_t** buckets = <node_t**> lines_take(n * sizeof(node_t*))
    if buckets != NULL:
        memset(buckets, 0, n * sizeof(node_t*))
    return buckets


cdef void table_close(table_t* table) noexcept nogil:
    cdef chunk_t* chunk = table.chunks
    cdef chunk_t* following
    while chunk != NULL:
        following = chunk.next
        lines_give_back(chunk)
        chunk = following
    lines_give_back(table.buckets)
    table.chunks = NULL
    table.buckets = NULL


cdef inline uint64_t bucket_of(const table_t* table, uint64_t key) noexcept nogil:
    """Multiplied, so that a game whose keys are weak in some bits does no harm."""
    return (key * <uint64_t> 0x9E3779B97F4A7C15 >> 20) & (table.n_buckets - 1)


cdef void table_reserve(table_t* table, int64_t more) noexcept nogil:
    """Make the buckets fit for so many more entries. Not while threads are searching."""
    cdef uint64_t n_buckets = table.n_buckets, b, home
    cdef node_t** buckets
    cdef node_t* node
    cdef node_t* following
    while <int64_t> n_buckets < table.n_nodes + more and <int64_t> n_buckets < table.limit // 64:
        n_buckets *= 2
    if n_buckets == table.n_buckets:
        return
    buckets = empty_buckets(n_buckets)
    if buckets == NULL:
        return                                  # longer chains are slower, not wrong
    table.held += (n_buckets - table.n_buckets) * sizeof(node_t*)
    b, table.n_buckets = table.n_buckets, n_buckets
    while b:
        b -= 1
        node = table.buckets[b]
        while node != NULL:
            following = node.next
            home = bucket_of(table, node.key)
            node.next = buckets[home]
            buckets[home] = node
            node = following
    lines_give_back(table.buckets)
    table.buckets = buckets


cdef node_t* table_find(table_t* table, uint64_t key) noexcept nogil:
    cdef node_t* node = <node_t*> load_pointer(<void**> &table.buckets[bucket_of(table, key)])
    while node != NULL and node.key != key:
        node = node.next
    return node


cdef int64_t body_size(const layout_t* layout, int n_moves) noexcept nogil:
    """Bytes of the body of an entry with so many moves."""
    cdef int64_t doubles = 1 + layout.amaf + 2 * layout.bounds, words = 2 + layout.amaf
    return (n_moves + WIDTH - 1) // WIDTH * WIDTH * (8 * doubles + 4 * words + 2 * layout.codes)


cdef bint charge(table_t* table, cursor_t* cursor, int64_t size) noexcept nogil:
    """Count so many bytes against the limit; false if it is met."""
    cdef int64_t more
    if cursor.allowance < size:
        more = max(<int64_t> ALLOWANCE, size)
        if fetch_add(&table.used, more) + more > table.limit:
            fetch_add(&table.used, -more)
            more = size - cursor.allowance      # the last bytes, to the byte
            if fetch_add(&table.used, more) + more > table.limit:
                fetch_add(&table.used, -more)
                if not load(&table.full):
                    store(&table.full, 1)
                return False
        cursor.allowance += more
    cursor.allowance -= size
    return True


cdef bint new_chunk(table_t* table, cursor_t* cursor, int64_t size) noexcept nogil:
    """Get a thread a chunk with room for so many bytes at least; false if the system has none."""
    cdef int64_t room = min(<int64_t> LAST_CHUNK, max(<int64_t> FIRST_CHUNK, load(&table.held) // 8))
    cdef chunk_t* chunk
    room = max(min(room, table.limit - load(&table.held)), in_lines(sizeof(chunk_t)) + size)
    chunk = <chunk_t*> lines_take(room)
    if chunk == NULL:
        store(&table.full, 1)
        return False
    fetch_add(&table.held, room)
    while True:
        chunk.next = <chunk_t*> load_pointer(<void**> &table.chunks)
        if swap_pointer(<void**> &table.chunks, chunk.next, chunk):
            break
    cursor.free = <char*> chunk + in_lines(sizeof(chunk_t))
    cursor.end = <char*> chunk + room
    return True


cdef void* table_take(table_t* table, cursor_t* cursor, int64_t size) noexcept nogil:
    """So many zeroed bytes of the arena, in lines of their own; NULL once the limit is met."""
    cdef void* taken
    size = in_lines(size)
    if not charge(table, cursor, size):
        return NULL
    if cursor.end - cursor.free < size and not new_chunk(table, cursor, size):
        return NULL
    taken = cursor.free
    cursor.free += size
    memset(taken, 0, size)
    return taken


cdef node_t* table_node(table_t* table, cursor_t* cursor) noexcept nogil:
    """An empty entry; NULL if the table is full."""
    if not charge(table, cursor, BUCKET_SHARE):
        return NULL
    return <node_t*> table_take(table, cursor, sizeof(node_t))


cdef log_t* table_log(table_t* table, cursor_t* cursor) noexcept nogil:
    """Room for one playout's codes; NULL if the table is full. Cut from larger pieces, for it is no whole line."""
    cdef int64_t size = sizeof(log_t) + code_words(table.n_codes) * sizeof(uint64_t)
    cdef log_t* log
    cdef char* piece
    cdef int i
    if cursor.logs == NULL:
        piece = <char*> table_take(table, cursor, LOGS * size)
        if piece == NULL:
            return NULL
        for i in range(LOGS):
            log = <log_t*> (piece + (LOGS - 1 - i) * size)
            log.next = cursor.logs
            cursor.logs = log
    log = cursor.logs
    cursor.logs = log.next
    return log


cdef node_t* table_add(table_t* table, node_t* node) noexcept nogil:
    """Hang up a finished entry; if another thread was quicker with this key, its entry is returned."""
    cdef void** bucket = <void**> &table.buckets[bucket_of(table, node.key)]
    cdef node_t* other
    while True:
        node.next = <node_t*> load_pointer(bucket)
        other = node.next
        while other != NULL and other.key != node.key:
            other = other.next
        if other != NULL:
            return other
        if swap_pointer(bucket, node.next, node):
            return node
