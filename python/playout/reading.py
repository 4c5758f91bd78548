"""Results and trees from what `to_dict` wrote: the text is checked, nothing of it is believed."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import shown
from mcts_core.position import Position
from mcts_core.rng import known_seed
from playout.arguments import Seed, finite, whole_number
from playout.columns import as_table
from playout.games import GAMES
from playout.methods import method_of
from playout.result import Result
from playout.tree import Node

KINDS: dict[str, type] = {"move": str, "line": str, "exact": bool}
KINDS |= dict.fromkeys(("visits", "amaf_visits", "nodes"), int)  # other columns are floats
MOST = 2**63 - 1
MOST_WORDS = 100  # of a seed


def result_from(found: Any, position: Position | None = None) -> Result:
    """The result that `Result.to_dict` described."""
    if not isinstance(found, dict):
        raise ValueError(f"a result is a JSON object, not {shown(found)}")
    root = _position(found) if position is None else position.copy()
    table = _table(_part(found, "moves", list))
    texts = table["move"].tolist()
    if sorted(texts) != sorted(str(move) for move in root.legal_moves):
        raise ValueError('"moves" must have a row for each legal move of the position')
    after = root.copy()
    pv = [_played(after, move, "pv") for move in _part(found, "pv", list)]
    move = root.find_move(_part(found, "move", str))
    if not pv or pv[0] != move:
        raise ValueError('"pv" must begin with "move"')
    return Result(
        position=root,
        method=method_of(_part(found, "method", str)),
        move=move,
        value=_finite(found, "value"),
        pv=root.line([each.raw for each in pv]),
        moves=table,
        playouts=_whole(found, "playouts"),
        seconds=_finite(found, "seconds"),
        seed=seed_from(found.get("seed")),
        reason=_part(found, "reason", str),
        nodes=_whole(found, "nodes"),
        bytes=_whole(found, "bytes"),
        depth=_whole(found, "depth"),
        regret=_finite(found, "regret") if "regret" in found else None,
        regret_bound=_finite(found, "regret_bound") if "regret" in found else None,
    )


def _position(found: dict[str, Any]) -> Position:
    name, line = _part(found, "game", str), found.get("position")
    game = next((game for game in GAMES.values() if game.position.__name__ == name), None)
    if game is None or not isinstance(line, str):
        raise ValueError(f"the position of {shown(name)} is not in the text: give position=")
    return game.read(line)


def _played(position: Position, move: Any, where: str) -> Any:
    try:
        return position.push(move)
    except (ValueError, TypeError) as fault:
        raise ValueError(f'"{where}": {fault}') from None


def _part(found: dict[str, Any], name: str, kind: type) -> Any:
    value = found.get(name)
    if not isinstance(value, kind):
        raise ValueError(f'"{name}" is missing or wrong: {shown(value)}')
    return value


def _whole(found: dict[str, Any], name: str) -> int:
    return whole_number(f'"{name}"', found.get(name), 0, MOST)  # type: ignore[arg-type]


def _finite(found: dict[str, Any], name: str) -> float:
    return finite(f'"{name}"', found.get(name))  # type: ignore[arg-type]


def _table(rows: list[Any]) -> NDArray[np.void]:
    names = list(rows[0]) if rows and isinstance(rows[0], dict) else []
    if "move" not in names or not all(isinstance(row, dict) and [*row] == names for row in rows):
        raise ValueError('"moves" must be a list of objects with the same names, among them "move"')
    return as_table({name: _column(name, [row[name] for row in rows]) for name in names})


def _column(name: str, values: list[Any]) -> NDArray[Any]:
    kind = KINDS.get(name, float)
    known = (kind, int) if kind is float else (kind,)
    filled: list[Any] = [math.nan if value is None and kind is float else value for value in values]
    for value in filled:
        if not isinstance(value, known) or (kind is not bool and isinstance(value, bool)):
            raise ValueError(f'"moves": {shown(value)} is no value of the column "{name}"')
        if kind is int:
            whole_number(f'"moves": "{name}"', cast(int, value), 0, MOST)
    try:
        return np.array(filled, dtype=kind)
    except (OverflowError, ValueError):
        raise ValueError(f'"moves": the column "{name}" has a number that is too large') from None


def seed_from(found: Any) -> Seed | None:
    """The seed that `to_dict` wrote."""
    if found is None or isinstance(found, int):
        return None if found is None else known_seed(found)
    try:
        words = found["spawn_key"]
        if len(words) <= MOST_WORDS:
            return np.random.SeedSequence(found["entropy"], spawn_key=tuple(words))
    except (TypeError, KeyError, ValueError, OverflowError):
        pass
    raise ValueError(f'"seed" is {shown(found)}, and neither a number nor a SeedSequence')


class StoredNode(Node):
    """A node of a tree that was read: it has its children itself."""

    __slots__ = ("_below",)
    _below: list[StoredNode]

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes below that were written, the most visited first."""
        return tuple(self._below)


def tree_from(found: Any, position: Position) -> Node:
    """The tree that `Node.to_dict` described, whose root is this position."""
    root = _node(found, position.copy(), None)
    waiting = [(root, found)]
    while waiting:
        node, facts = waiting.pop()
        below = facts.get("children", [])
        if not isinstance(below, list):
            raise ValueError(f'"children" must be a list, not {shown(below)}')
        for each in below:
            child = _node(each, node.position.copy(), node)
            node._below.append(child)
            waiting.append((child, each))
    return root


def _node(found: Any, position: Position, parent: Node | None) -> StoredNode:
    if not isinstance(found, dict):
        raise ValueError(f"a node of a tree is a JSON object, not {shown(found)}")
    visits, mean = _whole(found, "visits"), found.get("mean")
    for name, value in (("mean", mean), ("proven", found.get("proven"))):
        is_number = isinstance(value, float | int) and not isinstance(value, bool)
        if value is not None and not (is_number and 0 <= value <= 1):
            raise ValueError(f'"{name}" must be from 0 to 1, not {shown(value)}')
    node = StoredNode(
        _no_table,
        position,
        move=None if parent is None else _played(position, found.get("move"), "move"),
        visits=visits,
        mean=math.nan if mean is None else float(mean),
        depth=0 if parent is None else parent.depth + 1,
        proven=found.get("proven"),
    )
    node._below = []
    return node


def _no_table(position: Position) -> None:
    return None
