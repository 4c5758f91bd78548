"""Exact values of positions: the result when both sides play their best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from mcts_core.errors import breach, shown
from mcts_core.evaluator import Evaluator
from mcts_core.games.python_game import PythonPosition
from mcts_core.minimax.endgame import EndgameSolver
from mcts_core.minimax.limits import LimitedSearch
from mcts_core.minimax.proof import ExactSolver
from mcts_core.position import Move, Moves, Position
from playout.arguments import memory_size, number, on_this_machine, whole_number
from playout.certificate import write_certificate
from playout.games import game_of
from playout.learning.shipped import shipped
from playout.render import solution as render
from playout.task import MOST_THREADS, PythonGame, wrapped

if TYPE_CHECKING:
    from concurrent.futures import Executor

Progress = Callable[[int, float], object]  # called with the nodes and seconds so far

MEMORY = 2**28  # bytes, by default
TELL_EVERY = 0.1  # seconds between two calls of a progress function
MOST_NODES = 2**62
# Bytes of the endgame solver's table for each second of its limit, and its least size. Clearing a
# larger table would take too much of a short limit.
FILLED, LEAST_TABLE = 2**26, 2**20


@dataclass(frozen=True)
class Solution:
    """The exact result of a position, as the player to move sees it.

    `score` and `value` are None if a limit was met first. `move` is a best move; if a limit was
    met, a legal move (in Othello the best one so far). `pv` is a line of best play to the end of
    the game.

    >>> import playout as po
    >>> found = po.solve(po.Breakthrough.from_fen("bb./b../.ww/ww. w"), multi=True)
    >>> found.best_moves
    <4 moves: b1a2 b2a3 b2b3 c2c3>
    >>> found.scores["a1a2"]
    -1
    """

    position: Position
    move: Move
    score: int | None
    """Othello: the disc difference, where empty squares go to the winner. Other games: 1, 0, -1."""
    value: float | None
    """1.0 for a win, 0.5 for a draw, 0.0 for a loss."""
    pv: Moves
    nodes: int
    seconds: float
    """Without the time to write a certificate."""
    bytes: int
    reason: str
    """Why it ended: "solved", "seconds" or "nodes"."""
    scores: dict[str, int] = field(default_factory=dict, hash=False)
    """With `multi`: the exact score of each move, the best first. If a limit was met, of those that
    were solved before. The keys are moves, and the text of one finds its score."""

    @property
    def best_moves(self) -> Moves:
        """All moves of `scores` that are as good as `move`; without `multi` only that."""
        best = [cast(Move, move) for move, score in self.scores.items() if score == self.score]
        return Moves(best or [self.move])

    @property
    def is_solved(self) -> bool:
        """Whether score and value are known."""
        return self.score is not None

    def __str__(self) -> str:
        worth = {None: "not solved", 1.0: "a win", 0.5: "a draw", 0.0: "a loss"}[self.value]
        game = game_of(self.position)
        if game is not None and game.points and self.score is not None:
            worth += f", score {self.score:+d}"
        scores = ", ".join(f"{move} {score:+d}" for move, score in self.scores.items())
        return (
            f"{self.move}: {worth} ({self.nodes:,} nodes in {self.seconds:.3g} s, "
            f"ended: {self.reason})\npv: {' '.join(self.pv)}"
            + (f"\nscores: {scores}" if scores else "")
        )

    def _repr_html_(self) -> str:
        return render.html(self)


def solve(
    position: Position | PythonGame,
    *,
    outcome_only: bool = False,
    multi: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int = 1,
    memory: int | str | None = None,
    certificate: str | Path | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Solution:
    """The exact result of a position, a best move and a line of best play.

    In Othello it orders moves by the learned evaluation of the board, if the package has one. With
    20 empty squares it takes some tenths of a second, with 24 some seconds. Other games, such as
    Breakthrough on small boards or a game of your own in Python, are solved as win, draw or loss.

    - `outcome_only`: solve Othello as win, draw or loss too, which takes less time; the score is 1,
      0 or -1;
    - `multi`: find the exact score of every move, and so all best moves, which takes longer;
    - `seconds`, `nodes`: limits; if one is met, `score` and `value` are None;
    - `threads`: threads that share one table. The value is the same with any number; with several,
      nodes, `pv` and which of several best moves is found may differ from run to run;
    - `executor`: each move of the position is solved by a worker, in games without a solver of
      their own. `nodes` and `memory` hold for each worker, and `threads` are those of a worker;
    - `memory`: the limit of the table, in bytes or as "512MB" (256 MiB by default);
    - `certificate`: a file for the winner's strategy, if a player wins: see `playout.certificate`.
      The limits do not hold for writing it. Othello's own solver writes none;
    - `progress`: a function that is called about ten times a second with the nodes and seconds so
      far. An exception that it raises ends the search.

    >>> import playout as po
    >>> found = po.solve(po.Othello(4))
    >>> found.score, found.value, len(found.pv)
    (-10, 0.0, 10)
    >>> po.solve(po.Breakthrough(4)).value
    0.0
    """
    for name, flag in (("outcome_only", outcome_only), ("multi", multi)):
        if not isinstance(flag, bool):
            raise ValueError(f"{name} must be True or False, not {shown(flag)}")
    if seconds is not None:
        seconds = number("seconds", seconds, 0.0, above=True)
    if nodes is not None:
        nodes = whole_number("nodes", nodes, 1, MOST_NODES)
    threads = whole_number("threads", threads, 1, MOST_THREADS)
    room = MEMORY if memory is None else on_this_machine(memory_size("memory", memory))
    if certificate is not None and not Path(certificate).parent.is_dir():
        raise ValueError(f"certificate={str(certificate)!r} is in a folder that does not exist")
    if not (progress is None or callable(progress)):
        raise ValueError(f"progress must be a function, not {shown(progress)}")
    position = wrapped(position, "what is solved is").private()  # another thread may change it
    solver = _endgame_of(position)
    if solver is not None:
        if certificate is not None:
            raise ValueError("certificate is for games without a solver of their own")
        if executor is not None:
            raise ValueError("executor= is for games without a solver of their own")
        return _solve_by_score(
            solver, position, outcome_only, multi, seconds, nodes, threads, room, progress
        )
    if executor is not None:
        if certificate is not None or progress is not None:
            raise ValueError("certificate= and progress= need the whole search in this process")
        from playout.root_solving import solve_by_moves

        options = {"seconds": seconds, "nodes": nodes, "threads": threads, "memory": room}
        return solve_by_moves(position, executor, options, multi)
    return _solve_any(position, multi, seconds, nodes, threads, room, certificate, progress)


def _watch(progress: Progress | None, engine: LimitedSearch, began: float) -> None:
    """Have a progress function called while the engine runs, from time to time."""
    if progress is None:
        return
    next_at = began + TELL_EVERY

    def tell() -> None:
        nonlocal next_at
        now = perf_counter()
        if now >= next_at:
            progress(engine.nodes, now - began)
            next_at = now + TELL_EVERY

    engine.watch = tell


def _endgame_of(position: Position) -> type[EndgameSolver] | None:
    """The game's own exact solver, if it has one."""
    game = game_of(position)
    return None if game is None else game.endgame


def _guide(position: Position) -> Evaluator | None:
    """The learned evaluation of a board, if its scores are points of the game."""
    learned = shipped(position)
    evaluator = None if learned is None else learned.evaluator(position)
    return evaluator if evaluator is not None and evaluator.point else None


def _solve_by_score(
    made: type[EndgameSolver],
    position: Position,
    outcome_only: bool,
    multi: bool,
    seconds: float | None,
    nodes: int | None,
    threads: int,
    memory: int,
    progress: Progress | None,
) -> Solution:
    began = perf_counter()
    if seconds is not None:
        memory = min(memory, int(max(seconds * FILLED, LEAST_TABLE)))
    guide = _guide(position) if made.takes_guide(position) else None
    solver = made(position, memory, guide, threads)
    _watch(progress, solver, began)
    reach = 1 if outcome_only else sum(map(len, position.board.rows))  # no score is higher
    reason = solver.run(-reach, reach, seconds, nodes)
    score = value = None
    raw_moves = [solver.square]
    scores: dict[Move, int] = {}
    if reason == "solved":
        score = max(-reach, min(reach, solver.score))
        value = 1.0 if score > 0 else 0.5 if score == 0 else 0.0
        raw_moves = solver.line(score, outcome_only) or raw_moves
    pv = position.line(raw_moves)
    if multi and score is not None:
        scores[pv[0]] = score
        for move in (move for move in position.legal_moves if move not in scores):
            left = None if seconds is None else max(0.0, seconds - (perf_counter() - began))
            reason = solver.run(-reach, min(score + 1, reach), left, nodes, only=move.raw)
            if reason != "solved":
                break
            scores[move] = max(-reach, min(reach, solver.score))
    return Solution(
        position=solver.position,
        move=pv[0],
        score=score,
        value=value,
        pv=pv,
        nodes=solver.nodes,
        seconds=perf_counter() - began,
        bytes=solver.bytes,
        reason=reason,
        scores=best_first(scores),
    )


def best_first(scores: dict[Move, int]) -> dict[str, int]:
    """The same scores, the highest first; equal ones stay in order."""
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


def _solve_any(
    position: Position,
    multi: bool,
    seconds: float | None,
    nodes: int | None,
    threads: int,
    memory: int,
    certificate: str | Path | None,
    progress: Progress | None,
) -> Solution:
    began = perf_counter()
    solver = ExactSolver(position, memory=memory)
    _watch(progress, solver, began)
    solver.limit(seconds, nodes)
    mover = position.turn
    found = _proven_value(solver, position, mover, threads)
    value, reason = (None, found) if isinstance(found, str) else (found, "solved")
    pv = Moves([position.legal_moves[0]])
    scores: dict[Move, int] = {}
    if multi and value is not None:
        for move, child in zip(position.legal_moves, position.children(), strict=True):
            found = _proven_value(solver, child, mover, threads)
            if isinstance(found, str):
                reason = found
                break
            scores[move] = int(2 * found - 1)
    if value is not None:
        pv = _line(solver, position, mover, value)
    visited, spent = solver.nodes, perf_counter() - began
    if value in (0.0, 1.0) and certificate is not None:
        winner = mover if value == 1.0 else 1 - mover
        winning_move = partial(
            _move_that_keeps, solver, player=mover, goal=_shown(solver, value), wanted=value == 1.0
        )
        write_certificate(certificate, position, winner, winning_move)
    return Solution(
        position=position,
        move=pv[0],
        score=None if value is None else int(2 * value - 1),
        value=value,
        pv=pv,
        nodes=visited,
        seconds=spent,
        bytes=solver.bytes,
        reason=reason,
        scores=best_first(scores),
    )


def _proven_value(
    solver: ExactSolver, position: Position, player: int, threads: int = 1
) -> float | str:
    """What the player gets from the position: 1, 0.5 or 0. If a limit is met first, its name."""
    wins = solver.prove(position, player, 1.0, threads)
    if isinstance(wins, str):
        return wins
    if wins or not solver.draw_seen:  # without draws a position that is not won is lost
        return float(wins)
    holds = solver.prove(position, player, 0.5, threads)
    return holds if isinstance(holds, str) else 0.5 * holds


def values_of_moves(position: Position, nodes: int) -> NDArray[np.float64] | None:
    """The exact value of each legal move to the player to move, in legal order.

    None if that takes more than `nodes` nodes, or if the game is for one player, because its
    results are not only win, draw and loss.

    >>> import playout as po
    >>> ending = po.Breakthrough.from_fen("bb./b../.ww/ww. w")
    >>> values_of_moves(ending, nodes=1000)
    array([0., 1., 1., 1., 0., 0., 1.])
    """
    if nodes == 0 or (
        isinstance(position, PythonPosition) and not hasattr(position.object, "turn")
    ):
        return None
    found = solve(position, outcome_only=True, multi=True, nodes=nodes)
    if found.reason != "solved":
        return None
    return np.array([(found.scores[move] + 1) / 2 for move in position.legal_moves])


def _shown(solver: ExactSolver, value: float) -> float:
    """The goal that was reached or refuted last, to show a value."""
    return 1.0 if value == 1.0 or not solver.draw_seen else 0.5


def _line(solver: ExactSolver, position: Position, player: int, value: float) -> Moves:
    """Best play from a position with this value to the player."""
    after = position.copy()
    least = _shown(solver, value)
    solver.limit()
    while not after.is_over:
        if after.turn == player:
            goal, wanted = (least, True) if value else (least, None)
        else:
            goal, wanted = (least, None) if value == 1.0 else (1.0 if value else least, False)
        after.push(_move_that_keeps(solver, after, player, goal, wanted))
    return Moves(after.history[len(position.history) :])


def _move_that_keeps(
    solver: ExactSolver, position: Position, player: int, goal: float, wanted: bool | None
) -> Move:
    """A move after which the goal is `wanted`: reached or not. None: the move hardest to refute."""
    moves, children = position.legal_moves, position.children()
    if wanted is None:
        return max(zip(moves, children, strict=True), key=lambda pair: solver.work(pair[1]))[0]
    solver.aim(player, goal)
    ordered = sorted(
        zip(moves, children, strict=True),
        key=lambda pair: (solver.known(pair[1]) is not wanted, solver.work(pair[1])),
    )
    for move, child in ordered:  # positions in the table first, those that took little work before
        if solver.prove(child, player, goal) is wanted:
            return move
    raise breach("two positions have one key")
