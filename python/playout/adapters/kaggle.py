"""Kaggle: an agent for its game ConnectX with four in a row, as a function or as a file to submit.

    from playout.adapters.kaggle import agent
    env.run([agent, "negamax"])

`submission()` is the text of a file that imports this package and defines `agent`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcts_core.errors import BadPosition
from mcts_core.games.connect_four import ConnectFour
from playout.searching import search

FILE = """from playout.adapters.kaggle import agent as play


def agent(observation, configuration):
    return play(observation, configuration)
"""
SHARE = 0.7  # of the time for a move; the rest is for the environment itself
SECONDS = 2.0  # for a move, if the environment does not tell


def agent(observation: Any, configuration: Any) -> int:
    """The column to play, from 0, for an observation of ConnectX."""
    seen, rules = _mapping(observation), _mapping(configuration)
    if int(rules.get("inarow", 4)) != 4:
        raise BadPosition(f"ConnectFour has four in a row, and this game {rules['inarow']}")
    position = position_of(seen["board"], int(seen["mark"]), int(rules["rows"]))
    seconds = SHARE * float(rules.get("actTimeout", SECONDS))
    return int(search(position, "best", seconds=seconds).move) - 1


def position_of(board: Sequence[int], mark: int, rows: int) -> ConnectFour:
    """The position of a board from its upper left corner, where player 1 or 2 (`mark`) is to move.

    >>> position_of([0] * 35 + [0, 0, 1, 2, 1, 0, 0], 2, rows=6).legal_moves
    <7 moves: 1 2 3 4 5 6 7>
    """
    columns = len(board) // rows
    lines = [board[row * columns : (row + 1) * columns] for row in range(rows)]
    text = "/".join("".join(".xo"[man] for man in line) for line in lines)
    return ConnectFour.from_fen(f"{text} {'xo'[mark - 1]}")


def _mapping(thing: Any) -> Mapping[str, Any]:
    return thing if isinstance(thing, Mapping) else vars(thing)


def submission() -> str:
    """The text of a file that Kaggle runs, on a machine with this package."""
    return FILE
