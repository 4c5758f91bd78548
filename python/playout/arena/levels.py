"""Named levels of play, from beginner to the strongest search of the package."""

from __future__ import annotations

from mcts_core.position import Position
from playout.arena.players import Searching, You, player_from
from playout.evaluation import predicts_results

# Each level as `playout.player_from` reads it. `python benchmarks/ladder.py --levels` rates them.
WITH_EVALUATION = {
    "beginner": "UCT()@10",
    "novice": "UCT()@30",
    "casual": "UCT()@100",
    "regular": "UCT()@300",
    "club": "UCT()@1000",
    "strong": "UCT()@3000 guided solver",
    "expert": "AlphaBeta()@100n",
    "master": "AlphaBeta()@3000n",
    "grandmaster": "AlphaBeta()@50000n",
    "champion": "AlphaBeta()@1000000n",
}
WITHOUT = {
    "beginner": "UCT()@10",
    "novice": "UCT()@30",
    "casual": "UCT()@100",
    "regular": "UCT()@300",
    "club": "UCT()@1000",
    "strong": "UCT()@1000 guided solver",
    "expert": "UCT()@3000 guided solver",
    "master": "UCT()@10000 guided solver",
    "grandmaster": "UCT()@30000 guided solver",
    "champion": "UCT()@100000 guided solver",
}


def levels(position: Position) -> tuple[Searching, ...]:
    """Players from beginner to champion for the game and board of a position.

    Each is a player of matches, as `Searching` makes them. They are limited in playouts or nodes,
    so they play equally well on every machine. For the strongest without a limit use "best".

    >>> import playout as po
    >>> for level in po.levels(po.Breakthrough())[:4]:
    ...     print(level.name, "-", level)
    beginner - UCT()@10
    novice - UCT()@30
    casual - UCT()@100
    regular - UCT()@300
    >>> found = po.match(*po.levels(po.Breakthrough(5))[:3:2], games=10, seed=1, workers=1)
    """
    known = WITH_EVALUATION if predicts_results(position) else WITHOUT
    found = (player_from(text, label=name) for name, text in known.items())
    return tuple(player for player in found if not isinstance(player, You))
