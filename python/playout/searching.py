"""Searching: in one call, with snapshots, or from move to move of a game."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Self, cast, get_args, overload

from mcts_core.base.crew import Call
from mcts_core.errors import BadMethod, BadPosition
from mcts_core.position import Move, Position
from mcts_core.search.driver import Turns
from mcts_core.search.tree import TreeSearch
from playout.arguments import AnySeed, limits_by_name, one_of
from playout.many import Searches
from playout.method import Method
from playout.methods import method_of
from playout.names import MethodName, OnInterrupt, Rewards, SearchPolicy
from playout.policies import AnyPolicy
from playout.render import searcher as render
from playout.request import Request
from playout.result import Result
from playout.running import result_of
from playout.task import MOST_PLAYOUTS, Limits, PythonGame, Task

if TYPE_CHECKING:
    from concurrent.futures import Executor

INTERRUPTS: tuple[OnInterrupt, ...] = get_args(OnInterrupt)


@overload
def search(
    position: Position | PythonGame,
    method: MethodName | str | Method = ...,
    *,
    playouts: int | None = ...,
    seconds: float | None = ...,
    until_sure: float | None = ...,
    seed: AnySeed | None = ...,
    threads: int = ...,
    executor: Executor | None = ...,
    workers: int = ...,
    memory: int | str | None = ...,
    policy: SearchPolicy | AnyPolicy = ...,
    rewards: Rewards = ...,
    solver: bool = ...,
    nodes: int | None = ...,
    on_interrupt: OnInterrupt = ...,
) -> Result: ...
@overload
def search(
    position: Sequence[Position],
    method: MethodName | str | Method = ...,
    *,
    playouts: int | None = ...,
    seconds: float | None = ...,
    seed: AnySeed | None = ...,
    threads: int = ...,
    memory: int | str | None = ...,
    rewards: Rewards = ...,
    solver: bool = ...,
) -> Searches: ...
@limits_by_name
def search(
    position: Position | PythonGame | Sequence[Position],
    method: MethodName | str | Method = "uct",
    *,
    playouts: int | None = None,
    seconds: float | None = None,
    until_sure: float | None = None,
    seed: AnySeed | None = None,
    threads: int = 1,
    executor: Executor | None = None,
    workers: int = 4,
    memory: int | str | None = None,
    policy: SearchPolicy | AnyPolicy = "random",
    rewards: Rewards = "result",
    solver: bool = False,
    nodes: int | None = None,
    on_interrupt: OnInterrupt = "raise",
) -> Result | Searches:
    """Find the best move of a position, of a game of this library or of your own in Python.

    `method` is a method such as `RAVE(bias=1e-4)`, or the name of one: "flat", "ucb", "amaf",
    "uct", "ucttuned", "rave", "grave"; "best" is the strongest that the package has for the board.
    At least one limit must be given, and the first one met ends the search: `playouts`; `seconds`;
    `until_sure`, a standard error. Both the value of the best move and its lead over the second
    must fall below it (tested every 100 playouts).

    - `seed`: an int, a numpy SeedSequence or Generator, or None. With a limit in playouts and one
      thread, the same seed gives the same result on every machine, also when `memory` is full. The
      result contains the seed; of a Generator, the int that it has drawn.
    - `threads`: all threads grow one tree. Fast, but not repeatable (flat and AMAF are).
    - `executor`: `workers` independent searches on any `concurrent.futures.Executor`, their
      statistics added up. Repeatable, with the same result on threads and on processes.
    - `memory`: the limit of the table, in bytes or as "512MB" (1 GiB by default). When it is full,
      the tree stops growing and the search continues.
    - `policy`: how playouts choose moves, "random" or "guided" by a little knowledge of the game;
      with a tree also "mast" or "ppaf", by what they have learned in this search; or your own: a
      function `f(position, moves)` that returns the index of a move, or a list with a weight for
      each (slow), or a C function in a capsule (`tests/search/first_moves.pyx` is a whole one).
    - `rewards`: what a finished game counts, its "result" or the "margin": in Othello the share of
      the discs, the empty squares counted for the winner.
    - `solver`: keep track of proven wins, draws and losses in the tree.
    - `on_interrupt`: what Ctrl-C does, "raise" KeyboardInterrupt or "return" the result so far,
      whose `reason` is then "interrupted".

    A list of positions is searched by `PUCT(...)` or `Gumbel(...)`: one tree for each, in which
    threads have their shares. The result is a `Searches`, with an array for each quantity.

    `AlphaBeta(...)`, or "alphabeta", searches with an evaluation instead of playouts. Its
    limits are its own `depth`, `seconds` and `nodes`; its only other argument is `memory`. So does
    `BestFirst(...)`, or "bestfirst", which has no depth.

    >>> import playout as po
    >>> result = po.search(po.Breakthrough(5), "rave", playouts=1000, seed=1)
    >>> result.moves["visits"].sum() == result.playouts == 1000
    True
    """
    positions = list(position) if isinstance(position, (list, tuple)) else None
    if positions == []:
        raise BadPosition("an empty list has no positions to search")
    first, *more = [cast(Position, position)] if positions is None else positions
    request = Request(
        position=first,
        more=more,
        playouts=playouts,
        seconds=seconds,
        until_sure=until_sure,
        nodes=nodes,
        seed=seed,
        threads=threads,
        memory=memory,
        policy=policy,
        rewards=rewards,
        solver=solver,
        executor=executor,
        workers=workers,
    )
    found = method_of(method)
    returns = one_of("on_interrupt", on_interrupt, INTERRUPTS) == "return"
    if positions is not None:
        return found.search_many(request)
    run = found.begin(request)
    try:
        return run.result()
    except KeyboardInterrupt:
        kept = run.kept() if returns else None
        if kept is None:
            raise
        return kept


@limits_by_name
def analysis(
    position: Position | PythonGame,
    method: MethodName | str | Method = "uct",
    *,
    playouts: int | None = None,
    seconds: float | None = None,
    until_sure: float | None = None,
    interval: float = 0.5,
    every: int | None = None,
    seed: AnySeed | None = None,
    threads: int = 1,
    executor: Executor | None = None,
    workers: int = 4,
    memory: int | str | None = None,
    policy: SearchPolicy | AnyPolicy = "random",
    rewards: Rewards = "result",
    solver: bool = False,
    nodes: int | None = None,
) -> Iterator[Result]:
    """Search, and yield a `Result` every `interval` seconds, or after each `every` playouts.

    The last result equals that of `search` with the same arguments. The reason of the others is
    "running". With lanes, `every` is rounded up to whole flights. To end the search, leave the
    loop. The `tree` of a result is the live tree, which keeps growing.

    With an `executor` a snapshot adds up what its `workers` have reported so far; there is no
    `every`. Workers on other machines report only when they have ended.

    >>> import playout as po
    >>> game = po.Breakthrough(5)
    >>> [r.playouts for r in po.analysis(game, "uct", playouts=1000, every=300, seed=1)]
    [300, 600, 900, 1000]

    Alpha-beta yields a result after each depth, best-first minimax each time its nodes double.

    >>> [r.depth for r in po.analysis(po.Othello(), po.AlphaBeta(depth=3))]
    [1, 2, 3]
    """
    request = Request(
        position=position,
        playouts=playouts,
        seconds=seconds,
        until_sure=until_sure,
        nodes=nodes,
        seed=seed,
        threads=threads,
        memory=memory,
        policy=policy,
        rewards=rewards,
        solver=solver,
        executor=executor,
        workers=workers,
        interval=interval,
        every=every,
    )
    return method_of(method).begin(request).results()


class Searcher:
    """A search that follows a game and keeps its tree from move to move.

    `advance` plays a move of either side and keeps the part of the tree below it. `ponder` searches
    in a background thread, for example while the opponent thinks, until the next `search`,
    `advance` or `stop`. After Ctrl-C the searcher can still be used. Any thread may call any
    method. Searches and moves wait for each other. `result` waits only for the batch under way,
    some milliseconds, and `stop` ends the search that is running or waiting.

    >>> import playout as po
    >>> with po.Searcher(po.Breakthrough(5), "rave", seed=1) as searcher:
    ...     best = searcher.search(playouts=1000).move
    ...     played = searcher.advance(best)
    ...     reply = searcher.search(playouts=1000)
    >>> int(reply.moves["visits"].sum()) > reply.playouts == 1000  # some visits are from before
    True
    """

    def __init__(
        self,
        position: Position | PythonGame,
        method: MethodName | str | Method = "uct",
        *,
        seed: AnySeed | None = None,
        threads: int = 1,
        memory: int | str | None = None,
        policy: SearchPolicy | AnyPolicy = "random",
        rewards: Rewards = "result",
        solver: bool = False,
    ) -> None:
        task = Task.checked(
            position,
            method_of(method),
            seed=seed,
            threads=threads,
            memory=memory,
            policy=policy,
            rewards=rewards,
            solver=solver,
        )
        if not task.method.grows_tree:
            raise BadMethod(
                f"a Searcher keeps a tree between moves, and {task.method!r} grows none: "
                "use a tree method such as UCT, or playout.search for each move"
            )
        self._set_up(task, cast(TreeSearch, task.engine()))

    def _set_up(self, task: Task, engine: TreeSearch) -> None:
        self._task = task
        self._engine: TreeSearch | None = engine  # None: closed
        self._is_closing = False
        self._ended: Position | None = None  # the finished game; the engine stays one move before
        self._stops = 0  # calls of `stop`
        self._process = os.getpid()
        self._turn_taking = Turns()  # so that searches and moves take turns
        self._pondering: _Pondering | None = None

    @property
    def position(self) -> Position:
        """A copy of the current position."""
        return self._position(self._open_engine()).copy()

    @property
    def method(self) -> Method:
        """The search method."""
        return self._task.method

    @property
    def is_pondering(self) -> bool:
        """Whether a background thread is searching."""
        pondering = self._pondering
        return pondering is not None and pondering.is_alive

    @property
    def result(self) -> Result:
        """The result so far, also while it ponders and after Ctrl-C."""
        engine = self._open_engine()
        with engine.lock:
            return result_of(self._task_now(engine), engine, "running", engine.playouts, 0.0)

    @limits_by_name
    def search(
        self,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        until_sure: float | None = None,
    ) -> Result:
        """Continue the search for `playouts` or `seconds` more, or until it is sure enough."""
        limits = Limits.checked(playouts, seconds, until_sure)
        known_stops = self._stops
        self._open_engine()  # refuses before it waits
        with self._turn_taking:
            engine = self._open_engine()
            self._end_pondering()
            task = self._task_now(engine)
            stops = engine.stops
            if self._stops != known_stops:  # stopped while it waited for its turn
                engine.stop()
            began, known = perf_counter(), engine.playouts
            target = None if limits.playouts is None else known + limits.playouts
            reason = engine.run(target, limits.seconds, limits.until_sure, task.threads, stops)
            played, elapsed = engine.playouts - known, perf_counter() - began
            return result_of(task, engine, reason, played, elapsed)

    def advance(self, move: str) -> Move:
        """Play a move, given as a Move or its text, and return it."""
        self._open_engine()  # refuses before it waits
        with self._turn_taking:
            engine = self._open_engine()
            self._end_pondering()
            after = self._position(engine).copy()
            played = after.push(move)
            if after.is_over:
                self._ended = after
            else:
                engine.advance(played.raw)
            return played

    def ponder(self) -> None:
        """Search in the background until `stop`, `search` or `advance`. No effect after the end."""
        self._open_engine()  # refuses before it waits
        with self._turn_taking:
            engine = self._open_engine()
            if not self.is_pondering and self._ended is None:
                self._end_pondering()
                self._pondering = _Pondering(self, engine, self._task.threads)
                self._pondering.start()

    def stop(self) -> None:
        """End pondering. Called from another thread, end the search that is running or waiting."""
        engine = self._engine
        self._stops += 1
        if engine is not None:
            engine.check_process()
            engine.stop()
        self._end_pondering()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the search to a file, with its game and its tree. Pondering ends first.

        Only names go into the file: the method, its evaluation and the policy must be those of the
        package, or files; and the game must be one of the package. The file is replaced as a whole.

        >>> import playout as po
        >>> po.Searcher(po.Breakthrough(5), po.UCT(evaluation=len, cut=0)).save("none.search")
        Traceback (most recent call last):
        mcts_core.errors.BadMethod: this search cannot be saved: its method cannot be made again \
from a text, UCT(evaluation=<built-in function len>, cut=0)
        """
        from playout.saved import save

        self._open_engine()  # refuses before it waits
        with self._turn_taking:
            engine = self._open_engine()
            self._end_pondering()
            save(path, self._task.from_position(engine.position), engine, self._ended)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The search in a file that `save` has written. It goes on as if it had not been saved.

        Raises BadMethod if the file is missing or damaged.
        """
        from playout.saved import load

        task, engine, ended = load(path)
        searcher = cls.__new__(cls)
        searcher._set_up(task, engine)
        searcher._ended = ended
        return searcher

    def close(self) -> None:
        """End all searching and free the tree. Results that refer to the tree keep it alive."""
        if self._engine is not None:
            self._engine.check_process()
        self._is_closing = True
        try:
            self.stop()
        finally:
            with self._turn_taking:
                self._engine = None

    def _open_engine(self) -> TreeSearch:
        """The engine. Raises if the searcher is closed or was forked during a run."""
        engine = self._engine
        if engine is None or self._is_closing:
            raise ValueError("this searcher is closed: make a new one")
        engine.check_process()
        if os.getpid() != self._process:  # forked: locks of the parent's threads are void
            self._process, self._turn_taking = os.getpid(), Turns()
        return engine

    def _position(self, engine: TreeSearch) -> Position:
        return engine.position if self._ended is None else self._ended

    def _task_now(self, engine: TreeSearch) -> Task:
        """The task of searching the current position."""
        if self._ended is not None:
            raise BadPosition("this game is over, so there is nothing to search")
        return self._task.from_position(engine.position.copy())

    def _end_pondering(self) -> None:
        pondering = self._pondering
        if pondering is not None:
            try:
                pondering.end()
            finally:
                if not pondering.is_alive and self._pondering is pondering:
                    self._pondering = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        engine = self._engine
        if engine is None:
            return f"<Searcher {self.method!r}, closed>"
        state = "pondering" if self.is_pondering else f"{engine.nodes} nodes"
        return f"<Searcher {self.method!r} on {self._position(engine)!r}, {state}>"

    def _repr_html_(self) -> str | None:
        return None if self._engine is None else render.html(self)


class _Pondering:
    """A thread that runs an engine until `end`, or until its searcher is garbage-collected."""

    def __init__(self, searcher: Searcher, engine: TreeSearch, threads: int) -> None:
        self._engine = engine
        self._threads = threads
        self._stops = engine.stops
        self._call = Call(self._run)
        # The garbage collector may call this on any thread, even one that the engine waits for.
        self._forgotten = weakref.finalize(searcher, engine.stop)

    def start(self) -> None:
        """Begin to search. `atexit` ends the thread before Python shuts down."""
        atexit.register(self.end)
        begins = False
        try:
            begins = self._call.start()
        finally:
            if not begins:
                atexit.unregister(self.end)

    @property
    def is_alive(self) -> bool:
        return self._call.is_alive

    def _run(self) -> None:
        try:
            self._engine.run(MOST_PLAYOUTS, None, None, self._threads, self._stops)
        finally:
            atexit.unregister(self.end)

    def end(self) -> None:
        """Stop the search and wait for it. Raises the exception of the thread, once, if it had one.

        Several threads may call this. If it is called before `start`, the thread never starts.
        """
        self._call.cancel()
        self._engine.stop()  # has effect even if the thread has not begun to run
        if self._call.ident != threading.get_ident():
            self._forgotten.detach()
            self._call.result()
