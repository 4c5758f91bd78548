"""Tests for the author of a game. They apply to any rules.

In a test file of a compiled game, where `start()` returns the start position::

    import pytest
    pytest.register_assert_rewrite("playout.testing")   # failures then show the compared values
    from playout.testing import CHECKS

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_my_game(check):
        check(start())

A check is a function that takes the position and raises an error if the game fails. For a class in
plain Python use PYTHON_CHECKS, the checks that apply to it. pytest is not required: any code may
call the functions, but not under `python -O`, which removes asserts.
"""

from __future__ import annotations

import copy
import pickle
import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import playout as po
from playout.methods import METHODS

GAMES = range(5)  # seeds of the random games that most checks play
THREADS = (1, 2, 3)
LEVEL = 1000  # positions of one ply, at least, that are compared with each other


def random_game(start: po.Position, seed: int) -> Iterator[po.Position]:
    """One position, pushed by random moves. It is yielded at every ply, the last one included."""
    position = start.copy()
    choice = random.Random(seed)
    yield position
    while not position.is_over:
        position.push(choice.choice(position.legal_moves))
        yield position


def children(position: po.Position) -> list[po.Position]:
    """The positions after each legal move."""
    after = []
    for move in position.legal_moves:
        after.append(position.copy())
        after[-1].push(move)
    return after


def level(start: po.Position) -> list[po.Position]:
    """The positions after some plies, one for each sequence of moves.

    At least LEVEL positions, unless all games end earlier.
    """
    positions = [start]
    while len(positions) < LEVEL:
        following = [child for position in positions for child in children(position)]
        if not following:
            break
        positions = following
    return positions


@contextmanager
def raises(kind: type[Exception], message: str) -> Iterator[None]:
    """Check that the block raises this kind of error, with this text in its message."""
    try:
        yield
    except kind as error:
        caught = str(error)
    else:
        raise AssertionError(f"no {kind.__name__} was raised: {message}")
    assert message in caught


# The contract


def check_contract(start: po.Position | po.PythonGame) -> None:
    """`check_game` finds no fault."""
    po.check_game(start)


def check_search(start: po.Position | po.PythonGame) -> None:
    """Each method by playouts searches it, AMAF's only if it has codes; a seed repeats it."""
    for method, kind in METHODS.items():
        if not kind.plays_out or (kind.needs_codes and not has_codes(start)):
            continue
        result, again = (po.search(start, method, playouts=300, seed=5) for _ in range(2))
        assert result.moves["visits"].sum() == result.playouts == 300
        assert 0.0 <= result.value <= 1.0
        assert result.move in result.position.legal_moves
        assert result.to_dict()["moves"] == again.to_dict()["moves"]


def has_codes(start: po.Position | po.PythonGame) -> bool:
    """Whether the moves have AMAF codes."""
    return bool(getattr(start, "n_codes", 0))


# The methods of a compiled game


def facts(position: po.Position) -> tuple[object, ...]:
    """Everything that a position tells without a move."""
    return (
        position.fen,
        position.key,
        hash(position),
        position.turn,
        position.legal_moves,
        position.is_over,
        position.result,
        position.n_codes,
    )


def check_push_and_pop(start: po.Position) -> None:
    """Taking moves back leads through the same positions to the first one."""
    for seed in GAMES:
        position = start.copy()
        passed = []
        for position in random_game(start, seed):
            passed.append(facts(position))
        moves = list(position.history)
        assert len(moves) == len(passed) - 1
        while moves:
            assert facts(position) == passed.pop()
            assert position.pop() == moves.pop()
        assert facts(position) == passed.pop()
        assert position == start
        with raises(IndexError, "no move has been pushed"):
            position.pop()


def check_end(start: po.Position) -> None:
    """A game has a result, the first player's, as soon as nobody can move and not before."""
    for seed in GAMES:
        for position in random_game(start, seed):
            assert position.turn in (0, 1)
            assert position.is_over == (len(position.legal_moves) == 0)
            assert (position.result is not None) == position.is_over
        assert position.result is not None
        assert 0.0 <= position.result <= 1.0
        with raises(po.IllegalMove, "the game is over"):
            position.push(position.history[0])
        with raises(po.BadPosition, "over"):
            po.playout(position, seed=1)
        with raises(po.BadPosition, "over"):
            po.playouts(position, 1, seed=1)


def check_legal_moves(start: po.Position) -> None:
    """`legal_moves` returns a sequence that does not change when moves are pushed."""
    for seed in GAMES:
        for position in random_game(start, seed):
            moves = position.legal_moves
            texts = [str(move) for move in moves]
            assert len(moves) == len(texts) == len(set(texts))
            assert [moves[i] for i in range(len(moves))] == texts
            assert all(text in moves for text in texts)
            assert "z9z9" not in moves
            assert all(isinstance(move, po.Move) for move in moves)
            assert [move.raw for move in position.legal_moves] == [move.raw for move in moves]
            if moves:
                position.push(moves[0])
                assert [str(move) for move in moves] == texts
                position.pop()


def check_push_index(start: po.Position) -> None:
    """A move is played by its place in `legal_moves`; no other index is accepted."""
    for position in random_game(start, seed=1):
        moves = position.legal_moves
        for i, move in enumerate(moves):
            played = position.push_index(i)
            assert (played, played.raw) == (move, move.raw)
            after = facts(position)
            position.pop()
            position.push(move)
            assert facts(position) == after
            position.pop()
        for wrong in (-1, len(moves), 2**62):
            with raises(po.IllegalMove, "an index of a legal move" if moves else "game is over"):
                position.push_index(wrong)
    with raises(TypeError, "'str'"):
        start.push_index("0")  # type: ignore[arg-type]


def check_random_move(start: po.Position) -> None:
    """`random_move` draws every legal move, and only these."""
    rng = random.Random(1)
    assert {start.random_move(rng) for _ in range(1000)} == set(start.legal_moves)
    for position in random_game(start, seed=2):
        if not position.is_over:
            assert position.random_move(rng) in position.legal_moves
    with raises(po.BadPosition, "the game is over"):
        position.random_move(rng)
    with raises(TypeError, "random_move draws by random.Random() or"):
        start.random_move(7)  # type: ignore[arg-type]


def check_moves_as_text(start: po.Position) -> None:
    """A move is played as a Move or as its text."""
    for position in random_game(start, seed=1):
        for move in position.legal_moves:
            played = position.push(str(move))
            assert (played, played.raw) == (move, move.raw)
            after = facts(position)
            position.pop()
            position.push(move)
            assert facts(position) == after
            assert position.pop() == move


def check_illegal_moves(start: po.Position) -> None:
    """An illegal move is refused with a message, and changes nothing."""
    before = facts(start)
    for text in ("", "z9z9", "\0", "a1" * 100):
        with raises(po.IllegalMove, "is not legal here"):
            start.push(text)
        with raises(po.IllegalMove, f"Legal: {start.legal_moves[0]}"):
            start.code(text)
    for thing in (None, 3, b"a2a3", start.legal_moves):
        with raises(po.IllegalMove, "given as text"):
            start.push(thing)  # type: ignore[arg-type]
    assert facts(start) == before
    assert len(start.history) == 0


def check_perft(start: po.Position) -> None:
    """Perft counts the sequences of moves, and leaves the position as it was."""
    before = facts(start)
    assert start.perft(0) == 1
    assert start.perft(1) == len(start.legal_moves)
    assert start.perft(2) == sum(child.perft(1) for child in children(start))
    assert start.perft(3) == sum(child.perft(2) for child in children(start))
    assert facts(start) == before
    with raises(ValueError, "depth of 0 or more"):
        start.perft(-1)


# Copies, text and pictures


def check_copies(start: po.Position) -> None:
    """A copy is equal, has the same history, and is independent."""
    for position in random_game(start, seed=2):
        before = facts(position)
        for other in (position.copy(), copy.copy(position), copy.deepcopy(position)):
            assert type(other) is type(position)
            assert facts(other) == before
            assert other == position
            assert other.history == position.history
            if other.history:
                other.pop()
                assert other != position
            elif not other.is_over:
                other.push(other.legal_moves[0])
                assert other != position
            assert facts(position) == before


def check_text(start: po.Position) -> None:
    """`fen` and `repr` lead back to the same position; a diagram has a line for every row."""
    kind = type(start)
    for seed in GAMES:
        for position in random_game(start, seed):
            again = kind.from_fen(position.fen)
            assert again == position
            assert facts(again) == facts(position)
            assert len(again.history) == 0
            assert "\n" not in position.fen
            assert eval(repr(position), {kind.__name__: kind}) == position
    assert len(str(start).splitlines()) == len(start.board.rows) + 1


def check_picture(start: po.Position) -> None:
    """The picture is SVG with a man for every man; the last move is marked and the start is not."""
    for position in random_game(start, seed=3):
        picture = ElementTree.fromstring(position._repr_svg_() or "")
        assert picture.tag.endswith("svg")
        men = sum(row.count("w") + row.count("b") for row in position.board.rows)
        assert len(picture.findall(".//{*}circle")) == men
        assert len(picture.findall(".//{*}rect[@class='last-move']")) == len(position.board.marked)
        assert not (position.board.marked and not position.history)


def check_pickle(start: po.Position) -> None:
    """A pickled position is loaded with its history."""
    for position in random_game(start, seed=4):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(position, protocol))
            assert facts(again) == facts(position)
            assert again.history == position.history
        while again.history:
            again.pop()
        assert again == start
    for move in start.legal_moves:
        again = pickle.loads(pickle.dumps(move))
        assert (again, again.raw) == (move, move.raw)


# Keys and codes


def check_keys(start: po.Position) -> None:
    """Different positions have different keys; each move changes the key."""
    key_of: dict[str, int] = {}
    for seed in range(50):
        keys = []
        for position in random_game(start, seed):
            keys.append(position.key)
            assert key_of.setdefault(position.fen, position.key) == position.key
        assert len(set(keys)) == len(keys)
    assert len(set(key_of.values())) == len(key_of)
    assert all(0 <= key < 2**64 for key in key_of.values())


def check_move_orders(start: po.Position) -> None:
    """Positions with the same text are equal, in whatever order of moves; others are not."""
    positions = level(start)
    by_text: dict[str, list[po.Position]] = {}
    for position in positions:
        by_text.setdefault(position.fen, []).append(position)
    for same in by_text.values():
        assert all(position == same[0] for position in same)
        assert len({(position.key, hash(position)) for position in same}) == 1
    assert len({position.key for position in positions}) == len(by_text)
    assert len(set(positions)) == len(by_text)
    assert start != start.fen


def check_codes(start: po.Position) -> None:
    """The code of each legal move is in range, however the move is given."""
    for seed in GAMES if start.n_codes else ():
        for position in random_game(start, seed):
            codes = [position.code(move) for move in position.legal_moves]
            assert all(0 <= code < position.n_codes for code in codes)
            assert codes == [position.code(str(move)) for move in position.legal_moves]


def check_actions(start: po.Position) -> None:
    """The legal actions are the codes of the legal moves; each leads back to a move of its code."""
    for position in random_game(start, seed=7) if start.n_codes else ():
        codes = {position.action(move) for move in position.legal_moves}
        mask = position.legal_mask
        assert mask.shape == (start.n_codes,)
        assert set(mask.nonzero()[0].tolist()) == codes
        assert all(position.action(position.move_of(code)) == code for code in codes)


def check_planes(start: po.Position) -> None:
    """The planes, if the game has some, hold the men of the board, the mover's first."""
    try:
        shape = start.planes().shape
    except po.BadPosition:
        return
    for position in random_game(start, seed=7):
        planes, rows = position.planes(), "".join(position.board.rows)
        assert planes.shape == shape == (2, len(position.board.rows), len(position.board.rows[0]))
        assert not (planes[0] & planes[1]).any()
        assert sorted(planes.sum(axis=(1, 2)).tolist()) == sorted(map(rows.count, "wb"))
        assert (po.stack([start, position]) == [start.planes(), planes]).all()


# Playouts


def check_playout(start: po.Position) -> None:
    """A playout is a game by the rules: its moves, codes and result can be replayed."""
    for position in random_game(start, seed=8):
        for seed in GAMES:
            if not position.is_over:
                replay(position.copy(), po.playout(position, seed=seed))


def replay(position: po.Position, game: po.Playout) -> None:
    """Replay the record of a playout on this position, to the end."""
    assert game.plies == len(game.moves) == len(game.codes) > 0
    for move, code in zip(game.moves, game.codes, strict=True):
        assert position.code(move) == code
        assert position.push(move).raw == move.raw
    assert position.is_over
    assert position.result == game.result


def check_playout_is_the_first_of_many(start: po.Position) -> None:
    """`playout` is game 0 of `playouts` with the same seed, whose sums are the mover's."""
    for position in random_game(start, seed=5):
        for seed in range(20):
            if not position.is_over:
                game = po.playout(position, seed=seed)
                value = game.result if position.turn == 0 else 1 - game.result
                many = po.playouts(position, 1, seed=seed)
                assert many.plies == game.plies
                assert abs(many.mean - value) < 2**-31
                assert (many.wins, many.losses) == (value == 1, value == 0)
                assert many.draws == 1 - many.wins - many.losses


def check_playouts(start: po.Position) -> None:
    """The fields add up, and depend on the positions, n and the seed but not on threads."""
    positions = [p.copy() for p in random_game(start, seed=6) if not p.is_over]
    for n in (1, 64, 65, 500):
        many, *others = (po.playouts(positions, n, seed=7, threads=t) for t in THREADS)
        assert (many.wins + many.draws + many.losses == n).all()
        assert (many.plies >= n).all()
        for other in others:
            pairs = zip(sums(other), sums(many), strict=True)
            assert all((others_row == row).all() for others_row, row in pairs)
        for t in THREADS:
            alone = po.playouts(start, n, seed=7, threads=t)
            assert sums(alone) == tuple(row[0] for row in sums(many))


def sums(many: po.Playouts[Any, Any]) -> tuple[Any, ...]:
    """The statistics of playouts, without the time they took."""
    return many.wins, many.draws, many.losses, many.mean, many.stderr, many.plies


def check_capsule(start: po.Position) -> None:
    """`capsule` holds the C functions of the game, under the name of the contract."""
    assert '"mcts_core.game_t"' in repr(start.capsule)


PYTHON_CHECKS: list[Callable[[Any], None]] = [check_contract, check_search]

CHECKS: list[Callable[[Any], None]] = [
    *PYTHON_CHECKS,
    check_push_and_pop,
    check_end,
    check_legal_moves,
    check_push_index,
    check_random_move,
    check_moves_as_text,
    check_illegal_moves,
    check_perft,
    check_copies,
    check_text,
    check_picture,
    check_pickle,
    check_keys,
    check_move_orders,
    check_codes,
    check_actions,
    check_planes,
    check_playout,
    check_playout_is_the_first_of_many,
    check_playouts,
    check_capsule,
]
