"""Many random games of Breakthrough at once, one a lane.

All lanes make a ply together; a lane whose game ends counts it and starts the next in the same
step. Each lane works through one job, with the job's own generator, and then takes another: what
a job gives does not depend on its neighbours, so all widths of vectors give the same results.
Several vectors are stepped side by side, since one ply alone is a long chain of dependent steps.

A lane sees its game from the mover's side: own and enemy men change places after every ply. The
direction of the moves is in `ahead`, by how much a man is rotated to go straight on: 8 for white,
56 (back by 8) for black; 1 less is towards lower columns, 1 more towards higher ones.
"""
from libc.stdint cimport uint64_t

from mcts_core.breakthrough cimport BLACK, state_t
from mcts_core.game cimport game_t, job_t
from mcts_core.lanes cimport (
    LANES, lanes_add_if_zero, lanes_all, lanes_count, lanes_get, lanes_if_ge, lanes_if_zero, lanes_kth, lanes_product, lanes_rotate,
    lanes_set, lanes_some_zero, lanes_t
)

cdef enum:
    GROUPS = 3                          # vectors side by side; one alone has 0.46 of the speed, two 0.85
    UP = 8
    DOWN = 56

cdef uint64_t FIRST_FILE = 0x0101010101010101
cdef uint64_t LAST_FILE = 0x8080808080808080
cdef uint64_t NEVER = <uint64_t> 1 << 62    # games left of a lane without a job

cdef struct group_t:                    # a vector of games
    lanes_t own
    lanes_t enemy
    lanes_t ahead
    lanes_t a                           # the generators
    lanes_t b
    lanes_t c
    lanes_t counter
    lanes_t start_own                   # where the job's games begin
    lanes_t start_enemy
    lanes_t start_ahead
    lanes_t games_left
    lanes_t plies                       # of the job so far
    lanes_t wins                        # the first player's


cdef bint breakthrough_has_lanes() noexcept nogil:
    return LANES > 0


cdef inline void step(group_t* g, uint64_t squares, uint64_t top, uint64_t bottom) noexcept nogil:
    """One random ply in every lane: the same numbers and choices as `random_step` in breakthrough.pyx."""
    cdef lanes_t word = g.a + g.b + g.counter
    cdef lanes_t free = ~g.own & squares
    cdef lanes_t left = lanes_rotate(g.own & ~FIRST_FILE, g.ahead - 1) & free
    cdef lanes_t straight = lanes_rotate(g.own, g.ahead) & free & ~g.enemy
    cdef lanes_t right = lanes_rotate(g.own & ~LAST_FILE, g.ahead + 1) & free
    cdef lanes_t n_left = lanes_count(left)
    cdef lanes_t n_both = n_left + lanes_count(straight)
    cdef lanes_t k = lanes_product(word, n_both + lanes_count(right)) >> 32
    cdef lanes_t zero = lanes_all(0)
    cdef lanes_t targets, target, turned, own, won, ongoing
    g.counter = g.counter + 1
    g.a = g.b ^ (g.b >> 11)
    g.b = g.c + (g.c << 3)
    g.c = ((g.c << 24) | (g.c >> 40)) + word

    targets = lanes_if_ge(k, n_both, right, lanes_if_ge(k, n_left, straight, left))
    turned = lanes_if_ge(k, n_both, g.ahead + 1, lanes_if_ge(k, n_left, g.ahead, g.ahead - 1))
    k = k - lanes_if_ge(k, n_both, n_both, lanes_if_ge(k, n_left, n_left, zero))
    target = lanes_kth(targets, k)
    own = g.own ^ (target | lanes_rotate(target, 64 - turned))
    g.enemy = g.enemy & ~target
    g.plies = g.plies + 1

    # the mover has won if it has arrived or the enemy has no men; then the next game starts
    won = target & lanes_if_ge(g.ahead, lanes_all(32), lanes_all(bottom), lanes_all(top))
    ongoing = lanes_if_zero(won, g.enemy, zero)
    g.games_left = lanes_add_if_zero(ongoing, g.games_left, lanes_all(-1))
    g.wins = lanes_add_if_zero(ongoing, g.wins, lanes_if_ge(g.ahead, lanes_all(32), zero, lanes_all(1)))
    g.own = lanes_if_zero(ongoing, g.start_own, g.enemy)
    g.enemy = lanes_if_zero(ongoing, g.start_enemy, own)
    g.ahead = lanes_if_zero(ongoing, g.start_ahead, 64 - g.ahead)


cdef inline bint some_done(const group_t* groups) noexcept nogil:
    """Whether some lane is through with its job."""
    cdef bint done = False
    cdef int g
    for g in range(GROUPS):
        done |= lanes_some_zero(groups[g].games_left)
    return done


cdef void load_job(group_t* g, int lane, const job_t* job) noexcept nogil:
    """Put a job's first game into a lane."""
    cdef const state_t* state = <const state_t*> job.state
    cdef uint64_t ahead = DOWN if state.turn == BLACK else UP
    lanes_set(&g.start_own, lane, state.men[state.turn])
    lanes_set(&g.start_enemy, lane, state.men[1 - state.turn])
    lanes_set(&g.start_ahead, lane, ahead)
    lanes_set(&g.own, lane, state.men[state.turn])
    lanes_set(&g.enemy, lane, state.men[1 - state.turn])
    lanes_set(&g.ahead, lane, ahead)
    lanes_set(&g.a, lane, job.rng.a)
    lanes_set(&g.b, lane, job.rng.b)
    lanes_set(&g.c, lane, job.rng.c)
    lanes_set(&g.counter, lane, job.rng.counter)
    lanes_set(&g.games_left, lane, job.games)
    lanes_set(&g.plies, lane, 0)
    lanes_set(&g.wins, lane, 0)


cdef void close_job(const group_t* g, int lane, job_t* job) noexcept nogil:
    """Write down what a lane's job has given."""
    cdef uint64_t wins = lanes_get(g.wins, lane)
    job.tally.wins += wins
    job.tally.losses += job.games - wins
    job.tally.plies += lanes_get(g.plies, lane)
    job.tally.sum += wins << 32
    job.tally.squares += wins << 32


cdef void breakthrough_batch(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil:
    """Play all games of all jobs. Positions are not finished ones."""
    cdef const state_t* first = <const state_t*> jobs[0].state
    cdef uint64_t squares = first.squares
    cdef uint64_t top = squares & (<uint64_t> 0xFF << (8 * (first.rows - 1))), bottom = squares & 0xFF
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
                step(&now[g], squares, top, bottom)
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
