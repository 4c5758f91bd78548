"""The table: its memory, what it keeps when the root moves, and threads that share it."""

from __future__ import annotations

import itertools
import random
import threading
import time
from typing import Any

import numpy as np
import pytest

import playout as po
from mcts_core.search.rows import ROW
from mcts_core.search.tree import TreeSearch
from playout.task import searchable
from support import exact
from support.searching import (
    after,
    drawn_breakthrough,
    drawn_position,
    drawn_positions,
    entries,
    tree_search,
)
from support.timers import ends_with_ctrl_c, needs_timer

TREES: list[po.Method] = [po.UCT(), po.UCTTuned(), po.RAVE(), po.GRAVE(), po.GRAVE(ref=2)]
every_tree = pytest.mark.parametrize("method", TREES, ids=repr)
with_and_without_solver = pytest.mark.parametrize("solver", [False, True])


FOLLOWING = ("beta", "score", "minimax", "prior", "weight")  # from others, or are nan
KEPT = [name for name in ROW.names or () if name not in FOLLOWING]


def contents(search: TreeSearch, root: po.Position) -> dict[str, dict[str, list[Any]]]:
    """The statistics of all entries that can be reached from a position."""
    return {
        position.fen: {name: columns[name].tolist() for name in KEPT}
        for position, columns in entries(search, root)
    }


# Memory


@every_tree
@with_and_without_solver
@pytest.mark.parametrize("memory", [20_000, 70_000, 500_000])
def test_a_full_table_stops_growing(method: po.Method, solver: bool, memory: int) -> None:
    """The search continues."""
    start = po.Breakthrough(8)
    search = tree_search(start, method, 1, solver=solver, memory=memory)
    assert search.run(3000) == "playouts"
    assert search.full
    assert search.bytes <= memory
    nodes = search.nodes
    assert nodes < 3000
    search.run(6000)
    assert search.bytes <= memory
    assert search.nodes - nodes < 100  # a small entry may still have found room
    assert search.root()["visits"].sum() == search.playouts == 6000
    assert sum(1 for _ in entries(search, start)) == search.nodes
    assert search.pv(search.choose())


@every_tree
def test_a_table_that_may_not_grow_loses_nothing(method: po.Method) -> None:
    """Every run is stopped before it begins, so slots are made only when no more entries fit."""
    position = po.Breakthrough(8)
    stopped, whole = (tree_search(position, method, 1, solver=True) for _ in range(2))
    while stopped.nodes < 1000:
        before = stopped.stops
        stopped.stop()
        assert stopped.run(10_000, stops=before) == "stopped"
    whole.run(stopped.playouts)
    assert contents(stopped, position) == contents(whole, position)


def test_stop_while_the_table_grows_loses_nothing() -> None:
    """Another thread stops the search every millisecond while its entries move to 2**19 slots."""
    position = po.Breakthrough(8)
    stopped, whole = (tree_search(position, po.UCT(), 1) for _ in range(2))
    stopped.run(160_000)
    ended = threading.Event()

    def stop() -> None:
        while not ended.wait(0.001):
            stopped.stop()

    helper = threading.Thread(target=stop)
    helper.start()
    try:
        while stopped.playouts < 170_000:
            stopped.run(170_000)
    finally:
        ended.set()
        helper.join()
    whole.run(170_000)
    assert stopped.nodes == whole.nodes
    assert stopped.root().tobytes() == whole.root().tobytes()
    assert stopped.pv(0) == whole.pv(0)


@every_tree
def test_no_memory_for_the_root(method: po.Method) -> None:
    for memory in (0, 100, 8200):
        with pytest.raises(MemoryError, match="too few for the first entry"):
            tree_search(po.Breakthrough(8), method, 1, memory=memory)


@every_tree
def test_memory_changes_nothing_before_it_is_full(method: po.Method) -> None:
    for seed, position in enumerate(drawn_positions(8, seed=31)):
        one = tree_search(position, method, seed, solver=True)
        one.run(250)
        other = tree_search(position, method, seed, solver=True, memory=2 * one.bytes)
        other.run(250)
        assert not other.full
        assert contents(other, position) == contents(one, position)


@every_tree
def test_memory_is_counted(method: po.Method) -> None:
    """More entries take more bytes, and an entry takes as much as documented."""
    search = tree_search(po.Breakthrough(8), method, 1)
    search.run(1)
    first = search.bytes
    search.run(20_000)
    assert first < search.bytes < first + 20_000 * 5_000
    assert not search.full


@every_tree
@with_and_without_solver
def test_a_full_table_is_repeatable(method: po.Method, solver: bool) -> None:
    """Which entries find room does not depend on how the clock divides a search into batches."""
    for seed, position in enumerate(drawn_positions(8, seed=37)):
        for memory in (50_000, 300_000):
            found = set()
            for cuts in ((3000,), (1, 10, 100, 3000), range(7, 3001, 73), (2999, 3000)):
                search = tree_search(position, method, seed, solver=solver, memory=memory)
                for playouts in (*cuts, 3000):
                    search.run(playouts)
                found.add((search.nodes, *search.root()["wins"].tolist()))
            assert len(found) == 1


# From move to move


@every_tree
@with_and_without_solver
def test_advancing_keeps_what_is_known(method: po.Method, solver: bool) -> None:
    for seed, position in enumerate(drawn_positions(8, seed=32)):
        search = tree_search(position, method, seed, solver=solver)
        search.run(300)
        child = search.choose()
        raw = int(search.root()["raw"][child])
        new_root = after(position, position.move_text(raw))
        known = contents(search, new_root)
        if new_root.is_over or not known:
            continue
        search.advance(raw)
        assert search.position == new_root
        assert search.playouts == 0
        now = contents(search, new_root)
        if isinstance(method, po.GRAVE):  # the root's AMAF values are made ready now
            for columns in (known[new_root.fen], now[new_root.fen]):
                del columns["amaf_visits"], columns["amaf_wins"]
        assert now == known
        assert amaf_counts_every_visit(search, new_root, method)
        before = sum(now[new_root.fen]["visits"])
        search.run(100)
        assert search.root()["visits"].sum() == before + search.playouts


@every_tree
@with_and_without_solver
def test_pruning_keeps_what_can_be_reached(method: po.Method, solver: bool) -> None:
    """If the table is more than half full, moving the root drops what it cannot reach. The search
    that follows does not depend on how full the table was."""
    pruned = 0
    for seed, position in enumerate(drawn_positions(5, seed=33)):
        free = tree_search(position, method, seed, solver=solver)
        if free.run(700) == "proven" or free.bytes < 100_000:
            continue
        raw = int(free.root()["raw"][free.choose()])
        new_root = after(position, position.move_text(raw))
        tight, tighter = (
            tree_search(position, method, seed, solver=solver, memory=int(room * free.bytes))
            for room in (1.8, 1.5)
        )
        for search in (tight, tighter):
            search.run(700)
            search.choose()  # it may draw from the stream, as `free` did
        for search in (free, tight, tighter):
            search.advance(raw)
        known = contents(free, new_root)
        for search in (tight, tighter):
            assert search.bytes <= free.bytes
            assert search.nodes == len(known) < free.nodes
            assert contents(search, new_root) == known
            search.run(300)
            assert not search.full
            assert amaf_counts_every_visit(search, new_root, method)
        assert contents(tight, new_root) == contents(tighter, new_root)
        pruned += 1
    assert pruned >= 2


def amaf_counts_every_visit(search: TreeSearch, root: po.Position, method: po.Method) -> bool:
    """A visit of a move is also an AMAF visit of it, so AMAF has counted at least as many."""
    if isinstance(method, po.UCT):
        return True
    least = method.ref if isinstance(method, po.GRAVE) else 0  # below it GRAVE shows no AMAF counts
    return all(
        (columns["amaf_visits"] >= columns["visits"]).all()
        for _, columns in entries(search, root)
        if columns["visits"].sum() > least
    )


@every_tree
def test_a_game_in_little_memory(method: po.Method) -> None:
    """A whole game with a table that is always full."""
    position = po.Breakthrough(6)
    search = tree_search(position, method, 1, memory=60_000)
    while True:
        search.run(500)
        assert search.bytes <= 60_000
        assert search.root()["visits"].sum() >= search.playouts == 500
        raw = int(search.root()["raw"][search.choose()])
        position.push(position.move_text(raw))
        if position.is_over:
            break
        search.advance(raw)
        assert search.position == position


FORCED = "O-------O-O-X---OX--X---OXXXX---OXXXX-------X------------------- X"  # one legal move


@every_tree
@with_and_without_solver
def test_a_full_table_survives_a_forced_move(method: po.Method, solver: bool) -> None:
    """Nearly all entries can still be reached, so moving the root frees no memory."""
    start = po.Othello.from_fen(FORCED)
    (move,) = start.legal_moves
    for memory in range(50_000, 750_000, 97_003):
        search = tree_search(start, method, 1, solver=solver, memory=memory)
        search.run(1500, threads=1 + memory % 3)
        known = sum(1 for _ in entries(search, start))
        assert known == search.nodes
        search.advance(move.raw)
        assert search.bytes <= memory
        assert search.nodes >= 0.8 * known - 1
        for first in range(len(search.root()["raw"])):
            assert search.pv(first)
        search.run(100)
        assert search.pv(search.choose())


@every_tree
def test_advancing_to_what_is_not_known(method: po.Method) -> None:
    """The new root gets a fresh entry."""
    start = po.Breakthrough(6)
    search = tree_search(start, method, 1)
    search.run(1)
    move = start.legal_moves[-1]
    search.advance(move.raw)
    assert search.root()["visits"].sum() == 0
    search.run(50)
    assert search.root()["visits"].sum() == search.playouts == 50


# Threads


@pytest.mark.traced_slowly
@every_tree
@with_and_without_solver
@pytest.mark.parametrize("threads", [2, 4])
def test_threads_share_the_tree(method: po.Method, solver: bool, threads: int) -> None:
    """No playout is lost or counted twice, and results stay between 0 and 1."""
    for seed, position in enumerate(drawn_positions(8, seed=34)):
        search = tree_search(position, method, seed, solver=solver)
        reason = search.run(1500, threads=threads)
        assert reason in ("playouts", "proven")
        assert search.root()["visits"].sum() == search.playouts <= 1500
        assert search.playouts == 1500 or reason == "proven"
        known = [columns for _, columns in entries(search, position)]
        assert len(known) == search.nodes
        assert all((columns["wins"] >= 0.0).all() for columns in known)
        assert all((columns["wins"] <= columns["visits"]).all() for columns in known)


@pytest.mark.traced_slowly
@every_tree
@pytest.mark.parametrize("threads", [2, 4])
def test_bounds_are_true_with_threads(method: po.Method, threads: int) -> None:
    choice = random.Random(35)
    for seed in range(8):
        start = (po.Breakthrough(4), po.Othello(4))[seed % 2]
        position = drawn_position(start, choice)
        search = tree_search(position, method, seed, solver=True)
        reason = search.run(5000, threads=threads)
        chosen = position.legal_moves[search.choose()]
        if reason == "proven":
            assert exact.value(after(position, chosen)) == exact.value(position)
        for here, columns in entries(search, position):
            for move, low, high in zip(here.legal_moves, columns["low"], columns["high"]):
                if (low, high) != (0.0, 1.0):
                    assert low <= exact.value(after(here, move)) <= high


@pytest.mark.traced_slowly
@pytest.mark.parametrize("threads", [2, 4])
def test_no_proof_is_lost_between_threads(threads: int) -> None:
    """An entry whose moves prove its value gets no more visits."""
    choice = random.Random(38)
    for seed in range(8):
        start = choice.choice([po.Breakthrough(4), po.Othello(4)])
        search = tree_search(start, po.UCT(), seed, solver=True)
        search.run(choice.randint(3000, 8000), threads=threads)
        before = proven_by_their_moves(search, start)
        search.run(search.playouts + 5000)
        visits = {here.fen: columns["visits"].sum() for here, columns in entries(search, start)}
        assert {fen: visits[fen] for fen in before} == before


def proven_by_their_moves(search: TreeSearch, root: po.Position) -> dict[str, int]:
    """The visits of the entries whose moves prove their value."""
    proven = {}
    for position, columns in entries(search, root):
        best = max if position.turn == 0 else min
        if best(columns["low"]) == best(columns["high"]):
            proven[position.fen] = columns["visits"].sum()
    return proven


class Bag:
    """Things are taken out of a bag one by one, so each playout has all codes."""

    n_codes = 6

    def __init__(self) -> None:
        self.left = list(range(self.n_codes))
        self.worth = 0

    def legal_moves(self) -> list[int]:
        return self.left

    def play(self, thing: int) -> None:
        self.worth += thing * len(self.left)
        self.left = [other for other in self.left if other != thing]

    def is_over(self) -> bool:
        return not self.left

    def result(self) -> float:
        return float(self.worth % 2)

    def key(self) -> object:
        return tuple(self.left), self.worth

    def code(self, thing: int) -> int:
        return thing

    def copy(self) -> Bag:
        twin = Bag()
        twin.left, twin.worth = self.left, self.worth
        return twin


@pytest.mark.traced_slowly
@pytest.mark.parametrize("method", [po.RAVE(), po.GRAVE(), po.GRAVE(ref=2)], ids=repr)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_no_playout_is_lost_to_amaf_between_threads(method: po.Method, threads: int) -> None:
    """All moves of an entry have the same AMAF count: that of all playouts through it."""
    playouts = 5000  # a block of GRAVE has its widest integers from 4096 on
    start = searchable(Bag())
    search = tree_search(start, method, 1)
    search.run(playouts, threads=threads)
    root = search.root()
    assert root["amaf_visits"].tolist() == [playouts] * Bag.n_codes
    assert root["amaf_wins"].tolist() == [root["wins"].sum()] * Bag.n_codes
    for moves in itertools.permutations(map(str, range(Bag.n_codes)), 2):
        here = start.copy()
        for move in moves:
            here.push(move)
            columns = search.entry(here)
            if columns is None:
                break
            assert len(set(columns["amaf_visits"])) == len(set(columns["amaf_wins"])) == 1


@pytest.mark.traced_slowly
@every_tree
@with_and_without_solver
def test_threads_tear_no_entry(method: po.Method, solver: bool) -> None:
    """With many threads each entry is consistent: it has its position's moves and codes, and its
    counters add up."""
    choice = random.Random(39)
    for seed in range(4):
        start = drawn_position(drawn_breakthrough(choice) if seed % 2 else po.Othello(6), choice)
        memory = choice.choice([200_000, 1 << 24])
        search = tree_search(start, method, seed, solver=solver, memory=memory)
        for playouts in range(300, 2401, 300):
            search.run(playouts, threads=8)
        looked_at = 0
        for here, columns in entries(search, start):
            legal = here.legal_moves
            assert columns["raw"].tolist() == [move.raw for move in legal]
            if not isinstance(method, po.UCT):
                assert columns["code"].tolist() == [here.code(move) for move in legal]
            assert (columns["wins"] <= columns["visits"]).all()
            assert (columns["wins"] >= 0).all()
            assert (columns["amaf_wins"] <= columns["amaf_visits"]).all()
            assert (columns["low"] <= columns["high"]).all()
            looked_at += 1
        assert looked_at == search.nodes
        assert search.root()["visits"].sum() == search.playouts


@pytest.mark.traced_slowly
@pytest.mark.parametrize("method", [*TREES, po.GRAVE(ref=1000)], ids=repr)
@with_and_without_solver
def test_threads_and_the_root_that_moves_on(method: po.Method, solver: bool) -> None:
    """The views of threads last from run to run, for any number of threads and any root."""
    choice = random.Random(41)
    for seed in range(4):
        position = drawn_position(po.Breakthrough(6) if seed % 2 else po.Othello(6), choice)
        search = tree_search(position, method, seed, solver=solver)
        while not position.is_over:
            before = search.root()["visits"].sum()
            for _ in range(3):
                search.run(search.playouts + choice.randint(1, 400), threads=choice.randint(1, 4))
            assert search.root()["visits"].sum() == before + search.playouts
            for here, columns in itertools.islice(entries(search, position), 20):
                assert columns["raw"].tolist() == [move.raw for move in here.legal_moves]
                assert (columns["wins"] <= columns["visits"]).all()
                assert (columns["amaf_wins"] <= columns["amaf_visits"]).all()
            move = choice.choice(list(position.legal_moves))
            position.push(move)
            if not position.is_over:
                search.advance(move.raw)


@pytest.mark.traced_slowly
@every_tree
def test_many_short_searches_with_threads(method: po.Method) -> None:
    """Runs of all lengths around the number of threads, in tables of all sizes."""
    choice = random.Random(36)
    for seed in range(150):
        position = drawn_position(drawn_breakthrough(choice), choice)
        playouts, memory = choice.randint(1, 60), choice.choice([30_000, 1 << 20])
        search = tree_search(position, method, seed, solver=seed % 2 == 1, memory=memory)
        search.run(playouts, threads=choice.randint(2, 5))
        assert search.root()["visits"].sum() == search.playouts <= playouts
        assert search.playouts == playouts or seed % 2 == 1
        assert 0 <= search.choose() < len(position.legal_moves)


@pytest.mark.traced_slowly
@every_tree
def test_threads_in_a_full_table(method: po.Method) -> None:
    search = tree_search(po.Breakthrough(8), method, 1, memory=300_000)
    search.run(5000, threads=4)
    assert search.full
    assert search.bytes <= 300_000
    assert search.root()["visits"].sum() == search.playouts == 5000


@pytest.mark.traced_slowly
@every_tree
def test_threads_and_one_thread_find_the_same(method: po.Method) -> None:
    """A move that wins at once gets most of the playouts, with any number of threads."""
    position = po.Breakthrough.from_fen("....b/.w.../...../.b.../....w w")
    for threads in (1, 2, 4):
        search = tree_search(position, method, 1)
        search.run(4000, threads=threads)
        assert position.legal_moves[search.choose()] in ("b4a5", "b4b5", "b4c5")


class Line:
    """A game with one legal move at each ply, and very many plies."""

    n_codes = 1
    max_plies = 5000

    def __init__(self, plies: int = 0) -> None:
        self.plies = plies

    def legal_moves(self) -> list[int]:
        return [] if self.is_over() else [0]

    def play(self, move: int) -> None:
        self.plies += 1

    def is_over(self) -> bool:
        return self.plies == self.max_plies

    def result(self) -> float:
        return 1.0

    def key(self) -> object:
        return self.plies

    def code(self, move: int) -> int:
        return 0

    def copy(self) -> Line:
        return Line(self.plies)


@every_tree
def test_a_long_game_without_a_search(method: po.Method) -> None:
    """Each move adds an entry, and the table grows."""
    search = tree_search(searchable(Line()), method, 1)
    raw = int(search.root()["raw"][0])
    for _ in range(3000):
        search.advance(raw)
    assert search.nodes == 3001


@every_tree
def test_a_table_in_the_memory_of_others(method: po.Method) -> None:
    """Kept chunks contain old entries, which are never seen."""
    found = []
    for size in (8, 6, 7, 8):
        search = tree_search(po.Breakthrough(size), method, 1)
        search.run(15_000)
        found.append(search.root().tobytes())
    assert found[0] == found[3]


# Ends


@every_tree
@pytest.mark.parametrize("threads", [1, 3])
def test_stop_from_another_thread(method: po.Method, threads: int) -> None:
    """The search returns soon and can continue."""
    search = tree_search(po.Breakthrough(8), method, 1)
    threading.Timer(0.1, search.stop).start()
    began = time.perf_counter()
    assert search.run(None, 60.0, None, threads) == "stopped"
    assert time.perf_counter() - began < 10.0
    known = search.playouts
    assert search.run(known + 100, threads=threads) == "playouts"
    assert search.root()["visits"].sum() == known + 100


@pytest.mark.traced_slowly
@needs_timer
@every_tree
def test_ctrl_c_with_threads(method: po.Method) -> None:
    """When KeyboardInterrupt is raised, all threads have ended and their counts are complete."""
    search = tree_search(po.Breakthrough(6), method, 1)
    choice = random.Random(40)
    for _ in range(10):
        ends_with_ctrl_c(lambda: search.run(1 << 40, 60.0, threads=4), choice.uniform(0.001, 0.02))
        assert search.root()["visits"].sum() == search.playouts
    more = search.playouts + 1000
    assert search.run(more, threads=2) == "playouts"
    assert search.root()["visits"].sum() == more


class Failing(Line):
    """Its key() fails once, at one position."""

    fails_at: int | None = None

    def key(self) -> object:
        if self.plies == Failing.fails_at:
            Failing.fails_at = None
            raise ZeroDivisionError
        return self.plies

    def copy(self) -> Line:
        return Failing(self.plies)


@every_tree
def test_advancing_fails(method: po.Method) -> None:
    """The root does not move, and the search continues."""
    search = tree_search(searchable(Failing(Line.max_plies - 20)), method, 1)
    search.run(50)
    raw = int(search.root()["raw"][0])
    Failing.fails_at = Line.max_plies - 19
    with pytest.raises(ZeroDivisionError):
        search.advance(raw)
    assert search.root()["visits"].tolist() == [search.playouts] == [50]
    search.run(70)
    assert search.root()["visits"].tolist() == [70]
    search.advance(raw)
    search.run(10)
    assert search.playouts == 10


@every_tree
def test_one_legal_move(method: po.Method) -> None:
    """It is searched like any other position, to find its value."""
    position = po.Breakthrough.from_fen("...b/..../.b../b.../w... w")
    assert list(position.legal_moves) == ["a1b2"]
    search = tree_search(position, method, 1)
    assert search.run(100) == "playouts"
    assert search.root()["visits"].tolist() == [100]
    assert search.choose() == 0


@every_tree
def test_a_finished_game(method: po.Method) -> None:
    with pytest.raises(po.BadPosition, match="over"):
        tree_search(po.Breakthrough.from_fen("w../..b/... b"), method, 1)


def test_entries_of_other_positions() -> None:
    """`entry` returns None for positions outside the tree and for other games."""
    search = tree_search(po.Breakthrough(5), po.UCT(), 1)
    search.run(100)
    assert search.entry(po.Breakthrough.from_fen("....b/.w.../...../.b.../....w w")) is None
    assert search.entry(po.Breakthrough(6)) is None
    assert search.entry(po.Othello(4)) is None
    root = search.entry(po.Breakthrough(5))
    assert root is not None
    assert np.array_equal(root["visits"], search.root()["visits"])


@pytest.mark.parametrize("threads", [1, 2])
def test_deadlines_do_not_matter(threads: int) -> None:
    """Just before a deadline a table is filled more densely instead. Its entries are equal."""
    search = tree_search(po.Breakthrough(6), po.RAVE(), 1)
    for _ in range(100):
        search.run(None, 0.001, None, threads)
    assert search.root()["visits"].sum() == search.playouts
    if threads == 1:
        at_once = tree_search(po.Breakthrough(6), po.RAVE(), 1)
        at_once.run(search.playouts)
        assert at_once.nodes == search.nodes
        assert at_once.root().tobytes() == search.root().tobytes()
