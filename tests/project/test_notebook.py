"""The notebook runs from top to bottom, and its text is true.

Every number in bold must be printed by a cell beside it. The claims are tested here again.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

import notebook
import playout as po

pytestmark = pytest.mark.slow

FIRST = ".bbbb/b.wb./b.bbw/w..ww/wwww. b"
SECOND = "bbbbb/b.bbw/..bb./wwwww/www.w b"
WINS = {FIRST: "b5c4", SECOND: "d5e4"}
RUNS = 500

Cells = list[dict[str, Any]]


@pytest.fixture(scope="module")
def kept() -> Cells:
    """The cells with their outputs as they are in the file."""
    return notebook.cells(notebook.NOTEBOOK.read_text(encoding="utf-8"))


def test_a_run_prints_and_draws_what_is_kept(kept: Cells) -> None:
    """An exception in a cell fails, too, with its traceback."""
    assert notebook.stale(kept, notebook.cells(notebook.executed())) == []


def test_a_changed_output_is_noticed(kept: Cells) -> None:
    index, printing = next((i, cell) for i, cell in enumerate(kept) if printed(cell))
    output = {"output_type": "stream", "name": "stdout", "text": ["other\n"]}
    changed = [*kept[:index], printing | {"outputs": [output]}, *kept[index + 1 :]]
    assert notebook.stale(kept, changed) == [printing["id"]]


def test_times_are_not_compared() -> None:
    def cell(text: str) -> dict[str, Any]:
        return {"outputs": [{"data": {"text/html": text}}]}

    slow, fast = cell("in 12.3 ms, 81,300/s, 1.5 MiB"), cell("in 2 s, 5/s, 3 MiB")
    assert list(notebook.repeatable(slow)) == list(notebook.repeatable(fast))
    assert list(notebook.repeatable(slow)) != list(notebook.repeatable(cell("in 12.3 games")))


def printed(cell: dict[str, Any]) -> str:
    outputs = cell.get("outputs", [])
    return "".join("".join(output.get("text", "")) for output in outputs)


def figures(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w.])[+-]?\d+(?:\.\d+)?", text))


def test_every_figure_of_the_text_is_printed_by_a_cell_beside_it(kept: Cells) -> None:
    found = 0
    for index, cell in enumerate(kept):
        if cell["cell_type"] != "markdown":
            continue
        bold = set(re.findall(r"\*\*([+-]?[\d.]*\d)\*\*", "".join(cell["source"])))
        codes = [other for other in kept[:index] if other["cell_type"] == "code"][-2:]
        assert bold <= figures(" ".join(map(printed, codes))), "".join(cell["source"])
        found += len(bold)
    assert found > 40


def test_pictures_are_shown(kept: Cells) -> None:
    kinds = [kind for cell in kept for o in cell.get("outputs", []) for kind in o.get("data", ())]
    assert kinds.count("image/svg+xml") == 4  # two positions, a random game, a simulation
    assert kinds.count("text/html") == 6  # two searches, two solutions, random games, a tree
    assert kinds.count("image/png") == 2  # two comparisons


def test_every_exercise_has_an_answer(kept: Cells) -> None:
    text = "\n".join("".join(cell["source"]) for cell in kept if cell["cell_type"] == "markdown")
    exercises, answers = text.split("## Exercises")[1].split("### Answers")
    numbers = re.findall(r"^(\d)\. ", exercises, re.MULTILINE)
    assert numbers == re.findall(r"^\*\*(\d)\.\*\*$", answers, re.MULTILINE) != []


# The claims


@cache
def compared(fen: str, methods: tuple[str, ...], playouts: int) -> po.Comparison:
    position = po.Breakthrough.from_fen(fen)
    return po.compare(position, methods, playouts=playouts, runs=RUNS, seed=1)


def right(fen: str, method: str, playouts: int) -> float:
    """The share of searches that choose the winning move, as the notebook has it."""
    long = fen == SECOND and playouts > 1000
    methods = ("flat", "amaf") if long else ("flat", "ucb", "amaf", "uct", "rave", "grave")
    most = 30_000 if long else 5000 if fen == FIRST else 1000
    budgets, shares, _, _ = compared(fen, methods, most).curve(method, "best")
    return float(shares[budgets.tolist().index(playouts)])


def estimates(fen: str) -> dict[str, Any]:
    rows = po.compare_estimates(po.Breakthrough.from_fen(fen), 10_000_000, seed=1)
    return {str(row["move"]): row for row in rows}


@pytest.mark.parametrize("fen", WINS)
def test_one_move_wins(fen: str) -> None:
    position = po.Breakthrough.from_fen(fen)
    values = {}
    for move in position.legal_moves:
        after = position.copy()
        after.push(move)
        values[str(move)] = po.solve(after).value
    assert [move for move, value in values.items() if value == 0.0] == [WINS[fen]]


def test_what_the_text_says_of_the_moves() -> None:
    other = po.Breakthrough.from_fen(FIRST)
    other.push("d5c4")
    assert po.solve(other).move == "e3e4"
    careless = po.Breakthrough.from_fen(SECOND)
    careless.push("c3d2")
    careless.push("e4d5")
    assert careless.result == 1.0


def test_amaf_is_right_in_the_first_position() -> None:
    """The best two moves have the same bias. Good moves look worse, bad ones better."""
    rows = estimates(FIRST)
    best, rival = rows["b5c4"], rows["d5c4"]
    assert max(rows.values(), key=lambda row: row["mean"]) is best
    assert max(rows.values(), key=lambda row: row["amaf_mean"]) is best
    assert best["bias"] == pytest.approx(rival["bias"], abs=0.002)
    assert best["bias"] < 0 < min(rows["d3e2"]["bias"], rows["c3d2"]["bias"])


def test_amaf_saves_games_in_the_first_position() -> None:
    for playouts in (100, 500, 1000, 5000):
        assert right(FIRST, "flat", playouts) < right(FIRST, "amaf", playouts)
        assert right(FIRST, "flat", playouts) < right(FIRST, "ucb", playouts)
    assert right(FIRST, "amaf", 2000) > right(FIRST, "flat", 5000)


def test_trees_with_amaf_need_the_fewest_games_in_the_first_position() -> None:
    assert right(FIRST, "uct", 100) < right(FIRST, "rave", 100) < right(FIRST, "grave", 100)
    assert min(right(FIRST, method, 5000) for method in ("uct", "rave", "grave")) > 0.95


def test_amaf_misleads_in_the_second_position() -> None:
    """The right move loses much value later, its rival little. More games do not help."""
    rows = estimates(SECOND)
    best, rival = rows["d5e4"], rows["c3d2"]
    assert max(rows.values(), key=lambda row: row["mean"]) is best
    assert max(rows.values(), key=lambda row: row["amaf_mean"]) is rival

    def lost_by_waiting(row: Any) -> float:
        later = row["amaf_mean"] * row["amaf_visits"] - row["mean"] * row["visits"]
        return float(row["mean"] - later / row["more"])

    assert lost_by_waiting(best) > 4 * lost_by_waiting(rival) > 0
    assert right(SECOND, "flat", 30_000) > 0.9
    assert right(SECOND, "amaf", 30_000) < 0.05


def test_trees_get_over_it() -> None:
    for method in ("uct", "rave", "grave"):
        assert right(SECOND, method, 1000) > 0.99
    assert right(SECOND, "uct", 100) + 0.2 < right(SECOND, "rave", 100)
    assert right(SECOND, "rave", 100) < right(SECOND, "grave", 100)
