"""A table of entries as arrays, for a file, and back.

The arrays, with one number for each by default:

    of each entry           keys, lows, highs, visited (t), sides, moves_of (n_moves; 0: no body), logs, has_block
    of each move            one array for each column of a body (node.pxd): sums0, sums1 ..., counts0, ..., moves, ...
                            with the moves of all entries one after the other
    of each log             log_records (which record it is in), log_depths (which link of the record)
    of each record          record_results, record_moves (codes of moves above the deepest entry),
                            record_sets (the codes of the playout as bits: a row)
    of each of these moves  record_codes
    of each block           block_forms, block_counts, block_visits and block_wins (a row: one for each code)

With AMAF_OF_MOVES each log is a record of its own. Plans are not kept, because the rule makes the same choices again.
"""
from mcts_core.game cimport game_t
from mcts_core.rule cimport rule_t
from mcts_core.search.node cimport layout_t
from mcts_core.search.table cimport cursor_t, table_t


cdef class SavedTable:
    """A table made of such arrays."""

    cdef table_t table
    cdef cursor_t cursor

    cdef int fill(self, layout_t layout, const game_t* game, const rule_t* rule, dict arrays,
                  object most_visits) except -1


cdef dict arrays_of(const table_t* table)
