"""Blocks of AMAF counters and records of playouts, for test_amaf_counters.py: one C function in each method."""
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from mcts_core.game cimport code_words
from mcts_core.search.amaf_block cimport block_add, block_copy, block_merge, block_new, block_read
from mcts_core.search.node cimport BLOCK_8, block_t, columns_t, layout_of, layout_t, log_t
from mcts_core.search.playout_log cimport (
    copy_link, log_writer_t, next_log, note_code, open_record, put_back, read_record, set_next_log, take_link
)
from mcts_core.search.table cimport cursor_t, table_close, table_open, table_t

cdef enum:
    MOST = 16
    READ = 16                           # codes at a time: `block_read` takes a multiple of 8


cdef class Arena:
    """Blocks, by number, and one log, in the memory of a table."""

    cdef table_t table
    cdef cursor_t cursor
    cdef (block_t*)[MOST] blocks
    cdef int n_blocks
    cdef uint64_t* seen
    cdef log_t* log                     # of all links that were written, the last one first

    def __cinit__(self, int n_codes, int64_t memory=1 << 24):
        cdef columns_t nothing_more
        cdef layout_t layout
        memset(&nothing_more, 0, sizeof(columns_t))
        layout = layout_of(1, 1, nothing_more, True)
        layout.n_codes = n_codes
        table_open(&self.table, layout, memory)
        self.seen = <uint64_t*> calloc(code_words(n_codes), sizeof(uint64_t))

    def __dealloc__(self):
        table_close(&self.table)
        free(self.seen)

    def fill_memory(self):
        """Let only outgrown blocks be memory for new ones from now on."""
        self.table.limit, self.cursor.allowance = 0, 0

    @property
    def used(self):
        return self.table.used

    cdef int set_codes(self, codes) except -1:
        memset(self.seen, 0, code_words(self.table.layout.n_codes) * sizeof(uint64_t))
        for code in codes:
            self.seen[code >> 6] |= <uint64_t> 1 << (code & 63)
        return 0

    cdef int keep(self, block_t* block) except -1:
        if block == NULL or self.n_blocks == MOST:
            raise MemoryError
        self.blocks[self.n_blocks] = block
        self.n_blocks += 1
        return self.n_blocks - 1

    def new(self):
        return self.keep(block_new(&self.table, &self.cursor, BLOCK_8))

    def copy(self, int i, into=None):
        cdef block_t* block = NULL if into is None else self.blocks[into]
        if not block_copy(&self.table, &self.cursor, &block, self.blocks[i]):
            return None
        if into is None:
            return self.keep(block)
        self.blocks[into] = block
        return into

    def add(self, int i, codes, double result, int times=1):
        """Count a playout n times. Returns False if there was no memory for one of them."""
        self.set_codes(codes)
        for _ in range(times):
            if not block_add(&self.table, &self.cursor, &self.blocks[i], self.seen, result):
                return False
        return True

    def merge(self, int into, int counted, settled=None):
        block_merge(&self.table, &self.cursor, &self.blocks[into], self.blocks[counted],
                    NULL if settled is None else self.blocks[settled])

    def pretend(self, int i, uint32_t count):
        """Set the number of playouts in a block."""
        self.blocks[i].count = count

    def form(self, int i):
        return self.blocks[i].form

    def count(self, int i):
        return self.blocks[i].count

    def read(self, int i_block, codes, int turn=0):
        """Visits and wins of each of these codes."""
        cdef uint16_t[READ] some
        cdef double[READ] visits, wins
        out = []
        for first in range(0, len(codes), READ):
            part = codes[first:first + READ]
            for i in range(READ):
                some[i] = part[min(i, len(part) - 1)]
            block_read(self.blocks[i_block], self.table.layout.n_codes, some, READ, turn, visits, wins)
            out += [(visits[i], wins[i]) for i in range(len(part))]
        return out

    def write(self, codes, double result, above):
        """Write a record: a link for the deepest entry and one for each code above. Returns False without memory."""
        cdef log_writer_t writer
        cdef log_t* link
        self.set_codes(codes)
        open_record(&writer, &self.table, &self.cursor, self.seen, result, 1 + len(above))
        if not writer.left:
            return False
        for i in range(1 + len(above)):
            if i:
                note_code(&writer, above[i - 1])
            link = take_link(&writer)
            set_next_log(link, self.log)
            self.log = link
        return writer.left == 0

    def links(self):
        """What the links hold, the last one that was written first: pairs of a set of codes and a result."""
        cdef log_t* log = self.log
        out = []
        while log != NULL:
            result = read_record(log, code_words(self.table.layout.n_codes), self.seen)
            out.append(({code for code in range(self.table.layout.n_codes) if self.seen[code >> 6] >> (code & 63) & 1},
                        result))
            log = next_log(log)
        return out

    def copy_links(self, Arena other, which):
        """Copy the links with these numbers in the log of another arena. Returns False without memory."""
        cdef log_t* log = other.log
        cdef log_t* copied
        cdef int number = 0
        while log != NULL:
            if number in which:
                copied = copy_link(&self.table, &self.cursor, log)
                if copied == NULL:
                    return False
                set_next_log(copied, self.log)
                self.log = copied
            number += 1
            log = next_log(log)
        return True

    def put_back(self):
        """Restore the records that were copied."""
        cdef log_t* log = self.log
        while log != NULL:
            put_back(log)
            log = next_log(log)
