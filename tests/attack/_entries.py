"""The public entry points, as small cases in which every allocation is made to fail once.

`make` prepares a subject, `call` is the swept call, and `facts` makes its result comparable. After
a failed call, `after` asks the subject again, and the answer must equal that of a fresh subject. By
default `after` is the call itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the package `support`

import playout as po
from mcts_core.games.python_game import PythonPosition
from mcts_core.search.driver import Driver
from playout import formats, wthor
from playout.render import board as pictures
from playout.task import Task
from support.helpers import Heap, facts


def same(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Entry:
    """An entry point, ready to be swept."""

    make: Callable[[], Any]
    call: Callable[[Any], Any]
    facts: Callable[[Any], Any] = same
    after: Callable[[Any], Any] | None = None

    def later(self, subject: Any) -> Any:
        """The subject's answer after a failed call."""
        return self.facts(self.call(subject)) if self.after is None else self.after(subject)


BREAKTHROUGH = po.Breakthrough(5)
OTHELLO = po.Othello(6)
ENDING = po.Breakthrough.from_fen("bb./b../.ww/ww. w")
LATE = formats.read_moves("b1a1a2c1", 4)
LATE_8 = formats.read_moves("f5d6c3")
OPENING = "f5d6c3d3c4"
OBF = "---------------------------OX------XO--------------------------- X; F5:+0"
GGF = "(;GM[Othello]PB[Ann]PW[Bob]TY[8]B[F5]W[D6//1.5]B[C3/+2.0/];)"


class Own(Heap):
    """A heap that avoids code of Python with faults of its own when memory runs out."""

    def copy(self) -> Own:
        return Own(self.size, self.turn)

    def legal_moves(self) -> list[str]:
        return ["take 1", "take 2", "take 3"][: self.size]


def shape(result: po.Result) -> tuple[object, ...]:
    """Facts that hold for every run of a search that is not repeatable."""
    visits = int(result.moves["visits"].sum())
    return result.playouts, visits, result.move in result.position.legal_moves, result.value <= 1.0


def past(position: po.Position) -> tuple[object, ...]:
    return str(position), position.key, tuple(position.history), tuple(position.legal_moves)


def pushed(position: po.Position, *moves: str) -> po.Position:
    for move in moves:
        position.push(move)
    return position


def rebuilt(function: Callable[..., po.Position], arguments: tuple[Any, ...]) -> po.Position:
    """Rebuild as pickle does; pickle itself leaks and wraps errors when memory runs out."""
    return function(*arguments)


def sums(found: Any) -> list[Any]:
    columns = (found.wins, found.draws, found.losses, found.mean, found.stderr, found.plies)
    return [getattr(column, "tolist", lambda column=column: column)() for column in columns]


def position(make: Callable[[], Any], call: Callable[[Any], Any]) -> Entry:
    """A call that does not change the position."""
    return Entry(make, call, after=lambda subject: (past(subject), call(subject)))


def move_of(position: po.Position) -> Callable[[], po.Position]:
    return lambda: pushed(position.copy(), position.legal_moves[0])


def searching(start: Any, method: Any, facts: Callable[[Any], Any] = facts, **more: Any) -> Entry:
    options = {"playouts": 40, "seed": 1} | more
    return Entry(lambda: start, lambda start: po.search(start, method, **options), facts)


def searcher(
    start: po.Position = BREAKTHROUGH, method: Any = "rave", **more: Any
) -> Callable[[], po.Searcher]:
    def make() -> po.Searcher:
        made = po.Searcher(start, method, seed=1, **more)
        made.search(playouts=200)
        return made

    return make


def goes_on(searcher: po.Searcher) -> tuple[object, ...]:
    """A searcher can still search, advance and return results."""
    before = int(searcher.result.moves["visits"].sum())
    found = searcher.search(playouts=30)
    visits = int(found.moves["visits"].sum())
    searcher.advance(found.move)
    return (
        visits - before,
        found.playouts,
        len(searcher.position.history),
        searcher.search(playouts=9).playouts,
    )


def advanced(searcher: po.Searcher) -> tuple[object, ...]:
    searcher.advance("a2a3")
    return past(searcher.position), facts(searcher.search(playouts=30))


def pondered(searcher: po.Searcher) -> int:
    searcher.ponder()
    searcher.stop()
    return 0


def of_result(call: Callable[[po.Result], Any]) -> Entry:
    result = po.search(BREAKTHROUGH, "rave", playouts=60, seed=1)
    return Entry(lambda: result, call)


def of_tree(call: Callable[[po.Node], Any]) -> Entry:
    return Entry(
        lambda: po.search(ENDING, "uct", playouts=12, seed=1, solver=True),
        lambda result: call(result.tree),
    )


def solved(found: po.Solution) -> tuple[object, ...]:
    return found.move, found.score, found.value, tuple(found.pv), found.nodes, found.reason


def with_executor(_: None) -> po.Result:
    with ThreadPoolExecutor(2) as executor:
        return po.search(BREAKTHROUGH, "uct", playouts=40, seed=1, executor=executor, workers=3)


def engine() -> Driver:
    return Task.checked(
        po.Breakthrough(6), po.RAVE(), seed=1, threads=1, memory=None, policy="random", solver=False
    ).engine()


def counted(engine: Driver) -> tuple[int, int]:
    """Run a search. Without memory for more positions it continues without them."""
    engine.run(2500)
    return engine.playouts, int(engine.root()["visits"].sum())


def nothing() -> None:
    return None


def value_of(position: po.Othello) -> float:
    return float(len(position.legal_moves))


COMPARED: dict[str, Any] = {"playouts": 20, "runs": 2, "seed": 1, "exact_nodes": 0}

ENTRIES: dict[str, Entry] = {
    "Breakthrough": Entry(nothing, lambda _: po.Breakthrough(5), past),
    "Othello": Entry(nothing, lambda _: po.Othello(6), past),
    "Breakthrough.from_fen": Entry(lambda: BREAKTHROUGH.fen, po.Breakthrough.from_fen, past),
    "Othello.from_fen": Entry(lambda: OTHELLO.fen, po.Othello.from_fen, past),
    "Breakthrough.push": Entry(BREAKTHROUGH.copy, lambda p: pushed(p, "a2a3"), past),
    "Othello.push": Entry(OTHELLO.copy, lambda p: pushed(p, "b3"), past),
    "pop": Entry(move_of(BREAKTHROUGH), lambda p: (p.pop(), p)[1], past),
    "legal_moves": position(OTHELLO.copy, lambda p: tuple(p.legal_moves)),
    "push_index": Entry(BREAKTHROUGH.copy, lambda p: (p.push_index(0), p)[1], past),
    "planes, legal_mask": position(
        BREAKTHROUGH.copy,
        lambda p: (p.planes().tolist(), p.legal_mask.tolist(), p.move_of(p.action("a2a3"))),
    ),
    "stack": Entry(lambda: [OTHELLO, OTHELLO.copy()], po.stack, lambda found: found.tolist()),
    "random_positions": Entry(
        OTHELLO.copy, lambda p: po.random_positions(p, 3, plies=2, seed=1), lambda found: found
    ),
    "find_move, code": position(BREAKTHROUGH.copy, lambda p: (p.find_move("A2A3"), p.code("a2a3"))),
    "copy": position(move_of(OTHELLO), lambda p: past(p.copy())),
    "perft": position(BREAKTHROUGH.copy, lambda p: p.perft(2)),
    "history": position(move_of(BREAKTHROUGH), lambda p: tuple(p.history)),
    "str, repr": position(OTHELLO.copy, lambda p: (str(p), repr(p))),
    "svg": position(move_of(BREAKTHROUGH), lambda p: pictures.svg(p.board)),
    "==, hash, result": position(OTHELLO.copy, lambda p: (p == OTHELLO, hash(p), p.result, p.key)),
    "pickled and rebuilt": position(move_of(OTHELLO), lambda p: past(rebuilt(*p.__reduce__()))),
    "playout": Entry(
        BREAKTHROUGH.copy,
        lambda p: po.playout(p, 1),
        lambda found: (repr(found), found.codes.tolist()),
    ),
    "playouts": Entry(BREAKTHROUGH.copy, lambda p: po.playouts(p, 200, seed=1), sums),
    "playouts, guided": Entry(
        OTHELLO.copy, lambda p: po.playouts(p, 20, seed=1, policy="guided"), sums
    ),
    "playouts, threads": Entry(
        OTHELLO.copy, lambda p: po.playouts(p, 200, seed=1, threads=2), sums
    ),
    "playouts, list": Entry(
        lambda: [BREAKTHROUGH, ENDING.copy()][:1] * 2, lambda ps: po.playouts(ps, 100, seed=1), sums
    ),
    "search flat": searching(BREAKTHROUGH, "flat"),
    "search flat, recent": searching(BREAKTHROUGH, po.Flat(schedule="recent")),
    "search flat, threads": searching(BREAKTHROUGH, "flat", threads=2),
    "search ucb": searching(BREAKTHROUGH, "ucb"),
    "search thompson": searching(BREAKTHROUGH, po.UCB(rule="thompson")),
    "search amaf": searching(BREAKTHROUGH, "amaf"),
    "search amaf, threads": searching(OTHELLO, "amaf", threads=2),
    "search uct": searching(BREAKTHROUGH, "uct"),
    "search uct, Othello": searching(OTHELLO, "uct"),
    "search rave": searching(BREAKTHROUGH, "rave"),
    "search rave, kinds": searching(OTHELLO, po.RAVE(bias=[1e-5, 1e-4, 1e-3], scale="kind")),
    "search grave": searching(BREAKTHROUGH, po.GRAVE(ref=5)),
    "search, solver": searching(ENDING, "uct", solver=True),
    "search, lanes": searching(BREAKTHROUGH, po.UCT(lanes=16), playouts=64),
    "search, threads": searching(BREAKTHROUGH, "rave", shape, threads=2, playouts=300),
    "search, guided": searching(OTHELLO, "uct", policy="guided"),
    "search, full": searching(BREAKTHROUGH, "rave", memory=2**16, playouts=300),
    "search, growing": Entry(engine, lambda e: e.run(2000), lambda _: None, after=counted),
    "search, executor": Entry(nothing, with_executor, facts),
    "search alphabeta": searching(
        po.Othello(), po.AlphaBeta(depth=3, multi_pv=2), playouts=None, seed=None
    ),
    "search alphabeta, function": searching(
        OTHELLO, po.AlphaBeta(depth=2, evaluation=value_of), playouts=None, seed=None
    ),
    "analysis": Entry(
        nothing,
        lambda _: list(po.analysis(BREAKTHROUGH, "uct", playouts=40, every=20, seed=1)),
        lambda results: [facts(result) for result in results],
    ),
    "analysis alphabeta": Entry(
        nothing,
        lambda _: list(po.analysis(po.Othello(), po.AlphaBeta(depth=2))),
        lambda results: [facts(result) for result in results],
    ),
    "Searcher": Entry(nothing, lambda _: po.Searcher(BREAKTHROUGH, "uct", seed=1), goes_on),
    "Searcher.search": Entry(searcher(), lambda s: s.search(playouts=30), facts, after=goes_on),
    "Searcher.search, threads": Entry(
        searcher(threads=2), lambda s: s.search(playouts=99), shape, after=goes_on
    ),
    "Searcher.advance": Entry(searcher(), lambda s: s.advance("a2a3"), after=advanced),
    "Searcher.advance, full": Entry(
        searcher(memory=2**16), lambda s: s.advance("a2a3"), after=advanced
    ),
    "Searcher.ponder": Entry(searcher(), pondered, after=lambda s: (s.stop(), goes_on(s))),
    "Searcher.result": Entry(searcher(), lambda s: s.result, facts),
    "solve Othello": Entry(lambda: LATE, po.solve, solved),
    "solve Breakthrough": Entry(lambda: ENDING, po.solve, solved),
    "solve a Python game": Entry(lambda: Own(5), po.solve, solved),
    "evaluate": Entry(
        lambda: OTHELLO, lambda p: (po.evaluate(p, "ratios"), po.evaluate(p, value_of))
    ),
    "evaluate, terms": Entry(po.Othello, lambda p: po.evaluate(p, "washington", terms=True)),
    "Evaluation": Entry(nothing, lambda _: po.Evaluation(weights=[[1.0] * 8] * 8, parity=2), repr),
    "methods": Entry(
        nothing, lambda _: repr([po.RAVE(bias=[1, 2], scale="phase"), po.method_of("Grave")])
    ),
    "compare": Entry(
        nothing,
        lambda _: po.compare(BREAKTHROUGH, ["flat", "rave"], **COMPARED),
        lambda c: c.moves.tolist(),
    ),
    "compare, exact": Entry(
        nothing,
        lambda _: po.compare(ENDING, ["uct"], playouts=10, runs=1, seed=1, exact_nodes=1000),
        lambda c: (c.moves.tolist(), c.regrets.tolist()),
    ),
    "compare_estimates": Entry(
        lambda: BREAKTHROUGH, lambda p: po.compare_estimates(p, 50, 1), lambda t: t.tobytes()
    ),
    "formats, OBF": Entry(
        nothing, lambda _: formats.write_obf(formats.read_obf(OBF).position, {"f5": 0})
    ),
    "formats, moves": Entry(nothing, lambda _: formats.write_moves(formats.read_moves(OPENING))),
    "formats, GGF": Entry(
        nothing, lambda _: formats.write_ggf(formats.read_ggf(GGF).position, {"PB": "Ann"})
    ),
    "Book": Entry(
        lambda: po.Book(po.ConnectFour(4)),
        lambda book: book.extend("uct", positions=20, playouts=9),
        after=lambda book: (book.extend("uct", positions=20, playouts=9), len(book))[1],
    ),
    "wthor": Entry(
        lambda: wthor.Wthor((po.Record(LATE_8, ("1", "2"), 0, verdict=(1.0, "clock")),)),
        lambda file: wthor.read(wthor.write(file)).year,
    ),
    "Python game": Entry(
        lambda: PythonPosition(Own(7)), lambda p: pushed(p, "take 2"), lambda p: p.object.size
    ),
    "Python game, pop": Entry(
        lambda: pushed(PythonPosition(Own(7)), "take 2"),
        lambda p: (p.pop(), p)[1],
        lambda p: p.object.size,
    ),
    "Python game, uct": searching(Own(7), "uct", playouts=20),
    "Python game, rave": searching(Own(7), "rave", playouts=20, solver=True),
    "check_game": Entry(lambda: Own(5), lambda game: po.check_game(game, games=1), repr),
    "check_game, compiled": Entry(ENDING.copy, lambda p: po.check_game(p, games=1), repr),
    "Python game, flat": searching(Own(7), "flat", playouts=10),
    "Python game, playouts": Entry(
        lambda: PythonPosition(Own(7)), lambda p: po.playouts(p, 5, seed=1), sums
    ),
    "Result.to_json": of_result(lambda result: result.to_json()),
    "str(Result)": of_result(str),
    "repr(Result)": of_result(repr),
    "Result, html": of_result(lambda result: result._repr_html_()),
    "Node.walk": of_tree(lambda node: [str(n.move) for n in node.walk()]),
    "Node.to_json": of_tree(lambda node: node.to_json()),
    "Node.to_dot": of_tree(lambda node: node.to_dot()),
    "str(Node)": of_tree(str),
    "Node, html": of_tree(lambda node: node._repr_html_()),
}
