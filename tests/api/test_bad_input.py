"""Bad input of every kind: each case names the fault and the remedy in one line."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import playout as po
from playout import formats
from playout.arena.players import player_from
from playout.cli.counts import count_from
from support.helpers import Heap

B, OTHELLO, C = po.Breakthrough(), po.Othello(), po.ConnectFour()
OVER = po.Othello.from_fen("XX-------------- O")


class Twice(Heap):
    """Two moves are written the same."""

    def legal_moves(self) -> list[str]:
        return ["take 1", "take 1"]


class Without(Heap):
    """It forgets to return its moves."""

    def legal_moves(self) -> Any:
        return None


class Miscoded(Heap):
    """Its codes are out of range."""

    def code(self, move: str) -> int:
        return 99


class Keyless(Heap):
    """It has no key."""

    key: Any = None


class Third(Heap):
    """Its players are 1 and 2."""

    def __init__(self, size: int, turn: int = 2) -> None:
        super().__init__(size, turn)


class Draws:
    """A generator that always draws the same."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def random(self) -> Any:
        return self.value


class Gives(Heap):
    """A game whose result is `value`."""

    value: Any = None

    def result(self) -> Any:
        return self.value

    def copy(self) -> Gives:
        twin = type(self)(self.size, self.turn)
        twin.value = self.value
        return twin


def gives(value: Any) -> Gives:
    game = Gives(3)
    game.value = value
    return game


def found(call: Callable[[], Any]) -> None:
    """Run a request that may be a generator."""
    result = call()
    if hasattr(result, "__next__"):
        list(result)


CASES: list[tuple[Callable[[], Any], type[Exception], str]] = [
    # Limits
    (lambda: po.search(B, "uct", 1000), TypeError, "write playouts=1000"),
    (lambda: po.search(B, po.UCT(), 1e5), TypeError, "write playouts=100000.0"),
    (lambda: po.analysis(B, "uct", 1000), TypeError, "write playouts=1000"),
    (lambda: po.Searcher(B).search(1000), TypeError, "write playouts=1000"),
    (lambda: po.search(B, 1000), po.BadMethod, "a limit has a name: playouts=1000"),
    (lambda: po.search(B), ValueError, "a search needs a limit: playouts=10_000"),
    (lambda: po.search(B, playouts=0), ValueError, "playouts must be a whole number from 1"),
    (lambda: po.search(B, playouts=-1), ValueError, "playouts must be a whole number from 1"),
    (lambda: po.search(B, playouts=1e5), ValueError, "playouts must be a whole number from 1"),
    (lambda: po.search(B, playouts="10k"), ValueError, "playouts must be a whole number from 1"),
    (lambda: po.search(B, playouts=True), ValueError, "playouts must be a whole number from 1"),
    (lambda: po.search(B, playouts=2**31), ValueError, "playouts must be a whole number from 1"),
    (lambda: po.search(B, seconds=0), ValueError, "seconds must be a number above 0"),
    (lambda: po.search(B, seconds=-1), ValueError, "seconds must be a number above 0"),
    (lambda: po.search(B, seconds=math.inf), ValueError, "seconds must be a number above 0"),
    (lambda: po.search(B, seconds="1"), ValueError, "seconds must be a number above 0"),
    (lambda: po.search(B, until_sure=2), ValueError, "until_sure must be a standard error"),
    (lambda: po.search(B, until_sure=1.0), ValueError, "such as 0.01, not 1.0"),
    (lambda: po.search(B, until_sure=0), ValueError, "until_sure must be a number above 0"),
    (lambda: po.search(B, nodes=5), po.BadMethod, "nodes= limits alpha-beta"),
    # Methods
    (lambda: po.search(B, "RAVE(bias=-1)", playouts=9), po.BadMethod, "bias must be a number of"),
    (lambda: po.search(B, "RAVE(bais=1)", playouts=9), po.BadMethod, "did you mean 'bias'?"),
    (lambda: po.search(B, "RAVE(0.1)", playouts=9), po.BadMethod, "settings have names"),
    (lambda: po.search(B, "RAVE(", playouts=9), po.BadMethod, "'RAVE(' is not a method"),
    (lambda: po.search(B, "rav", playouts=9), po.BadMethod, "did you mean 'rave'?"),
    (lambda: po.search(B, "", playouts=9), po.BadMethod, "there is no method ''"),
    (lambda: po.search(B, po.UCT, playouts=9), po.BadMethod, "UCT is a class: write UCT()"),
    (lambda: po.search(B, None, playouts=9), po.BadMethod, "not None"),
    (lambda: po.UCT(c=-1), po.BadMethod, "c must be a number of at least 0"),
    (lambda: po.UCT(c="big"), po.BadMethod, "c must be a number of at least 0"),
    (lambda: po.UCT(lanes=65), po.BadMethod, "lanes must be a whole number from 1 to 64"),
    (lambda: po.UCT(ties="last"), po.BadMethod, "ties must be one of 'random', 'first'"),
    (lambda: po.RAVE(beta="mes"), po.BadMethod, "did you mean 'mse'?"),
    (lambda: po.Flat(half_life=0), po.BadMethod, "half_life must be a number above 0"),
    (lambda: po.UCB(epsilon=2), po.BadMethod, "epsilon is a probability"),
    # Settings of a search
    (lambda: po.search(B, playouts=9, seed=-1), ValueError, "seed must not be negative"),
    (lambda: po.search(B, playouts=9, seed=1.5), ValueError, "seed must be an int, a numpy"),
    (lambda: po.search(B, playouts=9, seed="1"), ValueError, "SeedSequence or Generator"),
    (lambda: po.search(B, playouts=9, threads=0), ValueError, "threads must be a whole number"),
    (lambda: po.search(B, playouts=9, memory="1"), ValueError, "memory must be bytes"),
    (lambda: po.search(B, playouts=9, memory="lots"), ValueError, "a text like '512MB'"),
    (lambda: po.search(B, playouts=9, policy="wise"), ValueError, "policy must be one of"),
    (lambda: po.search(B, playouts=9, solver=1), ValueError, "solver must be True or False"),
    (lambda: po.search(B, "flat", playouts=9, solver=True), po.BadMethod, "solver=True needs a"),
    (lambda: po.analysis(B, playouts=9, every=0), ValueError, "every must be a whole number"),
    (lambda: po.analysis(B, playouts=9, interval=0), ValueError, "interval must be a number"),
    # Positions
    (lambda: po.search(OVER, playouts=9), po.BadPosition, "this game is over"),
    (lambda: po.search(po.Othello, playouts=9), po.BadPosition, "a search starts from a position"),
    (lambda: po.search("othello", playouts=9), po.BadPosition, "a search starts from a position"),
    (lambda: po.Breakthrough(2), po.BadPosition, "has 3 to 8 rows, not 2"),
    (lambda: po.Breakthrough(5, 9), po.BadPosition, "has 3 to 8 columns, not 9"),
    (lambda: po.Breakthrough("5"), po.BadPosition, "has 3 to 8 rows, not '5'"),
    (lambda: po.Breakthrough(5, first_rows=3), po.BadPosition, "first_rows must be 1 or 2"),
    (lambda: po.Othello(5), po.BadPosition, "a size of 8, 6 or 4, not 5"),
    (lambda: po.ConnectFour(9, 9), po.BadPosition, "has at most 6 columns, not 9"),
    (lambda: po.Breakthrough.from_fen(""), po.BadPosition, "expected the rows and the side"),
    (lambda: po.Breakthrough.from_fen(None), po.BadPosition, "is a line of text, not None"),
    (
        lambda: po.Breakthrough.from_fen(OTHELLO.fen),
        po.BadPosition,
        "of Othello, not of Breakthrough",
    ),
    (lambda: po.Breakthrough.from_fen(C.fen), po.BadPosition, "of Connect Four, not of Breakthr"),
    (lambda: po.Othello.from_fen(B.fen), po.BadPosition, "of Breakthrough, not of Othello"),
    (lambda: po.Othello.from_fen(C.fen), po.BadPosition, "of Connect Four, not of Othello"),
    (lambda: po.ConnectFour.from_fen(B.fen), po.BadPosition, "of Breakthrough, not of Connect"),
    (
        lambda: po.ConnectFour.from_fen(OTHELLO.fen),
        po.BadPosition,
        "of Othello, not of Connect Four",
    ),
    (lambda: formats.write_obf(B), po.BadPosition, "an OBF line tells of Othello, not of"),
    # Moves
    (lambda: B.push("z9"), po.IllegalMove, "'z9' is not legal here."),
    (lambda: B.push("a2a4"), po.IllegalMove, "did you mean 'a2a3'?"),
    (lambda: B.push(None), po.IllegalMove, "a move is given as text"),
    (lambda: B.push(0), po.IllegalMove, "a move is given as text"),
    (lambda: B.push(OTHELLO.legal_moves[0]), po.IllegalMove, "'d3' is not legal here"),
    (lambda: OVER.push("a1"), po.IllegalMove, "the game is over"),
    (lambda: B.push_index(-1), po.IllegalMove, "is 0 to 21 here, not -1"),
    (lambda: B.push_index(22), po.IllegalMove, "is 0 to 21 here, not 22"),
    (lambda: B.push_index(1.0), TypeError, "'float'"),
    (lambda: B.push_index(10**30), po.IllegalMove, "is 0 to 21 here, not 10"),
    (lambda: B.push_index("1"), TypeError, "'str'"),
    (lambda: B.push(po.Move("z9", [])), po.IllegalMove, "'z9' is not legal here"),
    (lambda: B.push(b"a2a3"), po.IllegalMove, "a move is given as text, like 'a2a3', not b'a2a3'"),
    (lambda: B.random_move(Draws(1.0)), ValueError, "rng.random() must give a number from 0"),
    (lambda: B.random_move(Draws(-0.1)), ValueError, "less than 1, not -0.1"),
    (lambda: B.random_move(Draws(math.nan)), ValueError, "less than 1, not nan"),
    (lambda: B.random_move(Draws("x")), ValueError, "less than 1, not 'x'"),
    (lambda: OVER.push_index(0), po.IllegalMove, "the game is over"),
    (lambda: OVER.random_move(np.random.default_rng(1)), po.BadPosition, "the game is over"),
    (lambda: B.random_move(1), TypeError, "random_move draws by random.Random()"),
    (lambda: B.copy().pop(), IndexError, "no move has been pushed"),
    (lambda: B.code("h1"), po.IllegalMove, "'h1' is not legal here"),
    (lambda: B.action("h1"), po.IllegalMove, "'h1' is not legal here"),
    (lambda: B.move_of(-1), po.IllegalMove, "no legal move has the action -1"),
    (lambda: B.move_of("a2a3"), po.IllegalMove, "no legal move has the action 'a2a3'"),
    (lambda: B.perft(-1), ValueError, "a depth of 0 or more"),
    # Playouts
    (lambda: po.playouts(B, 0), ValueError, "n must be a whole number from 1"),
    (lambda: po.playouts(B, 1e5), ValueError, "n must be a whole number from 1"),
    (lambda: po.playouts([B, OTHELLO], 9), po.BadPosition, "position number 1 is of another game"),
    (lambda: po.playouts([B, 3], 9), po.BadPosition, "playouts start from a position"),
    (lambda: po.playouts(3, 9), TypeError, "positions must be a position or a list of them"),
    (lambda: po.playouts(OVER, 9), po.BadPosition, "this game is over"),
    (lambda: po.playout(B, policy="wise"), ValueError, "policy must be one of"),
    # Games in Python
    (lambda: po.search(Twice(3), playouts=9), po.BadPosition, "several moves that are written"),
    (lambda: po.search(gives(None), playouts=9), po.BadPosition, "result() gave None"),
    (lambda: po.search(gives("won"), playouts=9), po.BadPosition, "result() gave 'won'"),
    (lambda: po.search(gives(math.nan), playouts=9), po.BadPosition, "result() gave nan"),
    (lambda: po.search(gives(-1), playouts=9), po.BadPosition, "result() gave -1"),
    (lambda: po.search(gives(10**400), playouts=9), po.BadPosition, "result() gave an int of"),
    (lambda: po.search(gives(None).__class__, playouts=9), po.BadPosition, "a search starts from"),
    (lambda: po.search(Without(3), playouts=9), po.BadPosition, "legal_moves() gave None"),
    (lambda: po.search(Miscoded(3), "rave", playouts=9), po.BadPosition, "code() gave 99"),
    (lambda: po.search(Keyless(3), playouts=9), po.BadPosition, "it has no key()"),
    (lambda: po.search(Third(3), playouts=9), po.BadPosition, "turn must be 0 or 1, not 2"),
    (lambda: po.check_game(3), po.BadGame, "it has no legal_moves()"),
    # Comparing, solving, evaluating, executors
    (lambda: po.compare(B, [], playouts=9), po.BadMethod, "there is no method to compare"),
    (lambda: po.compare(B, ["utc"], playouts=9), po.BadMethod, "did you mean 'uct'?"),
    (lambda: po.compare(B, ["uct"], playouts=0), ValueError, "playouts must be a whole number"),
    (lambda: po.compare(B, ["uct"], playouts=9, runs=0), ValueError, "runs must be a whole"),
    (lambda: po.solve("othello"), po.BadPosition, "what is solved is a position"),
    (lambda: po.solve(OVER), po.BadPosition, "over"),
    (lambda: po.evaluate(3), po.BadPosition, "evaluations are for positions of this package"),
    (lambda: po.evaluate(OTHELLO, "best"), po.BadMethod, "there is no evaluation 'best'"),
    (lambda: po.search(OTHELLO, "alphabeta", playouts=9), po.BadMethod, "plays no games out"),
    (lambda: po.search(B, playouts=9, executor=3), ValueError, "executor must be a concurrent"),
    (lambda: po.Searcher(B, "flat"), po.BadMethod, "a Searcher keeps a tree between moves"),
    (lambda: po.Searcher(B).advance("z9"), po.IllegalMove, "'z9' is not legal here"),
    (lambda: po.search(B, "flat", playouts=22).tree, AttributeError, "has no tree to walk"),
    (lambda: po.plot(3), TypeError, "what can be drawn is a Position, a Result"),
    (lambda: po.ucb1(0.5, -1, 10), ValueError, "visits must be a number of at least 0"),
    # Contests
    (lambda: po.match("utc", "uct", playouts=9, games=2), po.BadMethod, "did you mean 'uct'?"),
    (lambda: po.match("uct", "rave", playouts=9, games=3), ValueError, "games must be even"),
    (lambda: po.match("uct", "rave", playouts=9, games=0), ValueError, "games must be a whole"),
    (lambda: po.tournament(["uct"], playouts=9, games=2), ValueError, "a list of two players or"),
    # Files of Othello
    (lambda: formats.read_obf("zzz"), po.BadPosition, "the squares end here, 3 of them"),
    (lambda: formats.read_ggf("(;x"), po.BadPosition, "expected a tag such as"),
    (lambda: formats.read_moves("z9"), po.BadPosition, "expected a move such as 'f5'"),
    # Players
    (lambda: player_from("rave@"), po.BadMethod, "a level follows the @, as in rave@1000"),
    (lambda: player_from("rave@ solver"), po.BadMethod, "a level follows the @"),
    (lambda: player_from("rave@fast"), po.BadMethod, "rave@fast"),
    (lambda: player_from("rave@1000 quickly"), po.BadMethod, "quickly"),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_bad_input_is_refused_in_one_line(number: int) -> None:
    call, kind, message = CASES[number]
    with pytest.raises(kind) as caught:
        found(call)
    text = str(caught.value)
    assert message in text
    assert "\n" not in text
    assert len(text) < 500


def test_what_is_understood() -> None:
    """Input that looks unusual and has one meaning."""
    assert po.search(B, "RAVE(bias=0.01)", playouts=9, seed=1).method == po.RAVE(bias=0.01)
    assert po.search(B, " Rave ", playouts=9, seed=1).method == po.RAVE()
    seed = po.search(B, playouts=9, seed=np.random.default_rng(1)).seed
    assert po.search(B, playouts=9, seed=np.random.default_rng(1)).seed == seed
    assert po.search(B, playouts=np.int64(9), seed=np.uint8(1)).playouts == 9
    assert B.copy().push_index(np.int64(0)) == B.legal_moves[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("100000", 100_000),
        ("100_000", 100_000),
        ("1e5", 100_000),
        ("1E+5", 100_000),
        ("100k", 100_000),
        ("2M", 2_000_000),
        ("0.5m", 500_000),
        ("1g", 10**9),
        ("-3", -3),
        ("1.5", None),
        ("1e-5", None),
        ("0.0001k", None),
        ("10kk", None),
        ("k", None),
        ("", None),
        ("1e999", None),
        ("\u0663k", None),
    ],
)
def test_counts_of_the_command_line(text: str, value: int | None) -> None:
    assert count_from(text) == value
