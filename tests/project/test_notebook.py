"""The notebook runs from top to bottom, and its text is true.

Every number in bold must be printed by a cell beside it. The claims are tested here again.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import playout as po

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("notebook")]

NOTEBOOK = Path(__file__).parents[2] / "examples" / "from_flat_to_grave.ipynb"
# Another process, because warnings of Jupyter would fail these tests.
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], 4)
NotebookClient(notebook, timeout=100, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""

FIRST = ".bbbb/b.wb./b.bbw/w..ww/wwww. b"
SECOND = "bbbbb/b.bbw/..bb./wwwww/www.w b"
WINS = {FIRST: "b5c4", SECOND: "d5e4"}
SEEDS = 500


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The cells after a run. An exception in a cell fails with its traceback."""
    done = tmp_path_factory.mktemp("notebook") / "done.ipynb"
    ran = subprocess.run(
        [sys.executable, "-c", EXECUTE, NOTEBOOK, done], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    return list(json.loads(done.read_text(encoding="utf-8"))["cells"])


def printed(cell: dict[str, Any]) -> str:
    outputs = cell.get("outputs", [])
    return "".join("".join(output.get("text", "")) for output in outputs)


def figures(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w.])[+-]?\d+(?:\.\d+)?", text))


def test_every_figure_of_the_text_is_printed_by_a_cell_beside_it(
    cells: list[dict[str, Any]],
) -> None:
    found = 0
    for index, cell in enumerate(cells):
        if cell["cell_type"] != "markdown":
            continue
        bold = set(re.findall(r"\*\*([+-]?[\d.]+)\*\*", "".join(cell["source"])))
        codes = [other for other in cells[:index] if other["cell_type"] == "code"][-2:]
        assert bold <= figures(" ".join(map(printed, codes))), "".join(cell["source"])
        found += len(bold)
    assert found > 30


def test_pictures_are_shown(cells: list[dict[str, Any]]) -> None:
    kinds = [kind for cell in cells for o in cell.get("outputs", []) for kind in o.get("data", ())]
    assert kinds.count("image/svg+xml") == 2  # the positions
    assert kinds.count("text/html") == 3  # two results and a tree


def test_it_is_kept_without_outputs() -> None:
    """Otherwise every run would change the file."""
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        assert cell["cell_type"] == "markdown" or cell["outputs"] == []
        assert cell.get("execution_count") is None


# The claims


@cache
def right(fen: str, method: str, playouts: int) -> float:
    """The share of searches that choose the winning move."""
    position = po.Breakthrough.from_fen(fen)
    found = [po.search(position, method, playouts=playouts, seed=s).move for s in range(SEEDS)]
    return found.count(WINS[fen]) / SEEDS


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
    for playouts in (100, 300, 1000, 3000):
        assert right(FIRST, "flat", playouts) < right(FIRST, "amaf", playouts)
        assert right(FIRST, "flat", playouts) < right(FIRST, "ucb", playouts)
    assert right(FIRST, "amaf", 1000) == pytest.approx(right(FIRST, "flat", 3000), abs=0.02)


def test_trees_with_amaf_need_the_fewest_games_in_the_first_position() -> None:
    assert right(FIRST, "uct", 100) < right(FIRST, "rave", 100) < right(FIRST, "grave", 100)
    assert min(right(FIRST, method, 3000) for method in ("uct", "rave", "grave")) > 0.9


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
    assert right(SECOND, "rave", 30) < right(SECOND, "flat", 30)
    for method in ("uct", "rave", "grave"):
        assert right(SECOND, method, 300) > 0.9
    assert right(SECOND, "uct", 100) + 0.2 < right(SECOND, "rave", 100)
    assert right(SECOND, "rave", 100) < right(SECOND, "grave", 100)
