"""Exact Othello endgames with few empty squares, without a table. Included by `endgame_search.pyx`.

1. 5 to 7 empty squares, 5 or 6 with a guide: moves in quadrants with an odd number of empty squares first (`shallow`)
2. 1 to 4 empty squares: no move generation, each empty square is tried (`last_four` ... `last_two`)
3. the last empty square: what a move there flips is looked up line by line (`last_one`)

A player who plays first in a quadrant with an odd number of empty squares tends to get the last move there.
`parity` has a bit for each quadrant, set if the number is odd. Scores are those of the side to move.

This is not a module of its own, because that was 1 to 3 % slower: the compiler inlines part of it into `deep`.
"""
cdef enum:
    SHALLOW = 7                         # empty squares up to which the table would cost more than it saves
    GUIDED_SHALLOW = 6                  # the same with a guide; 7 would take a sixth longer


cdef inline int quadrant(int square) noexcept nogil:
    """Return the bit of a square's quadrant. Smaller boards are divided like 8x8, because parity only orders moves."""
    return 1 << (square >> 5 & 1) * 2 + (square >> 2 & 1)


cdef inline int parity_of(uint64_t empty) noexcept nogil:
    """Return a bit for each quadrant, set if the number of its empty squares is odd."""
    cdef int parity = 0
    while empty:
        parity ^= quadrant(first_bit(empty))
        empty &= empty - 1
    return parity


cdef inline int final_difference(int n_squares, uint64_t own, uint64_t enemy) noexcept nogil:
    """Return the score of a finished game."""
    cdef int n_own = count_bits(own), n_enemy = count_bits(enemy), lead = n_own - n_enemy
    cdef int empty = n_squares - n_own - n_enemy
    return lead + empty if lead > 0 else lead - empty if lead < 0 else 0


cdef uint64_t[16] ODD                   # by parity: the squares of the odd quadrants
cdef uint8_t[64] QUADRANT               # by square: `quadrant`
cdef uint64_t[64] NEAR                  # by square: the squares next to it
# by square of a line and own discs, if all other squares are full: how many discs a move flips
cdef uint8_t[8][256] LINE_FLIPS

cdef void fill_tables() noexcept:
    cdef int square, parity
    for square in range(64):
        QUADRANT[square] = quadrant(square)
        NEAR[square] = around(<uint64_t> 1 << square) & ~(<uint64_t> 1 << square)
        for parity in range(16):
            if parity & QUADRANT[square]:
                ODD[parity] |= <uint64_t> 1 << square


cdef void fill_line_flips() noexcept:
    cdef int square, discs, step, at
    for square in range(8):
        for discs in range(256):
            for step in range(-1, 2, 2):
                at = square + step
                while 0 <= at < 8 and not discs >> at & 1:
                    at += step
                if 0 <= at < 8:
                    LINE_FLIPS[square][discs] += abs(at - square) - 1

fill_tables()
fill_line_flips()


cdef inline int last_flips(uint64_t own, int x) noexcept nogil:
    """Return how many discs a move on the last empty square flips. The discs of each line become a byte."""
    cdef int row = x >> 3, col = x & 7
    cdef uint64_t file_a = 0x0101010101010101, file_to_byte = 0x0102040810204080
    return (LINE_FLIPS[col][own >> 8 * row & 0xFF]
            + LINE_FLIPS[row][(own >> col & file_a) * file_to_byte >> 56]
            + LINE_FLIPS[col][(own & diagonal(x, 1)) * file_a >> 56]
            + LINE_FLIPS[col][(own & diagonal(x, 3)) * file_a >> 56])


cdef inline int last_one(endgame_t* e, uint64_t own, uint64_t enemy, int x) noexcept nogil:
    cdef int lead = 2 * count_bits(own) - e.n_squares + 1       # with x empty
    cdef int flipped
    e.limits.nodes += 1
    flipped = last_flips(own, x)
    if flipped:
        return lead + 2 * flipped + 1
    flipped = last_flips(enemy, x)
    if flipped:
        return lead - 2 * flipped - 1
    return lead + 1 if lead > 0 else lead - 1


cdef int last_two(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta, int x, int y) noexcept nogil:
    cdef uint64_t flips
    cdef int score, best = WORST
    e.limits.nodes += 1
    if NEAR[x] & enemy:
        flips = flips_in_vectors(own, enemy, x)
        if flips:
            best = -last_one(e, enemy ^ flips, own | flips | <uint64_t> 1 << x, y)
            if best >= beta:
                return best
    if NEAR[y] & enemy:
        flips = flips_in_vectors(own, enemy, y)
        if flips:
            score = -last_one(e, enemy ^ flips, own | flips | <uint64_t> 1 << y, x)
            return max(best, score)
    if best > WORST:
        return best
    best = -WORST                                               # own passes
    flips = flips_in_vectors(enemy, own, x)
    if flips:
        best = last_one(e, own ^ flips, enemy | flips | <uint64_t> 1 << x, y)
        if best <= alpha:
            return best
    flips = flips_in_vectors(enemy, own, y)
    if flips:
        score = last_one(e, own ^ flips, enemy | flips | <uint64_t> 1 << y, x)
        return min(best, score)
    return best if best < -WORST else final_difference(e.n_squares, own, enemy)


cdef int last_three(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
                    int x, int y, int z, bint passed) noexcept nogil:
    """Return the score with three empty squares. Tries the one alone in its quadrant first."""
    cdef uint64_t flips
    cdef int score, best = WORST
    e.limits.nodes += 1
    if QUADRANT[x] == QUADRANT[z]:
        x, y = y, x
    elif QUADRANT[x] == QUADRANT[y]:
        x, z = z, x
    if NEAR[x] & enemy:
        flips = flips_in_vectors(own, enemy, x)
        if flips:
            best = -last_two(e, enemy ^ flips, own | flips | <uint64_t> 1 << x, -beta, -alpha, y, z)
            if best >= beta:
                return best
    if NEAR[y] & enemy:
        flips = flips_in_vectors(own, enemy, y)
        if flips:
            score = -last_two(e, enemy ^ flips, own | flips | <uint64_t> 1 << y, -beta, -max(alpha, best), x, z)
            if score >= beta:
                return score
            best = max(best, score)
    if NEAR[z] & enemy:
        flips = flips_in_vectors(own, enemy, z)
        if flips:
            score = -last_two(e, enemy ^ flips, own | flips | <uint64_t> 1 << z, -beta, -max(alpha, best), x, y)
            best = max(best, score)
    if best > WORST:
        return best
    if passed:
        return -final_difference(e.n_squares, enemy, own)
    return -last_three(e, enemy, own, -beta, -alpha, x, y, z, True)


cdef int last_four(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
                   uint64_t empty, int parity, bint passed) noexcept nogil:
    """Return the score with four empty squares. Tries those in odd quadrants first."""
    cdef int[4] squares
    cdef uint64_t flips, part = empty & ODD[parity]
    cdef int i, x, score, best = WORST
    e.limits.nodes += 1
    for i in range(4):
        if part == 0:
            part = empty & ~ODD[parity]
        squares[i] = first_bit(part)
        part &= part - 1
        if part == 0 and i < 3 and ODD[parity] >> squares[i] & 1:
            part = empty & ~ODD[parity]
    for _ in range(4):
        x = squares[0]
        if NEAR[x] & enemy:
            flips = flips_in_vectors(own, enemy, x)
            if flips:
                score = -last_three(e, enemy ^ flips, own | flips | <uint64_t> 1 << x, -beta, -max(alpha, best),
                                    squares[1], squares[2], squares[3], False)
                if score > best:
                    best = score
                    if best >= beta:
                        return best
        squares[0], squares[1], squares[2], squares[3] = squares[1], squares[2], squares[3], x
    if best > WORST:
        return best
    if passed:
        return -final_difference(e.n_squares, enemy, own)
    return -last_four(e, enemy, own, -beta, -alpha, empty, parity, True)


cdef int shallow(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
                 int n_empty, int parity) noexcept nogil:
    """Return the score with seven empty squares or fewer, or a bound as `deep` does."""
    cdef uint64_t flips, legal, part, empty = e.squares & ~(own | enemy)
    cdef int half, x, score, best = WORST
    if n_empty <= 4:
        return small(e, own, enemy, alpha, beta, n_empty, parity)
    e.limits.nodes += 1
    legal = moves_of(own, enemy, e.squares)
    if legal == 0:
        if moves_of(enemy, own, e.squares) == 0:
            return final_difference(e.n_squares, own, enemy)
        return -shallow(e, enemy, own, -beta, -alpha, n_empty, parity)
    for half in range(2):
        part = legal & (~ODD[parity] if half else ODD[parity])
        while part:
            x = first_bit(part)
            part &= part - 1
            flips = flips_in_vectors(own, enemy, x)
            if n_empty == 5:
                score = -last_four(e, enemy ^ flips, own | flips | <uint64_t> 1 << x, -beta, -max(alpha, best),
                                   empty ^ <uint64_t> 1 << x, parity ^ QUADRANT[x], False)
            else:
                score = -shallow(e, enemy ^ flips, own | flips | <uint64_t> 1 << x, -beta, -max(alpha, best),
                                 n_empty - 1, parity ^ QUADRANT[x])
            if score > best:
                best = score
                if best >= beta:
                    return best
    return best


cdef int small(endgame_t* e, uint64_t own, uint64_t enemy, int alpha, int beta,
               int n_empty, int parity) noexcept nogil:
    """Return the score with four empty squares or fewer."""
    cdef uint64_t empty = e.squares & ~(own | enemy)
    cdef int x, y
    if n_empty == 4:
        return last_four(e, own, enemy, alpha, beta, empty, parity, False)
    if n_empty == 0:
        return final_difference(e.n_squares, own, enemy)
    x = first_bit(empty)
    empty &= empty - 1
    if n_empty == 1:
        return last_one(e, own, enemy, x)
    y = first_bit(empty)
    if n_empty == 2:
        return last_two(e, own, enemy, alpha, beta, x, y)
    return last_three(e, own, enemy, alpha, beta, x, y, first_bit(empty & empty - 1), False)
