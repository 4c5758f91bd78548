"""Many random games of Othello at once, one a lane. How lanes take jobs: see breakthrough_lanes.pyx.

Moves and flips are found by flooding all eight directions, which needs no table. A step is one disc
in every lane, and the pass after it where the next side cannot move.
"""
from libc.stdint cimport uint64_t

from mcts_core.game cimport game_t, job_t
from mcts_core.lanes cimport (
    LANES, lanes_all, lanes_count, lanes_get, lanes_if_ge, lanes_if_zero, lanes_kth, lanes_product, lanes_set,
    lanes_some_zero, lanes_t
)
from mcts_core.othello cimport state_t

cdef enum:
    GROUPS = 2                          # vectors side by side; one alone has 0.86 of the speed

cdef uint64_t INNER_FILES = 0x7E7E7E7E7E7E7E7E
cdef uint64_t NEVER = <uint64_t> 1 << 62    # games left of a lane without a job

cdef struct group_t:                    # a vector of games
    lanes_t own
    lanes_t enemy
    lanes_t legal                       # the mover's moves: never none between steps
    lanes_t turn                        # 0: black is to move, 1: white
    lanes_t a                           # the generators
    lanes_t b
    lanes_t c
    lanes_t counter
    lanes_t start_own                   # where the job's games begin
    lanes_t start_enemy
    lanes_t start_legal
    lanes_t start_turn
    lanes_t start_plies                 # 1: with a pass
    lanes_t games_left
    lanes_t plies                       # of the job so far
    lanes_t wins                        # black's
    lanes_t draws


cdef bint othello_has_lanes() noexcept nogil:
    return LANES > 0


cdef inline lanes_t line_moves(lanes_t own, lanes_t enemy, int shift) noexcept nogil:
    """As `flood` in othello.pyx: squares behind an unbroken line of enemy discs, both ways."""
    cdef lanes_t up = enemy & (own << shift)
    cdef lanes_t down = enemy & (own >> shift)
    cdef lanes_t up_pairs = enemy & (enemy << shift)
    cdef lanes_t down_pairs = enemy & (enemy >> shift)
    up = up | (enemy & (up << shift))
    down = down | (enemy & (down >> shift))
    up = up | (up_pairs & (up << 2 * shift))
    down = down | (down_pairs & (down >> 2 * shift))
    up = up | (up_pairs & (up << 2 * shift))
    down = down | (down_pairs & (down >> 2 * shift))
    return (up << shift) | (down >> shift)


cdef inline lanes_t moves_of(lanes_t own, lanes_t enemy, uint64_t squares) noexcept nogil:
    cdef lanes_t inner = enemy & INNER_FILES
    return (line_moves(own, inner, 1) | line_moves(own, enemy, 8) | line_moves(own, inner, 7)
            | line_moves(own, inner, 9)) & ~(own | enemy) & squares


cdef inline lanes_t line_flips(lanes_t disc, lanes_t own, lanes_t enemy, int shift) noexcept nogil:
    """The enemy discs between a new disc and own ones, both ways along a line."""
    cdef lanes_t zero = lanes_all(0)
    cdef lanes_t up = enemy & (disc << shift)
    cdef lanes_t down = enemy & (disc >> shift)
    cdef lanes_t up_pairs = enemy & (enemy << shift)
    cdef lanes_t down_pairs = enemy & (enemy >> shift)
    up = up | (enemy & (up << shift))
    down = down | (enemy & (down >> shift))
    up = up | (up_pairs & (up << 2 * shift))
    down = down | (down_pairs & (down >> 2 * shift))
    up = up | (up_pairs & (up << 2 * shift))
    down = down | (down_pairs & (down >> 2 * shift))
    return lanes_if_zero((up << shift) & own, zero, up) | lanes_if_zero((down >> shift) & own, zero, down)


cdef inline lanes_t flips_of(lanes_t disc, lanes_t own, lanes_t enemy) noexcept nogil:
    cdef lanes_t inner = enemy & INNER_FILES
    return (line_flips(disc, own, inner, 1) | line_flips(disc, own, enemy, 8) | line_flips(disc, own, inner, 7)
            | line_flips(disc, own, inner, 9))


cdef inline void step(group_t* g, uint64_t squares) noexcept nogil:
    """One random disc in every lane: the same numbers and choices as `run` in othello.pyx."""
    cdef lanes_t word = g.a + g.b + g.counter
    cdef lanes_t k = lanes_product(word, lanes_count(g.legal)) >> 32
    cdef lanes_t disc = lanes_kth(g.legal, k)
    cdef lanes_t flips = flips_of(disc, g.own, g.enemy)
    cdef lanes_t moved = g.own | disc | flips
    g.counter = g.counter + 1
    g.a = g.b ^ (g.b >> 11)
    g.b = g.c + (g.c << 3)
    g.c = ((g.c << 24) | (g.c >> 40)) + word
    g.own = g.enemy ^ flips
    g.enemy = moved
    g.turn = g.turn ^ 1
    g.plies = g.plies + 1
    g.legal = moves_of(g.own, g.enemy, squares)
    if lanes_some_zero(g.legal):
        pass_or_end(g, squares)


cdef inline void pass_or_end(group_t* g, uint64_t squares) noexcept nogil:
    """Where the mover has no move: give the move back, or count the game and start the next one."""
    cdef lanes_t zero = lanes_all(0)
    cdef lanes_t one = lanes_all(1)
    cdef lanes_t other = moves_of(g.enemy, g.own, squares)
    cdef lanes_t own = g.own
    cdef lanes_t black, white, ended, passed
    passed = lanes_if_zero(g.legal, lanes_if_zero(other, zero, one), zero)
    ended = lanes_if_zero(g.legal | other, one, zero)
    g.own = lanes_if_zero(passed, g.own, g.enemy)
    g.enemy = lanes_if_zero(passed, g.enemy, own)
    g.turn = g.turn ^ passed
    g.plies = g.plies + passed
    g.legal = lanes_if_zero(passed, g.legal, other)

    black = lanes_count(lanes_if_zero(g.turn, g.own, g.enemy))
    white = lanes_count(lanes_if_zero(g.turn, g.enemy, g.own))
    g.wins = g.wins + (ended & lanes_if_ge(white, black, zero, one))
    g.draws = g.draws + (ended & lanes_if_zero(black - white, one, zero))
    g.games_left = g.games_left - ended
    g.own = lanes_if_zero(ended, g.own, g.start_own)
    g.enemy = lanes_if_zero(ended, g.enemy, g.start_enemy)
    g.legal = lanes_if_zero(ended, g.legal, g.start_legal)
    g.turn = lanes_if_zero(ended, g.turn, g.start_turn)
    g.plies = g.plies + (ended & g.start_plies)


cdef inline bint some_done(const group_t* groups) noexcept nogil:
    """Whether some lane is through with its job."""
    cdef bint done = False
    cdef int g
    for g in range(GROUPS):
        done |= lanes_some_zero(groups[g].games_left)
    return done


cdef void load_job(group_t* g, int lane, const job_t* job) noexcept nogil:
    """Put a job's first game into a lane. A forced pass at its beginning is played here, once for all."""
    cdef const state_t* state = <const state_t*> job.state
    cdef uint64_t own = state.own, enemy = state.enemy, turn = state.turn, passed = 0
    cdef lanes_t legal = moves_of(lanes_all(own), lanes_all(enemy), state.squares)
    if lanes_get(legal, 0) == 0:
        own, enemy, turn, passed = enemy, own, 1 - turn, 1
        legal = moves_of(lanes_all(own), lanes_all(enemy), state.squares)
    lanes_set(&g.start_own, lane, own)
    lanes_set(&g.start_enemy, lane, enemy)
    lanes_set(&g.start_legal, lane, lanes_get(legal, 0))
    lanes_set(&g.start_turn, lane, turn)
    lanes_set(&g.start_plies, lane, passed)
    lanes_set(&g.own, lane, own)
    lanes_set(&g.enemy, lane, enemy)
    lanes_set(&g.legal, lane, lanes_get(legal, 0))
    lanes_set(&g.turn, lane, turn)
    lanes_set(&g.a, lane, job.rng.a)
    lanes_set(&g.b, lane, job.rng.b)
    lanes_set(&g.c, lane, job.rng.c)
    lanes_set(&g.counter, lane, job.rng.counter)
    lanes_set(&g.games_left, lane, job.games)
    lanes_set(&g.plies, lane, passed)
    lanes_set(&g.wins, lane, 0)
    lanes_set(&g.draws, lane, 0)


cdef void close_job(const group_t* g, int lane, job_t* job) noexcept nogil:
    """Write down what a lane's job has given. A pass that begins the game after the last is not its."""
    cdef uint64_t wins = lanes_get(g.wins, lane), draws = lanes_get(g.draws, lane)
    job.tally.wins += wins
    job.tally.draws += draws
    job.tally.losses += job.games - wins - draws
    job.tally.plies += lanes_get(g.plies, lane) - lanes_get(g.start_plies, lane)
    job.tally.sum += (wins << 32) + (draws << 31)
    job.tally.squares += (wins << 32) + (draws << 30)


cdef void othello_batch(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil:
    """Play all games of all jobs. Positions are not finished ones."""
    cdef const state_t* first = <const state_t*> jobs[0].state
    cdef uint64_t squares = first.squares
    cdef group_t[GROUPS] groups, now
    cdef int[GROUPS * 8] job_of             # which job a lane works at
    cdef int g, lane, following = 0, active = 0
    for g in range(GROUPS):
        for lane in range(LANES):
            # a lane without a job plays the first one's games, unseen
            load_job(&groups[g], lane, &jobs[following if following < n_jobs else 0])
            if following < n_jobs:
                job_of[g * LANES + lane] = following
                following += 1
                active += 1
            else:
                lanes_set(&groups[g].games_left, lane, NEVER)
    while active:
        for g in range(GROUPS):
            now[g] = groups[g]              # a copy that stays in registers
        while not some_done(now):
            for g in range(GROUPS):
                step(&now[g], squares)
        for g in range(GROUPS):
            groups[g] = now[g]
            for lane in range(LANES):
                if lanes_get(groups[g].games_left, lane) == 0:
                    close_job(&groups[g], lane, &jobs[job_of[g * LANES + lane]])
                    if following < n_jobs:
                        load_job(&groups[g], lane, &jobs[following])
                        job_of[g * LANES + lane] = following
                        following += 1
                    else:
                        lanes_set(&groups[g].games_left, lane, NEVER)
                        active -= 1
