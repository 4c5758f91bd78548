"""`check_game` finds and names every fault that it covers, and finds none in correct games.

Compiled faults are in broken_games.pyx; those in plain Python are here.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import playout as po
from mcts_core.games.python_game import PythonPosition
from support.helpers import Heap, random_game, run_python
from support.noughts import Noughts

FAULTS = {
    "COUNT_NEGATIVE": "moves returned -1: it must return the number of moves",
    "MORE_THAN_MAX_MOVES": "moves returned 4, more than max_moves, which is 3: raise max_moves",
    "FAR_MORE_THAN_MAX_MOVES": "moves returned 30000, more than max_moves, which is 3",
    "WRITES_MORE_THAN_IT_RETURNS": "moves wrote to out[3], and max_moves is 3",
    "COUNTS_DIFFERENTLY": "moves returned 3, and 2 with out == NULL",
    "WRITES_LESS_THAN_IT_RETURNS": "moves gives [1, 2, 165], and [1, 2, 60] when asked again",
    "ORDER_CHANGES": "moves gives [2, 1, 3], and [1, 2, 3] when asked again",
    "SAME_MOVE_TWICE": "the moves 1 and 1 are both written 'UpOne': moves must give each move once",
    "MOVE_MINUS_ONE": "the text of the move 4294967295 (-1) could not be made: IndexError",
    "MOVES_CHANGES_STATE": "moves has changed the state: only play may do that",
    "TEXTS_ALIKE": "the moves 2 and 3 are both written 'UpTwo'",
    "TEXT_NOT_NORMAL": "normal_text makes 'UpOne' of the move 'upOne'",
    "TURN_TWO": "turn is 2: it must be 0 for the first player or 1 for the second",
    "CODE_TOO_HIGH": "the code of the move 1 is 99: codes are 0 .. n_codes-1, and n_codes is 4",
    "CODE_NEGATIVE": "the code of the move 1 is -1: codes are 0 .. n_codes-1",
    "CODE_CHANGES": "when asked again: it may depend on nothing but the state",
    "RESULT_TOO_HIGH": "the game is over and its result is 7.5: it must lie between 0 and 1",
    "RESULT_NAN": "the game is over and its result is nan: it must lie between 0 and 1",
    "MARGIN_WITHOUT_RESULT": "by_margin is another game: it must be a copy of this one",
    "MARGIN_TOO_HIGH": "its margin is 1.65: by_margin's result must lie between 0 and 1",
    "MARGIN_OF_THE_OTHER": "its result is 0.8 and its margin 0.35: both must be above 1/2",
    "PROGRESS_TOO_HIGH": "progress is 1.33",
    "KIND_TOO_HIGH": "kind of code 3 is 5: kinds are 0 .. n_kinds-1, and n_kinds is 2",
    "KEY_CONSTANT": "play of UpOne leaves the key as it was",
    "KEY_WITHOUT_TOTAL": "the key is also that of another state, after 1 ply (UpOne): byte 0",
    "KEY_CHANGES": "when asked again: it may depend on nothing but the state",
    "KEY_WITHOUT_PADDING": "byte 5 differs: key must tell states apart, and bytes that mean",
    "PLAY_DOES_NOTHING": "play of UpOne changes nothing",
    "PLAY_WRITES_BEHIND": "play of UpOne has written behind the state",
    "PLAY_NOT_REPEATABLE": "play of UpOne gives other states when repeated: byte 6 differs",
    "PLAY_GOES_BACK": "the position of ply 0 has come back: no game may return to a position",
    "LONGER_THAN_MAX_PLIES": "the game goes on, and max_plies is 5: raise max_plies",
    "STATE_IN_A_VARIABLE": "the same moves have led to another position than before",
    "COPY_WITHOUT_DROP": "the game has only one of copy and drop: supply both",
    "COPY_SHARES": "play on copies of a state has changed it: copy must give a state that shares",
    "PUSH_UNLIKE_PLAY": "push leads to another position than play",
    "SOLVE_WINS_TOO_SOON": "solve gives 3, and player 0 cannot force a win in as many plies",
    "SOLVE_LOSES_TOO_SOON": "solve gives -2, and player 1 cannot force a win in as many plies",
    "FOLD_CONSTANT": "fold gives the key of another position, at the start, in which the mover",
    "PLAYOUT_ILLEGAL_MOVE": "playout played the move 8 as ply 1, which is not legal there",
    "PLAYOUT_OTHER_CODE": "playout recorded the code 3 at ply 1, and code gives 2",
    "PLAYOUT_TOO_LONG": "playout wrote ply 6 of its trace, and max_plies is 6",
    "PLAYOUT_WITHOUT_PLIES": "playout left -1 in trace.plies, and max_plies is 6",
    "PLAYOUT_STOPS_EARLY": "playout ended after 5 plies, and the game goes on",
    "PLAYOUT_OTHER_RESULT": "playout returned 0.25 for a game whose result is 0.53",
    "PLAYOUT_CHANGED_BY_TRACE": "playout plays another game if other parts of the trace are NULL",
    "PLAYOUT_OTHER_SEEN": "playout set other bits in trace.seen than those of the codes",
    "PLAYOUT_SEEN_TOO_FAR": "playout set a bit of trace.seen behind the last code",
    "PLAYOUT_NEVER_THIRD_MOVE": "0 of 96 playouts began with the move 3",
    "GUIDED_OTHER_RESULT": "guided returned 0.25 for a game whose result is 0.53",
    "BATCH_OTHER_TALLY": "7 plies, and playout with 0, 1, 0 in 6",
    "BATCH_OTHER_RESULT": "is left with the result 0.25, and playout with 0.4",
    "BATCH_OTHER_GENERATOR": "is left with another state of its generator than by playout",
    "BATCH_OTHER_SEEN": "is left with other codes in seen than by playout",
    "BATCH_WRITES_BEHIND": "a batch of 1 has written behind its jobs",
}
SOUND = ("NONE", "BOXED")


@pytest.mark.parametrize(("fault", "message"), FAULTS.items(), ids=FAULTS)
def test_fault_of_a_compiled_game(broken_games: ModuleType, fault: str, message: str) -> None:
    with pytest.raises(po.BadGame, match=re.escape(message)):
        po.check_game(broken_games.Stairs(broken_games.Fault[fault]))


def test_every_compiled_fault_is_tested(broken_games: ModuleType) -> None:
    assert [fault.name for fault in broken_games.Fault] == [*SOUND, *FAULTS]


@pytest.mark.parametrize("fault", SOUND)
def test_sound_games_pass(broken_games: ModuleType, fault: str) -> None:
    """One has a batch and moves with the highest bit set; the other has pointers as states."""
    checked = po.check_game(broken_games.Stairs(broken_games.Fault[fault]))
    assert (checked.games, checked.positions) == (20, 20 * 7)
    assert ("batch" in checked.functions) == (fault == "NONE")
    assert ("copy" in checked.functions) == (fault == "BOXED")


def test_the_moves_of_an_error_lead_to_the_fault(broken_games: ModuleType) -> None:
    position = broken_games.Stairs(broken_games.Fault.CODE_TOO_HIGH)
    with pytest.raises(po.BadGame) as caught:
        po.check_game(position)
    for move in caught.value.moves:
        position.push(move)
    assert position.code(position.legal_moves[0]) == 99
    assert str(caught.value).startswith(f"after 3 plies ({' '.join(caught.value.moves)}), ")


@pytest.mark.parametrize("seed", range(2))
def test_positions_in_the_middle_of_a_game_pass(seed: int) -> None:
    """With either player to move."""
    for start in (po.Breakthrough(), po.Breakthrough(5, 6), po.Othello(), po.Othello(6)):
        for plies in (5, 6):
            position = next(itertools.islice(random_game(start, seed), plies, None))
            po.check_game(position, games=3, seed=seed)


def test_the_same_seed_checks_the_same_games() -> None:
    start = po.Othello(4)
    assert po.check_game(start, seed=3) == po.check_game(start, seed=3)
    lengths = {po.check_game(start, games=3, seed=seed).positions for seed in range(10)}
    assert len(lengths) > 1


def test_what_was_checked_is_told() -> None:
    checked = po.check_game(Heap(10), games=2)
    assert str(checked) == repr(checked)
    assert re.fullmatch(
        r"<2 games, \d+ positions: legal_moves, play, is_over, turn, key, code, copy, result keep "
        "the contract>",
        str(checked),
    )


# Plain Python


def broken(**parts: Any) -> Any:
    """A position of a game in which some parts are replaced."""
    return type("Broken", (Noughts,), parts)()


def shared_copy(self: Any) -> Any:
    twin = object.__new__(type(self))
    twin.__dict__ = self.__dict__
    return twin


def moves_that_change(self: Any) -> list[int]:
    moves = Noughts.legal_moves(self)
    type(self).asked = getattr(self, "asked", 0) + 1
    return moves[::-1] if self.asked % 2 else moves


def played_somewhere_else(self: Any, square: int) -> None:
    Noughts.play(self.copy(), square)


def one_play_in_the_class(self: Any, square: int) -> None:
    Noughts.play(self, square)
    type(self).plays = getattr(self, "plays", 0) + 1


def failing_play(self: Any, square: int) -> None:
    if self.squares.count(".") == 6:
        raise ArithmeticError("no room")
    Noughts.play(self, square)


PYTHON_FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "legal_moves missing": ({"legal_moves": None}, "it has no legal_moves()"),
    "legal_moves None": ({"legal_moves": lambda self: None}, "legal_moves() gave None; it must"),
    "legal_moves empty": (
        {"legal_moves": lambda self: Noughts.legal_moves(self) if "x" not in self.squares else []},
        "is_over() is False and legal_moves() has 0 moves",
    ),
    "legal_moves after the end": (
        {"legal_moves": lambda self: [i for i in range(9) if self.squares[i] == "."]},
        "is_over() is True and legal_moves() has",
    ),
    "legal_moves many": (
        {"legal_moves": lambda self: range(2000) if "x" in self.squares else [0, 1]},
        "legal_moves() has 2000 moves: the engine takes at most 1024",
    ),
    "legal_moves change": ({"legal_moves": moves_that_change}, "legal_moves is ["),
    "legal_moves alike": (
        {"legal_moves": lambda self: [*Noughts.legal_moves(self), *Noughts.legal_moves(self)][:9]},
        "2 of legal_moves() are written ",
    ),
    "turn": (
        {"turn": 3, "__init__": lambda self: None, "squares": "." * 9},
        "turn is 3: it must be",
    ),
    "turn as a method": (
        {"turn": lambda self: 0, "__init__": lambda self: None, "squares": "." * 9},
        "an attribute, not a method",
    ),
    "key unhashable": ({"key": lambda self: [self.squares]}, "TypeError"),
    "key constant": ({"key": lambda self: 1}, "play(0) leaves key() as it was"),
    "key of the number of men": (
        {"key": lambda self: self.squares.count(".")},
        "in another position with the same key(), after 1 ply (",
    ),
    "key random": ({"key": lambda self: object()}, "when asked again"),
    "code too high": ({"code": lambda self, move: 99}, "code(0) is 99: it must be an int in range"),
    "code no int": ({"code": lambda self, move: 1.5}, "code(0) is 1.5: it must be an int in range"),
    "n_codes": ({"n_codes": 0}, "n_codes must be a whole number"),
    "result": ({"result": lambda self: 7.5}, "the game is over and result() is 7.5"),
    "result nan": ({"result": lambda self: float("nan")}, "the game is over and result() is nan"),
    "result text": ({"result": lambda self: "won"}, "float of result() raised ValueError"),
    "play does nothing": ({"play": lambda self, move: None}, "play(0) leaves key() as it was"),
    "play on a copy": ({"play": played_somewhere_else}, "play(0) leaves key() as it was"),
    "play fails": (
        {"play": failing_play},
        "play() raised ArithmeticError('no room'): no function may fail",
    ),
    "copy shares": ({"copy": shared_copy}, "after play(0) on a copy: copy() must share nothing"),
    "copy fails": ({"copy": lambda self: 1 / 0}, "ZeroDivisionError"),
    "max_plies": ({"max_plies": 3}, "the game goes on, and max_plies is 3: set max_plies higher"),
    "state in the class": (
        {
            "play": one_play_in_the_class,
            "result": lambda self: getattr(self, "plays", 0) % 97 / 97,
        },
        "a position must be in its object alone",
    ),
}


@pytest.mark.parametrize(("parts", "message"), PYTHON_FAULTS.values(), ids=PYTHON_FAULTS)
def test_fault_of_a_game_in_python(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(po.BadGame, match=re.escape(message)):
        po.check_game(broken(**parts))


class Circle:
    """A walk round four points, which returns to its start."""

    def __init__(self, point: int = 0) -> None:
        self.point = point

    def legal_moves(self) -> list[int]:
        return [1, 2]

    def play(self, step: int) -> None:
        self.point = (self.point + step) % 4

    def is_over(self) -> bool:
        return False

    def result(self) -> float:
        return 0.5

    def key(self) -> int:
        return self.point


def test_a_game_that_comes_back_is_refused() -> None:
    with pytest.raises(po.BadGame, match="has come back: no game may return to a position"):
        po.check_game(Circle())


def test_a_wrapped_position_is_checked_as_its_object() -> None:
    assert po.check_game(PythonPosition(Noughts())) == po.check_game(Noughts())
    with pytest.raises(po.BadGame, match=r"result\(\) is 7"):
        po.check_game(PythonPosition(broken(result=lambda self: 7)))


def test_the_position_itself_is_left_alone() -> None:
    for position in (po.Othello(4), Noughts()):
        key = position.key() if isinstance(position, Noughts) else position.key
        po.check_game(position)
        assert key == (position.key() if isinstance(position, Noughts) else position.key)


# Objects that are not games


def test_what_cannot_be_checked_is_refused() -> None:
    with pytest.raises(po.BadPosition, match=r"check a position of the game, Noughts\(\)"):
        po.check_game(Noughts)  # type: ignore[arg-type]
    with pytest.raises(po.BadGame, match="is no position of a game"):
        po.check_game(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="games must be a whole number from 1"):
        po.check_game(po.Othello(4), games=0)


def test_a_finished_game_cannot_be_checked() -> None:
    with pytest.raises(po.BadPosition, match="nothing to check: start from an earlier position"):
        po.check_game(po.Breakthrough.from_fen("w../.b./... b"))
    with pytest.raises(po.BadPosition, match="nothing to check: start from an earlier position"):
        po.check_game(Noughts("xxxoo...."))


def test_the_checks_need_no_pytest() -> None:
    """Neither the library nor `playout.testing` imports it."""
    ran = run_python("import sys, playout.testing; print('pytest' in sys.modules)")
    assert ran.stdout == "False\n", ran.stderr


# How the engine handles such games without a check

BREACHES = [
    "COUNT_NEGATIVE",
    "CODE_TOO_HIGH",
    "CODE_NEGATIVE",
    "RESULT_TOO_HIGH",
    "RESULT_NAN",
    "TURN_TWO",
    "KIND_TOO_HIGH",
    "KEY_CONSTANT",
    "PLAY_DOES_NOTHING",
    "PLAY_GOES_BACK",
    "LONGER_THAN_MAX_PLIES",
]
UNCHECKED = """
import sys
sys.path[:0] = sys.argv[1], sys.argv[3]
import playout as po
from material import BLIND
from broken_games import Fault, Stairs
kinds = po.RAVE(scale="kind", bias=(1e-5, 1e-4))
calls = [
    lambda b: po.playout(b, seed=1), lambda b: po.playouts(b, 100, seed=1), lambda b: b.perft(4),
    lambda b: po.solve(b, nodes=10_000), lambda b: po.search(b, "flat", playouts=100, seed=1),
    lambda b: po.search(b, "ucb", playouts=100, seed=1),
    lambda b: po.search(b, "amaf", playouts=100, seed=1),
    lambda b: po.search(b, "uct", playouts=300, seed=1, solver=True),
    lambda b: po.search(b, po.UCT(lanes=8), playouts=300, seed=1, threads=2),
    lambda b: po.search(b, "rave", playouts=300, seed=1),
    lambda b: po.search(b, kinds, playouts=300, seed=1),
    lambda b: po.search(b, po.GRAVE(ref=5), playouts=300, seed=1),
    lambda b: po.search(b, po.AlphaBeta(depth=6, evaluation=BLIND)),
    lambda b: po.search(b, po.AlphaBeta(evaluation=BLIND, threads=2), nodes=20_000),
    lambda b: po.search(b, po.BestFirst(evaluation=BLIND), nodes=5_000),
    lambda b: po.search(b, po.UCT(cut=0, evaluation=BLIND), playouts=300, seed=1),
    lambda b: po.search(b, po.UCT(cut=2, prior="shallow", evaluation=BLIND), playouts=300, seed=1),
]
for call in calls:
    try:
        call(Stairs(Fault[sys.argv[2]]))
        print("answered")
    except ValueError as error:
        print("refused:", error)
"""


@pytest.mark.parametrize("fault", BREACHES)
def test_a_breach_is_survived_unchecked(
    broken_games: ModuleType, material: ModuleType, fault: str
) -> None:
    """Each call ends with an answer or a ValueError. Wrong results are refused."""
    games, evaluators = (str(Path(made.__file__ or "").parent) for made in (broken_games, material))
    arguments = ["", games, fault, evaluators]
    ended = run_python(f"import sys; sys.argv = {arguments!r}\n" + UNCHECKED)
    assert (ended.returncode, ended.stderr) == (0, "")
    lines = ended.stdout.splitlines()
    assert len(lines) == 17
    if fault.startswith("RESULT"):
        refused = [line for line in lines if "breaks its contract" in line]
        assert len(refused) == 16  # perft does not use results


@pytest.mark.parametrize("name", ["legal_moves", "play"])
def test_want_of_memory_is_no_fault_of_the_game(name: str) -> None:
    def fail(self: Heap, *arguments: object) -> None:
        raise MemoryError

    large = type("Large", (Heap,), {name: fail})
    with pytest.raises(MemoryError):
        po.check_game(large(3))
