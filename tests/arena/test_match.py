"""Matches and tournaments: the same games everywhere, tests that stop them, and reports."""

from __future__ import annotations

import json
import os
import pickle
import signal
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

import playout as po
from playout.arena.contest import Contest, Fixture, machine_speed
from playout.arena.match import crowd
from playout.arena.players import player_from
from playout.arena.runner import MOST_DEATHS
from playout.arena.store import Store
from playout.games import GAMES
from playout.record import Record

START = po.Breakthrough(4)
SMALLEST = {
    "breakthrough": START,
    "othello": po.Othello(4),
    "connect-four": po.ConnectFour(4, 4),
}


def small(**more: object) -> po.Match:
    """A short match that any executor plays in the same way."""
    settings = {"game": START, "games": 20, "seed": 1, **more}
    return po.match("uct@50", "flat@50", **settings)  # type: ignore[arg-type]


def games_of(found: po.Match | po.Tournament) -> list[tuple[object, ...]]:
    """All that does not depend on the clock or the machine, in order."""
    rows = sorted(found.rows, key=lambda row: row.fixture)
    return [(row.fixture, row.opening, row.played.moves, row.played.result) for row in rows]


def test_a_match() -> None:
    found = small()
    meeting = found.meeting
    assert found.games == 20 == meeting.wins + meeting.draws + meeting.losses
    assert found.score == (meeting.wins + meeting.draws / 2) / 20
    assert sum(found.pairs.counts) == 10
    assert found.interval[0] < found.elo < found.interval[1]
    assert found.score == pytest.approx(sum(meeting.by_side) / 2)


def test_both_games_of_a_pair_have_one_opening_and_both_colours() -> None:
    rows = {row.fixture: row for row in small().rows}
    assert len(rows) == 20
    for pair in range(10):
        one, other = (rows[Fixture(0, 1, pair, side)] for side in (0, 1))
        assert one.opening == other.opening
        assert (one.fixture.first, other.fixture.first) == (0, 1)
    assert len({row.opening for row in rows.values()}) > 5


def test_every_game_is_the_one_that_its_moves_tell() -> None:
    for row in small().rows:
        position = START.copy()
        for move in (*row.opening, *row.played.moves):
            position.push(move)
        assert position.result == row.played.result


def test_other_seeds_give_other_games() -> None:
    assert games_of(small()) == games_of(small())
    assert games_of(small(seed=2)) != games_of(small())


@contextmanager
def dask() -> Iterator[Executor]:
    """A cluster within this process."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor(pure=False, retries=3)


@pytest.mark.parametrize(
    "pool", [lambda: ThreadPoolExecutor(3), lambda: ProcessPoolExecutor(2)], ids=["3", "2"]
)
def test_any_executor_plays_the_same_games(pool: object) -> None:
    with pool() as executor:  # type: ignore[operator]
        assert games_of(small(executor=executor)) == games_of(small())


@pytest.mark.filterwarnings("default")
def test_a_cluster_plays_the_same_games() -> None:
    with dask() as executor:
        assert games_of(small(executor=executor)) == games_of(small())


def test_a_game_is_sent_with_its_own_opening_alone() -> None:
    """A worker gets no more for a book of hundreds of openings than for one of them."""
    lines = [(str(move),) for move in START.legal_moves] * 100
    players = (player_from("uct@5"), player_from("flat@5"))
    many, one = (Contest(players, START, po.Openings(lines=tuple(x))) for x in (lines, lines[3:4]))
    fixture = Fixture(0, 1, 3, 1)
    assert pickle.dumps(many.task(fixture)) == pickle.dumps(one.task(fixture))
    for pair in (3, len(lines) + 3):
        assert many.play(Fixture(0, 1, pair, 1)).opening == lines[3]


def test_no_more_processes_than_games(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def pool(workers: int, **more: object) -> ProcessPoolExecutor:
        asked.append(workers)
        return ProcessPoolExecutor(workers, **more)  # type: ignore[call-overload]

    monkeypatch.setattr("playout.arena.runner.ProcessPoolExecutor", pool)
    with pytest.warns(RuntimeWarning, match="200 workers need 200 cores"):
        assert small(games=2, workers=200).games == 2
    assert asked == [2]


@pytest.mark.parametrize(
    ("cores", "player", "workers", "words"),
    [
        (4, "uct@5", 4, None),
        (4, "uct@5", 5, "5 workers need 5 cores, and this machine has 4"),
        (4, "uct@5 threads=3", 2, "2 workers with 3 threads need 6 cores"),
        (2, "uct@5 threads=3", 1, "1 worker with 3 threads need 3 cores"),
        (None, "uct@5", 1, None),
    ],
)
def test_a_crowd_is_warned_of(
    cores: int | None, player: str, workers: int, words: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    contest = Contest((player_from(player), player_from("flat@5")), START)
    warning = crowd(contest, workers)
    assert (warning is None) == (words is None)
    assert warning is None or warning.startswith(words or "")


def test_processes_of_our_own() -> None:
    found = small(workers=2)
    assert games_of(found) == games_of(small())
    assert 1 <= len(found.residuals()) <= 2
    assert sum(n for n, _ in found.residuals().values()) == 20


def dies_once(position: po.Position) -> str:
    """Kills its process in its first game; there is a file that remembers."""
    mark = Path(os.environ["PLAYOUT_TEST_MARK"])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return position.legal_moves[0]


def dies(position: po.Position) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill here")
def test_a_killed_worker_loses_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYOUT_TEST_MARK", str(tmp_path / "mark"))
    found = po.match(dies_once, "flat@5", game=START, games=10, seed=1, workers=2)
    assert (tmp_path / "mark").exists()
    assert games_of(found) == games_of(po.match(dies_once, "flat@5", game=START, games=10, seed=1))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill here")
def test_a_player_that_kills_every_worker_is_an_error() -> None:
    with pytest.raises(Exception, match="terminated abruptly") as raised:
        po.match(dies, "flat@5", game=START, games=2, seed=1, workers=1)
    assert f"{MOST_DEATHS + 1} times in a row" in raised.value.__notes__[0]


def test_a_broken_executor_leaves_the_record(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    with ProcessPoolExecutor(1) as executor, pytest.raises(Exception, match="abruptly") as raised:
        po.match(dies, "flat@5", game=START, games=2, seed=1, executor=executor, record=path)
    assert "play on with a new executor and record=" in raised.value.__notes__[0]


class Forgetful(ThreadPoolExecutor):
    """Cancels the first games, as a cluster does whose workers leave."""

    cancelled = 0

    def submit(self, *work: object, **more: object) -> Future[object]:  # type: ignore[override]
        if self.cancelled < 5:
            self.cancelled += 1
            lost: Future[object] = Future()
            lost.cancel()
            lost.set_running_or_notify_cancel()
            return lost
        return super().submit(*work, **more)  # type: ignore[arg-type]


def test_cancelled_games_are_played_again() -> None:
    with Forgetful(2) as executor:
        assert games_of(small(executor=executor)) == games_of(small())
    assert executor.cancelled == 5


def test_a_function_that_cannot_be_sent() -> None:
    with pytest.raises(ValueError, match="the player '<lambda>' cannot be sent to another process"):
        po.match(lambda p: p.legal_moves[0], "flat@5", game=START, games=2, seed=1, workers=1)


def test_a_sequential_test_ends_the_match_at_the_same_pair_everywhere() -> None:
    settings = {"games": 400, "sprt": po.SPRT(-100, 0, model="logistic")}
    alone, together = small(**settings), small(**settings, workers=2)
    assert alone.decision == together.decision == "H1"
    assert alone.games == together.games < 400
    assert alone.llr == together.llr
    assert "A gain of 10 Elo" not in str(alone)
    assert alone.llr is not None
    assert alone.llr >= 2.94
    assert alone.meeting.pairs_played == together.meeting.pairs_played


def test_progress_is_told_after_each_game() -> None:
    seen: list[int] = []
    small(progress=lambda match: seen.append(len(match.rows)))
    assert seen == list(range(1, 21))


# Tournaments


def test_a_tournament() -> None:
    found = po.tournament(
        ["flat@20", "uct@20", "uct@200"], game=po.Breakthrough(5), games=30, seed=1
    )
    assert len(found.rows) == 90
    assert found.ranking[0] == 2
    assert sum(rating.elo for rating in found.ratings) == pytest.approx(0, abs=1e-6)
    assert found.meeting(2, 0).pairs.score == pytest.approx(1 - found.meeting(0, 2).pairs.score)


@pytest.mark.parametrize(
    ("schedule", "met"),
    [
        ("round robin", [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
        ("gauntlet", [(0, 1), (0, 2), (0, 3)]),
        ("ladder", [(0, 1), (1, 2), (2, 3)]),
    ],
)
def test_who_meets_whom(schedule: str, met: list[tuple[int, int]]) -> None:
    found = po.tournament(
        ["flat", "ucb", "uct", "rave"], playouts=5, game=START, games=2, schedule=schedule, seed=1
    )
    assert {row.fixture[:2] for row in found.rows} == set(met)
    assert len(found.rows) == 2 * len(met)


def test_pairings_share_their_openings() -> None:
    found = po.tournament(["flat", "ucb", "uct"], playouts=5, game=START, games=4, seed=1)
    openings = {row.fixture.pair: row.opening for row in found.rows}
    assert all(row.opening == openings[row.fixture.pair] for row in found.rows)


# What is made of them


def test_a_report_in_words() -> None:
    text = str(small(sprt=(0, 10)))
    assert text.startswith("UCT()@50 - Flat()@50: Breakthrough 4x4, seed 1\nscore ")
    assert "not decided   LLR " in text
    assert "A gain of 10 Elo shows only in 1,600 games and more." in text
    assert "the seed does not repeat" not in text
    assert "the seed does not repeat" in str(
        po.match("uct@0.001s", "flat@5", game=START, games=2, seed=1)
    )


def test_faults_are_reported() -> None:
    def wrong(position: po.Position) -> str:
        return "a1a1"

    text = str(po.match(wrong, "flat@5", game=START, games=20, seed=1))
    assert "ended by    illegal move 20" in text
    assert text.count("fault       wrong: 'a1a1' is no legal move in ") == 5
    assert "and 15 more" in text


def test_json() -> None:
    found = small(sprt=(0, 10))
    told = json.loads(found.to_json())
    assert told["games"] == 20
    assert told["pairs"] == list(found.pairs.counts)
    assert told["sprt"]["llr"] == found.llr
    assert told["contest"]["seed"] == 1


@pytest.mark.parametrize("kind", ["match", "tournament"])
def test_pages_and_pictures_are_well_formed(kind: str) -> None:
    if kind == "match":
        found: po.Match | po.Tournament = small(sprt=(0, 10))
    else:
        found = po.tournament(["flat@5", "ucb@5", "uct@5 guided"], game=START, games=2, seed=1)
    page = found.to_html()
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    for part in page.split("<svg")[1:]:
        ElementTree.fromstring("<svg" + part.split("</svg>")[0] + "</svg>")
    assert "<svg" in found._repr_html_()


def test_games_are_records() -> None:
    for record, row in zip(small().records(), small().rows, strict=True):
        assert Record.from_dict(json.loads(record.to_json())) == record
        first = ("UCT()@50", "Flat()@50")[row.fixture.first]
        assert record.players[0] == first
        assert record.position.result == row.played.result


def resigns(position: po.Position) -> str:
    """A player who plays three moves and then no legal one."""
    return position.legal_moves[-1] if len(position.history) < 6 else "resign"


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize(
    ("rival", "rules", "reason"),
    [
        ("flat@5", {}, "the rules"),
        ("flat@5", {"most_plies": 7}, "length"),
        ("flat@5", {"solve_nodes": 10**6}, "solver"),
        (resigns, {}, "illegal move"),
    ],
    ids=["whole", "length", "solver", "illegal"],
)
def test_a_game_of_a_record_is_the_game_that_was_played(
    game: str, rival: object, rules: dict[str, int], reason: str, tmp_path: Path
) -> None:
    """Also one that ended before its rules ended it, and from the file."""
    start = SMALLEST[game]
    adjudication = po.Adjudication(**rules)  # type: ignore[arg-type]
    settings = {"game": start, "games": 4, "seed": 1, "openings": 2, "adjudication": adjudication}
    played = po.match("uct@20", rival, **settings, record=tmp_path / "run.db")  # type: ignore[arg-type]
    assert reason in played.reasons
    with Store(tmp_path / "run.db") as store:
        stored = po.Match(played.contest, list(store.rows()))
    for found in (played, stored):
        for record, row in zip(found.records(), found.rows, strict=True):
            again = Record.from_dict(json.loads(record.to_json()))
            assert again == record
            moves = [str(move) for move in again.position.history]
            assert moves == [*row.opening, *row.played.moves]
            assert again.is_over
            assert again.result == row.played.result
            assert again.outcome is not None
            assert (row.played.reason in again.outcome) == (row.played.reason != "the rules")


def test_a_verdict_is_read_with_care() -> None:
    told = Record(START, ("a", "b"), 1, verdict=(0.0, "clock")).to_dict()
    assert told["outcome"] == "black has won (clock)"
    assert Record.from_dict(told | {"verdict": None}).outcome is None
    for wrong in (3, {}, {"result": 0.3, "reason": ""}, {"result": True, "reason": ""},
                  {"result": 1.0}, {"result": 1, "reason": 7}):  # fmt: skip
        with pytest.raises(ValueError, match=r"verdict|reason"):
            Record.from_dict(told | {"verdict": wrong})


# Faults


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"games": 3}, "games must be even"),
        ({"games": 0}, "games must be a whole number from 2"),
        ({"workers": 0}, "workers must be a whole number from 1"),
        ({"workers": 1, "executor": ThreadPoolExecutor(1)}, "choose one"),
        ({"executor": 3}, "executor must be a concurrent.futures.Executor"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"sprt": 7}, "sprt must be two differences"),
        ({"adjudication": 7}, "adjudication must be playout.Adjudication"),
        ({"speed": 0}, "speed must be a number above 0"),
        ({"game": 7}, "game must be a position"),
        ({"increment": 1.0}, "give clock= too"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        small(**settings)


def test_players_that_cannot_play() -> None:
    with pytest.raises(ValueError, match="a search needs a limit"):
        po.match("uct", "flat@5", game=START, games=2)
    with pytest.raises(po.BadMethod, match="no evaluation for Othello 6x6"):
        po.match("alphabeta@9n", "flat@5", game=po.Othello(6), games=2)
    with pytest.raises(ValueError, match="players must be a list of two players or more"):
        po.tournament(["uct"])


def test_a_player_against_itself() -> None:
    found = po.match("uct@5", "uct@5", game=START, games=2, seed=1)
    assert found.players == ("UCT()@5", "UCT()@5 #2")


def test_time_limits_grow_on_a_slow_machine() -> None:
    """A machine half as fast as the one that the times are meant for needs twice as long."""
    players = (player_from("uct@0.01s"), player_from("flat@5"))
    contest = Contest(players, START, seed=1, speed=4 * machine_speed())
    row = contest.play(Fixture(0, 1, 0, 0))
    assert min(row.played.seconds[::2]) >= 0.03
