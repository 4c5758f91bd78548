"""`po.learn`: an evaluation from nothing, by self-play, in generations."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mcts_core.errors import BadMethod, BadPosition, shown
from mcts_core.evaluation.net import BLOCK
from mcts_core.position import Position
from playout.arguments import number, one_of, whole_number
from playout.games import Game, game_of, size_of, size_text, usual_start
from playout.learning import weights
from playout.learning.learned import Learned
from playout.learning.net import Net
from playout.learning.net_recipe import NetRecipe
from playout.learning.pattern_recipe import PatternRecipe
from playout.learning.patterns import Patterns
from playout.learning.recipe import Lesson, Recipe, Table
from playout.learning.selfplay import Chunk, play
from playout.learning.training import Shape

POSITIONS_A_MINUTE = 300_000  # what a core of 2022 plays at 1,000 nodes a move, and trains on
CHUNK = 10_000  # positions that are played at a time: about a second at 1,000 nodes a move
GENERATIONS = 8
RECENT = 3  # generations whose games a network learns from: its own and those just before
EPOCHS = 20
KINDS: dict[str, type[Learned]] = {kind.kind: kind for kind in (Net, Patterns)}
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
    kind: str
    hidden: int  # units of a network
    epochs: int

    def command(self, minutes: float) -> str:
        """The command that learns the same."""
        name = f"playout learn {self.game} --size {size_text(self.size)} --minutes {minutes!r}"
        shape = f" --hidden {self.hidden}" if self.kind == "net" else ""
        count = "" if self.generations == GENERATIONS else f" --generations {self.generations}"
        return f"{name} --kind {self.kind}{shape}{count} --nodes {self.nodes} --seed {self.seed}"

    def recipe(self, game: Game) -> Recipe:
        """How its kind of evaluation is learned."""
        if self.kind == "patterns":
            return PatternRecipe()
        return NetRecipe(Shape(hidden=self.hidden, most_men=game.most_men(self.size)))


def learn(
    position: Position,
    *,
    out: str | os.PathLike[str],
    minutes: float = 10.0,
    seed: int = 1,
    nodes: int = 1000,
    kind: str | None = None,
    generations: int | None = None,
    hidden: int = 32,
    threads: int | None = None,
    executor: Executor | None = None,
    heard: Heard | None = None,
) -> Learned:
    """Learn an evaluation of the game and board of a position, from nothing.

    Alpha-beta plays games against itself from random openings, with `nodes` nodes a move. The
    evaluation learns to predict results and scores of searches, and plays the next generation's
    games. The weights are written to the file `out`; what is played and learned on the way goes to
    a folder beside it, from which an interrupted run continues.

    `kind` is "net", a small network of `hidden` units, or "patterns", for games whose boards may be
    turned, such as Othello, where it is the default. A run has 8 `generations` by default.

    `minutes` is the time that one core of today takes, more or less: it is translated into a number
    of positions, so that a run with the same seed gives the same weights on a machine, however
    many threads or workers of `executor` share the games.

    >>> import playout as po
    >>> net = po.learn(po.Breakthrough(5), out="small.net", minutes=0)
    Traceback (most recent call last):
    ValueError: minutes must be a number above 0, not 0
    """
    start = usual_start(position) if game_of(position) is not None else position
    plan = plan_for(start, minutes, seed, nodes, hidden, kind, generations)
    return Run(start, plan, Path(out), minutes, heard or _silent).all(executor, threads)


def plan_for(
    start: Position,
    minutes: float,
    seed: int,
    nodes: int,
    hidden: int,
    kind: str | None = None,
    generations: int | None = None,
) -> Plan:
    """The plan of a run, its arguments checked."""
    game = game_of(start)
    if game is None:
        raise BadPosition(
            f"learning is for games of this package, and {type(start).__name__} is not one of them"
        )
    kind = kind_for(game, kind)
    hidden = whole_number("hidden", hidden, BLOCK, 256)
    if hidden % BLOCK:
        raise BadMethod(f"hidden must be a multiple of {BLOCK}, not {hidden}")
    nodes = whole_number("nodes", nodes, 10, 10**9)
    generations = whole_number("generations", generations or GENERATIONS, 1, 100)
    share = min(1.0, 1000 / nodes)  # of the positions, for searches that take longer
    positions = number("minutes", minutes, 0.0, above=True) * POSITIONS_A_MINUTE * share
    chunk = max(100, round(CHUNK * share))
    return Plan(
        game=game.name,
        size=size_of(start),
        seed=whole_number("seed", seed, 0, 2**63),
        generations=generations,
        chunks=max(1, round(positions / generations / chunk)),
        chunk=chunk,
        nodes=nodes,
        kind=kind,
        hidden=hidden,
        epochs=EPOCHS,
    )


def kind_for(game: Game, kind: str | None) -> str:
    """What is learned for a game: this kind, or the one that plays best."""
    if kind is None:
        return "patterns" if game.turns else "net"
    if one_of("kind", kind, list(KINDS)) == "patterns" and not game.turns:
        raise BadMethod(f"there are no patterns for {game.title}: its boards cannot be turned")
    return kind


def usual_file(position: Position, kind: str | None) -> Path:
    """The file that the command line writes, if none is named."""
    game = game_of(position)
    assert game is not None
    suffix = KINDS[kind_for(game, kind)].suffix
    return Path(f"{game.name}-{size_text(size_of(position))}{suffix}")


class Run:
    """A run of a plan: its files, and what remains to be done."""

    def __init__(
        self, start: Position, plan: Plan, out: Path, minutes: float, heard: Heard
    ) -> None:
        self.start, self.plan, self.out, self.minutes, self.heard = start, plan, out, minutes, heard
        game = game_of(start)
        assert game is not None
        self.recipe = plan.recipe(game)
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

    def all(self, executor: Executor | None, threads: int | None) -> Learned:
        """All generations. What is there already is not done again."""
        if executor is not None:
            return self.generations(executor)
        with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
            return self.generations(pool)

    def generations(self, executor: Executor) -> Learned:
        """Play and train, generation by generation."""
        for generation in range(self.plan.generations):
            if not self.learned_file(generation).exists():
                self.play(generation, executor)
                self.train(generation)
        last = self.learned(self.plan.generations - 1)
        weights.write(self.out, last.kind, last.facts, last.arrays)
        return self.recipe.learned(self.out)

    def learned(self, generation: int) -> Learned:
        """What a generation has learned."""
        return self.recipe.learned(self.learned_file(generation))

    # Playing

    def play(self, generation: int, executor: Executor) -> None:
        """Play the chunks that are missing, and store each as soon as it is there."""
        missing = [
            n for n in range(self.plan.chunks) if not self.chunk_file(generation, n).exists()
        ]
        before = None if generation == 0 else self.learned(generation - 1)
        futures: dict[Future[Table], int] = {}
        try:
            for n in missing:
                futures[executor.submit(play, self.chunk(generation, n, before))] = n
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

    def chunk(self, generation: int, n: int, before: Learned | None) -> Chunk:
        """What it takes to play a chunk of a generation."""
        plan = self.plan
        return Chunk(
            start=self.start,
            recipe=self.recipe,
            play=self.recipe.play(self.start, plan.nodes, generation),
            weights=None if before is None else (before.facts, before.arrays),
            seed=plan.seed,
            generation=generation,
            number=n,
            size=plan.chunk,
        )

    def chunk_file(self, generation: int, n: int) -> Path:
        """Where a chunk is stored."""
        return self.folder / f"games-{generation}-{n:04}.npz"

    def learned_file(self, generation: int) -> Path:
        """Where the weights of a generation are stored."""
        return self.folder / f"generation-{generation}{self.recipe.learned.suffix}"

    @staticmethod
    def store(path: Path, rows: Table) -> None:
        """Write a chunk, whole or not at all."""
        draft = path.with_suffix(".part.npz")
        np.savez_compressed(draft, **rows)  # type: ignore[arg-type]
        draft.replace(path)

    # Training

    def train(self, generation: int) -> None:
        """Learn from the games of this generation and of those just before."""
        plan = self.plan

        def heard(epoch: int, error: float) -> None:
            self.tell(generation, "training", epoch, plan.epochs, error)

        facts, arrays, error = self.recipe.fit(
            Lesson(
                start=self.start,
                tables=self.tables(generation),
                share=SCORE_SHARE if generation else 0.0,
                before=self.learned(generation - 1) if generation else None,
                epochs=plan.epochs,
                seed=np.random.SeedSequence([plan.seed, generation]),
                heard=heard,
            )
        )
        path, facts = self.learned_file(generation), self.facts(facts, generation, error)
        kind = self.recipe.learned.kind
        weights.write(path, kind, facts, arrays, effort=1)  # the last one is written again, smaller

    def tables(self, generation: int) -> list[Table]:
        """The games to learn from. The first generation's games serve the first alone."""
        oldest = max(generation - RECENT + 1, min(generation, 1))
        return [
            self.load(g, n) for g in range(oldest, generation + 1) for n in range(self.plan.chunks)
        ]

    def load(self, generation: int, n: int) -> Table:
        """A stored chunk."""
        with np.load(self.chunk_file(generation, n)) as stored:
            return dict(stored)

    def facts(self, found: dict[str, Any], generation: int, error: float) -> dict[str, Any]:
        """What the file says of its weights."""
        return {
            "game": self.plan.game,
            "size": list(self.plan.size),
            **found,
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


def _silent(progress: Progress) -> None:
    pass
