"""Named levels of play, from beginner to the strongest search of the package.

`levels.json` has the levels of the boards that were calibrated, each about 100 Elo above the one
before: `python benchmarks/calibrate.py` writes it. Other boards have ten levels chosen by hand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from mcts_core.position import Position
from playout.arena.players import Searching, You, player_from
from playout.evaluation import predicts_results
from playout.games import board_text

RANKS = (
    "beginner",
    "novice",
    "casual",
    "regular",
    "club",
    "strong",
    "expert",
    "master",
    "grandmaster",
    "champion",
)
# For other boards, each level as `playout.player_from` reads it.
WITH_EVALUATION = (
    "UCT()@10",
    "UCT()@30",
    "UCT()@100",
    "UCT()@300",
    "UCT()@1000",
    "UCT()@3000 guided solver",
    "AlphaBeta()@100n",
    "AlphaBeta()@3000n",
    "AlphaBeta()@50000n",
    "AlphaBeta()@1000000n",
)
WITHOUT = (
    "UCT()@10",
    "UCT()@30",
    "UCT()@100",
    "UCT()@300",
    "UCT()@1000",
    "UCT()@1000 guided solver",
    "UCT()@3000 guided solver",
    "UCT()@10000 guided solver",
    "UCT()@30000 guided solver",
    "UCT()@100000 guided solver",
)


def levels(position: Position) -> tuple[Searching, ...]:
    """Players from beginner to champion for the game and board of a position.

    On a board whose levels were calibrated, each is about 100 Elo stronger than the one before.
    Such a board may have several levels of a rank, which are numbered: "club", "club 2", "club 3".
    Other boards have ten levels. [Ratings](strength.md#levels) of the levels are in the manual.
    Each level is a player of matches, as `Searching` makes them. They are limited in playouts or
    nodes, so they play equally well on every machine. For the strongest without a limit use "best".

    >>> import playout as po
    >>> found = po.levels(po.Breakthrough())
    >>> print(found[0].name, "-", found[0])
    beginner - UCT()@10
    >>> match = po.match(*po.levels(po.Breakthrough(5))[:3:2], games=10, seed=1, workers=1)
    """
    by_hand = WITH_EVALUATION if predicts_results(position) else WITHOUT
    players = _calibrated().get(board_text(position), by_hand)
    found = [
        player_from(text, label=name)
        for name, text in zip(names(len(players)), players, strict=True)
    ]
    return tuple(player for player in found if not isinstance(player, You))


def names(n: int) -> list[str]:
    """The names of n levels, at least ten: all ranks, each for about as many levels.

    >>> names(12)[:4], names(12)[-2:]
    (['beginner', 'beginner 2', 'novice', 'casual'], ['grandmaster', 'champion'])
    """
    ranks = [RANKS[i * len(RANKS) // n] for i in range(n)]
    places = [i - ranks.index(rank) + 1 for i, rank in enumerate(ranks)]
    return [rank if k == 1 else f"{rank} {k}" for rank, k in zip(ranks, places, strict=True)]


@cache
def _calibrated() -> dict[str, Sequence[str]]:
    """The levels of each board in `levels.json`."""
    found: dict[str, Sequence[str]] = json.loads(
        Path(__file__).with_name("levels.json").read_text()
    )
    return found
