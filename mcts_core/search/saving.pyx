"""Writing the entries of a table into arrays, and a table from such arrays. The map is saving.pxd.

Arrays come from a file, which may be damaged or forged. So all that memory or the search depends on is checked here,
except the moves of an entry: `keep_below` compares them with those of its position.
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from mcts_core.base.array_memory cimport memory_of
from mcts_core.game cimport code_words
from mcts_core.search.amaf cimport MOST_WORDS
from mcts_core.search.amaf_block cimport block_fill, block_new, block_room, block_wins, form_limit
from mcts_core.search.node cimport (
    AMAF_OF_CODES, BLOCK_EXACT, BLOCK_FORMS, NO_AMAF, block_t, column, layout_t, log_bits, log_t, node_t
)
from mcts_core.search.playout_log cimport (
    codes_above, links_below, log_writer_t, next_log, note_code, open_record, read_record, set_next_log, take_link
)
from mcts_core.search.table cimport (
    body_size, table_close, table_entry, table_log, table_node, table_open, table_put, table_reserve, table_take
)

import numpy as np

from mcts_core.errors import shown

cdef enum:
    MOST_DEPTH = (1 << 16) - 1          # links above the lowest one of a record: as many as 16 bits can count

# The arrays that are not columns of a body, with their types
ENTRIES = {"keys": "<u8", "lows": "<f8", "highs": "<f8", "visited": "<u4", "sides": "<u1", "moves_of": "<u2",
           "logs": "<u4", "has_block": "<u1"}
LOGS = {"log_records": "<u4", "log_depths": "<u2"}
RECORDS = {"record_results": "<f8", "record_moves": "<u2", "record_sets": "<u8", "record_codes": "<u2"}
BLOCKS = {"block_forms": "<u1", "block_counts": "<u4", "block_visits": "<u4", "block_wins": "<f8"}
EXTRAS = LOGS | RECORDS | BLOCKS


cdef list columns_of(const layout_t* layout):
    """Return the columns of a body: the name of each, where it begins as in `layout_t`, and its type."""
    columns = [(f"sums{k}", k * sizeof(double), "<f8") for k in range(layout.n_sums)]
    if layout.has.bounds:
        columns += [("move_lows", layout.lows_at, "<f8"), ("move_highs", layout.highs_at, "<f8")]
    if layout.has.values:
        columns.append(("values", layout.values_at, "<f8"))
    if layout.has.proofs:
        columns += [(f"proofs{k}", layout.proofs_at + k * sizeof(double), "<f8") for k in range(2)]
    if layout.has.prior:
        columns.append(("priors", layout.priors_at, "<f8"))
    columns += [(f"counts{k}", layout.counts_at + k * sizeof(uint32_t), "<u4") for k in range(layout.n_counts)]
    columns.append(("moves", layout.moves_at, "<u4"))
    if layout.codes:
        columns.append(("codes", layout.codes_at, "<u2"))
    return columns


# Writing

cdef class Buffers:
    """Bytes that grow, by name."""

    cdef dict found
    cdef dict types

    def __cinit__(self, dict types):
        self.types = types
        self.found = {name: bytearray() for name in types}

    cdef int put(self, str name, const void* numbers, int64_t size) except -1:
        buffer = self.found[name]
        buffer += PyBytes_FromStringAndSize(<const char*> numbers, size)
        return 0

    cdef dict arrays(self):
        return {name: np.frombuffer(buffer, self.types[name]) for name, buffer in self.found.items() if buffer}


cdef dict arrays_of(const table_t* table):
    """Return the arrays of a table that no thread works on. Arrays without numbers are left out."""
    cdef const layout_t* layout = &table.layout
    cdef node_t* node
    cdef int64_t s
    cdef int at, size
    cdef uint32_t logs
    cdef list columns = [(name, at, np.dtype(kind).itemsize) for name, at, kind in columns_of(layout)]
    cdef Buffers buffers = Buffers(types_of(layout))
    cdef dict records = {}              # by the address of link 0: number, highest link in use
    for s in range(<int64_t> table.n_slots):
        node = table_entry(table, s)
        if node == NULL:
            continue
        buffers.put("keys", &node.key, sizeof(node.key))
        buffers.put("lows", &node.low, sizeof(node.low))
        buffers.put("highs", &node.high, sizeof(node.high))
        buffers.put("visited", &node.t, sizeof(node.t))
        buffers.put("sides", &node.side, sizeof(node.side))
        buffers.put("moves_of", &node.n_moves, sizeof(node.n_moves))
        buffers.put("has_block", &node.has_block, sizeof(node.has_block))
        for name, at, size in columns if node.n_moves else []:
            buffers.put(name, column(node, at), <int64_t> node.n_moves * size)
        if node.has_block:
            put_block(buffers, node.amaf.block, layout.n_codes)
            logs = 0
        else:
            logs = put_logs(buffers, layout, records, node.amaf.log)
        buffers.put("logs", &logs, sizeof(logs))
    for address, (_, highest) in records.items():       # in the order of their numbers
        put_record(buffers, layout, <const log_t*> <size_t> address, highest)
    return buffers.arrays()


cdef dict types_of(const layout_t* layout):
    """Return the types of all arrays, by name."""
    return {**ENTRIES, **{name: kind for name, _, kind in columns_of(layout)}, **EXTRAS}


cdef int put_block(Buffers buffers, const block_t* block, int n_codes) except -1:
    cdef uint8_t form = block.form
    visits, wins = np.empty(n_codes, "<u4"), np.empty(n_codes, "<f8")
    cdef uint32_t* its_visits = <uint32_t*> memory_of(visits)
    cdef double* its_wins = <double*> memory_of(wins)
    cdef int code
    for code in range(n_codes):
        its_wins[code] = block_wins(block, block_room(n_codes), code, &its_visits[code])
    buffers.put("block_forms", &form, sizeof(form))
    buffers.put("block_counts", &block.count, sizeof(block.count))
    buffers.put("block_visits", its_visits, visits.nbytes)
    buffers.put("block_wins", its_wins, wins.nbytes)
    return 0


cdef uint32_t put_logs(Buffers buffers, const layout_t* layout, dict records, const log_t* log) except? 0:
    """Write the log of an entry, and note its records. Returns how many playouts it has."""
    cdef uint32_t n = 0, number
    cdef uint16_t depth
    while log != NULL:
        depth = links_below(log) if layout.amaf == AMAF_OF_CODES else 0
        number, highest = records.setdefault(<size_t> (<void**> log + depth), (len(records), 0))
        records[<size_t> (<void**> log + depth)] = number, max(highest, depth)
        buffers.put("log_records", &number, sizeof(number))
        buffers.put("log_depths", &depth, sizeof(depth))
        n += 1
        log = next_log(log)
    return n


cdef int put_record(Buffers buffers, const layout_t* layout, const log_t* deepest, uint16_t highest) except -1:
    """Write a record from its link 0 up to the highest link that is in use."""
    cdef uint64_t[MOST_WORDS] seen
    cdef int n_words = code_words(layout.n_codes)
    cdef double result = deepest.result
    if layout.amaf == AMAF_OF_CODES:
        result = read_record(deepest, n_words, seen)
        buffers.put("record_codes", codes_above(deepest, n_words), highest * sizeof(uint16_t))
    else:
        memcpy(seen, log_bits(<log_t*> deepest), n_words * sizeof(uint64_t))
    buffers.put("record_results", &result, sizeof(result))
    buffers.put("record_sets", seen, n_words * sizeof(uint64_t))
    buffers.put("record_moves", &highest, sizeof(highest))
    return 0


# Reading

cdef int64_t ANY_SIZE = <int64_t> 1 << 50   # bytes: the table is as large as the arrays make it


cdef class SavedTable:
    """A table that is made of arrays, and freed with this object."""

    def __dealloc__(self):
        table_close(&self.table)

    cdef int fill(self, layout_t layout, const game_t* game, const rule_t* rule, dict arrays,
                  object most_visits) except -1:
        """Make the entries. Raises ValueError if the arrays cannot be those of a search."""
        found = Checked(arrays, types_of(&layout))
        check_entries(&layout, game, rule, found, most_visits)
        check_logs(&layout, found)
        check_blocks(&layout, found)
        table_open(&self.table, layout, ANY_SIZE)
        table_reserve(&self.table, len(found["keys"]), len(found["keys"]))
        blocks, links = blocks_from(&self.table, &self.cursor, found), links_from(&self.table, &self.cursor, found)
        put_entries(&self.table, &self.cursor, found, blocks, links)
        return 0


class Checked(dict):
    """Arrays by name, of the right types. Those without numbers are not in a file."""

    def __init__(self, arrays, types):
        unknown = sorted(set(arrays) - set(types))
        if unknown:
            raise ValueError(f"it has an array {shown(unknown[0])}, which this search has not")
        for name, kind in types.items():
            array = arrays.get(name, np.empty(0, kind))
            if array.dtype != np.dtype(kind):
                raise ValueError(f"array {name} is of type {array.dtype.str}, not {kind}")
            self[name] = np.ascontiguousarray(array).ravel()

    def sized(self, names, size):
        """Refuse arrays of another size."""
        for name in names:
            if len(self[name]) != size:
                raise ValueError(f"array {name} has {len(self[name])} numbers where there should be {size}")

    def between(self, name, least, most):
        """Refuse numbers out of a range, and nan."""
        array = self[name]
        if not ((array >= least) & (array <= most)).all():
            raise ValueError(f"array {name} has numbers that are not from {least} to {most}")


cdef int check_entries(const layout_t* layout, const game_t* game, const rule_t* rule, found, most_visits) except -1:
    columns = [name for name, _, _ in columns_of(layout)]
    found.sized(ENTRIES, len(found["keys"]))
    found.between("moves_of", 0, game.max_moves)
    found.sized(columns, int(found["moves_of"].astype(np.int64).sum()))
    if len(np.unique(found["keys"])) < len(found["keys"]):
        raise ValueError("two entries have one key")
    found.between("visited", 0, most_visits)
    found.between("sides", 0, 2 * max(rule.n_phases, 1) - 1)
    found.between("has_block", 0, <int> (layout.amaf == AMAF_OF_CODES))
    for name in columns:
        if name.startswith("sums"):
            found.between(name, 0.0, 2.0**32)
        elif name.startswith("counts"):
            found.between(name, 0, most_visits + layout.has.prior)
        elif name.startswith("proofs"):
            found.between(name, 0.0, np.inf)
    for name in {"lows", "highs", "move_lows", "move_highs", "priors"} & {*columns, "lows", "highs"}:
        found.between(name, 0.0, 1.0)
    if layout.has.values:
        found.between("values", -1.0, 1.0)
    if layout.codes:
        found.between("codes", 0, layout.n_codes - 1)
    return 0


cdef int check_logs(const layout_t* layout, found) except -1:
    n_records, above = len(found["record_results"]), found["record_moves"]
    if layout.amaf == NO_AMAF and n_records:
        raise ValueError("it has records of playouts, which this search does not keep")
    if ((found["logs"] > 0) & (found["has_block"] == 1)).any():
        raise ValueError("an entry has both a log and a block")
    found.sized(LOGS, int(found["logs"].astype(np.int64).sum()))
    found.sized(["record_moves"], n_records)
    found.sized(["record_sets"], n_records * code_words(layout.n_codes))
    found.sized(["record_codes"], int(above.astype(np.int64).sum()))
    found.between("record_results", 0.0, 1.0)
    found.between("record_codes", 0, max(layout.n_codes - 1, 0))
    found.between("record_moves", 0, MOST_DEPTH if layout.amaf == AMAF_OF_CODES else 0)
    found.between("log_records", 0, n_records - 1)
    if len(found["log_records"]) == 0:
        return 0
    if (found["log_depths"] > above.take(found["log_records"])).any():
        raise ValueError("a log has more links than its record")
    links = found["log_records"].astype(np.int64) << 16 | found["log_depths"].astype(np.int64)
    if len(np.unique(links)) < len(links):
        raise ValueError("two entries share a link of a record")
    return 0


cdef int check_blocks(const layout_t* layout, found) except -1:
    n = int(found["has_block"].astype(np.int64).sum())
    found.sized(["block_forms", "block_counts"], n)
    found.sized(["block_visits", "block_wins"], n * layout.n_codes)
    if n == 0:
        return 0
    found.between("block_forms", 0, BLOCK_FORMS - 1)
    limits = np.array([form_limit(form) for form in range(BLOCK_FORMS)], np.uint32).take(found["block_forms"])
    visits = found["block_visits"].reshape(n, layout.n_codes)
    wins = found["block_wins"].reshape(n, layout.n_codes)
    if (found["block_counts"] > limits).any() or (visits > found["block_counts"][:, None]).any():
        raise ValueError("a block counts more playouts than it can hold")
    if not ((wins >= 0.0) & (wins <= visits.astype(np.float64))).all():
        raise ValueError("a block has wins that its playouts cannot have")
    is_exact = (found["block_forms"] == BLOCK_EXACT)[:, None]
    if ((2.0 * wins != np.floor(2.0 * wins)) & ~is_exact).any():
        raise ValueError("a block has wins that are not multiples of a half")
    return 0


cdef object links_from(table_t* table, cursor_t* cursor, found):
    """Make the records. Returns the addresses of their links 0."""
    cdef const layout_t* layout = &table.layout
    cdef int n_words = code_words(layout.n_codes), i
    cdef int64_t r, n = len(found["record_results"])
    addresses = np.empty(n, np.uint64)
    cdef uint64_t* made = <uint64_t*> memory_of(addresses)
    cdef const double* results = <const double*> memory_of(found["record_results"])
    cdef const uint64_t* sets = <const uint64_t*> memory_of(found["record_sets"])
    cdef const uint16_t* above = <const uint16_t*> memory_of(found["record_moves"])
    cdef const uint16_t* codes = <const uint16_t*> memory_of(found["record_codes"])
    cdef log_writer_t writer
    cdef log_t* log
    for r in range(n):
        if layout.amaf == AMAF_OF_CODES:
            open_record(&writer, table, cursor, sets + r * n_words, results[r], above[r] + 1)
            if not writer.left:
                raise MemoryError("no memory for the playouts of a saved search")
            log = take_link(&writer)
            for i in range(above[r]):
                note_code(&writer, codes[i])
                take_link(&writer)
            codes += above[r]
        else:
            log = table_log(table, cursor)
            if log == NULL:
                raise MemoryError("no memory for the playouts of a saved search")
            log.result = results[r]
            memcpy(log_bits(log), sets + r * n_words, n_words * sizeof(uint64_t))
        made[r] = <size_t> log
    return addresses


cdef object blocks_from(table_t* table, cursor_t* cursor, found):
    """Make the blocks. Returns their addresses."""
    cdef int64_t b, n = len(found["block_forms"])
    cdef int n_codes = table.layout.n_codes
    addresses = np.empty(n, np.uint64)
    cdef uint64_t* made = <uint64_t*> memory_of(addresses)
    cdef const uint8_t* forms = <const uint8_t*> memory_of(found["block_forms"])
    cdef const uint32_t* counts = <const uint32_t*> memory_of(found["block_counts"])
    cdef const uint32_t* visits = <const uint32_t*> memory_of(found["block_visits"])
    cdef const double* wins = <const double*> memory_of(found["block_wins"])
    cdef block_t* block
    for b in range(n):
        block = block_new(table, cursor, forms[b])
        if block == NULL:
            raise MemoryError("no memory for the blocks of a saved search")
        block.count = counts[b]
        block_fill(block, n_codes, visits + b * n_codes, wins + b * n_codes)
        made[b] = <size_t> block
    return addresses


cdef int put_entries(table_t* table, cursor_t* cursor, found, block_addresses, record_addresses) except -1:
    """Make the entries, whose arrays have been checked, with their bodies, blocks and logs."""
    cdef const layout_t* layout = &table.layout
    cdef int64_t i, n = len(found["keys"]), first_move = 0, first_log = 0, next_block = 0
    cdef node_t* node
    cdef list columns = [(<size_t> memory_of(found[name]), at, found[name].itemsize)
                         for name, at, _ in columns_of(layout)]
    cdef const uint64_t* keys = <const uint64_t*> memory_of(found["keys"])
    cdef const double* lows = <const double*> memory_of(found["lows"])
    cdef const double* highs = <const double*> memory_of(found["highs"])
    cdef const uint32_t* visited = <const uint32_t*> memory_of(found["visited"])
    cdef const uint8_t* sides = <const uint8_t*> memory_of(found["sides"])
    cdef const uint16_t* moves_of = <const uint16_t*> memory_of(found["moves_of"])
    cdef const uint32_t* logs = <const uint32_t*> memory_of(found["logs"])
    cdef const uint8_t* has_block = <const uint8_t*> memory_of(found["has_block"])
    cdef const uint64_t* blocks = <const uint64_t*> memory_of(block_addresses)
    cdef size_t numbers
    cdef int at, size
    for i in range(n):
        node = table_node(table, cursor)
        if node == NULL:
            raise MemoryError("no memory for the entries of a saved search")
        node.key, node.low, node.high, node.t, node.side = keys[i], lows[i], highs[i], visited[i], sides[i]
        node.n_moves = moves_of[i]
        if node.n_moves:
            node.body = <double*> table_take(table, cursor, body_size(layout, node.n_moves))
            if node.body == NULL:
                raise MemoryError("no memory for the entries of a saved search")
            for numbers, at, size in columns:
                memcpy(column(node, at), <const char*> numbers + first_move * size, <int64_t> node.n_moves * size)
        if has_block[i]:
            node.amaf.block, node.has_block = <block_t*> <size_t> blocks[next_block], True
            next_block += 1
        elif logs[i]:
            give_log(layout, node, found, record_addresses, first_log, logs[i])
        first_move += node.n_moves
        first_log += logs[i]
        table_put(table, node)
        table.n_nodes += 1
    return 0


cdef int give_log(const layout_t* layout, node_t* node, found, addresses, int64_t first, int64_t n) except -1:
    """Chain the links of an entry, the first one last."""
    cdef const uint32_t* records = <const uint32_t*> memory_of(found["log_records"])
    cdef const uint16_t* depths = <const uint16_t*> memory_of(found["log_depths"])
    cdef const uint64_t* links = <const uint64_t*> memory_of(addresses)
    cdef int64_t i
    cdef log_t* log
    for i in range(first + n - 1, first - 1, -1):
        log = <log_t*> (<void**> <size_t> links[records[i]] - depths[i])
        set_next_log(log, node.amaf.log)
        node.amaf.log = log
    return 0
