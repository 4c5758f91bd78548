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
from libc.string cimport memset

from mcts_core.breakthrough cimport BLACK, state_t
from mcts_core.game cimport game_t, job_t, note_bits, one_game_each
from mcts_core.lanes cimport (
    LANES, LANES_OR_1, lanes_add_if_zero, lanes_all, lanes_all_zero, lanes_count, lanes_get, lanes_if_ge,
    lanes_if_zero, lanes_kth, lanes_product, lanes_rotate, lanes_set, lanes_some_zero, lanes_t, word_gather,
    word_spread
)

cdef enum:
    GROUPS = 3                          # vectors side by side; one alone has 0.46 of the speed, two 0.85
    KINDS = 5                           # of moves, as AMAF codes tell them apart
    UP = 8
    DOWN = 56

cdef uint64_t FIRST_FILE = 0x0101010101010101
cdef uint64_t LAST_FILE = 0x8080808080808080
cdef uint64_t EVERY_FIFTH = 0x0084210842108421      # of 60 bits: where the codes of 12 squares begin
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

cdef struct origins_t:                  # from which squares moves were made: by players, and by kind of move
    lanes_t[2][KINDS] of                # 0: the player who was to move first, 1: the other


cdef bint breakthrough_has_lanes() noexcept nogil:
    return LANES > 0


cdef inline void step(group_t* g, uint64_t squares, uint64_t top, uint64_t bottom, lanes_t* origins) noexcept nogil:
    """One random ply in every lane: the same numbers and choices as `random_step` in breakthrough.pyx.

    `origins` are the mover's so far, added to where a game goes on; NULL: not wanted.
    """
    cdef lanes_t word = g.a + g.b + g.counter
    cdef lanes_t free = ~g.own & squares
    cdef lanes_t left = lanes_rotate(g.own & ~FIRST_FILE, g.ahead - 1) & free
    cdef lanes_t straight = lanes_rotate(g.own, g.ahead) & free & ~g.enemy
    cdef lanes_t right = lanes_rotate(g.own & ~LAST_FILE, g.ahead + 1) & free
    cdef lanes_t n_left = lanes_count(left)
    cdef lanes_t n_both = n_left + lanes_count(straight)
    cdef lanes_t k = lanes_product(word, n_both + lanes_count(right)) >> 32
    cdef lanes_t zero = lanes_all(0)
    cdef lanes_t targets, target, turned, origin, own, won, ongoing
    g.counter = g.counter + 1
    g.a = g.b ^ (g.b >> 11)
    g.b = g.c + (g.c << 3)
    g.c = ((g.c << 24) | (g.c >> 40)) + word

    targets = lanes_if_ge(k, n_both, right, lanes_if_ge(k, n_left, straight, left))
    turned = lanes_if_ge(k, n_both, g.ahead + 1, lanes_if_ge(k, n_left, g.ahead, g.ahead - 1))
    target = lanes_kth(targets, k - lanes_if_ge(k, n_both, n_both, lanes_if_ge(k, n_left, n_left, zero)))
    origin = lanes_rotate(target, 64 - turned)
    if origins != NULL:
        note_origin(origins, lanes_if_zero(g.games_left, zero, origin), target & g.enemy, k, n_left, n_both)
    own = g.own ^ (target | origin)
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


cdef inline void note_origin(lanes_t* origins, lanes_t origin, lanes_t taken, lanes_t k, lanes_t n_left,
                             lanes_t n_both) noexcept nogil:
    """Add a move to those of its kind: straight, right, right with a capture, left, left with a capture."""
    cdef lanes_t zero = lanes_all(0)
    cdef lanes_t left = lanes_if_ge(k, n_left, zero, origin)
    cdef lanes_t right = lanes_if_ge(k, n_both, origin, zero)
    origins[0] = origins[0] | (origin & ~(left | right))
    origins[1] = origins[1] | lanes_if_zero(taken, right, zero)
    origins[2] = origins[2] | lanes_if_zero(taken, zero, right)
    origins[3] = origins[3] | lanes_if_zero(taken, left, zero)
    origins[4] = origins[4] | lanes_if_zero(taken, zero, left)


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
    job.rng.a, job.rng.b = lanes_get(g.a, lane), lanes_get(g.b, lane)
    job.rng.c, job.rng.counter = lanes_get(g.c, lane), lanes_get(g.counter, lane)
    job.tally.wins += wins
    job.tally.losses += job.games - wins
    job.tally.plies += lanes_get(g.plies, lane)
    job.tally.sum += wins << 32
    job.tally.squares += wins << 32
    job.result = <double> wins


# One game in every lane

cdef inline void step_ongoing(group_t* g, uint64_t squares, uint64_t top, uint64_t bottom,
                              lanes_t* origins) noexcept nogil:
    """As `step`, but a lane whose game is over keeps what it has given."""
    cdef group_t before = g[0]
    step(g, squares, top, bottom, origins)
    g.a = lanes_if_zero(before.games_left, before.a, g.a)
    g.b = lanes_if_zero(before.games_left, before.b, g.b)
    g.c = lanes_if_zero(before.games_left, before.c, g.c)
    g.counter = lanes_if_zero(before.games_left, before.counter, g.counter)
    g.plies = lanes_if_zero(before.games_left, before.plies, g.plies)
    g.wins = lanes_if_zero(before.games_left, before.wins, g.wins)
    g.games_left = lanes_if_zero(before.games_left, before.games_left, g.games_left)


cdef inline bint all_done(const group_t* groups, int n_groups) noexcept nogil:
    """Whether every lane is through with its game."""
    cdef lanes_t left = groups[0].games_left
    cdef int g
    for g in range(1, n_groups):
        left = left | groups[g].games_left
    return lanes_all_zero(left)


cdef inline void play_groups(group_t* groups, origins_t* origins, int n_groups, bint recording, uint64_t squares,
                             uint64_t top, uint64_t bottom) noexcept nogil:
    """Play until every lane is done. `n_groups` and `recording` are constants at each call."""
    cdef group_t[GROUPS] now
    cdef int g, player = 0
    for g in range(n_groups):
        now[g] = groups[g]
    while not all_done(now, n_groups):
        for g in range(n_groups):
            step_ongoing(&now[g], squares, top, bottom, origins[g].of[player] if recording else NULL)
        player = 1 - player
    for g in range(n_groups):
        groups[g] = now[g]


cdef void play_one_each(job_t* jobs, int n_jobs, uint64_t squares, uint64_t top, uint64_t bottom) noexcept nogil:
    """The games of jobs of one each: no lane takes a second one, and no more vectors are stepped than it takes."""
    cdef group_t[GROUPS] groups
    cdef origins_t[GROUPS] origins
    cdef bint recording = jobs[0].seen != NULL
    cdef int lane, n = min(n_jobs, GROUPS * LANES), n_groups = (n + LANES - 1) // LANES_OR_1
    if LANES == 0:                          # a level without lanes never comes here
        return
    for lane in range(n_groups * LANES):
        load_job(&groups[lane // LANES_OR_1], lane % LANES_OR_1, &jobs[lane if lane < n else 0])
        if lane >= n:
            lanes_set(&groups[lane // LANES_OR_1].games_left, lane % LANES_OR_1, 0)
    if recording:
        memset(origins, 0, sizeof(origins))
        if n_groups == 1:
            play_groups(groups, origins, 1, True, squares, top, bottom)
        elif n_groups == 2:
            play_groups(groups, origins, 2, True, squares, top, bottom)
        else:
            play_groups(groups, origins, GROUPS, True, squares, top, bottom)
    elif n_groups == 1:
        play_groups(groups, origins, 1, False, squares, top, bottom)
    elif n_groups == 2:
        play_groups(groups, origins, 2, False, squares, top, bottom)
    else:
        play_groups(groups, origins, GROUPS, False, squares, top, bottom)
    for lane in range(n):
        close_job(&groups[lane // LANES_OR_1], lane % LANES_OR_1, &jobs[lane])
        if recording:
            write_codes(&origins[lane // LANES_OR_1], lane % LANES_OR_1, &jobs[lane])


cdef void write_codes(const origins_t* origins, int lane, job_t* job) noexcept nogil:
    """The moves of a lane's game as AMAF codes: five to a square, squares row by row on the real board."""
    cdef const state_t* state = <const state_t*> job.state
    cdef int area = state.rows * state.cols
    cdef uint64_t[KINDS] made
    cdef uint64_t bits
    cdef int player, kind, square, first
    for player in range(2):
        first = 5 * area if player ^ state.turn == BLACK else 0
        for kind in range(KINDS):
            made[kind] = word_gather(lanes_get(origins.of[player][kind], lane), state.squares)
        for square in range(0, area, 12):
            bits = 0
            for kind in range(KINDS):
                bits |= word_spread(made[kind] >> square & 0xFFF, EVERY_FIFTH << kind)
            note_bits(job.seen, first + 5 * square, bits)


cdef void breakthrough_batch(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil:
    """Play all games of all jobs. Positions are not finished ones."""
    cdef const state_t* first = <const state_t*> jobs[0].state
    cdef uint64_t squares = first.squares
    cdef uint64_t top = squares & (<uint64_t> 0xFF << (8 * (first.rows - 1))), bottom = squares & 0xFF
    cdef group_t[GROUPS] groups, now
    cdef int[GROUPS * 8] job_of             # which job a lane works at
    cdef int g, lane, following = 0, active = 0
    if one_game_each(jobs, n_jobs):
        while following < n_jobs:
            play_one_each(&jobs[following], n_jobs - following, squares, top, bottom)
            following += GROUPS * LANES
        return
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
                step(&now[g], squares, top, bottom, NULL)
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
