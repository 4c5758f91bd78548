"""The generator is numpy's SFC64, and its substreams look independent."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.random import SeedSequence

import playout as po
from mcts_core.rng import SFC64, seed_sequence
from support.helpers import chi_square_z

SEEDS = [
    *range(50),
    2**32 - 1,
    2**32,
    2**64 + 3,
    2**128 - 1,
    2**128,
    10**100,
    np.uint64(2**64 - 1),
    SeedSequence(5),
    SeedSequence(5, spawn_key=(1, 2)),
    SeedSequence([3, 1, 4, 1, 5]),
    *SeedSequence(6).spawn(3),
]
LOW_HALF = 0xFFFFFFFF


@pytest.mark.parametrize("seed", SEEDS, ids=str)
def test_words_are_numpys(seed: int | SeedSequence) -> None:
    ours = SFC64(seed)
    theirs = np.random.SFC64(seed).random_raw(1000)
    assert [ours.random_raw() for _ in range(1000)] == theirs.tolist()


def test_uniform_is_numpys() -> None:
    ours = SFC64(1)
    theirs = np.random.Generator(np.random.SFC64(1)).random(1000)
    assert [ours.uniform() for _ in range(1000)] == theirs.tolist()


@pytest.mark.parametrize("n", [1, 2, 3, 48, 2**16 + 1, 2**32 - 1])
def test_below_is_multiply_shift_on_the_low_half(n: int) -> None:
    """Each number draws one word, even if there is nothing to choose."""
    ours = SFC64(2)
    words = np.random.SFC64(2).random_raw(1000).tolist()
    assert [ours.below(n) for _ in words] == [(word & LOW_HALF) * n >> 32 for word in words]


@pytest.mark.parametrize("n", [0, -1, 2**32])
def test_below_refuses_a_bound_without_numbers(n: int) -> None:
    with pytest.raises(ValueError, match=f"bound from 1 to .*, not {n}"):
        SFC64(1).below(n)


@pytest.mark.parametrize(("position", "stream"), [(0, 0), (0, 1), (1, 0), (7, 5), (10**6, 2**31)])
def test_substreams_start_from_the_seeds_words(position: int, stream: int) -> None:
    """numpy's generator with its state set as the documentation describes."""
    a, b, c = SeedSequence(3).generate_state(3, np.uint64).tolist()
    b = (b + position * 0x9E3779B97F4A7C15) % 2**64
    c = (c + stream * 0xD1B54A32D192ED03) % 2**64
    theirs = np.random.SFC64()
    state = theirs.state
    state["state"]["state"] = np.array([a, b, c, 1], np.uint64)
    theirs.state = state
    theirs.random_raw(12)
    ours = SFC64(3, position, stream)
    assert [ours.random_raw() for _ in range(100)] == theirs.random_raw(100).tolist()


@pytest.mark.traced_slowly
@pytest.mark.parametrize("n", range(2, 49))
def test_below_is_uniform(n: int) -> None:
    generator = SFC64(n)
    counts = [0] * n
    for _ in range(1000 * n):
        counts[generator.below(n)] += 1
    assert abs(chi_square_z(counts)) < 4


@pytest.mark.parametrize("kind", ["position", "stream"])
def test_neighbouring_substreams_are_independent(kind: str) -> None:
    """The first choices of one substream and the next, as pairs: all pairs are equally likely."""
    generators = [SFC64(1, **{kind: number}) for number in range(20_001)]
    first = [generator.random_raw() for generator in generators]
    choices = [(word & LOW_HALF) * 12 >> 32 for word in first]
    counts = np.bincount([12 * this + after for this, after in pairwise(choices)])
    assert len(counts) == 144
    assert abs(chi_square_z(counts.tolist())) < 4
    differing = np.array(first[1:], np.uint64) ^ np.array(first[:-1], np.uint64)
    for bit in range(64):
        ones = int((differing >> np.uint64(bit) & np.uint64(1)).sum())
        assert ones == pytest.approx(10_000, abs=4.5 * 20_000**0.5 / 2)


def test_neighbouring_seeds_are_independent() -> None:
    choices = [SFC64(seed).below(12) for seed in range(20_001)]
    counts = np.bincount([12 * this + after for this, after in pairwise(choices)])
    assert abs(chi_square_z(counts.tolist())) < 4


@pytest.mark.parametrize("seed", [1.5, "1", b"1", True, [1, 2], np.float64(3), np.random.SFC64(1)])
def test_seeds_of_a_wrong_kind(seed: object) -> None:
    for request in (SFC64, seed_sequence):
        with pytest.raises(ValueError, match="seed must be an int, a numpy SeedSequence or"):
            request(seed)
    with pytest.raises(ValueError, match="seed must be an int"):
        po.playouts(po.Breakthrough(), 1, seed=seed)
    with pytest.raises(ValueError, match="seed must be an int"):
        po.playout(po.Breakthrough(), seed=seed)


def test_a_generator_gives_its_next_bits() -> None:
    """The int that it gives is kept, so the result can be repeated."""
    rng = np.random.default_rng(1)
    first, second = (po.playouts(po.Breakthrough(5), 100, seed=rng) for _ in range(2))
    assert isinstance(first.seed, int)
    assert first.seed < 2**128
    assert first.seed != second.seed
    assert po.playouts(po.Breakthrough(5), 100, seed=first.seed).wins == first.wins
    again = po.playouts(po.Breakthrough(5), 100, seed=np.random.default_rng(1))
    assert again.seed == first.seed


def test_negative_seeds() -> None:
    with pytest.raises(ValueError, match="seed must not be negative, but it is -1"):
        SFC64(-1)


def test_without_a_seed_every_generator_is_another() -> None:
    assert len({SFC64().random_raw() for _ in range(100)}) == 100
    assert len({SFC64(None).random_raw() for _ in range(100)}) == 100
