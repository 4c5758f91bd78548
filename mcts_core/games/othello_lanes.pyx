"""Many random games of Othello at once, one a lane. How lanes take jobs: see breakthrough_kernel.pxi.

Moves and flips are found by flooding all eight directions, which needs no table. A step is one disc
in every lane, and the pass after it where the next side cannot move.
"""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from mcts_core.game cimport game_t, job_t, note_bits, one_game_each
from mcts_core.base.lanes cimport (
    LANES, LANES_OR_1, lanes_add_if, lanes_all, lanes_below, lanes_count, lanes_each, lanes_get, lanes_if, lanes_kth,
    lanes_less, lanes_mask_t, lanes_rngs_if, lanes_rngs_t, lanes_set, lanes_some, lanes_t, lanes_zero, load_rng,
    store_rng, word_gather
)
from mcts_core.games.othello cimport state_t

cdef enum:
    GROUPS = 2                          # vectors side by side; one alone has 0.86 of the speed

cdef uint64_t INNER_FILES = 0x7E7E7E7E7E7E7E7E
cdef uint64_t NEVER = <uint64_t> 1 << 62    # games left of a lane without a job

cdef struct group_t:                    # a vector of games
    lanes_t own
    lanes_t enemy
    lanes_t legal                       # the mover's moves: never none between steps
    lanes_t turn                        # 0: black is to move, 1: white
    lanes_rngs_t rngs
    lanes_t start_own                   # where the job's games begin
    lanes_t start_enemy
    lanes_t start_legal
    lanes_t start_turn
    lanes_t start_plies                 # 1: with a pass
    lanes_t games_left
    lanes_t plies                       # of the job so far
    lanes_t wins                        # black's
    lanes_t draws

cdef struct made_t:                     # moves that were made, by color
    lanes_t[2] discs
    lanes_t[2] passes                   # 1: there was one


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
    return (lanes_if(lanes_zero((up << shift) & own), zero, up)
            | lanes_if(lanes_zero((down >> shift) & own), zero, down))


cdef inline lanes_t flips_of(lanes_t disc, lanes_t own, lanes_t enemy) noexcept nogil:
    cdef lanes_t inner = enemy & INNER_FILES
    return (line_flips(disc, own, inner, 1) | line_flips(disc, own, enemy, 8) | line_flips(disc, own, inner, 7)
            | line_flips(disc, own, inner, 9))


cdef inline void step(group_t* g, uint64_t squares, made_t* made) noexcept nogil:
    """One random disc in every lane: the same numbers and choices as `run` in othello.pyx.

    `made` are the moves so far, added to where a game goes on; NULL: not wanted.
    """
    cdef lanes_t disc = lanes_kth(g.legal, lanes_below(&g.rngs, lanes_count(g.legal)))
    cdef lanes_t flips = flips_of(disc, g.own, g.enemy)
    cdef lanes_t moved = g.own | disc | flips
    cdef lanes_t zero = lanes_all(0)
    if made != NULL:
        note(made.discs, lanes_if(lanes_zero(g.games_left), zero, disc), g.turn)
    g.own = g.enemy ^ flips
    g.enemy = moved
    g.turn = g.turn ^ 1
    g.plies = g.plies + 1
    g.legal = moves_of(g.own, g.enemy, squares)
    if lanes_some(lanes_zero(g.legal)):
        pass_or_end(g, squares, made)


cdef inline void note(lanes_t* made, lanes_t what, lanes_t turn) noexcept nogil:
    """Add to what black or white has made, whoever is to move."""
    cdef lanes_t zero = lanes_all(0)
    cdef lanes_mask_t is_black = lanes_zero(turn)
    made[0] = made[0] | lanes_if(is_black, what, zero)
    made[1] = made[1] | lanes_if(is_black, zero, what)


cdef inline void pass_or_end(group_t* g, uint64_t squares, made_t* made) noexcept nogil:
    """Where the mover has no move: give the move back, or count the game and start the next one."""
    cdef lanes_t zero = lanes_all(0), one = lanes_all(1)
    cdef lanes_t other = moves_of(g.enemy, g.own, squares)
    cdef lanes_t own = g.own
    cdef lanes_mask_t ended = lanes_zero(g.legal | other), passed = lanes_zero(g.legal) & ~ended, is_black
    cdef lanes_t black, white
    if made != NULL:
        note(made.passes, lanes_if(passed & ~lanes_zero(g.games_left), one, zero), g.turn)
    g.own = lanes_if(passed, g.enemy, g.own)
    g.enemy = lanes_if(passed, own, g.enemy)
    g.turn = lanes_if(passed, g.turn ^ 1, g.turn)
    g.plies = lanes_add_if(passed, g.plies, one)
    g.legal = lanes_if(passed, other, g.legal)

    is_black = lanes_zero(g.turn)
    black = lanes_count(lanes_if(is_black, g.own, g.enemy))
    white = lanes_count(lanes_if(is_black, g.enemy, g.own))
    g.wins = lanes_add_if(ended & lanes_less(white, black), g.wins, one)
    g.draws = lanes_add_if(ended & lanes_zero(black - white), g.draws, one)
    g.games_left = lanes_add_if(ended, g.games_left, lanes_all(-1))
    g.own = lanes_if(ended, g.start_own, g.own)
    g.enemy = lanes_if(ended, g.start_enemy, g.enemy)
    g.legal = lanes_if(ended, g.start_legal, g.legal)
    g.turn = lanes_if(ended, g.start_turn, g.turn)
    g.plies = lanes_add_if(ended, g.plies, g.start_plies)


cdef inline bint some_done(const group_t* groups) noexcept nogil:
    """Whether some lane is through with its job."""
    cdef lanes_mask_t done = lanes_zero(groups[0].games_left)
    cdef int g
    for g in range(1, GROUPS):
        done = done | lanes_zero(groups[g].games_left)
    return lanes_some(done)


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
    load_rng(&g.rngs, lane, &job.rng)
    lanes_set(&g.games_left, lane, job.games)
    lanes_set(&g.plies, lane, passed)
    lanes_set(&g.wins, lane, 0)
    lanes_set(&g.draws, lane, 0)


cdef void close_job(const group_t* g, int lane, job_t* job) noexcept nogil:
    """Write down what a lane's job has given. A pass that begins the game after the last is not its."""
    cdef uint64_t wins = lanes_get(g.wins, lane), draws = lanes_get(g.draws, lane)
    store_rng(&g.rngs, lane, &job.rng)
    job.tally.wins += wins
    job.tally.draws += draws
    job.tally.losses += job.games - wins - draws
    job.tally.plies += lanes_get(g.plies, lane) - lanes_get(g.start_plies, lane)
    job.tally.sum += (wins << 32) + (draws << 31)
    job.tally.squares += (wins << 32) + (draws << 30)
    job.result = <double> wins + 0.5 * <double> draws


# One game in every lane

cdef inline void step_ongoing(group_t* g, uint64_t squares, made_t* made) noexcept nogil:
    """As `step`, but a lane whose game is over keeps what it has given."""
    cdef group_t before = g[0]
    cdef lanes_mask_t over = lanes_zero(g.games_left)
    step(g, squares, made)
    g.rngs = lanes_rngs_if(over, before.rngs, g.rngs)
    g.plies = lanes_if(over, before.plies, g.plies)
    g.wins = lanes_if(over, before.wins, g.wins)
    g.draws = lanes_if(over, before.draws, g.draws)
    g.games_left = lanes_if(over, before.games_left, g.games_left)


cdef inline bint all_done(const group_t* groups, int n_groups) noexcept nogil:
    """Whether every lane is through with its game."""
    cdef lanes_t left = groups[0].games_left
    cdef int g
    for g in range(1, n_groups):
        left = left | groups[g].games_left
    return lanes_each(lanes_zero(left))


cdef inline void play_groups(group_t* groups, made_t* made, int n_groups, bint recording,
                             uint64_t squares) noexcept nogil:
    """Play until every lane is done. `n_groups` and `recording` are constants at each call."""
    cdef group_t[GROUPS] now
    cdef int g
    for g in range(n_groups):
        now[g] = groups[g]
    while not all_done(now, n_groups):
        for g in range(n_groups):
            step_ongoing(&now[g], squares, &made[g] if recording else NULL)
    for g in range(n_groups):
        groups[g] = now[g]


cdef void play_one_each(job_t* jobs, int n_jobs, uint64_t squares) noexcept nogil:
    """The games of jobs of one each: no lane takes a second one, and no more vectors are stepped than it takes."""
    cdef group_t[GROUPS] groups
    cdef made_t[GROUPS] made
    cdef bint recording = jobs[0].seen != NULL
    cdef int lane, n = min(n_jobs, GROUPS * LANES), n_groups = (n + LANES - 1) // LANES_OR_1
    if LANES == 0:                          # a level without lanes never comes here
        return
    for lane in range(n_groups * LANES):
        load_job(&groups[lane // LANES_OR_1], lane % LANES_OR_1, &jobs[lane if lane < n else 0])
        if lane >= n:
            lanes_set(&groups[lane // LANES_OR_1].games_left, lane % LANES_OR_1, 0)
    if recording:
        memset(made, 0, sizeof(made))
        if n_groups == 1:
            play_groups(groups, made, 1, True, squares)
        else:
            play_groups(groups, made, GROUPS, True, squares)
    elif n_groups == 1:
        play_groups(groups, made, 1, False, squares)
    else:
        play_groups(groups, made, GROUPS, False, squares)
    for lane in range(n):
        close_job(&groups[lane // LANES_OR_1], lane % LANES_OR_1, &jobs[lane])
        if recording:
            write_codes(&groups[lane // LANES_OR_1], &made[lane // LANES_OR_1], lane % LANES_OR_1, &jobs[lane])


cdef void write_codes(const group_t* g, const made_t* made, int lane, job_t* job) noexcept nogil:
    """The moves of a lane's game as AMAF codes: squares row by row on the real board and the pass, by color."""
    cdef const state_t* state = <const state_t*> job.state
    cdef int area = state.size * state.size, color
    cdef uint64_t passes
    for color in range(2):
        passes = lanes_get(made.passes[color], lane)
        if color == state.turn:
            passes |= lanes_get(g.start_plies, lane)        # the one that load_job has played
        note_bits(job.seen, color * (area + 1), word_gather(lanes_get(made.discs[color], lane), state.squares))
        note_bits(job.seen, color * (area + 1) + area, passes)


cdef void othello_batch(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil:
    """Play all games of all jobs. Positions are not finished ones."""
    cdef const state_t* first = <const state_t*> jobs[0].state
    cdef uint64_t squares = first.squares
    cdef group_t[GROUPS] groups, now
    cdef int[GROUPS * 8] job_of             # which job a lane works at
    cdef int g, lane, following = 0, active = 0
    if one_game_each(jobs, n_jobs):
        while following < n_jobs:
            play_one_each(&jobs[following], n_jobs - following, squares)
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
                step(&now[g], squares, NULL)
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
