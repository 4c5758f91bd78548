"""Blocks of AMAF counters and records of playouts, by themselves, through amaf_counters.pyx."""

from __future__ import annotations

import random
from types import ModuleType

import pytest

BLOCK_8, BLOCK_16, BLOCK_32, BLOCK_EXACT = range(4)
N_CODES = 130  # two whole words and a part of one
FORM_LIMITS = [1, 126, 127, 128, 255, 256, 4095, 4096, 4223, 32767, 32768, 70000]


class Plain:
    """The same counters in plain Python."""

    def __init__(self) -> None:
        self.visits, self.wins = [0] * N_CODES, [0.0] * N_CODES

    def add(self, codes: set[int], result: float, times: int = 1) -> None:
        for code in codes:
            self.visits[code] += times
            self.wins[code] += times * result

    def read(self, turn: int = 0) -> list[tuple[float, float]]:
        return [(n, n - w if turn else w) for n, w in zip(self.visits, self.wins, strict=True)]


def some_codes(choice: random.Random) -> set[int]:
    return set(choice.sample(range(N_CODES), choice.randint(0, 60)))


@pytest.mark.parametrize("playouts", FORM_LIMITS)
def test_a_block_counts_in_every_form(amaf_counters: ModuleType, playouts: int) -> None:
    """Code 129 occurs in every playout, so its counters are as full as counters can be."""
    choice = random.Random(playouts)
    arena, plain = amaf_counters.Arena(N_CODES), Plain()
    block = arena.new()
    left = playouts
    while left:
        times = min(left, choice.randint(1, 1 + playouts // 20))
        for result, share in ((1.0, times - times // 3), (0.5, times // 3)):
            codes = some_codes(choice) | {129}
            assert arena.add(block, codes, result, share)
            plain.add(codes, result, share)
        left -= times
    assert arena.count(block) == playouts
    for turn in (0, 1):
        assert arena.read(block, range(N_CODES), turn) == plain.read(turn)


def test_forms_follow_one_another(amaf_counters: ModuleType) -> None:
    arena = amaf_counters.Arena(N_CODES)
    block = arena.new()
    seen = []
    for times in (127, 1, 4095 - 128, 1, 40000):
        arena.add(block, {0, 64, 129}, 1.0, times)
        seen.append(arena.form(block))
    assert seen == [BLOCK_8, BLOCK_16, BLOCK_16, BLOCK_32, BLOCK_32]
    assert arena.read(block, [0, 1, 129]) == [(44096.0, 44096.0), (0.0, 0.0), (44096.0, 44096.0)]


@pytest.mark.parametrize("before", [5, 200, 5000])
def test_a_result_that_is_not_in_halves_makes_a_block_exact(
    amaf_counters: ModuleType, before: int
) -> None:
    arena = amaf_counters.Arena(N_CODES)
    block = arena.new()
    arena.add(block, {3, 70}, 0.5, before)
    arena.add(block, {3}, 0.3)
    arena.add(block, {70}, 1.0)
    assert arena.form(block) == BLOCK_EXACT
    assert arena.read(block, [3, 70, 4]) == [
        (before + 1, 0.5 * before + 0.3),
        (before + 1, 0.5 * before + 1.0),
        (0, 0),
    ]


def test_two_billion_playouts_need_the_exact_form(amaf_counters: ModuleType) -> None:
    arena = amaf_counters.Arena(N_CODES)
    block = arena.new()
    arena.add(block, {3}, 1.0, 5000)
    arena.pretend(block, 2**31 - 2)
    assert arena.add(block, {3}, 1.0)
    assert arena.form(block) == BLOCK_32
    assert arena.add(block, {3}, 1.0)
    assert (arena.form(block), arena.count(block)) == (BLOCK_EXACT, 2**31)
    assert arena.read(block, [3]) == [(5002, 5002)]


@pytest.mark.parametrize("most", [127, 4095])
def test_without_memory_to_be_widened_a_block_stays_as_it_is(
    amaf_counters: ModuleType, most: int
) -> None:
    arena = amaf_counters.Arena(N_CODES)
    block = arena.new()
    assert arena.add(block, {1, 129}, 1.0, most)
    arena.fill_memory()
    for result in (1.0, 0.0, 0.3):
        assert not arena.add(block, {1, 2}, result)
    assert arena.count(block) == most
    assert arena.read(block, [0, 1, 2, 129]) == [(0, 0), (most, most), (0, 0), (most, most)]


def test_an_outgrown_block_is_used_again(amaf_counters: ModuleType) -> None:
    arena = amaf_counters.Arena(N_CODES)
    first = arena.new()
    arena.add(first, range(N_CODES), 1.0, 128)
    arena.fill_memory()
    second = arena.new()
    assert (arena.form(first), arena.form(second)) == (BLOCK_16, BLOCK_8)
    assert arena.read(second, range(N_CODES)) == [(0, 0)] * N_CODES
    with pytest.raises(MemoryError):
        arena.new()


@pytest.mark.parametrize("common", [0, 100, 2000, 6000])
@pytest.mark.parametrize("mine", [1, 50, 4000, 9000])
@pytest.mark.parametrize("others", [0, 60, 7000])
@pytest.mark.parametrize("odd", [False, True], ids=["halves", "any"])
def test_merging_adds_what_was_counted_since(
    amaf_counters: ModuleType, common: int, mine: int, others: int, odd: bool
) -> None:
    """An entry and a copy of it count apart; what the copy has counted goes to the entry."""
    choice = random.Random(common + mine + others)
    arena, plain = amaf_counters.Arena(N_CODES), Plain()
    entry = arena.new()

    def add(block: int, result: float, times: int) -> None:
        codes = some_codes(choice) | {0}
        assert arena.add(block, codes, result, times)
        plain.add(codes, result, times)

    add(entry, 1.0, common)
    copy, settled = arena.copy(entry), arena.copy(entry)
    add(entry, 0.5, others)
    add(copy, 1.0, mine)
    add(copy, 0.0, mine)
    if odd:
        add(copy, 0.25, 1)
    arena.merge(entry, copy, settled)
    assert arena.count(entry) == common + others + 2 * mine + odd
    assert arena.read(entry, range(N_CODES)) == plain.read()
    arena.copy(entry, copy)
    assert arena.form(copy) == arena.form(entry)
    assert arena.read(copy, range(N_CODES)) == plain.read()


def test_a_merge_that_finds_no_memory_adds_nothing(amaf_counters: ModuleType) -> None:
    arena = amaf_counters.Arena(N_CODES)
    entry = arena.new()
    arena.add(entry, {5}, 1.0, 100)
    copy, settled = arena.copy(entry), arena.copy(entry)
    arena.add(copy, {5}, 1.0, 50)
    arena.fill_memory()
    arena.merge(entry, copy, settled)  # what `copy` has outgrown is too narrow for `entry`
    assert (arena.count(entry), arena.read(entry, [5])) == (100, [(100, 100)])


@pytest.mark.parametrize("n_codes", [1, 63, 64, 65, 192, 640, 65536])
def test_a_record_gives_back_what_was_logged(amaf_counters: ModuleType, n_codes: int) -> None:
    """A link has the codes of the playout and those of the moves from its entry on."""
    choice = random.Random(n_codes)
    arena = amaf_counters.Arena(n_codes, 1 << 26)
    expected = []
    for result in (0.0, 0.5, 1.0, 0.3, 1e-9, 0.75) * 4:
        share = choice.choice([0, 2, 10])
        codes = {choice.randrange(n_codes) for _ in range(n_codes * share // 10)}
        above = [choice.randrange(n_codes) for _ in range(choice.choice([0, 0, 1, 5, 40]))]
        assert arena.write(codes, result, above)
        expected += [(codes | set(above[:i]), result) for i in range(len(above) + 1)]
    assert arena.links() == expected[::-1]


def test_a_record_without_memory_is_not_written(amaf_counters: ModuleType) -> None:
    arena = amaf_counters.Arena(640)
    assert arena.write({1, 2}, 1.0, [3])
    arena.fill_memory()
    written = 2
    while arena.write({1, 2}, 1.0, [3]):
        written += 2
    assert len(arena.links()) == written
    assert not arena.write({1, 2}, 1.0, [3])


@pytest.mark.parametrize("n_codes", [3, 192, 640])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_records_are_copied_and_the_old_ones_put_back(
    amaf_counters: ModuleType, n_codes: int, share: float
) -> None:
    """Entries are copied in any order: one from the middle of a record may come first."""
    choice = random.Random(n_codes)
    old, new = amaf_counters.Arena(n_codes), amaf_counters.Arena(n_codes)
    for result in (0.0, 0.5, 1.0, 0.3) * 10:
        codes = {choice.randrange(n_codes) for _ in range(n_codes // 8)}
        assert old.write(codes, result, [choice.randrange(n_codes) for _ in range(5)])
    before = old.links()
    first = {number for number in range(len(before)) if choice.random() < share}
    second = set(range(len(before))) - first
    assert new.copy_links(old, first)
    assert new.copy_links(old, second)
    in_order = [before[number] for number in [*sorted(first), *sorted(second)]]
    assert new.links() == in_order[::-1]
    old.put_back()
    assert old.links() == before


def test_a_copied_record_is_shared_as_the_old_one_was(amaf_counters: ModuleType) -> None:
    old, new = amaf_counters.Arena(640), amaf_counters.Arena(640)
    for _ in range(500):
        old.write(range(0, 640, 13), 1.0, [1, 2, 3])
    new.copy_links(old, range(2000))
    assert new.used <= old.used
