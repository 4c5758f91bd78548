"""Patterns: the same integers as the twin's, symmetries, learning, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playout as po
from mcts_core import built_levels
from mcts_core.cpu import supported
from mcts_core.evaluation.pattern_fit import descend
from mcts_core.evaluation.patterns import LANES
from mcts_core.evaluation.patterns import Patterns as Compiled
from playout.learning import learn as learning
from playout.learning import weights
from playout.learning.patterns import layout_of, square_kinds
from playout.learning.symmetries import square_symmetries
from support.helpers import run_python

SIZES = (4, 6, 8)

# Instances of one square, in vectors that are full or not. The first weight is the least number of
# 16 bits, the last one the largest.
SUMS = """
import numpy as np
import playout as po
from mcts_core.evaluation.patterns import LANES, Patterns

choice = np.random.default_rng(1)
positions = po.random_positions(po.Othello(), 100, plies=(0, 50), seed=1)
boards = [["-XO".index(man) for man in position.fen[:64]] for position in positions]
for n in (1, 7, 8, 17, LANES - 1, LANES):
    squares = choice.integers(0, 64, n)
    weights = choice.integers(-200, 200, (3, 3 * n)).astype(np.int16)
    weights[:, 0], weights[:, -1] = -(2**15), 2**15 - 1
    instances = [(3 * i, [int(square)]) for i, square in enumerate(squares)]
    patterns = Patterns(po.Othello(), instances, weights, np.arange(3, dtype=np.int32), 64, 500.0)
    for position, board, score in zip(positions, boards, patterns.scores(positions)):
        phase = (64 - board.count(0) - 1) * 3 // 64
        digits = [(3 - man) % 3 if position.turn else man for man in (board[s] for s in squares)]
        found = phase + sum(int(weights[phase, 3 * i + digit]) for i, digit in enumerate(digits))
        assert score == max(-25_000, min(25_000, found)), (n, position)
print("equal")
"""


def random_patterns(
    folder: Path, start: po.Position, kinds: list[list[int]], seed: int = 1
) -> po.Patterns:
    """A file with random weights, in three phases."""
    choice = np.random.default_rng(seed)
    layout = layout_of(start, tuple(map(tuple, kinds)))
    arrays = {
        "weights": choice.integers(-300, 300, (3, layout.n_tied)).astype(np.int16),
        "biases": choice.integers(-300, 300, 3).astype(np.int32),
    }
    game = "othello" if isinstance(start, po.Othello) else "breakthrough"
    size = [len(start.board.rows), len(start.board.rows[0])]
    facts = {"game": game, "size": size, "most_men": 64, "kinds": kinds, "scale": 500.0}
    path = folder / f"{game}-{seed}.pat"
    weights.write(path, "patterns", facts, arrays, effort=1)
    return po.Patterns(path)


def usual(size: int) -> list[list[int]]:
    return [list(kind) for kind in square_kinds((size, size))]


def games(start: po.Position, n: int) -> list[po.Position]:
    """All positions of some random games."""
    found = []
    for seed in range(n):
        position = start.copy()
        for move in po.playout(start, seed=seed).moves:
            found.append(position.copy())
            position.push(move)
    return found


@pytest.mark.parametrize("size", SIZES)
def test_same_integers_as_the_twin(size: int, tmp_path: Path) -> None:
    start = po.Othello(size)
    learned = random_patterns(tmp_path, start, usual(size))
    twin = po.reference.patterns.Patterns(str(learned.path))
    for position in games(start, 3):
        expected = twin.score(po.reference.position(position))
        assert po.evaluate(position, learned) == expected


@pytest.mark.parametrize("level", [level for level in supported() if level in built_levels])
def test_sums_are_the_same_at_every_level(level: str) -> None:
    run = run_python(SUMS, PLAYOUT_CPU=level)
    assert run.stdout == "equal\n", run.stderr


def test_a_game_that_cannot_be_turned(tmp_path: Path) -> None:
    """Breakthrough has one mirror image, and each square may hold either side's man."""
    start = po.Breakthrough(5, 4)
    kinds = [[0, 1, 2, 3], [4, 8, 12], [5, 6, 9, 10]]
    learned = random_patterns(tmp_path, start, kinds)
    assert len(layout_of(start, tuple(map(tuple, kinds))).instances) == 1 + 2 + 1
    twin = po.reference.patterns.Patterns(str(learned.path))
    for position in games(start, 10):
        expected = twin.score(po.reference.position(position))
        assert po.evaluate(position, learned) == expected


def test_images_of_a_position_are_worth_the_same(tmp_path: Path) -> None:
    start = po.Othello()
    learned = random_patterns(tmp_path, start, usual(8))
    for position in games(start, 3)[::7]:
        discs, side = position.fen.split()
        for goes in square_symmetries(start):
            image = po.Othello.from_fen("".join(discs[i] for i in goes) + " " + side)
            if not image.is_over:
                assert po.evaluate(image, learned) == po.evaluate(position, learned)


def test_the_usual_kinds_cover_the_board() -> None:
    layout = layout_of(po.Othello(), square_kinds((8, 8)))
    assert len(layout.instances) <= LANES
    assert {bit for _, bits in layout.instances for bit in bits} == set(range(64))
    assert layout.n_tied == layout.tied.max() + 1 < len(layout.tied)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_plain_search_equals_the_twin(depth: int, tmp_path: Path) -> None:
    start = po.Othello(6)
    learned = random_patterns(tmp_path, start, usual(6))
    scale = learned.evaluator(start).scale
    method = po.AlphaBeta(depth=depth, evaluation=learned, selective=False)
    for position in games(start, 2)[4:24:3]:
        twin = po.reference.alpha_beta(position, depth, str(learned.path))
        found = po.search(position, method)
        if abs(twin.value) <= 25_000:
            assert found.value == pytest.approx(1.0 / (1.0 + np.exp(-twin.value / scale)))
        else:
            assert found.moves[0]["proven"] == (1.0 if twin.value > 0 else 0.0)


def test_proven_results_are_those_of_the_solver(tmp_path: Path) -> None:
    """With few empty squares a selective search proves the result, and the solver agrees."""
    learned = random_patterns(tmp_path, po.Othello(), usual(8))
    proven = 0
    for seed in range(12):
        position = po.Othello()
        for move in po.playout(position, seed=seed).moves[:-11]:
            position.push(move)
        found = po.search(position, po.AlphaBeta(evaluation=learned), nodes=300_000)
        exact = po.solve(position)
        outcome = found.moves[0]["proven"]
        if not np.isnan(outcome):
            proven += 1
            assert outcome == (np.sign(exact.score) + 1) / 2
        elif found.reason == "depth":
            assert exact.score == 0
    assert proven >= 8


def test_a_planted_table_is_learned() -> None:
    """Labels from known patterns are predicted better and better."""
    start = po.Othello()
    layout = layout_of(start, ((0, 1, 2, 3, 4, 5, 6, 7), (0, 9, 18, 27)))
    choice = np.random.default_rng(1)
    truth = choice.normal(0.0, 1.0, layout.n_tied).astype(np.float32)
    table = np.zeros((1, len(layout.tied)), np.int16)
    shape = layout.compiled(start, table, np.zeros(1, np.int32), 64, 500.0)
    words = choice.integers(0, 1 << 63, (2, 4000), dtype=np.uint64)
    own, enemy = words[0] & words[1], words[0] & ~words[1]
    _, indices = shape.indices(own, enemy)
    labels = truth[layout.tied[indices]].sum(axis=1)
    found, squares = np.zeros(layout.n_tied, np.float32), np.ones(layout.n_tied, np.float32)
    order = np.arange(4000, dtype=np.int32)
    errors = [
        descend(shape, layout.tied, found, squares, 0.0, own, enemy, labels, order, 0.3)[1]
        for _ in range(40)
    ]
    assert errors[-1] < 0.05 * errors[0]


@pytest.fixture
def short_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "CHUNK", 1000)
    monkeypatch.setattr(learning, "GENERATIONS", 2)
    monkeypatch.setattr(learning, "EPOCHS", 5)


@pytest.mark.slow
@pytest.mark.usefixtures("short_runs")
def test_learning_is_repeatable_and_beats_hand_made_weights(tmp_path: Path) -> None:
    options: dict[str, Any] = {"minutes": 0.06, "nodes": 100}
    learned = po.learn(po.Othello(), out=tmp_path / "a.pat", threads=1, **options)
    again = po.learn(po.Othello(), out=tmp_path / "b.pat", threads=2, **options)
    assert isinstance(learned, po.Patterns)
    for name, array in learned.arrays.items():
        assert (array == again.arrays[name]).all()
    assert learned.facts == again.facts
    assert learned.facts["command"].startswith("playout learn othello --size 8x8 ")
    match = po.match(
        po.AlphaBeta(depth=2, evaluation=learned),
        po.AlphaBeta(depth=2, evaluation="weights"),
        game=po.Othello(),
        games=20,
        seed=1,
    )
    assert match.score > 0.6


@pytest.mark.slow
def test_two_minutes_beat_washington(tmp_path: Path) -> None:
    """At equal depth, with one look ahead and with several."""
    learned = po.learn(po.Othello(), out=tmp_path / "short.pat", minutes=2)
    for depth in (1, 4):
        match = po.match(
            po.AlphaBeta(depth=depth, evaluation=learned),
            po.AlphaBeta(depth=depth, evaluation="washington"),
            game=po.Othello(),
            games=40,
            seed=1,
        )
        assert match.score > 0.6, match


FAULTS: list[tuple[dict[str, object], str]] = [
    ({"kinds": []}, "kinds of its patterns"),
    ({"kinds": [[0, 0]]}, "does not fit its board"),
    ({"kinds": [[64]]}, "does not fit its board"),
    ({"kinds": [list(range(11))]}, "does not fit its board"),
    ({"kinds": [["a"]]}, "does not fit its board"),
    ({"kinds": 65 * [[0]]}, "does not fit its board"),
    ({"scale": 0}, "no scale"),
    ({"scale": "big"}, "no scale"),
    ({"game": "chess"}, "not known"),
    ({"most_men": 3}, "fewer men"),
]


@pytest.mark.parametrize(("facts", "says"), FAULTS)
def test_files_that_hold_no_patterns_are_refused(
    facts: dict[str, object], says: str, tmp_path: Path
) -> None:
    learned = random_patterns(tmp_path, po.Othello(), usual(8))
    path = tmp_path / "x.pat"
    weights.write(path, "patterns", {**learned.facts, **facts}, learned.arrays, effort=1)
    with pytest.raises(po.BadMethod, match=says):
        po.Patterns(path)


def test_weights_for_other_kinds_are_refused(tmp_path: Path) -> None:
    learned = random_patterns(tmp_path, po.Othello(), usual(8))
    path = tmp_path / "x.pat"
    weights.write(path, "patterns", {**learned.facts, "kinds": [[0, 1]]}, learned.arrays)
    with pytest.raises(po.BadMethod, match="weights a phase"):
        po.evaluate(po.Othello(), po.Patterns(path))


def test_damage_is_refused(tmp_path: Path) -> None:
    data = bytearray(Path(random_patterns(tmp_path, po.Othello(4), usual(4)).path).read_bytes())
    choice = np.random.default_rng(1)
    path = tmp_path / "x.pat"
    for place in choice.integers(0, len(data), 60):
        damaged = bytearray(data)
        damaged[place] ^= 1 << int(choice.integers(8))
        path.write_bytes(damaged)
        with pytest.raises(po.BadMethod):
            po.Patterns(path)


def test_what_would_read_outside_never_reaches_c() -> None:
    table, biases = np.zeros((2, 100), np.int16), np.zeros(2, np.int32)
    start = po.Othello()
    for instances in ([], [(0, [64])], [(0, [-1])], [(92, [0, 1])], [(-1, [0])], [(0, [1, 1])],
                      [(0, list(range(11)))], [(0, [])], (LANES + 1) * [(0, [0])]):  # fmt: skip
        with pytest.raises(po.BadMethod):
            Compiled(start, instances, table, biases, 64, 500.0)
    with pytest.raises(po.BadMethod, match="do not fit together"):
        Compiled(start, [(0, [0])], table, np.zeros(3, np.int32), 64, 500.0)
    good = Compiled(start, [(0, [0])], table, biases, 64, 500.0)
    assert good.score(start) == 0
    flat = [np.zeros(100, np.int32), np.zeros(1, np.float32), np.zeros(1, np.float32)]
    boards = [np.zeros(2, np.uint64), np.zeros(2, np.uint64), np.zeros(2, np.float32)]
    order = np.array([0, 2], np.int32)
    with pytest.raises(po.BadMethod, match="do not fit together"):
        descend(good, *flat, 0.0, *boards, order, 0.1)
    with pytest.raises(po.BadMethod, match="flat arrays"):
        descend(good, *flat, 0.0, *boards, order.astype(np.int64), 0.1)


def test_only_boards_that_turn_learn_patterns(tmp_path: Path) -> None:
    with pytest.raises(po.BadMethod, match="no patterns for Breakthrough"):
        po.learn(po.Breakthrough(5), out=tmp_path / "x.pat", kind="patterns")
    with pytest.raises(po.BadMethod, match="is for othello 8x8"):
        po.evaluate(po.Othello(6), random_patterns(tmp_path, po.Othello(), usual(8)))
