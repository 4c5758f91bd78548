"""Searches in files: read again, they go on as if they had not been saved."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playout as po
from mcts_core.search.saving import LOGS
from playout import saved
from playout.learning import weights
from support.forged_searches import SETTINGS, Forge
from support.noughts import Noughts


def same(one: po.Result, two: po.Result) -> bool:
    """Whether two results have the same tables and moves."""
    return (one.move, one.pv, one.playouts, one.nodes, one.reason) == (
        two.move,
        two.pv,
        two.playouts,
        two.nodes,
        two.reason,
    ) and all(
        np.array_equal(one.moves[name], two.moves[name], equal_nan=name != "move")
        for name in one.moves.dtype.names
    )


def begun(start: po.Position, method: Any, **settings: Any) -> po.Searcher:
    """A search that has followed a game for two moves, the second one a move it did not expect."""
    searcher = po.Searcher(start, method, seed=3, **settings)
    searcher.search(playouts=600)
    searcher.advance(searcher.result.move)
    searcher.search(playouts=100)
    searcher.advance(searcher.position.legal_moves[-1])
    searcher.search(playouts=100)
    return searcher


@pytest.mark.parametrize(("method", "settings"), SETTINGS, ids=str)
def test_it_goes_on_as_if_it_had_not_been_saved(
    method: Any, settings: dict[str, Any], tmp_path: Path
) -> None:
    one = begun(po.Breakthrough(5), method, **settings)
    one.save(tmp_path / "one.search")
    two = po.Searcher.load(tmp_path / "one.search")
    assert (two.method, two.position) == (one.method, one.position)
    assert same(one.result, two.result)
    assert same(one.search(playouts=700), two.search(playouts=700))
    move = one.result.move
    one.advance(move)
    two.advance(move)
    assert same(one.search(playouts=300), two.search(playouts=300))
    two.save(tmp_path / "two.search")
    three = po.Searcher.load(tmp_path / "two.search")
    assert same(one.search(playouts=100), three.search(playouts=100))


@pytest.mark.parametrize(
    "start", [po.Othello(6), po.ConnectFour(), po.Breakthrough(4, first_rows=1)]
)
@pytest.mark.parametrize("method", ["uct", "rave", "grave"])
def test_every_game(start: po.Position, method: str, tmp_path: Path) -> None:
    start.push(start.legal_moves[0])  # moves before the search are kept, too
    one = begun(start, method, solver=True)
    one.save(tmp_path / "x.search")
    two = po.Searcher.load(tmp_path / "x.search")
    assert two.position.history == one.position.history
    assert same(one.search(playouts=500), two.search(playouts=500))


def test_blocks_of_all_forms(tmp_path: Path) -> None:
    """GRAVE's counters of 8, 16 and 32 bits; exact ones, which results other than halves need."""
    with po.Searcher(po.Breakthrough(4), po.GRAVE(ref=5), seed=1) as one:
        one.search(playouts=9000)
        one.save(tmp_path / "x.search")
        _, arrays = weights.read(tmp_path / "x.search", saved.KIND, types=saved.TYPES)
        assert set(arrays["block_forms"]) == {0, 1, 2}
        assert same(
            one.search(playouts=500), po.Searcher.load(tmp_path / "x.search").search(playouts=500)
        )
        arrays["block_forms"][:] = 3
        facts, _ = weights.read(tmp_path / "x.search", saved.KIND, types=saved.TYPES)
        weights.write(tmp_path / "exact.search", saved.KIND, facts, arrays)
        exact = po.Searcher.load(tmp_path / "exact.search")
    with po.Searcher.load(tmp_path / "x.search") as two:
        assert same(two.search(playouts=500), exact.search(playouts=500))


def test_several_threads_and_a_finished_game(tmp_path: Path) -> None:
    """What threads have counted is in the file. The end of the game is, too."""
    with po.Searcher(po.Breakthrough(5), "rave", seed=1, threads=2) as one:
        one.search(playouts=5000)
        one.save(tmp_path / "x.search")
        two = po.Searcher.load(tmp_path / "x.search")
        assert one.result.moves["visits"].tolist() == two.result.moves["visits"].tolist()
        assert two.search(playouts=2000).playouts == 2000
    ending = po.Breakthrough.from_fen("..b/w../... w")
    with po.Searcher(ending, "uct", seed=np.random.SeedSequence(5, spawn_key=(1, 2))) as one:
        one.search(playouts=50)
        one.advance("a2a3")
        assert one.position.is_over
        one.save(tmp_path / "x.search")
    two = po.Searcher.load(tmp_path / "x.search")
    assert two.position == one.position
    with pytest.raises(po.BadPosition, match="this game is over"):
        two.search(playouts=10)


@pytest.mark.parametrize("method", ["rave", "grave"])
def test_a_full_tree(method: str, tmp_path: Path) -> None:
    """It is read, even if copies of GRAVE's logs take more memory than the search has."""
    with po.Searcher(po.Breakthrough(6), method, seed=1, memory="500KB", solver=True) as one:
        one.search(playouts=3000)
        one.save(tmp_path / "x.search")
        two = po.Searcher.load(tmp_path / "x.search")
        assert one.result.moves["visits"].tolist() == two.result.moves["visits"].tolist()
        assert two.search(playouts=500).playouts == 500


def test_saving_ends_pondering(tmp_path: Path) -> None:
    with po.Searcher(po.Breakthrough(), "uct", seed=1) as searcher:
        searcher.ponder()
        searcher.save(tmp_path / "x.search")
        assert not searcher.is_pondering
        known = searcher.result.moves["visits"].tolist()
    assert po.Searcher.load(tmp_path / "x.search").result.moves["visits"].tolist() == known


def test_what_cannot_be_saved(tmp_path: Path) -> None:
    path = tmp_path / "x.search"
    for start, method, policy, why in (
        (Noughts(), "uct", "random", "its game is not one of the package"),
        (po.Breakthrough(5), po.UCT(cut=0, evaluation=len), "random", "its method cannot be made"),
        (po.Breakthrough(5), "uct", lambda _, moves: 0, "its policy is not one of the package"),
        (po.Breakthrough(5), po.PUCT(len), "random", "its method cannot be made"),
    ):
        with (
            po.Searcher(start, method, policy=policy) as searcher,
            pytest.raises(po.BadMethod, match=f"cannot be saved: {why}"),
        ):
            searcher.save(path)
        assert not path.exists()
    searcher = po.Searcher(po.Breakthrough(5))
    searcher.close()
    with pytest.raises(ValueError, match="closed"):
        searcher.save(path)
    with po.Searcher(po.Breakthrough(5)) as searcher, pytest.raises(FileNotFoundError):
        searcher.save(tmp_path / "no" / "x.search")


def test_any_damage_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.search"
    begun(po.Breakthrough(4), "rave").save(path)
    data = path.read_bytes()
    draw = random.Random(1)
    for _ in range(100):
        place = draw.randrange(len(data))
        flipped = bytes([data[place] ^ 1 << draw.randrange(8)])
        path.write_bytes(data[:place] + flipped + data[place + 1 :])
        with pytest.raises(po.BadMethod):
            po.Searcher.load(path)
    for length in (0, 5, 40, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(po.BadMethod):
            po.Searcher.load(path)
    with pytest.raises(po.BadMethod, match="cannot read search from"):
        po.Searcher.load(tmp_path / "none.search")


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_forged_files_crash_nothing(number: int, tmp_path: Path) -> None:
    """Changed files with right checksums; `tests/attack/searches.py` reads many more."""
    forge = Forge(number, tmp_path)
    n_read = 0
    for _ in range(12):
        forge.write()
        n_read += forge.is_read()
    assert 0 < n_read < 12


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"game": "chess"}, "game must be one of"),
        ({"moves": ["a1a9"]}, "is not legal here"),
        ({"method": "AlphaBeta()"}, "keeps no tree in files"),
        ({"method": "RAVE()"}, "array sums1 has 0 numbers"),
        ({"solver": True}, "array move_lows has 0 numbers"),
        ({"policy": "clever"}, "policy must be one of"),
        ({"policy": "mast"}, "array learned has not"),
        ({"threads": True}, '"threads" is missing, or True'),
        ({"counted": 1}, "has numbers that are not from 0 to 1"),
        ({"ended": "a2a3"}, "is not legal here"),
    ],
)
def test_facts_that_fit_no_search_are_refused(
    facts: dict[str, Any], says: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.search"
    begun(po.Breakthrough(4), "uct").save(path)
    known, arrays = weights.read(path, saved.KIND, types=saved.TYPES)
    weights.write(path, saved.KIND, {**known, **facts}, arrays)
    with pytest.raises(po.BadMethod, match=says):
        po.Searcher.load(path)


@pytest.mark.parametrize(
    ("policy", "change", "says"),
    [
        ("random", {"logs": 1, "log_records": 0, "log_depths": 0}, "array log_records has numbers"),
        ("ppaf", {"learned": -1.0}, "array learned has odds"),
        ("mast", {"learned": 0.0}, "array learned has odds"),
    ],
)
def test_arrays_that_fit_no_search_are_refused(
    policy: str, change: dict[str, float], says: str, tmp_path: Path
) -> None:
    """The first number of each array is changed. Logs need AMAF, and odds are above 0."""
    path = tmp_path / "x.search"
    begun(po.Breakthrough(4), "uct", policy=policy).save(path)
    facts, arrays = weights.read(path, saved.KIND, types=saved.TYPES)
    for name, number in change.items():
        kind = LOGS.get(name, "<f8")
        arrays[name] = arrays.get(name, np.zeros(1, kind)).copy()
        arrays[name].flat[0] = number
    weights.write(path, saved.KIND, facts, arrays)
    with pytest.raises(po.BadMethod, match=says):
        po.Searcher.load(path)
