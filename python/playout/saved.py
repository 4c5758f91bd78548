"""A search in a file: its game, its settings and its tree. A later process can go on with it.

The file has the form that `playout.learning.weights` describes. Its facts:

    game, start, moves     the game's name, the text of its first position, the moves since
    ended                  the move that ended the game, or null: the tree stays one move before
    method, policy         as texts
    seed, threads, memory, solver, rewards
    playouts, counted      simulations since the last move, and in all

Its arrays: `streams`, the generators of each thread and lane; `learned`, what a policy has learned;
and those of the tree, which `mcts_core/search/saving.pxd` lists.
"""

from __future__ import annotations

import os
from typing import Any, cast

from mcts_core.errors import BadMethod, shown
from mcts_core.position import Position
from mcts_core.search.saving import BLOCKS, ENTRIES, LOGS, RECORDS
from mcts_core.search.tree import TreeSearch
from playout.games import game_named, game_of, root_of
from playout.learning import weights
from playout.method import Method
from playout.method_text import method_from
from playout.policies import policy_name
from playout.reading import seed_from
from playout.result import plain_seed
from playout.task import SEARCH_POLICIES, Task

KIND = "search"
MOST_BYTES = 1 << 32  # of the arrays of a file
TYPES = {*ENTRIES.values(), *LOGS.values(), *RECORDS.values(), *BLOCKS.values()}


def save(
    path: str | os.PathLike[str], task: Task, engine: TreeSearch, ended: Position | None
) -> None:
    """Write a search whose root is the position of the task. `ended` is the finished game."""
    game = game_of(task.position)
    if game is None:
        raise _refusal(f"its game is not one of the package, {shown(task.position)}")
    if not isinstance(engine, TreeSearch) or not _is_text(task.method):
        raise _refusal(f"its method cannot be made again from a text, {shown(task.method)}")
    if task.policy not in SEARCH_POLICIES:
        raise _refusal(f"its policy is not one of the package, {shown(policy_name(task.policy))}")
    numbers, arrays = engine.saved()
    size = sum(array.nbytes for array in arrays.values())
    if size > MOST_BYTES:
        raise _refusal(f"its tree takes {size:,} bytes, and {MOST_BYTES:,} is the most")
    facts = {
        "game": game.name,
        "start": game.write(root_of(task.position)),
        "moves": [str(move) for move in task.position.history],
        "ended": None if ended is None else str(ended.history[-1]),
        "method": repr(task.method),
        "policy": task.policy,
        "seed": plain_seed(task.seed),
        "threads": task.threads,
        "memory": task.memory,
        "solver": task.solver,
        "rewards": task.rewards,
        **numbers,
    }
    weights.write(path, KIND, facts, arrays, effort=1)


def _refusal(why: str) -> BadMethod:
    return BadMethod(f"this search cannot be saved: {why}")


def _is_text(method: Method) -> bool:
    """Whether the text of a method makes the same method."""
    try:
        return method_from(repr(method)) == method
    except ValueError:
        return False


def load(path: str | os.PathLike[str]) -> tuple[Task, TreeSearch, Position | None]:
    """The task and the engine of a search in a file, and its finished game, if it has ended."""
    facts, arrays = weights.read(path, KIND, "search", types=TYPES, most=MOST_BYTES)
    try:
        task, ended = _task(facts)
        engine = cast(TreeSearch, task.engine())
        engine.restore(facts, arrays)
    except (ValueError, TypeError) as fault:
        raise BadMethod(f"{shown(str(path))} holds no search: {fault}") from None
    return task, engine, ended


def _task(facts: dict[str, Any]) -> tuple[Task, Position | None]:
    """The task that a file describes, from its current root, and the finished game."""
    game = game_named(_fact(facts, "game", str))
    position = game.read(_fact(facts, "start", str))
    for move in _fact(facts, "moves", list):
        position.push(move)
    method = method_from(_fact(facts, "method", str))
    if not method.grows_tree or not issubclass(method.engine, TreeSearch):
        raise ValueError(f"its method {method!r} keeps no tree in files")
    task = Task.checked(
        position,
        method,
        seed=seed_from(facts.get("seed")),
        threads=_fact(facts, "threads", int),
        memory=_fact(facts, "memory", int),
        policy=_fact(facts, "policy", str),
        solver=_fact(facts, "solver", bool),
        rewards=_fact(facts, "rewards", str),
    )
    if facts.get("ended") is None:
        return task, None
    ended = position.copy()
    ended.push(_fact(facts, "ended", str))
    if not ended.is_over:
        raise ValueError(f"its game does not end with {shown(facts['ended'])}")
    return task, ended


def _fact(facts: dict[str, Any], name: str, kind: type) -> Any:
    value = facts.get(name)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f'"{name}" is missing, or {shown(value)}, which it cannot be')
    return value
