"""Random games in SIMD lanes, one game in each lane: the part that the kernels of all games share.

The frame deals jobs (game.pxd) to lanes, starts the next game of a job when one ends, counts results
and stores generators. The kernel supplies the game and includes this file. A lane plays the games of
its job one after the other with the generator of the job, so results do not depend on the width of
vectors or on other lanes.

A group is LANES games, one in each lane of its vectors. Its games advance together, one step at a
time. Several groups are stepped in turn, because a step is a long chain of dependent instructions
that alone would leave most of the processor idle.

Before the include a kernel defines

    state_t         cimported: the state of the game, which job.state points to
    board_t         constants of the board, equal in all games of a batch
    games_t         the positions of a group; every field is a lanes_t
    ply_t           the moves of one step, for `note`
    made_t          all moves that single games have made, for AMAF; begins as zeros
    GROUPS          groups stepped in turn, 2 to 4: the fastest number for jobs of many games
    SINGLE_GROUPS   groups stepped in turn, 2 or 3: the fastest number for jobs of one game each
    ENDS_ARE_RARE   1: most steps end no game of a group, so a branch skips the counting; 0: no branch

and after the include, as `cdef inline` functions that are `noexcept nogil`

    board_t board_of(const state_t* state)
    void load_game(games_t* start, int lane, const state_t* state, const board_t* board)
        Writes a state, never a finished game, into one lane. Plays a forced pass at its beginning.
    lanes_mask_t step(games_t* games, lanes_rngs_t* rngs, const board_t* board, ply_t* ply)
        Plays a random move in every lane and returns the lanes whose game has ended. Draws one number
        in every lane (`lanes_below`) and picks the move that the `playout` of the game picks. A forced
        pass belongs to the step before it and draws no number.
    games_t games_if(lanes_mask_t mask, const games_t* yes, const games_t* no)
        `lanes_if` for each field.
    lanes_t score_of(const games_t* games)
        The scores of ended games. The frame adds up the scores of a job, at most 1 << 16 games, in a lane.
    outcome_t outcome_of(uint64_t score, int64_t games, const board_t* board)
        The meaning of the sum of the scores of a job with that many games.
    void note(made_t* made, const ply_t* ply, bint odd_step, lanes_mask_t over)
        Adds the moves of a step, except in lanes whose game is over. `odd_step` is true in steps
        1, 3, 5 ...: without passes these are the moves of the player who moved second.
    void write_codes(const made_t* made, const games_t* start, int lane, const state_t* state, uint64_t* seen)
        Adds the AMAF codes of one lane's game to `seen`, as `note_bits` of game.pxd does.

The frame defines `has_lanes` and `batch`. The .pxd file of the kernel declares both, and the game sets
`game.batch` if `has_lanes()`.

The life of a lane

     load_job
        |
        v     step: the game goes on, or ends and the next game of the job begins
     PLAYING <--+
        |   |   |
        |   +---+
        |
        |  step: the last game of the job ends, games_left == 0
        v
      DONE ----------> close_job; if a job is left: load_job
        |
        |  close_job; no job is left
        v
      IDLE <--+
         |    |  step: a game that is not counted
         +----+

With jobs of one game each, a lane has only one job. It stays DONE until all lanes are DONE; then close_job
ends it. Meanwhile it steps like all lanes, but its generator, score and moves made keep their values.
"""
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from mcts_core.base.lanes cimport (
    LANES, LANES_OR_1, lanes_add_if, lanes_all, lanes_each, lanes_get, lanes_mask_t, lanes_rngs_if, lanes_rngs_t,
    lanes_set, lanes_some, lanes_t, lanes_zero, load_rng, store_rng
)
from mcts_core.game cimport game_t, job_t, one_game_each

cdef enum:
    MOST_GROUPS = 4                     # groups that the loops below write out
    MOST_LANES = 16 * MOST_GROUPS
    IDLE_GAMES = 1 << 30                # games_left of an idle lane: more than it can play before the others end

cdef struct group_t:                    # a group of games, and the jobs of its lanes
    games_t games
    games_t start                       # where the games of the job begin
    lanes_rngs_t rngs
    lanes_t games_left                  # of the job, including the one under way
    lanes_t score                       # the sum over the job's ended games

cdef struct outcome_t:                  # of all games of a job
    int64_t wins                        # of the first player
    int64_t draws
    int64_t passes                      # plies that draw no number

cdef struct queue_t:                    # the jobs of a batch
    job_t* jobs
    int n
    int next                            # the first job that no lane has taken
    int n_open                          # lanes with a job
    int[MOST_LANES] job_of_lane


cdef bint has_lanes() noexcept nogil:
    """Return whether this level of the instruction set has vectors."""
    return LANES > 0


cdef void batch(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil:
    """Play all games of all jobs. No job begins at a finished game."""
    cdef board_t board = board_of(<const state_t*> jobs[0].state)
    cdef queue_t queue
    cdef int first = 0
    if one_game_each(jobs, n_jobs):
        while first < n_jobs:
            play_single_games(&jobs[first], min(n_jobs - first, SINGLE_GROUPS * LANES), &board)
            first += SINGLE_GROUPS * LANES
        return
    queue.jobs, queue.n, queue.next, queue.n_open = jobs, n_jobs, 0, 0
    # no more groups than the jobs fill: 1,000 games of Breakthrough 5x5 take 0.7 of the time
    if n_jobs <= LANES:
        play_queue(&queue, 1, &board)
    elif n_jobs <= 2 * LANES or GROUPS == 2:
        play_queue(&queue, 2, &board)
    else:
        play_queue(&queue, GROUPS, &board)


cdef inline void load_job(group_t* group, int lane, const job_t* job, const board_t* board) noexcept nogil:
    """Give a lane a job. `group.games` is set by the caller, for all new lanes together."""
    load_game(&group.start, lane, <const state_t*> job.state, board)
    load_rng(&group.rngs, lane, &job.rng)
    lanes_set(&group.games_left, lane, job.games)
    lanes_set(&group.score, lane, 0)


cdef inline void close_job(const group_t* group, int lane, job_t* job, const board_t* board) noexcept nogil:
    """Store the generator of a lane and the results of its job."""
    cdef outcome_t outcome = outcome_of(lanes_get(group.score, lane), job.games, board)
    cdef uint64_t drawn = job.rng.counter
    store_rng(&group.rngs, lane, &job.rng)
    drawn = job.rng.counter - drawn         # a number for each ply except passes
    job.tally.wins += outcome.wins
    job.tally.draws += outcome.draws
    job.tally.losses += job.games - outcome.wins - outcome.draws
    job.tally.plies += drawn + outcome.passes
    job.tally.sum += (outcome.wins << 32) + (outcome.draws << 31)
    job.tally.squares += (outcome.wins << 32) + (outcome.draws << 30)
    job.result = <double> outcome.wins + 0.5 * <double> outcome.draws


cdef inline void end_games(group_t* group, lanes_mask_t ended, lanes_mask_t counted) noexcept nogil:
    """Add the scores of `counted` lanes to their jobs, and start the next game in `ended` lanes."""
    if ENDS_ARE_RARE and not lanes_some(ended):
        return
    group.games_left = lanes_add_if(counted, group.games_left, lanes_all(-1))
    group.score = lanes_add_if(counted, group.score, score_of(&group.games))
    group.games = games_if(ended, &group.start, &group.games)


# Jobs of many games

cdef inline void play_queue(queue_t* queue, int n_groups, const board_t* board) noexcept nogil:
    """Play until no job is left. `n_groups` is a constant at each call.

    The calls are written out for each group, because an array that a loop indexes is not kept in registers.
    """
    cdef group_t[MOST_GROUPS] now
    fill(now, n_groups, queue, board)
    while queue.n_open:
        while not some_done(now, n_groups):
            play_ply(&now[0], board)
            if n_groups > 1:
                play_ply(&now[1], board)
            if n_groups > 2:
                play_ply(&now[2], board)
            if n_groups > 3:
                play_ply(&now[3], board)
        refill(&now[0], 0, queue, board)
        if n_groups > 1:
            refill(&now[1], 1, queue, board)
        if n_groups > 2:
            refill(&now[2], 2, queue, board)
        if n_groups > 3:
            refill(&now[3], 3, queue, board)


cdef inline void play_ply(group_t* group, const board_t* board) noexcept nogil:
    cdef ply_t ply
    cdef lanes_mask_t ended = step(&group.games, &group.rngs, board, &ply)
    end_games(group, ended, ended)


cdef inline bint some_done(const group_t* groups, int n_groups) noexcept nogil:
    """Return whether some lane has played all games of its job."""
    cdef lanes_mask_t done = lanes_zero(groups[0].games_left)
    cdef int g
    for g in range(1, n_groups):
        done = done | lanes_zero(groups[g].games_left)
    return lanes_some(done)


cdef inline void fill(group_t* groups, int n_groups, queue_t* queue, const board_t* board) noexcept nogil:
    """Give every lane its first job. Lanes without a job start from job 0's position, and are not counted."""
    cdef group_t[MOST_GROUPS] filled
    cdef int g, lane
    for g in range(n_groups):
        for lane in range(LANES):
            load_job(&filled[g], lane, &queue.jobs[0], board)
            take_job(&filled[g], lane, g * LANES + lane, queue, board)
        filled[g].games = filled[g].start
        groups[g] = filled[g]


cdef inline void refill(group_t* group, int g, queue_t* queue, const board_t* board) noexcept nogil:
    """Replace those jobs of a group that are done."""
    cdef group_t changed
    if lanes_some(lanes_zero(group.games_left)):
        changed = group[0]                  # a copy, because a variable whose address is passed on leaves the registers
        replace_jobs(&changed, g, queue, board)
        group[0] = changed


cdef void replace_jobs(group_t* group, int g, queue_t* queue, const board_t* board) noexcept nogil:
    """Close the jobs that are done, and start the next jobs in their lanes."""
    cdef lanes_mask_t done = lanes_zero(group.games_left)
    cdef int lane
    for lane in range(LANES):
        if lanes_get(group.games_left, lane) == 0:
            close_job(group, lane, &queue.jobs[queue.job_of_lane[g * LANES + lane]], board)
            queue.n_open -= 1
            take_job(group, lane, g * LANES + lane, queue, board)
    group.games = games_if(done, &group.start, &group.games)


cdef inline void take_job(group_t* group, int lane, int number, queue_t* queue, const board_t* board) noexcept nogil:
    """Give a lane the next job. If none is left, the lane becomes idle."""
    if queue.next == queue.n:
        lanes_set(&group.games_left, lane, IDLE_GAMES)
        return
    load_job(group, lane, &queue.jobs[queue.next], board)
    queue.job_of_lane[number] = queue.next
    queue.next += 1
    queue.n_open += 1


# Jobs of one game each

cdef void play_single_games(job_t* jobs, int n, const board_t* board) noexcept nogil:
    """Play one game in each of n lanes. No lane takes a second job, and no group without a job is stepped."""
    cdef group_t[MOST_GROUPS] groups
    cdef made_t[MOST_GROUPS] made
    cdef bint recording = jobs[0].seen != NULL
    cdef int g, lane, i, n_groups = (n + LANES - 1) // LANES_OR_1
    if LANES == 0:                          # never called at a level without vectors
        return
    for g in range(n_groups):
        for lane in range(LANES):
            i = g * LANES + lane
            load_job(&groups[g], lane, &jobs[i if i < n else 0], board)
            if i >= n:
                lanes_set(&groups[g].games_left, lane, 0)
        groups[g].games = groups[g].start
    if recording:
        memset(made, 0, n_groups * sizeof(made_t))
        step_single_games(groups, made, n_groups, True, board)
    else:
        step_single_games(groups, made, n_groups, False, board)
    for i in range(n):
        g, lane = i // LANES_OR_1, i % LANES_OR_1
        close_job(&groups[g], lane, &jobs[i], board)
        if recording:
            write_codes(&made[g], &groups[g].start, lane, <const state_t*> jobs[i].state, jobs[i].seen)


cdef inline void step_single_games(group_t* groups, made_t* made, int n_groups, bint recording,
                                   const board_t* board) noexcept nogil:
    """Choose the loop that is compiled for this number of groups."""
    if n_groups == 1:
        step_until_done(groups, made, 1, recording, board)
    elif n_groups == 2:
        step_until_done(groups, made, 2, recording, board)
    else:
        step_until_done(groups, made, SINGLE_GROUPS, recording, board)


cdef inline void step_until_done(group_t* groups, made_t* made, int n_groups, bint recording,
                                 const board_t* board) noexcept nogil:
    """Step until every lane is done. `n_groups` and `recording` are constants at each call."""
    cdef group_t[MOST_GROUPS] now         # copies that stay in registers
    cdef int g
    cdef bint odd_step = False
    for g in range(n_groups):
        now[g] = groups[g]
    while not all_done(now, n_groups):
        play_single_ply(&now[0], &made[0], recording, odd_step, board)
        if n_groups > 1:
            play_single_ply(&now[1], &made[1], recording, odd_step, board)
        if n_groups > 2:
            play_single_ply(&now[2], &made[2], recording, odd_step, board)
        odd_step = not odd_step
    for g in range(n_groups):
        groups[g] = now[g]


cdef inline void play_single_ply(group_t* group, made_t* made, bint recording, bint odd_step,
                                 const board_t* board) noexcept nogil:
    """Step all lanes. Those that are done keep their generator and their score."""
    cdef lanes_rngs_t rngs = group.rngs
    cdef ply_t ply
    cdef lanes_mask_t ended = step(&group.games, &group.rngs, board, &ply)
    cdef lanes_mask_t over = lanes_zero(group.games_left)
    group.rngs = lanes_rngs_if(over, rngs, group.rngs)
    if recording:
        note(made, &ply, odd_step, over)
    end_games(group, ended, ended & ~over)


cdef inline bint all_done(const group_t* groups, int n_groups) noexcept nogil:
    """Return whether every lane has ended its game."""
    cdef lanes_t left = groups[0].games_left
    cdef int g
    for g in range(1, n_groups):
        left = left | groups[g].games_left
    return lanes_each(lanes_zero(left))
