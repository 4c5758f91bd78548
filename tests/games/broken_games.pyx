"""A small game with faults that are switched on one at a time, for playout.check_game to find.

Stairs: the players climb one to three steps in turn, five times, and then one of them has to rest. The
first player gets the share of the stairs that they have climbed together. Without a fault it is a sound
game, and unlike the others: results lie between 0 and 1, moves share codes, one has its highest bit set,
text has capitals.
"""
from libc.math cimport NAN
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from mcts_core.game cimport GAME_ABI, any_batch, game_t, job_t, move_t, note, trace_t
from mcts_core.position cimport Position
from mcts_core.rng cimport below, fixed_word, next_word, rng_t

from mcts_core.board import Board

cpdef enum Fault:
    NONE
    BOXED                               # no fault: a state points to its fields
    # in moves
    COUNT_NEGATIVE
    MORE_THAN_MAX_MOVES
    FAR_MORE_THAN_MAX_MOVES
    WRITES_MORE_THAN_IT_RETURNS
    COUNTS_DIFFERENTLY
    WRITES_LESS_THAN_IT_RETURNS
    ORDER_CHANGES
    SAME_MOVE_TWICE
    MOVE_MINUS_ONE
    MOVES_CHANGES_STATE
    # in text
    TEXTS_ALIKE
    TEXT_NOT_NORMAL
    # in facts
    TURN_TWO
    CODE_TOO_HIGH
    CODE_NEGATIVE
    CODE_CHANGES
    RESULT_TOO_HIGH
    RESULT_NAN
    MARGIN_WITHOUT_RESULT
    MARGIN_TOO_HIGH
    MARGIN_OF_THE_OTHER
    PROGRESS_TOO_HIGH
    KIND_TOO_HIGH
    # in keys
    KEY_CONSTANT
    KEY_WITHOUT_TOTAL
    KEY_CHANGES
    KEY_WITHOUT_PADDING
    # in play
    PLAY_DOES_NOTHING
    PLAY_WRITES_BEHIND
    PLAY_NOT_REPEATABLE
    PLAY_GOES_BACK
    LONGER_THAN_MAX_PLIES
    STATE_IN_A_VARIABLE
    # in copy and drop
    COPY_WITHOUT_DROP
    COPY_SHARES
    PUSH_UNLIKE_PLAY
    # in solve and fold
    SOLVE_WINS_TOO_SOON
    SOLVE_LOSES_TOO_SOON
    FOLD_CONSTANT
    # in playout
    PLAYOUT_ILLEGAL_MOVE
    PLAYOUT_OTHER_CODE
    PLAYOUT_TOO_LONG
    PLAYOUT_WITHOUT_PLIES
    PLAYOUT_STOPS_EARLY
    PLAYOUT_OTHER_RESULT
    PLAYOUT_CHANGED_BY_TRACE
    PLAYOUT_OTHER_SEEN
    PLAYOUT_SEEN_TOO_FAR
    PLAYOUT_NEVER_THIRD_MOVE
    GUIDED_OTHER_RESULT
    # in batch
    BATCH_OTHER_TALLY
    BATCH_OTHER_RESULT
    BATCH_OTHER_GENERATOR
    BATCH_OTHER_SEEN
    BATCH_WRITES_BEHIND

cdef enum:
    LAST = 5                            # the last ply
    N_FAULTS = BATCH_WRITES_BEHIND + 1

cdef struct state_t:
    int total                           # steps climbed
    char plies
    char[3] padding

cdef move_t REST = 0xFFFFFFFE

cdef game_t[N_FAULTS] GAMES
cdef game_t[N_FAULTS] GAMES_BY_MARGIN
cdef int calls = 0                      # a variable of the module, which no game should depend on


cdef inline Fault fault_of(const game_t* game) noexcept nogil:
    return <Fault> <size_t> game.context


cdef inline state_t* body_of(const game_t* game, const void* s) noexcept nogil:
    """The fields of a state, or where it points to."""
    return <state_t*> s if game.copy == NULL else (<state_t**> s)[0]


cdef inline int next_call() noexcept nogil:
    global calls
    calls += 1
    return calls


cdef int moves(const game_t* game, const void* s, move_t* out) noexcept nogil:
    cdef state_t* state = body_of(game, s)
    cdef Fault fault = fault_of(game)
    cdef int i, n = 1 if state.plies == LAST else 3
    cdef bint late = state.plies == 2
    if state.plies > LAST:
        return 0
    if fault == COUNT_NEGATIVE and late:
        return -1
    if fault == MORE_THAN_MAX_MOVES and late:
        n = 4
    elif fault == FAR_MORE_THAN_MAX_MOVES and late:
        n = 30000
    if out == NULL:
        return n - (fault == COUNTS_DIFFERENTLY and late)
    for i in range(n - (fault == WRITES_LESS_THAN_IT_RETURNS and late)):
        out[i] = REST if state.plies == LAST else i + 1
    if fault == WRITES_MORE_THAN_IT_RETURNS:
        for i in range(1500):
            out[n + i] = 1
    elif fault == ORDER_CHANGES and late and next_call() % 2:
        out[0], out[1] = 2, 1
    elif fault == SAME_MOVE_TWICE and late:
        out[1] = 1
    elif fault == MOVE_MINUS_ONE and late:
        out[1] = -1
    elif fault == MOVES_CHANGES_STATE and late:
        state.total = 0
    return n


cdef void play(const game_t* game, void* s, move_t move) noexcept nogil:
    cdef state_t* state = body_of(game, s)
    cdef Fault fault = fault_of(game)
    if fault == PLAY_DOES_NOTHING and state.plies == 2:
        return
    state.total += 0 if move == REST else move
    state.plies += 1
    if fault == PLAY_WRITES_BEHIND:
        (<char*> s)[sizeof(state_t)] = 1
    elif fault == PLAY_NOT_REPEATABLE:
        state.padding[1] = next_call()
    elif fault == KEY_WITHOUT_PADDING:
        state.padding[0] = move
    elif fault == PLAY_GOES_BACK and state.plies == 4:
        state.total = state.plies = 0
    elif fault == STATE_IN_A_VARIABLE:
        next_call()


cdef int turn(const game_t* game, const void* s) noexcept nogil:
    cdef const state_t* state = body_of(game, s)
    return 2 if fault_of(game) == TURN_TWO and state.plies == 3 else state.plies & 1


cdef uint64_t key(const game_t* game, const void* s) noexcept nogil:
    cdef const state_t* state = body_of(game, s)
    cdef Fault fault = fault_of(game)
    if fault == KEY_CONSTANT:
        return 7
    if fault == KEY_WITHOUT_TOTAL:
        return fixed_word(state.plies)
    if fault == KEY_CHANGES:
        return next_call()
    return fixed_word(state.total << 8 | state.plies)


cdef int code(const game_t* game, const void* s, move_t move) noexcept nogil:
    cdef const state_t* state = body_of(game, s)
    cdef Fault fault = fault_of(game)
    if fault == CODE_TOO_HIGH and state.plies == 3:
        return 99
    if fault == CODE_NEGATIVE and state.plies == 3:
        return -1
    if fault == CODE_CHANGES and state.plies == 3:
        return next_call() % 4
    return 2 * (state.plies & 1) + (1 < move < REST)


cdef double result(const game_t* game, const void* s) noexcept nogil:
    cdef const state_t* state = body_of(game, s)
    cdef Fault fault = fault_of(game)
    if fault == RESULT_TOO_HIGH:
        return 7.5
    if fault == RESULT_NAN:
        return NAN
    if fault == STATE_IN_A_VARIABLE:
        return (calls % 1000) / 1000.0
    return state.total / 15.0


cdef double margin(const game_t* game, const void* s) noexcept nogil:
    """Return half as much as `result`, above or below a draw."""
    cdef double share = 0.25 + result(game, s) / 2.0
    if fault_of(game) == MARGIN_TOO_HIGH:
        return share + 1.0
    return 1.0 - share if fault_of(game) == MARGIN_OF_THE_OTHER else share


cdef int kind(const game_t* game, int code) noexcept nogil:
    return 5 if fault_of(game) == KIND_TOO_HIGH and code == 3 else code & 1


cdef double progress(const game_t* game, const void* s) noexcept nogil:
    return body_of(game, s).plies / (3.0 if fault_of(game) == PROGRESS_TOO_HIGH else 6.0)


cdef int solve(const game_t* game, const void* s) noexcept nogil:
    cdef Fault fault = fault_of(game)
    return 3 if fault == SOLVE_WINS_TOO_SOON else -2 if fault == SOLVE_LOSES_TOO_SOON else 0


cdef uint64_t fold(const game_t* game, const void* s) noexcept nogil:
    return 7 if fault_of(game) == FOLD_CONSTANT else key(game, s)


# States that own what they point to

cdef void copy(const game_t* game, void* to, const void* s) noexcept nogil:
    if fault_of(game) == COPY_SHARES:
        (<state_t**> to)[0] = (<state_t**> s)[0]
    else:
        (<state_t**> to)[0] = <state_t*> malloc(sizeof(state_t))
        memcpy((<state_t**> to)[0], (<state_t**> s)[0], sizeof(state_t))


cdef void drop(const game_t* game, void* s) noexcept nogil:
    if fault_of(game) != COPY_SHARES:
        free((<state_t**> s)[0])


# For speed

cdef double playout(const game_t* game, const void* s, rng_t* rng, trace_t* trace) noexcept nogil:
    cdef state_t state = (<const state_t*> s)[0]
    cdef move_t[3] out
    cdef Fault fault = fault_of(game)
    cdef int n, code_, plies = 0
    cdef move_t move
    if fault == PLAYOUT_CHANGED_BY_TRACE and trace.moves != NULL:
        next_word(rng)
    while True:
        n = moves(game, &state, out)
        if n == 0 or (fault == PLAYOUT_STOPS_EARLY and state.plies == LAST):
            break
        if fault == PLAYOUT_NEVER_THIRD_MOVE:
            n = min(n, 2)
        move = out[below(rng, n)]
        code_ = code(game, &state, move)
        if fault == PLAYOUT_ILLEGAL_MOVE and plies == 1:
            move = 8
        if fault == PLAYOUT_OTHER_CODE and trace.codes != NULL and plies == 1:
            code_ ^= 1
        if fault == PLAYOUT_OTHER_SEEN and trace.seen != NULL and plies == 1:
            code_ ^= 1
        if fault == PLAYOUT_SEEN_TOO_FAR and trace.seen != NULL and plies == 1:
            code_ = 99
        note(trace, plies, move, code_)
        play(game, &state, move)
        plies += 1
    if fault == PLAYOUT_TOO_LONG and trace.moves != NULL:
        for plies in range(6, 50):
            trace.moves[plies] = 1
    if fault != PLAYOUT_WITHOUT_PLIES:
        trace.plies = plies
    return 0.25 if fault == PLAYOUT_OTHER_RESULT else result(game, &state)


cdef double guided(const game_t* game, const void* s, rng_t* rng, trace_t* trace) noexcept nogil:
    cdef double outcome = playout(game, s, rng, trace)
    return 0.25 if fault_of(game) == GUIDED_OTHER_RESULT else outcome


cdef void batch(const game_t* game, job_t* jobs, int n_jobs) noexcept nogil:
    cdef Fault fault = fault_of(game)
    cdef job_t* last = &jobs[n_jobs - 1]
    any_batch(game, playout, jobs, n_jobs)
    if fault == BATCH_OTHER_TALLY:
        last.tally.plies += 1
    elif fault == BATCH_OTHER_RESULT:
        last.result = 0.25
    elif fault == BATCH_OTHER_GENERATOR:
        next_word(&last.rng)
    elif fault == BATCH_OTHER_SEEN and last.seen != NULL:
        last.seen[0] = 0
    elif fault == BATCH_WRITES_BEHIND:
        memset(last + 1, 0, sizeof(job_t))


cdef int fill_games() except -1:
    cdef game_t* game
    cdef int fault
    memset(GAMES, 0, sizeof(GAMES))
    for fault in range(N_FAULTS):
        game = &GAMES[fault]
        game.context = <const void*> <size_t> fault
        game.abi, game.state_size, game.max_moves, game.max_plies = GAME_ABI, sizeof(state_t), 3, 6
        game.n_codes, game.n_kinds = 4, 2
        game.moves, game.play, game.turn, game.key, game.code, game.result = moves, play, turn, key, code, result
        game.kind, game.progress, game.solve, game.fold = kind, progress, solve, fold
        if fault == NONE or fault >= PLAYOUT_ILLEGAL_MOVE:
            game.playout, game.guided, game.batch = playout, guided, batch
        if fault == LONGER_THAN_MAX_PLIES:
            game.max_plies = 5
    for fault in (BOXED, COPY_WITHOUT_DROP, COPY_SHARES):
        GAMES[fault].state_size = sizeof(state_t*)
        GAMES[fault].copy, GAMES[fault].drop = copy, drop
    GAMES[<int> COPY_WITHOUT_DROP].drop = NULL
    for fault in (NONE, MARGIN_WITHOUT_RESULT, MARGIN_TOO_HIGH, MARGIN_OF_THE_OTHER):
        GAMES_BY_MARGIN[fault] = GAMES[fault]
        GAMES_BY_MARGIN[fault].result = margin
        GAMES[fault].by_margin = GAMES_BY_MARGIN[fault].by_margin = &GAMES_BY_MARGIN[fault]
    GAMES_BY_MARGIN[<int> MARGIN_WITHOUT_RESULT].result = NULL
    return 0

fill_games()


cdef class Stairs(Position):
    """The game with a fault, or without one."""

    def __init__(self, Fault fault=NONE, int total=0, int plies=0):
        cdef state_t* state = <state_t*> calloc(1, sizeof(state_t))     # kept, in case that a state points to it
        cdef game_t* game = &GAMES[<int> fault]
        state.total, state.plies = total, plies
        self.start(game, state if game.copy == NULL else <void*> &state)

    def push(self, move):
        if fault_of(self.game) == PUSH_UNLIKE_PLAY:
            move = self.legal_moves[0]
        return Position.push(self, move)

    cdef int play(self, bytes before, move, move_t raw) except -1:
        cdef state_t* state                     # kept, too
        if self.game.copy == NULL:
            return Position.play(self, before, move, raw)
        copy(self.game, &state, self.state())
        play(self.game, &state, raw)
        self._past.append((before, move))
        self._state = (<char*> &state)[:sizeof(state)]
        return 0

    @classmethod
    def from_fen(cls, fen):
        return cls(NONE, *map(int, fen.split()))

    @property
    def fen(self):
        cdef const state_t* state = body_of(self.game, self.state())
        return f"{state.total} {state.plies}"

    @property
    def board(self):
        total = int(self.fen.split()[0])
        return Board([".w"[row == total] for row in range(15, -1, -1)], [str(row) for row in range(15, -1, -1)])

    def move_text(self, raw):
        cdef Fault fault = fault_of(self.game)
        if raw == REST:
            return "Rest"
        number = ("One", "Two", "Two" if fault == TEXTS_ALIKE else "Three")[raw - 1]
        return f"{'up' if fault == TEXT_NOT_NORMAL else 'Up'}{number}"

    def normal_text(self, text):
        text = text.strip()
        return text[:1].upper() + text[1:]
