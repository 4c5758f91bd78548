"""Random positions, for training and for tests."""

from __future__ import annotations

from mcts_core.errors import BadPosition, shown
from mcts_core.position import Position
from mcts_core.rng import SFC64, known_seed
from playout.arguments import MOST, AnySeed, whole_number
from playout.task import PythonGame, searchable

MOST_TRIES = 1000  # random games that may end too early, for one position


def random_positions(
    game: Position | PythonGame,
    n: int,
    *,
    plies: int | tuple[int, int],
    seed: AnySeed | None = None,
) -> list[Position]:
    """Return `n` positions after random moves from a position. None of them is over.

    `plies` is the number of moves, or a pair: then each position draws its own number from this
    range, both ends included. A game that ends before is replaced by another with as many moves.
    The positions have no history. Position number i depends only on `game`, `plies`, the seed and
    i, so a longer list begins with the shorter one.

    >>> import playout as po
    >>> positions = po.random_positions(po.Othello(), 1000, plies=(8, 50), seed=1)
    >>> po.stack(positions).shape
    (1000, 2, 8, 8)
    """
    start = searchable(game).copy(past=False)
    n = whole_number("n", n, 0, MOST)
    least, most = _range(plies)
    known = known_seed(seed)
    return [_drawn(start, least, most, SFC64(known, position=i)) for i in range(n)]


def _range(plies: int | tuple[int, int]) -> tuple[int, int]:
    """The least and the highest number of moves."""
    pair = (plies, plies) if not isinstance(plies, (tuple, list)) else tuple(plies)
    if len(pair) != 2:
        raise ValueError(f"plies must be a number or a pair such as (8, 50), not {shown(plies)}")
    least, most = (whole_number("plies", value, 0, 2**20) for value in pair)
    if least > most:
        raise ValueError(f"plies must be a pair with the lower number first, not {shown(plies)}")
    return least, most


def _drawn(start: Position, least: int, most: int, rng: SFC64) -> Position:
    """A position after a number of random moves."""
    plies = least + rng.below(most - least + 1)
    for _ in range(MOST_TRIES):
        position = start.copy()
        for _ in range(plies):
            choices = len(position.legal_moves)
            if not choices:
                break
            position.push_index(rng.below(choices))
        if not position.is_over:
            return position.copy(past=False)
    raise BadPosition(
        f"{MOST_TRIES} random games ended before move {plies} or with it: ask for fewer plies"
    )
