"""`playout bench` and `playout doctor`."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from unittest import mock

import pytest

import playout as po
from playout.cli import doctor
from playout.games import GAMES, Game
from playout.measure import Contestant, Row, race
from support.commands import fault, playout

# bench


@pytest.fixture(scope="module")
def rates() -> dict[str, dict[str, dict[str, float]]]:
    """The rates of a race shorter than that of `--quick`."""
    with (
        mock.patch("playout.cli.bench.race", lambda rows, rounds, least: race(rows, rounds, 0.004)),
        mock.patch("playout.cli.bench.SIMULATIONS", 10_000),
    ):
        found = json.loads(playout("bench", "--quick", "--json", "--threads", "2").out)
    return {name: found[name] for name in ("playouts_per_second", "simulations_per_second")}


def test_bench_measures_every_game_and_method(
    rates: dict[str, dict[str, dict[str, float]]],
) -> None:
    games = [
        f"{game.title} {rows}x{columns}"
        for game in GAMES.values()
        for rows, columns in game.benchmarks
    ]
    assert "Othello 8x8" in games
    for table, columns in zip(
        rates.values(), (["1 thread", "2 threads"], ["UCT", "RAVE", "GRAVE"]), strict=True
    ):
        assert list(table) == games
        for row in table.values():
            assert list(row) == columns
            assert min(row.values()) > 0


def test_small_boards_are_quicker(rates: dict[str, dict[str, dict[str, float]]]) -> None:
    """The ratio is so large that no disturbance of the machine can hide it."""
    games = rates["playouts_per_second"]
    assert games["Breakthrough 5x5"]["1 thread"] > games["Othello 8x8"]["1 thread"]


def test_bench_as_a_table() -> None:
    with mock.patch("playout.cli.bench.race", side_effect=_no_race):
        ran = playout("bench", "--threads", "3")
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["1", "thread", "3", "threads"] in lines
    assert ["Othello", "8x8", "2.00", "M", "2.00", "M"] in lines
    assert ran.again == ["bench", "--threads", "3"]
    assert f"playout {po.__version__} ({po.cpu()})" in ran.out


def _no_race(rows: list[Row], rounds: int, at_least: float) -> None:
    for row in rows:
        row.rates = {contestant.name: 2e6 for contestant in row.contestants}


def test_the_best_round_counts() -> None:
    """Contestants take turns. Each does one unmeasured unit before it is measured."""
    turns: list[str] = []

    def playing(name: str) -> Contestant:
        return Contestant(name, lambda n: turns.append(name), games=5)

    row = Row("", [playing("a"), playing("b")])
    race([row], rounds=3, at_least=0.0)
    assert turns == ["a", "a", "b", "b"] * 3
    assert all(rate > 0 for rate in row.rates.values())


@pytest.mark.parametrize("threads", ["0", "1", "9999999", "two"])
def test_bench_faults(threads: str) -> None:
    assert "'--threads'" in fault("bench", "--threads", threads)


# doctor


def test_doctor_finds_nothing() -> None:
    ran = playout("doctor")
    assert ran.code == 0, ran.out
    assert "FAILED" not in ran.out
    assert ran.out.count("\nok ") == len(doctor.CHECKS)
    assert po.cpu() in ran.out
    assert ran.again == ["doctor"]


def test_doctor_for_programs() -> None:
    found = json.loads(playout("doctor", "--json").out)
    assert found["ok"] is True
    assert set(found["checks"].values()) == {"ok"}
    assert found["facts"]["playout"].startswith(po.__version__)


def test_doctor_finds_wrong_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "WINS", 46_991)
    _doctor_finds_one_fault()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_doctor_finds_wrong_rules(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    size, known = game.perft
    wrong = replace(game, perft=(size, [known[0], known[1] + 1]))
    name = f"rules of {game.title}, by counting games"
    assert name in doctor.CHECKS
    monkeypatch.setitem(doctor.CHECKS, name, partial(doctor.check_rules, wrong))
    _doctor_finds_one_fault()


def _doctor_finds_one_fault() -> None:
    ran = playout("doctor")
    told = json.loads(playout("doctor", "--json").out)
    assert ran.code == 1
    assert ran.out.count("FAILED") == 1
    assert "not " in next(line for line in ran.out.splitlines() if "FAILED" in line)
    assert told["ok"] is False


def test_doctor_compares_the_searches_with_the_twin() -> None:
    def other_seed(*arguments: object, seed: int, **more: object) -> object:
        return po.search(*arguments, seed=seed + 1, **more)  # type: ignore[arg-type]

    with mock.patch.object(doctor, "search", other_seed):
        ran = playout("doctor")
    assert ran.code == 1
    assert "uct: found {" in ran.out


def test_doctor_survives_what_a_check_raises() -> None:
    def fails() -> str:
        raise ImportError("no such module")

    with mock.patch.dict(doctor.CHECKS, {"the compiled modules are there": fails}):
        ran = playout("doctor")
    assert ran.code == 1
    assert "the compiled modules are there: ImportError: no such module" in ran.out


def test_a_module_that_is_not_compiled_is_found() -> None:
    with mock.patch.object(doctor, "_is_compiled", lambda name: name != "mcts_core.search.tree"):
        assert doctor.check_modules() == "not compiled: mcts_core.search.tree"


def test_a_level_the_processor_lacks_is_found() -> None:
    with mock.patch("mcts_core.cpu_level", "v9"):
        assert doctor.check_level() == "v9 cannot run here"
