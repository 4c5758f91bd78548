"""`po.learn`: an evaluation from nothing, by self-play, in generations."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import BadMethod, BadPosition, shown
from mcts_core.evaluation.net import BLOCK, squares_of
from mcts_core.position import Position
from playout.arguments import number, whole_number
from playout.games import Game, game_of, size_of, size_text, usual_start
from playout.learning import weights
from playout.learning.net import Net, by_square
from playout.learning.selfplay import Chunk, Table, examples_of, play
from playout.learning.training import Examples, Shape, train

POSITIONS_A_MINUTE = 300_000  # what a core of 2022 plays at 1,000 nodes a move, and trains on
CHUNK = 10_000  # positions that are played at a time: about a second at 1,000 nodes a move
GENERATIONS = 8
RECENT = 3  # generations whose games a network learns from: its own and those just before
EPOCHS = 20
SCORE_SHARE = 0.5  # of a label, from the second generation on; the rest is the game's result


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far learning is: positions played, or epochs trained, of a generation."""

    generation: int
    generations: int
    phase: str  # "playing" or "training"
    done: int
    total: int
    error: float  # on positions that were not trained on; nan while playing


Heard = Callable[[Progress], None]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """All that determines what is learned. The same plan gives the same weights on a machine."""

    game: str
    size: tuple[int, int]
    seed: int
    generations: int
    chunks: int  # of a generation
    chunk: int  # positions in each
    nodes: int  # of a search in self-play
    plies: tuple[int, int]  # random moves of an opening: the least and the most
    hidden: int
    epochs: int

    def command(self, minutes: float) -> str:
        """The command that learns the same."""
        name = f"playout learn {self.game} --size {size_text(self.size)} --minutes {minutes!r}"
        return f"{name} --hidden {self.hidden} --nodes {self.nodes} --seed {self.seed}"


def learn(
    position: Position,
    *,
    out: str | os.PathLike[str],
    minutes: float = 10.0,
    seed: int = 1,
    nodes: int = 1000,
    hidden: int = 32,
    threads: int | None = None,
    executor: Executor | None = None,
    heard: Heard | None = None,
) -> Net:
    """Learn an evaluation of the game and board of a position, from nothing.

    Alpha-beta plays games against itself from random openings, with `nodes` nodes a move. A network
    learns to predict results and scores of searches, and plays the next generation's games. The
    weights are written to the file `out`; what is played and learned on the way goes to a folder
    beside it, from which an interrupted run continues.

    `minutes` is the time that one core of today takes, more or less: it is translated into a number
    of positions, so that a run with the same seed gives the same weights on a machine, however
    many threads or workers of `executor` share the games.
    """
    start = usual_start(position) if game_of(position) is not None else position
    plan = plan_for(start, minutes, seed, nodes, hidden)
    return Run(start, plan, Path(out), minutes, heard or _silent).all(executor, threads)


def plan_for(start: Position, minutes: float, seed: int, nodes: int, hidden: int) -> Plan:
    """The plan of a run, its arguments checked."""
    game = game_of(start)
    if game is None:
        raise BadPosition(
            f"learning is for games of this package, and {type(start).__name__} is not one of them"
        )
    hidden = whole_number("hidden", hidden, BLOCK, 256)
    if hidden % BLOCK:
        raise BadMethod(f"hidden must be a multiple of {BLOCK}, not {hidden}")
    nodes = whole_number("nodes", nodes, 10, 10**9)
    share = min(1.0, 1000 / nodes)  # of the positions, for searches that take longer
    positions = number("minutes", minutes, 0.0, above=True) * POSITIONS_A_MINUTE * share
    chunk = max(100, round(CHUNK * share))
    rows = size_of(start)[0]
    return Plan(
        game=game.name,
        size=size_of(start),
        seed=whole_number("seed", seed, 0, 2**63),
        generations=GENERATIONS,
        chunks=max(1, round(positions / GENERATIONS / chunk)),
        chunk=chunk,
        nodes=nodes,
        plies=(rows // 2, 2 * rows),
        hidden=hidden,
        epochs=EPOCHS,
    )


class Run:
    """A run of a plan: its files, and what remains to be done."""

    def __init__(
        self, start: Position, plan: Plan, out: Path, minutes: float, heard: Heard
    ) -> None:
        self.start, self.plan, self.out, self.minutes, self.heard = start, plan, out, minutes, heard
        game = game_of(start)
        assert game is not None
        self.game: Game = game
        self.shape = Shape(hidden=plan.hidden, most_men=game.most_men(plan.size))
        self.folder = out.with_name(f"{out.name}.run")
        self.open_folder()

    def open_folder(self) -> None:
        """Make the folder, or refuse one of another plan."""
        text = json.dumps(asdict(self.plan))
        plan = self.folder / "plan.json"
        self.folder.mkdir(parents=True, exist_ok=True)
        if not plan.exists():
            draft = plan.with_suffix(".part")
            draft.write_text(text)
            draft.replace(plan)
        elif plan.read_text() != text:
            raise BadMethod(
                f"{shown(str(self.folder))} belongs to a run with other settings: remove it, or "
                "give another file as out"
            )

    def all(self, executor: Executor | None, threads: int | None) -> Net:
        """All generations. What is there already is not done again."""
        if executor is not None:
            return self.generations(executor)
        with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
            return self.generations(pool)

    def generations(self, executor: Executor) -> Net:
        """Play and train, generation by generation."""
        for generation in range(self.plan.generations):
            if not self.net_file(generation).exists():
                self.play(generation, executor)
                self.train(generation)
        last = Net(self.net_file(self.plan.generations - 1))
        weights.write(self.out, "net", last.facts, last.arrays)
        return Net(self.out)

    # Playing

    def play(self, generation: int, executor: Executor) -> None:
        """Play the chunks that are missing, and store each as soon as it is there."""
        missing = [
            n for n in range(self.plan.chunks) if not self.chunk_file(generation, n).exists()
        ]
        arrays = None if generation == 0 else Net(self.net_file(generation - 1)).arrays
        futures: dict[Future[Table], int] = {}
        try:
            for n in missing:
                futures[executor.submit(play, self.chunk(generation, n, arrays))] = n
            for future in as_completed(futures):
                self.store(self.chunk_file(generation, futures[future]), future.result())
                done = self.plan.chunks - sum(not f.done() for f in futures)
                self.tell(
                    generation,
                    "playing",
                    self.plan.chunk * done,
                    self.plan.chunk * self.plan.chunks,
                )
        finally:
            for future in futures:
                future.cancel()

    def chunk(self, generation: int, n: int, arrays: weights.Arrays | None) -> Chunk:
        """What it takes to play a chunk of a generation."""
        plan = self.plan
        return Chunk(
            start=self.start,
            arrays=arrays,
            shape=self.shape,
            nodes=plan.nodes,
            plies=plan.plies,
            seed=plan.seed,
            generation=generation,
            number=n,
            size=plan.chunk,
        )

    def chunk_file(self, generation: int, n: int) -> Path:
        """Where a chunk is stored."""
        return self.folder / f"games-{generation}-{n:04}.npz"

    def net_file(self, generation: int) -> Path:
        """Where the network of a generation is stored."""
        return self.folder / f"generation-{generation}.net"

    @staticmethod
    def store(path: Path, rows: Table) -> None:
        """Write a chunk, whole or not at all."""
        draft = path.with_suffix(".part.npz")
        np.savez_compressed(draft, **rows)  # type: ignore[arg-type]
        draft.replace(path)

    # Training

    def train(self, generation: int) -> None:
        """Train on the games of this generation and of those just before."""
        plan = self.plan

        def heard(epoch: int, error: float) -> None:
            self.tell(generation, "training", epoch, plan.epochs, error)

        arrays, error = train(
            self.examples(generation),
            self.shape,
            symmetries_of(self.start),
            epochs=plan.epochs,
            seed=np.random.SeedSequence([plan.seed, generation]),
            heard=heard,
        )
        arrays["inputs"] = by_square(arrays["inputs"], self.start)
        weights.write(self.net_file(generation), "net", self.facts(generation, error), arrays)

    def examples(self, generation: int) -> Examples:
        """The positions to learn from. The first generation's games serve the first alone."""
        oldest = max(generation - RECENT + 1, min(generation, 1))
        parts = [
            examples_of(self.load(g, n), SCORE_SHARE if g else 0.0)
            for g in range(oldest, generation + 1)
            for n in range(self.plan.chunks)
        ]
        return Examples(
            own=np.concatenate([part.own for part in parts]),
            enemy=np.concatenate([part.enemy for part in parts]),
            label=np.concatenate([part.label for part in parts]),
        )

    def load(self, generation: int, n: int) -> Table:
        """A stored chunk."""
        with np.load(self.chunk_file(generation, n)) as stored:
            return dict(stored)

    def facts(self, generation: int, error: float) -> dict[str, Any]:
        """What the file says of its weights."""
        return {
            "game": self.plan.game,
            "size": list(self.plan.size),
            "most_men": self.shape.most_men,
            "generation": generation,
            "positions": self.plan.chunk * self.plan.chunks * (generation + 1),
            "error": round(error, 5),
            "command": shlex.join(shlex.split(self.plan.command(self.minutes))),
        }

    def tell(
        self, generation: int, phase: str, done: int, total: int, error: float = float("nan")
    ) -> None:
        """Report progress."""
        self.heard(
            Progress(
                generation=generation,
                generations=self.plan.generations,
                phase=phase,
                done=done,
                total=total,
                error=error,
            )
        )


def symmetries_of(position: Position) -> list[NDArray[np.intp]]:
    """The orders of a board's 64 bits in which a position is worth the same: as it is, mirrored."""
    return list(_symmetries(squares_of(position), size_of(position)[1]))


def _symmetries(squares: list[int], cols: int) -> Iterator[NDArray[np.intp]]:
    bit_of = {square: bit for bit, square in enumerate(squares) if square >= 0}
    yield np.arange(64)
    mirrored = list(range(64))
    for square, bit in bit_of.items():
        row, col = divmod(square, cols)
        mirrored[bit] = bit_of[row * cols + cols - 1 - col]
    yield np.array(mirrored)


def _silent(progress: Progress) -> None:
    pass
