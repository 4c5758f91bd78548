"""Training: gradients by differences, repeatable runs that continue, a network that has learned."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playout as po
from playout.learning import learn as learning
from playout.learning.learn import Progress
from playout.learning.learned import Learned
from playout.learning.net import by_square, compiled_net
from playout.learning.net_recipe import NetRecipe, examples_of
from playout.learning.recipe import Play
from playout.learning.selfplay import Chunk
from playout.learning.symmetries import symmetries_of
from playout.learning.training import Examples, Shape, Trainer, inputs_of, train

SHORT: dict[str, Any] = {"minutes": 0.02, "nodes": 50}


@pytest.fixture(autouse=True)
def short_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two generations of three chunks, and four epochs."""
    monkeypatch.setattr(learning, "CHUNK", 1000)
    monkeypatch.setattr(learning, "GENERATIONS", 2)
    monkeypatch.setattr(learning, "EPOCHS", 4)


def some_examples(n: int, seed: int = 1) -> Examples:
    choice = np.random.default_rng(seed)
    words = choice.integers(0, 1 << 63, (3, n), dtype=np.uint64)
    own, enemy = words[0] & words[1], words[0] & ~words[1] & words[2]
    return Examples(own=own, enemy=enemy, label=choice.random(n).astype(np.float32))


def test_gradients_are_those_of_the_loss() -> None:
    """A step of plain descent, against differences of the loss in each of some numbers."""
    trainer = Trainer(Shape(hidden=32, most_men=64), np.random.default_rng(1))
    examples = some_examples(64)
    found: list[Any] = []
    trainer.descend = lambda gradients, rate: found.extend(gradients)  # type: ignore[method-assign]
    trainer.step(inputs_of(examples), examples.label, 0.0)
    choice = np.random.default_rng(2)
    for parameter, gradient in zip(trainer.parameters, found, strict=True):
        for _ in range(8):
            index = tuple(choice.integers(0, parameter.shape))
            before, step, losses = parameter[index], 1e-2, []
            for sign in (1, -1):
                parameter[index] = before + sign * step
                losses.append(trainer.loss(examples))
            parameter[index] = before
            slope = (losses[0] - losses[1]) / (2 * step)
            assert gradient[index] == pytest.approx(slope, abs=2e-3)


def test_integers_say_what_the_floating_point_network_says() -> None:
    start = po.Breakthrough(5)
    shape = Shape(most_men=20)
    trainer = Trainer(shape, np.random.default_rng(1))
    arrays = trainer.arrays()
    arrays["inputs"] = by_square(arrays["inputs"], start)
    net = compiled_net(start, arrays, shape.most_men)
    rows = Chunk(
        start=start,
        recipe=NetRecipe(shape),
        play=Play(nodes=20, plies=(2, 8)),
        weights=None,
        seed=1,
        generation=0,
        number=0,
        size=500,
    ).played()
    outputs, _, _ = trainer.forward(inputs_of(examples_of(rows, 0.0)))
    position = start
    assert abs(net.score(position)) < 1000
    assert np.abs(outputs).max() < 10


def test_symmetries_mirror_the_board() -> None:
    same, mirrored = symmetries_of(po.Breakthrough(5, 4))
    assert (same == np.arange(64)).all()
    assert mirrored[:4].tolist() == [3, 2, 1, 0]
    assert mirrored[8:12].tolist() == [11, 10, 9, 8]
    _, mirrored = symmetries_of(po.ConnectFour(4, 5))
    assert mirrored[:4].tolist() == [20, 21, 22, 23]  # the first column, and the last
    assert sorted(mirrored) == list(range(64))


def test_what_can_be_learned_is_learned() -> None:
    """Who has more men wins: the error falls far below that of a guess."""
    examples = some_examples(20_000)
    own, enemy = (inputs_of(examples)[:, half].sum(axis=1) for half in (slice(64), slice(64, 128)))
    labelled = Examples(
        own=examples.own, enemy=examples.enemy, label=(own > enemy).astype(np.float32)
    )
    errors: list[float] = []
    train(
        labelled,
        Shape(most_men=64),
        [np.arange(64)],
        epochs=10,
        seed=np.random.SeedSequence(1),
        heard=lambda epoch, error: errors.append(error),
    )
    assert errors[-1] < 0.3 < np.log(2)


def test_chunks_are_pure_functions_of_the_plan() -> None:
    chunk = Chunk(
        start=po.ConnectFour(4, 4),
        recipe=NetRecipe(Shape(most_men=16)),
        play=Play(nodes=50, plies=(2, 6)),
        weights=None,
        seed=3,
        generation=0,
        number=5,
        size=300,
    )
    one, two = chunk.played(), chunk.played()
    for name in one:
        assert (one[name] == two[name]).all()
    assert set(one["result"]) <= {0, 1, 2}
    assert ((one["own"] & one["enemy"]) == 0).all()
    assert (np.abs(one["score"]) <= 25_000).all()


def learned(out: Path, **options: Any) -> Learned:
    return po.learn(po.Breakthrough(5), out=out, **{**SHORT, **options})


@pytest.mark.slow
def test_same_seed_same_weights_on_any_executor(tmp_path: Path) -> None:
    nets = [learned(tmp_path / "a.net", threads=1)]
    with ThreadPoolExecutor(2) as pool:
        nets.append(learned(tmp_path / "b.net", executor=pool))
    with ProcessPoolExecutor(1) as pool:
        nets.append(learned(tmp_path / "c.net", executor=pool))
    for net in nets[1:]:
        for name, array in net.arrays.items():
            assert (array == nets[0].arrays[name]).all()
        assert net.facts == nets[0].facts
    other = learned(tmp_path / "d.net", seed=2)
    assert (other.arrays["inputs"] != nets[0].arrays["inputs"]).any()


@pytest.mark.slow
def test_an_interrupted_run_continues(tmp_path: Path) -> None:
    """Interrupted at any report: what was there is not done again, and the weights are the same."""
    whole = learned(tmp_path / "whole.net")
    heard: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        heard.append(progress)
        if len(heard) in (1, 3, 9, 12):
            raise KeyboardInterrupt

    for _ in range(4):
        with pytest.raises(KeyboardInterrupt):
            learned(tmp_path / "x.net", heard=interrupt)
    parts = learned(tmp_path / "x.net", heard=interrupt)
    for name, array in parts.arrays.items():
        assert (array == whole.arrays[name]).all()
    again = len(heard)
    learned(tmp_path / "x.net", heard=interrupt)
    assert len(heard) == again  # nothing was left to do


def test_progress_tells_both_phases(tmp_path: Path) -> None:
    heard: list[Progress] = []
    learned(tmp_path / "x.net", heard=heard.append)
    assert {p.phase for p in heard} == {"playing", "training"}
    assert [p.done for p in heard if p.phase == "training"] == [1, 2, 3, 4] * 2
    assert {p.generation for p in heard} == {0, 1}


def test_longer_searches_give_fewer_positions() -> None:
    """Chunks get shorter too, so that Ctrl-C never waits long."""
    usual, longer = (learning.plan_for(po.Breakthrough(), 8.0, 1, n, 32) for n in (1000, 5000))
    assert longer.chunk == usual.chunk // 5
    assert longer.chunks == usual.chunks
    assert learning.plan_for(po.Breakthrough(), 8.0, 1, 50, 32).chunk == usual.chunk


def test_bad_input(tmp_path: Path) -> None:
    out = tmp_path / "x.net"
    with pytest.raises(ValueError, match="minutes must be"):
        po.learn(po.Breakthrough(4), out=out, minutes=0)
    with pytest.raises(po.BadMethod, match="multiple of 32"):
        po.learn(po.Breakthrough(4), out=out, hidden=40)
    with pytest.raises(ValueError, match="nodes must be"):
        po.learn(po.Breakthrough(4), out=out, nodes=1)
    with pytest.raises(po.BadPosition, match="games of this package"):
        po.learn("chess", out=out)  # type: ignore[arg-type]
    with pytest.raises(po.BadMethod, match="gave no position to learn from"):
        po.learn(po.Breakthrough(4), out=tmp_path / "y.net", minutes=0.02, nodes=1000)
    learned(out)
    with pytest.raises(po.BadMethod, match="other settings"):
        learned(out, seed=9)
