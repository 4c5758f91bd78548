"""The exact solvers compared with brute force, with each other and with known values."""

from __future__ import annotations

import csv
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import playout as po
from mcts_core.games.python_game import PythonPosition
from mcts_core.minimax.endgame import EndgameSolver
from mcts_core.minimax.proof import ExactSolver
from support import exact
from support.helpers import random_game
from support.timers import ends_with_ctrl_c, needs_timer

GAMES = ["Othello", "Breakthrough"]
DATA = Path(__file__).parents[1] / "data"


# Brute force, with the rules of exact.py


def difference(rules: exact.Othello, state: exact.State) -> int:
    """The disc difference at the end, for the side to move. Empty squares go to the winner."""
    own, enemy = state.first.bit_count(), state.second.bit_count()
    if state.turn:
        own, enemy = enemy, own
    empty = len(rules.rays) - own - enemy
    return own - enemy + (empty if own > enemy else -empty if own < enemy else 0)


def best_difference(
    rules: exact.Othello, state: exact.State, alpha: int = -64, beta: int = 64
) -> int:
    """Plain alpha-beta to the end of the game. Moves with few replies come first."""
    children = rules.placements(state)
    if not children:
        passed = state._replace(turn=1 - state.turn)
        if not rules.placements(passed):
            return difference(rules, state)
        return -best_difference(rules, passed, -beta, -alpha)
    if (state.first | state.second).bit_count() < len(rules.rays) - 4:
        children.sort(key=lambda child: len(rules.placements(child)))
    best = -len(rules.rays)
    for child in children:
        best = max(best, -best_difference(rules, child, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def brute_force(position: po.Othello) -> int:
    _, state = exact.read(position)
    return best_difference(exact.Othello(position.size), state)


def endgames(number: int, most_empty: int, seed: int, size: int = 8) -> list[po.Othello]:
    """Unfinished positions of random games with at most `most_empty` empty squares."""
    found: list[po.Othello] = []
    choice = random.Random(seed)
    while len(found) < number:
        late = [
            p.copy()
            for p in random_game(po.Othello(size), choice.getrandbits(32))
            if not p.is_over and sum(p.discs) >= size * size - most_empty
        ]
        if late:
            found.append(choice.choice(late))
    return found


def check(position: po.Othello, expected: int) -> po.Solution:
    """Check the score, a line that reaches it, and the win, draw or loss."""
    found = po.solve(position)
    assert found.score == expected
    assert found.move == found.pv[0]
    after = position.copy()
    for move in found.pv:
        after.push(move)
    assert after.is_over
    black, white = after.discs
    empty = position.size**2 - black - white
    lead = black - white + (empty if black > white else -empty if black < white else 0)
    assert expected == (-lead if position.turn else lead)
    outcome = po.solve(position, outcome_only=True)
    assert outcome.score == (expected > 0) - (expected < 0)
    assert found.value == outcome.value == (outcome.score + 1) / 2
    after = position.copy()
    after.push(outcome.move)
    if not after.is_over:
        value = po.solve(after, outcome_only=True).value
        assert value is not None
        assert 1 - value == outcome.value
    return found


def test_200_endgames_against_brute_force() -> None:
    for position in endgames(160, 7, seed=1) + endgames(40, 8, seed=2, size=6):
        check(position, brute_force(position))


@pytest.mark.slow
def test_1000_endgames_against_brute_force() -> None:
    for position in endgames(1000, 10, seed=3):
        check(position, brute_force(position))


def scores_by_brute_force(position: po.Othello) -> dict[str, int]:
    """The score of each move, by the rules of exact.py."""
    if position.legal_moves == ("pass",):
        return {"pass": brute_force(position)}
    moves = zip(position.legal_moves, position.children(), strict=True)
    return {str(move): -brute_force(child) for move, child in moves}


def check_moves(position: po.Othello, expected: dict[str, int]) -> None:
    """The scores of all moves, and what each best move leads to when it is played."""
    found = po.solve(position, multi=True)
    best = max(expected.values())
    assert found.scores == expected
    assert list(found.scores.values()) == sorted(expected.values(), reverse=True)
    assert set(found.best_moves) == {move for move, score in expected.items() if score == best}
    assert (found.score, found.reason) == (best, "solved")
    assert found.move == found.pv[0]
    assert found.move in found.best_moves
    for move in found.best_moves:
        after = position.copy()
        after.push(move)
        if not after.is_over:
            assert po.solve(after).score == -best
    outcomes = {move: (score > 0) - (score < 0) for move, score in expected.items()}
    assert po.solve(position, multi=True, outcome_only=True).scores == outcomes


def test_every_move_of_100_endgames_against_brute_force() -> None:
    for position in endgames(80, 7, seed=11) + endgames(20, 8, seed=12, size=6):
        check_moves(position, scores_by_brute_force(position))


@pytest.mark.slow
def test_every_move_of_endgames_with_12_empty_squares() -> None:
    late = [p for p in endgames(400, 12, seed=13) if sum(p.discs) == 52]
    assert len(late) >= 20
    for position in late:
        check_moves(position, scores_by_brute_force(position))


def test_every_move_of_other_games() -> None:
    """Each position after a move is solved on its own."""
    starts = [
        po.Breakthrough.from_fen("bb./b../.ww/ww. w"),
        po.Breakthrough(4),
        po.ConnectFour.from_fen("..../..../.x../oxo. x"),
        PythonPosition(Heap(5)),
    ]
    for start in starts:
        found = po.solve(start, multi=True)
        expected = {
            str(move): int(1 - 2 * value_of(child))
            for move, child in zip(start.legal_moves, start.children(), strict=True)
        }
        assert found.scores == expected
        assert found.score == max(expected.values())
        assert found.move in found.best_moves
        with ThreadPoolExecutor(2) as executor:
            found = po.solve(start, multi=True, executor=executor)
        assert (found.scores, found.reason) == (expected, "solved")
        assert found.move in found.best_moves


def value_of(position: po.Position) -> float:
    """The result under best play, to the side to move."""
    if position.is_over:
        result = position.result
        assert result is not None
        return 1.0 - result if position.turn else result
    value = po.solve(position).value
    assert value is not None
    return value


def test_a_limit_ends_the_scores_of_moves() -> None:
    """Those that are known are exact."""
    position = next(p for p in endgames(50, 14, seed=14) if sum(p.discs) == 50)
    whole = po.solve(position, multi=True)
    alone = po.solve(position)
    between = (whole.nodes + alone.nodes) // 2
    found = po.solve(position, multi=True, nodes=between)
    assert (found.score, found.reason) == (whole.score, "nodes")
    assert 0 < len(found.scores) < len(whole.scores)
    assert all(whole.scores[move] == score for move, score in found.scores.items())
    none = po.solve(position, multi=True, nodes=1)
    assert (none.score, none.scores, none.best_moves) == (None, {}, (none.move,))


def test_the_twin_agrees_at_the_end() -> None:
    """Alpha-beta to the end of the game has the same margin."""
    for position in endgames(30, 10, seed=4):
        score = po.solve(position).score
        assert score is not None
        value = po.search(position, po.AlphaBeta(depth=40, evaluation="weights")).value
        assert value == score + 1e6 * ((score > 0) - (score < 0))


def test_4x4() -> None:
    """White wins by 8 discs on the board, and two squares stay empty."""
    found = check(po.Othello(4), -10)
    after = po.Othello(4)
    for move in found.pv:
        after.push(move)
    assert after.discs == (3, 11)


def test_the_end_of_perfect_play_on_8x8() -> None:
    line = (
        "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8G8B3H3B2"
        "H5B7A3A4A1A2C1H2H1G2B8A8G7H8H7H6"
    )
    position = po.Othello()
    for i in range(0, len(line), 2):
        while position.legal_moves[0] == "pass":
            position.push("pass")
        if 60 - i // 2 <= 16:
            assert po.solve(position).score == 0
        position.push(line[i : i + 2])
    assert position.discs == (32, 32)


def read(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_endgames_solved_twice() -> None:
    """tests/data/README.md explains the positions of endgames.csv."""
    rows = read(DATA / "endgames.csv")
    assert len(rows) >= 30
    for row in rows:
        check(po.Othello.from_fen(row["position"]), int(row["score"]))


def test_deep_endgames_solved_twice() -> None:
    """14 and 15 empty squares; `test_endgames.py` has those with more."""
    for row in read(DATA / "deep_endgames.csv")[:18]:
        assert int(row["empty"]) in (14, 15)
        found = po.solve(po.Othello.from_fen(row["position"]))
        assert found.score == int(row["score"])
        assert found.move in row["best_moves"].split()


# Any game


@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (4, 5), (3, 4), (3, 5)])
def test_breakthrough_boards(rows: int, cols: int) -> None:
    start = po.Breakthrough(rows, cols, first_rows=1 if rows == 3 else 2)
    found = po.solve(start)
    assert found.value == exact.value(start)
    if rows == 4:
        assert found.value == 0.0
    after = start.copy()
    for move in found.pv:
        after.push(move)
    assert after.result == found.value


def test_5_rows_4_columns_is_lost() -> None:
    assert po.solve(po.Breakthrough(5, 4)).value == 0.0


@pytest.mark.slow
def test_5_rows_5_columns_is_lost() -> None:
    assert po.solve(po.Breakthrough(5)).value == 0.0


@pytest.mark.parametrize(
    "start", [po.Breakthrough(4), po.Breakthrough(3, 5, first_rows=1)], ids=["4x4", "3x5"]
)
def test_breakthrough_positions(start: po.Breakthrough) -> None:
    for seed in range(20):
        for position in random_game(start, seed):
            if not position.is_over:
                value = exact.value(position)
                found = po.solve(position, memory="1MB")
                assert found.value == (1 - value if position.turn else value)
                after = position.copy()
                for move in found.pv:
                    after.push(move)
                assert after.result == value


def plain_value(position: po.Position, known: dict[str, float]) -> float:
    """What the first player gets, by a search of every move."""
    if position.result is not None:
        return position.result
    if position.fen not in known:
        values = []
        for move in position.legal_moves:
            position.push(move)
            values.append(plain_value(position, known))
            position.pop()
        known[position.fen] = min(values) if position.turn else max(values)
    return known[position.fen]


def test_connect_four_positions() -> None:
    known: dict[str, float] = {}
    seen = set()
    for seed in range(40):
        for position in random_game(po.ConnectFour(4, 5), seed):
            if len(position.history) >= 11 and not position.is_over:
                value = plain_value(position.copy(), known)
                value = 1 - value if position.turn else value
                assert po.solve(position).value == value, position.fen
                seen.add(value)
    assert seen == {0.0, 0.5, 1.0}


class Heap:
    """Take one, two or three from a heap. Taking the last one wins; at 20 a player may draw."""

    turn = 0

    def __init__(self, left: int, turn: int = 0, drawn: bool = False) -> None:
        self.left, self.turn, self.drawn = left, turn, drawn

    def legal_moves(self) -> list[str]:
        moves = [str(n) for n in (1, 2, 3) if n <= self.left]
        return [*moves, "draw"] if self.left == 20 else moves

    def play(self, move: str) -> None:
        self.drawn = move == "draw"
        self.left -= 0 if self.drawn else int(move)
        self.turn = 1 - self.turn

    def is_over(self) -> bool:
        return self.left == 0 or self.drawn

    def result(self) -> float:
        return 0.5 if self.drawn else float(self.turn)

    def key(self) -> object:
        return self.left, self.turn, self.drawn

    def copy(self) -> Heap:
        return Heap(self.left, self.turn, self.drawn)


@pytest.mark.parametrize("left", range(1, 24))
def test_a_game_in_python(left: int) -> None:
    """Multiples of four are lost, but from 20 one can draw; so 20 is a draw, 21 to 23 are too."""
    expected = 0.0 if left % 4 == 0 else 1.0
    if left >= 20:
        expected = 0.5
    for turn in (0, 1):
        found = po.solve(Heap(left, turn))
        assert found.value == expected
        assert found.score == 2 * expected - 1
        after = Heap(left, turn)
        for move in found.pv:
            after.play(move)
        assert after.result() == (1 - expected if turn else expected)


# Limits, threads and errors


@pytest.mark.parametrize("memory", ["64KiB", "16MB"])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_prove_the_same(threads: int, memory: str) -> None:
    """Also with a table that is full at once, and one that grows while all threads use it."""
    choice = random.Random(threads)
    for seed in range(100):
        game = [p.copy() for p in random_game(po.Breakthrough(4), seed)]
        start = choice.choice(game[:-1])
        found = po.solve(start, threads=threads, memory=memory)
        value = exact.value(start)
        assert found.value == (1 - value if start.turn else value), start.fen


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_prove_draws_and_long_games(threads: int) -> None:
    assert po.solve(po.ConnectFour(4, 5), threads=threads).value == 0.5
    assert po.solve(po.Breakthrough(5, 4), threads=threads).value == 0.0
    for left in range(1, 24):
        assert po.solve(Heap(left), threads=threads).value == po.solve(Heap(left)).value


def test_helpers_count_as_nodes_and_end_with_the_first_thread() -> None:
    before, nodes = threading.active_count(), []
    for _ in range(12):
        found = po.solve(po.Breakthrough(6), nodes=50_000, threads=4)
        assert (found.value, found.reason) == (None, "nodes")
        assert threading.active_count() == before
        nodes.append(found.nodes)
    assert min(nodes) >= 50_000
    assert sorted(nodes)[3] < 70_000  # more while the first thread waits for a core


def test_more_threads_than_the_system_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """The threads that have begun are ended, and the solver is ready for the next proof."""
    from mcts_core.minimax import proof

    class Last(proof.Call):  # type: ignore[misc, name-defined]
        left = 2

        def start(self) -> bool:
            Last.left -= 1
            if Last.left < 0:
                raise RuntimeError("can't start new thread")
            return bool(super().start())

    monkeypatch.setattr(proof, "Call", Last)
    solver, start = ExactSolver(po.Breakthrough(5)), po.Breakthrough(5)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        solver.prove(start, 0, 1.0, 5)
    monkeypatch.undo()
    solver.limit(nodes=1000)
    assert solver.prove(start, 0, 1.0, 2) == "nodes"


class Fails(Heap):
    """A heap whose code fails after some calls."""

    calls = 0

    def legal_moves(self) -> list[str]:
        Fails.calls += 1
        if Fails.calls > 500:
            raise ArithmeticError("no more")
        return super().legal_moves()

    def copy(self) -> Heap:
        return Fails(self.left, self.turn, self.drawn)


def test_an_exception_of_a_game_in_python_ends_all_threads() -> None:
    Fails.calls = 0
    before = threading.active_count()
    with pytest.raises(ArithmeticError, match="no more"):
        po.solve(Fails(500), threads=3)
    assert threading.active_count() == before


@pytest.mark.parametrize("start", [po.Othello(), po.Breakthrough()], ids=GAMES)
def test_progress(start: po.Position) -> None:
    seen: list[tuple[int, float]] = []
    found = po.solve(start, seconds=0.5, progress=lambda *so_far: seen.append(so_far))
    assert len(seen) >= 2
    assert seen == sorted(seen)
    assert seen[-1][0] <= found.nodes
    assert seen[-1][1] <= found.seconds


@pytest.mark.parametrize("start", [po.Othello(), po.Breakthrough()], ids=GAMES)
def test_an_exception_in_progress_ends_the_search(start: po.Position) -> None:
    def enough(nodes: int, seconds: float) -> None:
        raise StopIteration(nodes)

    with pytest.raises(StopIteration):
        po.solve(start, seconds=20, progress=enough)


@pytest.mark.parametrize(
    "start",
    [po.Othello(4), po.Breakthrough(4), PythonPosition(Heap(14))],
    ids=["Othello", "Breakthrough", "Python"],
)
def test_another_thread_may_play_on(start: po.Position) -> None:
    """The position is solved as it is at the moment of the call."""
    line = [start]
    for _ in range(3):
        after = line[-1].copy()
        after.push(after.legal_moves[-1])
        line.append(after)
    values = {after.key: po.solve(after).value for after in line}
    shared, ends = start.copy(), threading.Event()

    def play() -> None:
        while not ends.is_set():
            for after in line[1:]:
                shared.push(after.history[-1])
            for _ in line[1:]:
                shared.pop()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    player = threading.Thread(target=play)
    player.start()
    try:
        seen = set()
        solved, deadline = 0, time.monotonic() + 20
        while solved < 300 or (len(seen) == 1 and time.monotonic() < deadline):
            solved += 1
            found = po.solve(shared)
            assert found.value == values[found.position.key]
            seen.add(found.position.key)
    finally:
        sys.setswitchinterval(interval)
        ends.set()
        player.join()
    assert len(seen) > 1


@pytest.mark.parametrize(
    "start", [po.Othello(), po.Breakthrough()], ids=["Othello", "Breakthrough"]
)
def test_limits(start: po.Position) -> None:
    found = po.solve(start, nodes=20_000)
    assert (found.score, found.value, found.reason) == (None, None, "nodes")
    assert found.nodes < 200_000
    assert found.move in start.legal_moves
    assert not found.is_solved
    assert "not solved" in str(found)
    began = time.perf_counter()
    found = po.solve(start, seconds=0.1)
    assert found.reason == "seconds"
    assert found.move in start.legal_moves
    assert time.perf_counter() - began < 2


@pytest.mark.traced_slowly
@needs_timer
@pytest.mark.parametrize(
    "start", [po.Othello(), po.Breakthrough()], ids=["Othello", "Breakthrough"]
)
def test_ctrl_c(start: po.Position) -> None:
    ends_with_ctrl_c(lambda: po.solve(start, seconds=20), 0.1)


def test_a_solution_as_text() -> None:
    text = str(po.solve(po.Othello(4)))
    assert text.startswith("b1: a loss, score -10 (")
    assert "\npv: b1 " in text
    text = str(po.solve(po.Othello(4), multi=True))
    assert text.endswith("\nscores: b1 -10, a2 -10, d3 -10, c4 -10")


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: po.solve("f5"), po.BadPosition, "what is solved is a position"),
        (lambda: po.solve(po.Othello.from_fen("X" * 16 + " O")), po.BadPosition, "game is over"),
        (lambda: po.solve(po.Othello(4), seconds=0), ValueError, "seconds must be"),
        (lambda: po.solve(po.Othello(4), nodes=1.5), ValueError, "nodes must be"),
        (lambda: po.solve(po.Othello(4), outcome_only=1), ValueError, "True or False"),
        (lambda: po.solve(po.Othello(4), multi=3), ValueError, "multi must be True or False"),
        (lambda: po.solve(po.Othello(4), memory="lots"), ValueError, "memory must be"),
        (lambda: po.solve(po.Breakthrough(4), memory="900TB"), ValueError, "memory=900,0.* than"),
        (lambda: po.solve(po.Othello(4), memory="900 TiB"), ValueError, "more than this machine"),
        (lambda: po.solve(po.Breakthrough(4), threads=0), ValueError, "threads must be"),
        (lambda: po.solve(po.Othello(4), progress=1), ValueError, "progress must be a function"),
        (lambda: po.solve(po.Othello(4), certificate="x"), ValueError, "solver of their own"),
        (lambda: po.solve(po.Breakthrough(4), certificate="no/x"), ValueError, "does not exist"),
    ],
)
def test_errors(call: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


MANY_MOVES = "--------XOO-XOO--XX--XX--O-O--O--OXO-OO--OXXXX---O-OXO-O-------X X"


def test_a_position_with_more_moves_than_any_game_reaches() -> None:
    start = po.Othello.from_fen(MANY_MOVES)
    assert len(start.legal_moves) == 35
    assert po.search(start, po.AlphaBeta(depth=3)).move in start.legal_moves
    assert po.solve(start, nodes=50_000).move in start.legal_moves


@pytest.mark.parametrize("solver", [ExactSolver, EndgameSolver])
def test_a_table_of_more_memory_than_there_is(solver: Any) -> None:
    """Its size is found without counting past the end of an integer."""
    began = time.perf_counter()
    with suppress(MemoryError):
        solver(po.Othello(4), memory=2**63 - 1)
    assert time.perf_counter() - began < 5
