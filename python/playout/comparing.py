"""Compare methods on one position: what each chooses, how soon, and whether it is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import BadMethod, shown
from mcts_core.games.python_game import PythonPosition
from mcts_core.position import Position
from mcts_core.rng import seed_sequence
from mcts_core.search.driver import Driver
from playout.arguments import AnySeed, whole_number
from playout.columns import as_table
from playout.comparison import Comparison
from playout.method import Method
from playout.methods import METHODS, method_of
from playout.names import MethodName, SearchPolicy
from playout.policies import AnyPolicy, policy_name
from playout.result import Result
from playout.searching import search
from playout.solving import MOST_NODES, values_of_moves
from playout.task import MOST_PLAYOUTS, PythonGame, Task, searchable

if TYPE_CHECKING:
    from concurrent.futures import Executor

MOST_RUNS = 1_000_000
NODES, PYTHON_NODES = 1_000_000, 10_000  # the solver's default limit; for a game in Python

Progress = Callable[[int, int], object]  # called with the runs done, and all runs


def compare(
    position: Position | PythonGame,
    methods: Sequence[MethodName | str | Method] | None = None,
    *,
    playouts: int = 10_000,
    runs: int = 20,
    seed: AnySeed | None = None,
    policy: SearchPolicy | AnyPolicy = "random",
    exact_nodes: int | None = None,
    executor: Executor | None = None,
    workers: int = 4,
    progress: Progress | None = None,
) -> Comparison:
    """Let several methods search one position, and set what they find side by side.

    `methods` are names or objects; by default all that suit the game. Each makes `runs` independent
    searches. The choice of each search is recorded after 10, 20, 50, 100, ... playouts up to
    `playouts`. Alpha-beta plays none: it searches once, to its own depth, and its result counts for
    every budget and every run.

    - `seed`: run r of every method is the search with the seed
      `numpy.random.SeedSequence(seed, spawn_key=(r,))`, so the same seed gives the same result
      (below the full budget, ties are drawn with another seed, which does not change the search);
    - `policy`: how playouts choose their moves, as in `search`;
    - `executor`, `workers`: workers that share the runs of each method, with the same result;
    - `exact_nodes`: the most nodes that the solver may use to find out which moves are best; 0: do
      not solve. By default a million, or 10,000 for a game in Python: a few seconds in either case;
    - `progress`: called with the runs done and all runs, each time all methods have done one more.
      If it returns True, the comparison ends and has the runs done so far.

    >>> import playout as po
    >>> found = po.compare(po.Breakthrough(4), ["flat", "uct"], playouts=500, runs=5, seed=1)
    >>> found.budgets.tolist(), found.moves.shape
    ([10, 20, 50, 100, 200, 500], (2, 6, 5))
    """
    root = searchable(position)
    chosen = _methods(root, methods)
    budgets = _budgets(whole_number("playouts", playouts, 1, MOST_PLAYOUTS))
    runs = whole_number("runs", runs, 1, MOST_RUNS)
    if exact_nodes is None:
        exact_nodes = PYTHON_NODES if isinstance(root, PythonPosition) else NODES
    exact_nodes = whole_number("exact_nodes", exact_nodes, 0, MOST_NODES)
    sequence = seed_sequence(seed)
    began = perf_counter()
    searches = [_prepared(root, method, sequence, policy, int(budgets[-1])) for method in chosen]
    exact = values_of_moves(root, exact_nodes)
    found, runs = _all_runs(searches, budgets, runs, progress, executor, workers)
    moves = np.stack([part.moves for part in found])
    return Comparison(
        position=root,
        methods=tuple(chosen),
        budgets=budgets,
        runs=runs,
        seed=sequence if sequence is seed else cast(int, sequence.entropy),
        policy=policy_name(policy),
        seconds=perf_counter() - began,
        truth=None if exact is None else _truth(root, exact),
        moves=moves,
        values=np.stack([part.values for part in found]),
        regrets=np.full(moves.shape, np.nan) if exact is None else exact.max() - exact[moves],
        run_seconds=np.array([part.seconds for part in found]),
    )


def _methods(root: Position, methods: Sequence[MethodName | str | Method] | None) -> list[Method]:
    """The given methods, or all that suit the game."""
    if methods is None:
        return [kind() for kind in METHODS.values() if kind.suits(root)]
    is_one = isinstance(methods, (str, Method)) or not isinstance(methods, Iterable)
    given: Any = [methods] if is_one else methods
    chosen = [method_of(method) for method in given]
    if not chosen:
        raise BadMethod(f"there is no method to compare: name some of {', '.join(METHODS)}")
    for method in chosen:
        if chosen.count(method) > 1:
            raise BadMethod(f"{shown(method)} is there twice: give each method once")
    return chosen


def _budgets(playouts: int) -> NDArray[np.int64]:
    """10, 20, 50, 100, ... up to the full budget.

    >>> _budgets(300)
    array([ 10,  20,  50, 100, 200, 300])
    """
    steps = (digit * 10**power for power in range(1, 10) for digit in (1, 2, 5))
    return np.array([*(step for step in steps if step < playouts), playouts], dtype=np.int64)


def _truth(root: Position, exact: NDArray[np.float64]) -> NDArray[np.void]:
    return as_table({"move": np.array([str(move) for move in root.legal_moves]), "exact": exact})


# The searches of one method


class Runs(NamedTuple):
    """Choices and values: a row for each budget, a column for each run."""

    moves: NDArray[np.int64]
    values: NDArray[np.float64]
    seconds: float  # of a run, on average


def _prepared(
    root: Position,
    method: Method,
    sequence: np.random.SeedSequence,
    policy: AnyPolicy,
    playouts: int,
) -> Task | Result:
    """The task of a method's runs; or, for a method without playouts, its one result."""
    if not method.plays_out:
        return search(root, method)
    task = Task.checked(
        root, method, seed=sequence, threads=1, memory=None, policy=policy, solver=False
    )
    task.engine(playouts)
    return task


def _repeated(result: Result, n_budgets: int, runs: int) -> Runs:
    """One result without chance, repeated for every budget and run."""
    index = result.position.legal_moves.index(result.move)
    shape = (n_budgets, runs)
    return Runs(np.full(shape, index), np.full(shape, np.nan), result.seconds)


def _followed(task: Task, budgets: NDArray[np.int64], run: int) -> Runs:
    """The choices of one run, which continues from budget to budget: a column."""
    moves = np.empty((len(budgets), 1), dtype=np.int64)
    values = np.empty((len(budgets), 1))
    seconds = 0.0
    seed = _spawned(seed_sequence(task.seed), run)
    engine = task.seeded(seed).engine(int(budgets[-1]))
    for row, budget in enumerate(budgets.tolist()):
        began = perf_counter()
        engine.run(budget)
        seconds += perf_counter() - began
        is_last = row == len(budgets) - 1
        lots = None if is_last else _spawned(seed, row)
        moves[row, 0], values[row, 0] = _choice(task, engine, lots)
    return Runs(moves, values, seconds)


def _all_runs(
    searches: Sequence[Task | Result],
    budgets: NDArray[np.int64],
    runs: int,
    progress: Progress | None,
    executor: Executor | None,
    workers: int,
) -> tuple[list[Runs], int]:
    """The runs of all methods, and how many each has made: fewer if `progress` ends them.

    Workers of an executor make several runs at a time.
    """
    from playout.executors import checked, gathered

    tasks = [prepared for prepared in searches if isinstance(prepared, Task)]
    at_once = 1 if executor is None else checked(executor, workers)
    found: list[list[Runs]] = []  # by run, then by task
    while len(found) < runs:
        numbers = range(len(found), min(len(found) + at_once, runs))
        jobs = [(tasks, budgets, number) for number in numbers]
        if executor is None:
            found += map(_one_run, jobs)
        else:
            found += gathered(_one_run, jobs, executor, [])
        if progress is not None and progress(len(found), runs):
            break
    columns = iter([_joined(own) for own in zip(*found, strict=True)])
    return [
        next(columns)
        if isinstance(prepared, Task)
        else _repeated(prepared, len(budgets), len(found))
        for prepared in searches
    ], len(found)


def _one_run(job: tuple[list[Task], NDArray[np.int64], int]) -> list[Runs]:
    """One run of every method, here or on a worker."""
    tasks, budgets, number = job
    return [_followed(task, budgets, number) for task in tasks]


def _joined(runs: Sequence[Runs]) -> Runs:
    """The columns of several runs side by side."""
    return Runs(
        np.hstack([run.moves for run in runs]),
        np.hstack([run.values for run in runs]),
        sum(run.seconds for run in runs) / len(runs),
    )


def _choice(task: Task, engine: Driver, lots: np.random.SeedSequence | None) -> tuple[int, float]:
    """The index of the move that a search chooses now, and its value.

    `lots` is the seed for ties. None draws from the search's own stream, which is right only at its
    end, because it changes the rest of the search.
    """
    rows = engine.root()
    index = engine.choose(rows, lots)
    table = engine.table(rows, [index], task.position.legal_moves, task.columns)
    return index, task.method.worth_of_best(table)


def _spawned(parent: np.random.SeedSequence, number: int) -> np.random.SeedSequence:
    """A child of a seed, without changing the parent as `spawn` does."""
    return np.random.SeedSequence(
        parent.entropy, spawn_key=(*parent.spawn_key, number), pool_size=parent.pool_size
    )
