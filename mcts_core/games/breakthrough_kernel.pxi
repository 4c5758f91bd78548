"""Many random games of Breakthrough at once, one a lane: the kernel, for lanes of 64 and of 32 bits.

All lanes make a ply together; a lane whose game ends counts it and starts the next in the same
step. Each lane works through one job, with the job's own generator, and then takes another: what
a job gives does not depend on its neighbours, so all widths of vectors and of lanes give the same
results. Several vectors are stepped side by side, since one ply alone is a long chain of dependent
steps.

In a lane the squares of a board are moved together, row by row: bit cols*row + col. A lane sees its
game from the mover's side: own and enemy men change places after every ply. The direction of the
moves is in `ahead`, by how much a man is rotated to go straight on: `cols` for white, LANE_BITS - cols
(back by `cols`) for black; 1 less is towards lower columns, 1 more towards higher ones.

Included by breakthrough_lanes.pyx and breakthrough_lanes32.pyx.
"""
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from mcts_core.games.breakthrough cimport BLACK, state_t
from mcts_core.game cimport game_t, job_t, note_bits, one_game_each
from mcts_core.base.lanes cimport (
    LANE_BITS, LANES, LANES_OR_1, lanes_add_if, lanes_all, lanes_below, lanes_count, lanes_each, lanes_get, lanes_if,
    lanes_kth, lanes_less, lanes_mask_t, lanes_rngs_if, lanes_rngs_t, lanes_rotate, lanes_rotate_back, lanes_set,
    lanes_some, lanes_t, lanes_within, lanes_without, lanes_without_both, lanes_zero, load_rng, store_rng, word_gather,
    word_spread
)

cdef enum:
    GROUPS = 4                          # vectors side by side; one alone has half of the speed, three have 0.95
    FEW_GROUPS = 3                      # where every job is a single game: four are no faster
    MOST_LANES = 16 * GROUPS
    KINDS = 5                           # of moves, as AMAF codes tell them apart
    NEVER = 1 << 30                     # games left of a lane without a job: what others play meanwhile is far less

cdef uint64_t FIRST_FILE = 0x0101010101010101
cdef uint64_t EVERY_FIFTH = 0x0084210842108421      # of 60 bits: where the codes of 12 squares begin

cdef struct group_t:                    # a vector of games
    lanes_t own
    lanes_t enemy
    lanes_t ahead
    lanes_rngs_t rngs
    lanes_t start_own                   # where the job's games begin
    lanes_t start_enemy
    lanes_t start_ahead
    lanes_t games_left
    lanes_t winners                     # the sum of `ahead` of those who have won: fits, in jobs of 1 << 16 games

cdef struct board_t:                    # what all lanes have in common
    uint64_t not_left                   # where no move to a lower column leads: the last file, and off the board
    uint64_t not_right
    uint64_t ends                       # the first and the last row
    int up                              # `ahead` of white
    int down

cdef struct origins_t:                  # from which squares moves were made: by players, and by kind of move
    lanes_t[2][KINDS] of                # 0: the player who was to move first, 1: the other


cdef bint has_lanes() noexcept nogil:
    return LANES > 0


cdef board_t board_of(const state_t* state) noexcept nogil:
    cdef board_t board
    cdef uint64_t squares = word_gather(state.squares, state.squares)
    cdef uint64_t first_file = word_gather(FIRST_FILE & state.squares, state.squares)
    cdef uint64_t bottom = (<uint64_t> 1 << state.cols) - 1
    board.not_left = ~squares | first_file << (state.cols - 1)
    board.not_right = ~squares | first_file
    board.ends = bottom | bottom << (state.cols * (state.rows - 1))
    board.up, board.down = state.cols, LANE_BITS - state.cols
    return board


cdef inline void step(group_t* g, const board_t* board, lanes_t* origins) noexcept nogil:
    """One random ply in every lane: the same numbers and choices as `random_step` in breakthrough.pyx.

    `origins` are the mover's so far, added to where a game goes on; NULL: not wanted.
    """
    cdef lanes_t zero = lanes_all(0)
    # no man leaves the board straight on: who has arrived has won
    cdef lanes_t left = lanes_without_both(lanes_rotate(g.own, g.ahead - 1), g.own, lanes_all(board.not_left))
    cdef lanes_t straight = lanes_without_both(lanes_rotate(g.own, g.ahead), g.own, g.enemy)
    cdef lanes_t right = lanes_without_both(lanes_rotate(g.own, g.ahead + 1), g.own, lanes_all(board.not_right))
    cdef lanes_t n_left = lanes_count(left)
    cdef lanes_t n_both = n_left + lanes_count(straight)
    cdef lanes_t k = lanes_below(&g.rngs, n_both + lanes_count(right))
    cdef lanes_mask_t is_left = lanes_less(k, n_left), is_not_right = lanes_less(k, n_both)
    cdef lanes_t targets = lanes_if(is_left, left, lanes_if(is_not_right, straight, right))
    cdef lanes_t turned = lanes_if(is_left, g.ahead - 1, lanes_if(is_not_right, g.ahead, g.ahead + 1))
    cdef lanes_t target = lanes_kth(targets, lanes_if(is_left, k, k - lanes_if(is_not_right, n_left, n_both)))
    cdef lanes_t origin = lanes_rotate_back(target, turned)
    cdef lanes_t own = g.own ^ (target | origin), enemy = lanes_without(g.enemy, target)
    cdef lanes_mask_t ended
    if origins != NULL:
        note_origin(origins, lanes_if(lanes_zero(g.games_left), zero, origin), lanes_zero(target & g.enemy),
                    is_left, is_not_right)
    # the mover has won if it has arrived or the enemy has no men; then the next game starts
    ended = lanes_within(target, lanes_all(board.ends)) | lanes_zero(enemy)
    g.games_left = lanes_add_if(ended, g.games_left, lanes_all(-1))
    g.winners = lanes_add_if(ended, g.winners, g.ahead)
    g.own = lanes_if(ended, g.start_own, enemy)
    g.enemy = lanes_if(ended, g.start_enemy, own)
    g.ahead = lanes_if(ended, g.start_ahead, lanes_all(LANE_BITS) - g.ahead)


cdef inline void note_origin(lanes_t* origins, lanes_t origin, lanes_mask_t quiet, lanes_mask_t is_left,
                             lanes_mask_t is_not_right) noexcept nogil:
    """Add a move to those of its kind: straight, right, right with a capture, left, left with a capture."""
    cdef lanes_t zero = lanes_all(0)
    cdef lanes_t left = lanes_if(is_left, origin, zero)
    cdef lanes_t right = lanes_if(is_not_right, zero, origin)
    origins[0] = origins[0] | lanes_without(origin, left | right)
    origins[1] = origins[1] | lanes_if(quiet, right, zero)
    origins[2] = origins[2] | lanes_if(quiet, zero, right)
    origins[3] = origins[3] | lanes_if(quiet, left, zero)
    origins[4] = origins[4] | lanes_if(quiet, zero, left)


cdef inline void load_job(group_t* g, int lane, const job_t* job, const board_t* board) noexcept nogil:
    """Put a job's first game into a lane."""
    cdef const state_t* state = <const state_t*> job.state
    cdef uint64_t own = word_gather(state.men[state.turn], state.squares)
    cdef uint64_t enemy = word_gather(state.men[1 - state.turn], state.squares)
    cdef uint64_t ahead = board.down if state.turn == BLACK else board.up
    lanes_set(&g.start_own, lane, own)
    lanes_set(&g.start_enemy, lane, enemy)
    lanes_set(&g.start_ahead, lane, ahead)
    lanes_set(&g.own, lane, own)
    lanes_set(&g.enemy, lane, enemy)
    lanes_set(&g.ahead, lane, ahead)
    load_rng(&g.rngs, lane, &job.rng)
    lanes_set(&g.games_left, lane, job.games)
    lanes_set(&g.winners, lane, 0)


cdef inline void close_job(const group_t* g, int lane, job_t* job, const board_t* board) noexcept nogil:
    """Write down what a lane's job has given."""
    cdef uint64_t before = job.rng.counter
    cdef int64_t wins = (job.games * board.down - <int64_t> lanes_get(g.winners, lane)) // (board.down - board.up)
    store_rng(&g.rngs, lane, &job.rng)
    job.tally.wins += wins
    job.tally.losses += job.games - wins
    job.tally.plies += job.rng.counter - before         # a number drawn for every ply
    job.tally.sum += wins << 32
    job.tally.squares += wins << 32
    job.result = <double> wins


# One game in every lane

cdef inline void keep_ended(group_t* g, const group_t* before) noexcept nogil:
    """After a step: a lane whose game was over keeps what it has given."""
    cdef lanes_mask_t over = lanes_zero(before.games_left)
    g.rngs = lanes_rngs_if(over, before.rngs, g.rngs)
    g.winners = lanes_if(over, before.winners, g.winners)
    g.games_left = lanes_if(over, before.games_left, g.games_left)


cdef inline bint all_done(const group_t* groups, int n_groups) noexcept nogil:
    """Whether every lane is through with its game."""
    cdef lanes_t left = groups[0].games_left
    cdef int g
    for g in range(1, n_groups):
        left = left | groups[g].games_left
    return lanes_each(lanes_zero(left))


cdef inline void play_groups(group_t* groups, origins_t* origins, int n_groups, bint recording,
                             const board_t* board) noexcept nogil:
    """Play until every lane is done. `n_groups` and `recording` are constants at each call."""
    cdef group_t[FEW_GROUPS] now
    cdef group_t before
    cdef int g, player = 0
    for g in range(n_groups):
        now[g] = groups[g]
    while not all_done(now, n_groups):
        before = now[0]
        step(&now[0], board, origins[0].of[player] if recording else NULL)
        keep_ended(&now[0], &before)
        if n_groups > 1:
            before = now[1]
            step(&now[1], board, origins[1].of[player] if recording else NULL)
            keep_ended(&now[1], &before)
        if n_groups > 2:
            before = now[2]
            step(&now[2], board, origins[2].of[player] if recording else NULL)
            keep_ended(&now[2], &before)
        player = 1 - player
    for g in range(n_groups):
        groups[g] = now[g]


cdef inline void play_vectors(group_t* groups, origins_t* origins, int n_groups, bint recording,
                              const board_t* board) noexcept nogil:
    """Two loops are compiled for each number of vectors."""
    if recording:
        play_groups(groups, origins, n_groups, True, board)
    else:
        play_groups(groups, origins, n_groups, False, board)


cdef void play_one_each(job_t* jobs, int n_jobs, const board_t* board) noexcept nogil:
    """The games of jobs of one each: no lane takes a second one, and no more vectors are stepped than it takes."""
    cdef group_t[FEW_GROUPS] groups
    cdef origins_t[FEW_GROUPS] origins
    cdef bint recording = jobs[0].seen != NULL
    cdef int lane, n = min(n_jobs, FEW_GROUPS * LANES), n_groups = (n + LANES - 1) // LANES_OR_1
    if LANES == 0:                          # a level without lanes never comes here
        return
    for lane in range(n_groups * LANES):
        load_job(&groups[lane // LANES_OR_1], lane % LANES_OR_1, &jobs[lane if lane < n else 0], board)
        if lane >= n:
            lanes_set(&groups[lane // LANES_OR_1].games_left, lane % LANES_OR_1, 0)
    if recording:
        memset(origins, 0, sizeof(origins))
    if n_groups == 1:
        play_vectors(groups, origins, 1, recording, board)
    elif n_groups == 2:
        play_vectors(groups, origins, 2, recording, board)
    else:
        play_vectors(groups, origins, FEW_GROUPS, recording, board)
    for lane in range(n):
        close_job(&groups[lane // LANES_OR_1], lane % LANES_OR_1, &jobs[lane], board)
        if recording:
            write_codes(&origins[lane // LANES_OR_1], lane % LANES_OR_1, &jobs[lane])


cdef inline void write_codes(const origins_t* origins, int lane, job_t* job) noexcept nogil:
    """The moves of a lane's game as AMAF codes: five to a square, squares row by row on the real board."""
    cdef const state_t* state = <const state_t*> job.state
    cdef int area = state.rows * state.cols
    cdef uint64_t[KINDS] made
    cdef uint64_t bits
    cdef int player, kind, square, first
    for player in range(2):
        first = 5 * area if player ^ state.turn == BLACK else 0
        for kind in range(KINDS):
            made[kind] = lanes_get(origins.of[player][kind], lane)
        for square in range(0, area, 12):
            bits = 0
            for kind in range(KINDS):
                bits |= word_spread(made[kind] >> square & 0xFFF, EVERY_FIFTH << kind)
            note_bits(job.seen, first + 5 * square, bits)


# Many games in every lane

cdef struct queue_t:                    # the jobs of a batch
    job_t* jobs
    int n
    int following                       # the first that no lane has taken
    int at_work                         # lanes that have one
    int[MOST_LANES] of_lane


cdef void batch(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil:
    """Play all games of all jobs. Positions are not finished ones."""
    cdef board_t board = board_of(<const state_t*> jobs[0].state)
    cdef queue_t queue
    cdef int first = 0
    if one_game_each(jobs, n_jobs):
        while first < n_jobs:
            play_one_each(&jobs[first], n_jobs - first, &board)
            first += FEW_GROUPS * LANES
        return
    queue.jobs, queue.n, queue.following, queue.at_work = jobs, n_jobs, 0, 0
    if n_jobs <= LANES:                     # 1,000 games on 5x5 take 0.7 of the time
        play_queue(&queue, 1, &board)
    elif n_jobs <= 2 * LANES:
        play_queue(&queue, 2, &board)
    else:
        play_queue(&queue, GROUPS, &board)


cdef inline void play_queue(queue_t* queue, int n_groups, const board_t* board) noexcept nogil:
    """Play until no job is left. `n_groups` is a constant at each call: 1, 2 or all.

    The vectors are written out: what a loop takes by its index is not in registers.
    """
    cdef group_t[GROUPS] now
    fill(now, n_groups, queue, board)
    while queue.at_work:
        while not some_done(now, n_groups):
            step(&now[0], board, NULL)
            if n_groups > 1:
                step(&now[1], board, NULL)
            if n_groups > 2:
                step(&now[2], board, NULL)
                step(&now[3], board, NULL)
        refill(&now[0], 0, queue, board)
        if n_groups > 1:
            refill(&now[1], 1, queue, board)
        if n_groups > 2:
            refill(&now[2], 2, queue, board)
            refill(&now[3], 3, queue, board)


cdef inline bint some_done(const group_t* groups, int n_groups) noexcept nogil:
    """Whether some lane is through with its job."""
    cdef lanes_mask_t done = lanes_zero(groups[0].games_left)
    cdef int g
    for g in range(1, n_groups):
        done = done | lanes_zero(groups[g].games_left)
    return lanes_some(done)


cdef inline void fill(group_t* groups, int n_groups, queue_t* queue, const board_t* board) noexcept nogil:
    """Give every lane a job to begin with."""
    cdef group_t[GROUPS] empty
    cdef int g, lane
    memset(empty, 0, sizeof(empty))
    for g in range(n_groups):
        for lane in range(LANES):
            take_job(&empty[g], lane, g * LANES + lane, queue, board)
        groups[g] = empty[g]


cdef inline void refill(group_t* group, int g, queue_t* queue, const board_t* board) noexcept nogil:
    """Close the jobs of a vector that are done, and begin others in their lanes."""
    cdef group_t changed
    if lanes_some(lanes_zero(group.games_left)):
        changed = group[0]                  # who has an address is not in registers
        replace_jobs(&changed, g, queue, board)
        group[0] = changed


cdef void replace_jobs(group_t* group, int g, queue_t* queue, const board_t* board) noexcept nogil:
    cdef int lane
    for lane in range(LANES):
        if lanes_get(group.games_left, lane) == 0:
            close_job(group, lane, &queue.jobs[queue.of_lane[g * LANES + lane]], board)
            queue.at_work -= 1
            take_job(group, lane, g * LANES + lane, queue, board)


cdef void take_job(group_t* group, int lane, int number, queue_t* queue, const board_t* board) noexcept nogil:
    """The next job for a lane; if none is left, it plays on unseen while the others finish."""
    if queue.following == queue.n:
        lanes_set(&group.games_left, lane, NEVER)
        return
    load_job(group, lane, &queue.jobs[queue.following], board)
    queue.of_lane[number] = queue.following
    queue.following += 1
    queue.at_work += 1
