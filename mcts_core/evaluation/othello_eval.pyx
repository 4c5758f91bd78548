"""Static evaluations of Othello positions: a mix of terms for each phase of the game, or a Python function.

All values are doubles. The compiled evaluation and its twin add the same terms in the same order
(see `evaluate` in othello_eval.pxd), so they agree to the last bit.
"""
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from mcts_core.games.othello cimport Othello, othello_of
from mcts_core.games.othello_rules cimport state_t

from mcts_core.errors import BadMethod, shown

END = FINISHED


cdef class CompiledEvaluation:
    """The evaluation of a board of that size by a list of mixes, or by a Python function.

    A mix is a dict: `table` (64 weights, or None), `parity`, `mobility`, `potential`, `corners`,
    `stability` and `divisor`. There is one mix for each phase of the game; all phases are equally long.
    """

    def __cinit__(self, int size, mixes, function=None):
        cdef int discs, row, byte, col
        cdef double total
        cdef mix_t* mix
        self.function = function
        self.c.size = size
        self.c.squares = ((<uint64_t> 1 << size) - 1) * (<uint64_t> 0x0101010101010101 >> (8 * (8 - size)))
        self.c.n_mixes = len(mixes)
        self.c.mixes = <mix_t*> calloc(max(1, len(mixes)), sizeof(mix_t))
        if self.c.mixes == NULL:
            raise MemoryError("no memory for the evaluation's tables")
        for discs in range(size * size + 1):
            self.c.phase[discs] = self._phase(discs)
        for i, settings in enumerate(mixes):
            mix = &self.c.mixes[i]
            mix.parity, mix.mobility = settings["parity"], settings["mobility"]
            mix.potential, mix.corners = settings["potential"], settings["corners"]
            mix.stability, mix.divisor = settings["stability"], settings["divisor"]
            mix.has_table = settings["table"] is not None
            if mix.has_table:
                if size != 8:
                    raise BadMethod(f"a table of weights is for the 8x8 board, and this one is {size}x{size}: "
                                    "use parity, mobility, potential, corners or stability")
                for row in range(8):
                    for byte in range(256):
                        total = 0.0
                        for col in range(8):
                            if byte >> col & 1:
                                total += <double> settings["table"][8 * row + col]
                        mix.table[row][byte] = total

    def __dealloc__(self):
        free(self.c.mixes)

    def _phase(self, discs):
        """Return the phase of a position with that many discs."""
        squares = self.c.size * self.c.size
        progress = max(0.0, (discs - 4) / (squares - 4))
        return max(0, min(int(progress * self.c.n_mixes), self.c.n_mixes - 1))

    cdef double ask(self, uint64_t own, uint64_t enemy, int turn) except? -1.0:
        """Return the Python function's value of a position, checked."""
        cdef double value
        answer = self.function(othello_of(own, enemy, self.c.size, turn))
        try:
            value = answer
        except Exception:
            raise BadMethod(f"an evaluation returns a number, not {shown(answer)}") from None
        if not -FINISHED < value < FINISHED:
            raise BadMethod(f"an evaluation lies between {-END:g} and {END:g}, where finished games begin; "
                            f"{shown(answer)} does not")
        return value

    def value(self, Othello position not None):
        """Return the value of a position for the side to move; of a finished game its final score."""
        cdef const state_t* state = <const state_t*> position.state()
        if position.is_over:
            return final_score(state.own, state.enemy, self.c.squares)
        if self.function is not None:
            return self.ask(state.own, state.enemy, state.turn)
        return evaluate(&self.c, state.own, state.enemy) + 0.0      # no -0.0

    def terms(self, Othello position not None):
        """Return (name, value, weight) of each term in this position's mix."""
        cdef const state_t* state = <const state_t*> position.state()
        cdef const mix_t* mix = &self.c.mixes[self.c.phase[count_bits(state.own | state.enemy)]]
        cdef uint64_t own = state.own, enemy = state.enemy
        values = []
        if mix.has_table:
            values.append(("weights", table_term(mix, own, enemy), 1.0))
        values += [
            ("parity", parity_term(own, enemy), mix.parity),
            ("mobility", mobility_term(own, enemy, self.c.squares), mix.mobility),
            ("potential", potential_term(own, enemy, self.c.squares), mix.potential),
            ("corners", corners_term(own, enemy, self.c.size), mix.corners),
            ("stability", stability_term(own, enemy, self.c.squares, self.c.size), mix.stability),
        ]
        return [(name, value + 0.0, weight) for name, value, weight in values if weight != 0.0]
