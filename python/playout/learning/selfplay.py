"""Positions from self-play, chunk by chunk: each is a pure function of its place in the plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mcts_core.evaluation.patterns import POINTS
from mcts_core.evaluator import Evaluator
from mcts_core.minimax.selfplay import SelfPlay
from mcts_core.position import Position
from playout.games import game_of
from playout.learning.recipe import Facts, Play, Recipe, Table
from playout.learning.weights import Arrays


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """What it takes to play one chunk, on any machine."""

    start: Position
    recipe: Recipe
    play: Play
    weights: tuple[Facts, Arrays] | None
    """Of the evaluation that plays; None: the first generation."""
    seed: int
    generation: int
    number: int
    size: int

    def played(self) -> Table:
        """The planes, scores and results of its positions."""
        play, game = self.play, game_of(self.start)
        games = SelfPlay(
            self.start,
            self.evaluator(),
            play.nodes,
            play.plies,
            endgame=game.endgame if play.men and game is not None else None,
            men=play.men,
            points=POINTS,
        )
        seed = np.random.SeedSequence(self.seed)
        own, enemy, score, result = games.fill(seed, self.generation, self.number, self.size)
        return {"own": own, "enemy": enemy, "score": score, "result": result}

    def evaluator(self) -> Evaluator:
        """What plays."""
        if self.weights is None:
            return self.recipe.first(self.start)
        return self.recipe.learned.compiled(self.start, *self.weights)


def play(chunk: Chunk) -> Table:
    """Play a chunk: a function, so that any executor can call it."""
    return chunk.played()
