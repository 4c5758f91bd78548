"""Comparing methods: against direct searches, against truth by brute force, and bad input."""

from __future__ import annotations

import json
import math
import random
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

import playout as po
from playout import intervals
from playout.solving import values_of_moves
from support import exact
from support.helpers import Heap, random_game
from support.searching import drawn_position
from support.timers import ends_with_ctrl_c, needs_timer

METHODS = [po.Flat(), po.UCB(), po.AMAF(), po.UCT(), po.RAVE(), po.GRAVE(), po.UCTTuned()]
ENDING = ".b..b/bbbbb/w..w./b.w../www.w w"  # one move of twelve wins: b1a2


def ending() -> po.Position:
    return po.Breakthrough.from_fen(ENDING)


def compared(**options: Any) -> po.Comparison:
    settings: dict[str, Any] = {"playouts": 200, "runs": 6, "seed": 1} | options
    return po.compare(settings.pop("position", ending()), **settings)


# The searches


def seed_of_run(run: int, seed: int = 1) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=(run,))


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_at_the_full_budget_it_is_a_search(method: po.Method) -> None:
    found = compared(methods=[method], playouts=70, runs=4)
    legal = found.position.legal_moves
    for run in range(4):
        result = po.search(ending(), method, playouts=70, seed=seed_of_run(run))
        assert legal[found.moves[0, -1, run]] == result.move
        assert found.values[0, -1, run] == result.value


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_below_it_is_a_search_too_where_no_lots_are_drawn(method: po.Method) -> None:
    method = type(method)(ties="first")
    found = compared(methods=[method], playouts=500, runs=3)
    assert found.budgets.tolist() == [10, 20, 50, 100, 200, 500]
    for row, playouts in enumerate(found.budgets.tolist()):
        for run in range(3):
            result = po.search(ending(), method, playouts=playouts, seed=seed_of_run(run))
            chosen = found.moves[0, row, run], found.values[0, row, run]
            assert chosen == (ending().legal_moves.index(result.move), result.value)


def test_lots_are_fair() -> None:
    """After 10 playouts UCB has tried ten moves once, and about half of them have won."""
    looked_at = compared(methods=["ucb"], playouts=11, runs=600).moves[0, 0]
    ended = compared(methods=["ucb"], playouts=10, runs=600, seed=2).moves[0, 0]
    shares = [np.bincount(chosen, minlength=12) / 600 for chosen in (looked_at, ended)]
    assert np.abs(shares[0] - shares[1]).max() < 4 * math.sqrt(2 * 0.15 * 0.85 / 600)
    assert shares[0].max() < 0.25


def test_looking_at_a_search_does_not_change_it() -> None:
    """Ties are drawn at every budget but the last without changing the search."""
    long, short = (compared(methods=["uct"], playouts=n, runs=20) for n in (200, 100))
    assert not np.array_equal(long.moves[0, 3], long.moves[0, 4])
    full = [
        po.search(ending(), "uct", playouts=200, seed=seed_of_run(run)).value for run in range(20)
    ]
    assert long.values[0, -1].tolist() == full
    assert np.array_equal(long.moves[0, :3], short.moves[0, :3])


def test_budgets() -> None:
    for playouts, budgets in [(1, [1]), (10, [10]), (11, [10, 11]), (100, [10, 20, 50, 100])]:
        assert compared(methods=["flat"], playouts=playouts).budgets.tolist() == budgets


def test_guided_playouts() -> None:
    found = compared(methods=["flat"], playouts=50, runs=1, policy="guided")
    result = po.search(ending(), "flat", playouts=50, seed=seed_of_run(0), policy="guided")
    assert found.values[0, -1, 0] == result.value
    assert found.policy == "guided"
    assert "guided playouts" in str(found)


# Seeds


def same(one: po.Comparison, other: po.Comparison) -> bool:
    values_agree = np.array_equal(one.values, other.values, equal_nan=True)
    return np.array_equal(one.moves, other.moves) and values_agree


def test_the_same_seed_gives_the_same_answer() -> None:
    assert same(compared(), compared())
    assert not same(compared(), compared(seed=2))


def test_a_method_does_not_depend_on_the_others() -> None:
    alone, among = compared(methods=["rave"]), compared()
    assert np.array_equal(alone.moves[0], among.moves[4])


def test_a_seed_that_was_drawn_repeats() -> None:
    first = compared(seed=None)
    assert isinstance(first.seed, int)
    assert same(first, compared(seed=first.seed))


def test_a_seed_sequence_is_not_used_up() -> None:
    sequence = np.random.SeedSequence(7, spawn_key=(3,))
    first = compared(seed=sequence)
    assert same(first, compared(seed=sequence))
    assert first.seed is sequence
    assert sequence.n_children_spawned == 0
    assert first.to_dict()["seed"] == {"entropy": 7, "spawn_key": [3]}


# Truth


def seen_by_mover(position: po.Position, move: str) -> float:
    child = position.copy()
    child.push(move)
    return 1.0 - exact.value(child) if position.turn else exact.value(child)


@pytest.mark.parametrize(
    "start",
    [
        po.Breakthrough(3, first_rows=1),
        po.Breakthrough(4),
        po.Breakthrough(4, 3, first_rows=1),
        po.Othello(4),
    ],
    ids=repr,
)
def test_truth_by_brute_force(start: po.Position) -> None:
    choice = random.Random(1)
    kinds = set()
    for _ in range(40):
        position = drawn_position(start, choice)
        truth = values_of_moves(position, nodes=10**6)
        assert truth is not None
        wanted = [seen_by_mover(position, move) for move in position.legal_moves]
        assert truth.tolist() == wanted
        kinds |= {*wanted}
    assert kinds >= {0.0, 1.0}


def test_truth_where_a_player_must_pass() -> None:
    """After the pass the same player moves again, so results must not be converted twice."""
    passed = 0
    for seed in range(30):
        for position in random_game(po.Othello(4), seed):
            if position.is_over:
                continue
            if "pass" in position.legal_moves:
                truth = values_of_moves(position, nodes=10**6)
                assert truth is not None
                assert truth.tolist() == [seen_by_mover(position, "pass")]
                passed += 1
    assert passed > 5


def test_truth_of_a_game_in_python() -> None:
    for size in range(1, 12):
        truth = values_of_moves(po.search(Heap(size), "flat", playouts=1).position, nodes=10**5)
        assert truth is not None
        assert truth.tolist() == [float((size - n) % 4 == 0) for n in (1, 2, 3) if n <= size]


def test_a_game_in_python_is_given_up_sooner() -> None:
    """Each node takes about a hundred times as long as in a compiled game."""
    asked = 0

    class Counted(Heap):
        def legal_moves(self) -> list[str]:
            nonlocal asked
            asked += 1
            return [f"take {n}" for n in range(1, 9) if n <= self.size]

        def key(self) -> Any:
            return self.size, self.turn, random.random()  # no position is ever found in the table

    found = po.compare(Counted(40), ["uct"], playouts=10, runs=1, seed=1)
    assert found.truth is None
    assert 10_000 < asked < 300_000


def test_what_is_right() -> None:
    found = compared()
    legal = found.position.legal_moves
    truth = {move: seen_by_mover(found.position, move) for move in legal}
    assert found.truth is not None
    assert dict(found.truth.tolist()) == truth
    assert found.best == {"b1a2"} == {move for move in legal if truth[move] == 1.0}
    for place in np.ndindex(found.moves.shape):
        assert found.right[place] == (truth[legal[found.moves[place]]] == 1.0)
        assert found.regrets[place] == 1.0 - truth[legal[found.moves[place]]]


def test_all_moves_lose() -> None:
    found = compared(position=po.Breakthrough(4))
    assert found.best == set(found.position.legal_moves)
    assert found.right.all()
    assert not found.regrets.any()
    assert "exactly: all 6 moves lose, so that no choice is wrong" in str(found)


@pytest.mark.parametrize("exact_nodes", [0, 1])
def test_without_truth_it_is_agreement(exact_nodes: int) -> None:
    found = compared(exact_nodes=exact_nodes)
    assert found.truth is None
    assert found.best is None
    assert np.isnan(found.regrets).all()
    counts = np.bincount(found.moves[:, -1].ravel(), minlength=12)
    index = found.position.legal_moves.index(found.majority)
    assert counts[index] == counts.max()
    assert np.array_equal(found.right, found.moves == index)
    assert np.isnan(found.rows["right"]).all()
    assert f"the most frequent choice of all methods is {found.majority}" in str(found)
    data = json.loads(found.to_json())
    assert (data["truth"], data["best"], data["majority"]) == (None, None, found.majority)
    assert data["methods"][0]["regret"] is None


def test_a_game_for_one_player_is_not_solved() -> None:
    """Its results are any numbers from 0 to 1, and the solver knows only three values."""

    class Once:
        done = 0

        def legal_moves(self) -> list[int]:
            return [1, 2]

        def play(self, move: int) -> None:
            self.done = move

        def is_over(self) -> bool:
            return self.done > 0

        def result(self) -> float:
            return self.done / 3

        def key(self) -> int:
            return self.done

    found = po.compare(Once(), ["uct"], playouts=50, runs=2, seed=1)
    assert found.truth is None
    assert found.majority == "2"


# Which methods


def names(found: po.Comparison) -> list[str]:
    return [type(method).__name__ for method in found.methods]


def test_methods_that_suit_the_game() -> None:
    of_any_game = ["Flat", "UCB", "AMAF", "UCT", "RAVE", "GRAVE", "UCTTuned"]
    assert names(compared(playouts=10, runs=1)) == of_any_game
    small = compared(position=po.Othello(6), playouts=10, runs=1, exact_nodes=0)
    assert names(small) == of_any_game
    othello = compared(position=po.Othello(), playouts=10, runs=1, exact_nodes=0)
    assert names(othello) == of_any_game


def test_a_game_without_codes() -> None:
    class Bare(Heap):
        code = None  # type: ignore[assignment]

    found = compared(position=Bare(9), playouts=20, runs=2)
    assert names(found) == ["Flat", "UCB", "UCT", "UCTTuned"]
    assert found.best == {"take 1"}
    with pytest.raises(po.BadMethod, match=r"rave needs the AMAF codes .* this game has none"):
        compared(position=Bare(9), methods=["rave"])


def test_alphabeta_is_searched_once() -> None:
    method = po.AlphaBeta(depth=4)
    found = compared(position=po.Othello(), methods=[method, "uct"], playouts=50, runs=3)
    move = po.search(po.Othello(), method).move
    assert {found.position.legal_moves[i] for i in found.moves[0].ravel()} == {move}
    assert np.isnan(found.values[0]).all()
    assert found.rows["share"][0] == 1.0
    _, mean, low, high = found.curve(method, "best")
    assert mean.tolist() == low.tolist() == high.tolist()


# Bad input


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"methods": ["uctt"]}, po.BadMethod, "there is no method 'uctt'; did you mean 'uct'"),
        ({"methods": []}, po.BadMethod, "there is no method to compare: name some of flat, ucb"),
        ({"methods": ["uct", po.UCT()]}, po.BadMethod, r"UCT\(\) is there twice"),
        ({"methods": 7}, po.BadMethod, "a method is one of flat, .* or an object .* not 7"),
        ({"methods": [po.UCT]}, po.BadMethod, r"UCT is a class: write UCT\(\)"),
        (
            {"methods": ["alphabeta"], "position": po.Othello(6)},
            po.BadMethod,
            "no evaluation for Othello 6x6",
        ),
        ({"playouts": 0}, ValueError, "playouts must be a whole number from 1 to .*, not 0"),
        ({"playouts": 2.5}, ValueError, "playouts must be a whole number"),
        ({"runs": 0}, ValueError, "runs must be a whole number from 1 to .*, not 0"),
        ({"exact_nodes": 0.5}, ValueError, "exact_nodes must be a whole number from 0 to"),
        ({"exact_nodes": -1}, ValueError, "exact_nodes must be a whole number from 0 to"),
        ({"policy": "clever"}, ValueError, "policy must be one of 'random', 'guided'"),
        (
            {"seed": "one"},
            ValueError,
            "seed must be an int, a numpy SeedSequence or",
        ),
        ({"position": 7}, po.BadPosition, "a search starts from a position"),
        ({"position": po.Breakthrough}, po.BadPosition, "a search starts from a position"),
    ],
)
def test_bad_input(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        compared(**options)


def test_a_finished_game() -> None:
    with pytest.raises(po.BadPosition, match="this game is over"):
        compared(position=po.Breakthrough.from_fen("w.b/.../w.. b"))


def test_one_method_by_name_alone() -> None:
    assert names(compared(methods="uct")) == ["UCT"]
    assert names(compared(methods=po.UCT(c=1))) == ["UCT"]


@pytest.mark.traced_slowly
@needs_timer
def test_ctrl_c() -> None:
    ends_with_ctrl_c(lambda: po.compare(po.Breakthrough(), playouts=10**9), 0.1)


# Tables, curves and exports


def test_intervals() -> None:
    """Wilson's for 8 of 10, as in the tables; Student's textbook example of a mean."""
    rate = intervals.of_rates(np.array([True] * 8 + [False] * 2))
    assert (rate.mean, rate.low, rate.high) == pytest.approx((0.8, 0.4902, 0.9433), abs=1e-4)
    sure = intervals.of_rates(np.array([[True] * 10, [False] * 10]))
    assert sure.low.tolist() == pytest.approx([0.7225, 0.0], abs=1e-4)
    assert sure.high.tolist() == pytest.approx([1.0, 0.2775], abs=1e-4)
    mean = intervals.of_means(np.array([1.0, 2.0, 3.0, 4.0]))
    error = math.sqrt(5 / 3 / 4)
    assert (mean.low, mean.high) == pytest.approx(
        (2.5 - 1.96 * error, 2.5 + 1.96 * error), abs=1e-4
    )
    assert np.isnan(intervals.of_means(np.array([1.0])).low)


def test_curves() -> None:
    found = compared()
    for method, index in [("rave", 4), (po.RAVE(), 4), ("flat", 0)]:
        budgets, rate, low, high = found.curve(method, "best")
        assert budgets.tolist() == found.budgets.tolist()
        assert rate.tolist() == found.right[index].mean(axis=1).tolist()
        assert (low <= rate).all()
        assert (rate <= high).all()
        assert found.curve(method, "value")[1].tolist() == found.values[index].mean(axis=1).tolist()
        regret = found.curve(method, "regret")[1]
        assert regret.tolist() == found.regrets[index].mean(axis=1).tolist()
        for what in ("value", "regret"):  # between 0 and 1 by definition, like their bounds
            _, mean, low, high = found.curve(method, what)
            assert (low >= 0.0).all()
            assert (low <= mean).all()
            assert (mean <= high).all()
            assert (high <= 1.0).all()
    with pytest.raises(
        ValueError, match="what must be one of 'value', 'best', 'regret', not 'vlue'"
    ):
        found.curve("rave", "vlue")
    with pytest.raises(po.BadMethod, match=r"UCT\(c=1.0\) is not among the methods compared: Flat"):
        found.curve(po.UCT(c=1))


def test_rows() -> None:
    found = compared(methods=METHODS, runs=20)
    legal = found.position.legal_moves
    for index, row in enumerate(found.rows):
        chosen = [legal[i] for i in found.moves[index, -1]]
        assert row["method"] == repr(METHODS[index])
        assert row["share"] == max(chosen.count(move) for move in legal) / 20
        assert chosen.count(row["move"]) / 20 == row["share"]
        assert row["value"] == found.values[index, -1].mean()
        assert row["stderr"] == pytest.approx(found.values[index, -1].std(ddof=1) / math.sqrt(20))
        assert row["right"] == chosen.count("b1a2") / 20
        assert row["regret"] == pytest.approx(1 - row["right"])
        assert row["seconds"] > 0
        assert found.shares(METHODS[index]).sum() == pytest.approx(1)


def test_one_run_has_no_standard_error() -> None:
    found = compared(runs=1)
    assert np.isnan(found.rows["stderr"]).all()
    assert json.loads(found.to_json())["methods"][0]["stderr"] is None


def test_json_tells_all() -> None:
    found = compared()
    data = json.loads(found.to_json(indent=1))
    assert data["game"] == "Breakthrough"
    assert data["position"] == ENDING
    assert data["best"] == ["b1a2"]
    assert (data["runs"], data["seed"], data["policy"]) == (6, 1, "random")
    assert len(data["truth"]) == 12
    for row, method in zip(data["methods"], METHODS):
        assert row["method"] == repr(method)
        assert sum(row["shares"].values()) == pytest.approx(1)
        assert row["curves"]["best"]["mean"] == found.curve(method, "best")[1].tolist()


def test_text() -> None:
    found = compared(methods=METHODS)
    lines = str(found).splitlines()
    assert lines[0].startswith(
        "Breakthrough 5x5, white to move: 6 searches of each method, 200 playouts, "
    )
    head = "method      move  share  value  stderr  right  regret  ms a run"
    assert lines[2] == head
    assert [line.split()[0] for line in lines[3 : 3 + len(METHODS)]] == [*map(repr, METHODS)]
    assert lines[-2:] == ["exactly best: 1 of 12 moves win: b1a2", "seed: 1"]
    assert repr(found) == "<Comparison of 7 methods: 6 runs of 200 playouts each>"


def test_html() -> None:
    """A board for each method, with the share of the runs on the square where the move ends."""
    found = compared(methods=["flat", "rave"])
    page = found._repr_html_()
    root = ElementTree.fromstring(page)
    figures = root.findall(".//figure")
    assert [figure.findtext("figcaption") for figure in figures] == ["Flat()", "RAVE()"]
    for figure, method in zip(figures, found.methods):
        shares = found.shares(method)
        chosen = {m: s for m, s in zip(found.position.legal_moves, shares) if s}
        most: dict[str, float] = {}
        for move, share in chosen.items():
            most[move[2:]] = max(share, most.get(move[2:], 0))
        groups = [group for group in figure.iter() if group.get("class") == "figures"]
        texts = [e for group in groups for e in group if "title" not in e.tag]
        labels = [e.text for e in texts if (e.text or "").endswith("%")]
        assert sorted(labels) == sorted(f"{share:.0%}" for share in most.values())
    assert len(root.findall(".//tbody/tr")) == 2
    assert "<script" not in page
    links = set(re.findall(r"https?://[^\"']+", page))
    assert links == {"http://www.w3.org/2000/svg"}


def test_html_follows_the_page() -> None:
    """Outside the pictures only grey lines have a colour, so that dark pages stay dark."""
    page = re.sub("<svg.*?</svg>", "", compared()._repr_html_(), flags=re.DOTALL)
    colours = set(re.findall(r"(?<![-\w])(?:color|background)\s*:\s*([^;\"]+)", page))
    assert colours == {"inherit", "transparent"}


def test_html_of_a_game_without_a_board() -> None:
    page = compared(position=Heap(5), methods=["flat"])._repr_html_()
    assert "<svg" not in page
    assert "take 1" in page


def test_html_of_a_pass() -> None:
    """A pass has no square, so the board has neither arrow nor figures."""
    position = po.Othello.from_fen("XO-------------- O")
    page = compared(position=position, methods=["flat"])._repr_html_()
    assert "<td" in page
    assert ">pass</td>" in page
    assert "<svg" in page
    assert 'class="move"' not in page
    assert 'class="figures"' not in page


def test_progress_ends_a_comparison_with_the_runs_so_far() -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, of: int) -> bool:
        told.append((done, of))
        return done == 3

    methods = ["flat", "uct"]
    found = po.compare(po.Breakthrough(4), methods, playouts=50, runs=10, seed=1, progress=progress)
    whole = po.compare(po.Breakthrough(4), methods, playouts=50, runs=3, seed=1)
    assert told == [(1, 10), (2, 10), (3, 10)]
    assert found.runs == 3
    assert (found.moves == whole.moves).all()
