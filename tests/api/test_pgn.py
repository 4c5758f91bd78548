"""Games as text: what is written is read the same, and what is wrong is named."""

from __future__ import annotations

import random
import time

import pytest

import playout as po
from playout.games import GAMES
from playout.record import Record

STARTS = [
    *(game.start(*game.default) for game in GAMES.values()),
    po.Breakthrough(3, 5, first_rows=1),
    po.Breakthrough.from_fen("bbb/.../www b"),
    po.Othello(4),
    po.ConnectFour(4, 9),
]
NAMES = ["uct@1000", "you", 'Ann "the\\best"', "two\nlines\r", "", "RAVE(bias=[1e-5, 0.1])", "é ]"]


def drawn(seed: int) -> Record:
    """A record in which anything may be set."""
    draw = random.Random(seed)
    position = draw.choice(STARTS).copy()
    for _ in range(draw.randrange(200)):
        if not position.is_over:
            position.push(draw.choice(position.legal_moves))
    plies = len(position.history)
    record = Record(
        position,
        (draw.choice(NAMES), draw.choice(NAMES)),
        draw.choice([0, 7, 10**30]),
        draw.choice(["random", "guided"]),
        seconds=tuple(draw.choice([None, draw.expovariate(1)]) for _ in range(plies)),
        expected=tuple(draw.choice([None, draw.random()]) for _ in range(plies)),
    )
    if draw.random() < 0.3:
        record.verdict = draw.choice([1.0, 0.5, 0.0]), draw.choice(["clock", "", 'so "it" is'])
    elif not position.is_over and draw.random() < 0.3:
        record.resigned = draw.randrange(2)
    if draw.random() < 0.5:
        record.tags = {"Event": draw.choice(NAMES), "Date": "2026.01.31"}
    return record


def told(record: Record) -> dict[str, object]:
    """All of a record, with numbers of moves up to the last that is known."""
    found = record.to_dict()
    for name in ("seconds", "expected"):
        while found[name] and found[name][-1] is None:
            found[name].pop()
    return found


def test_what_is_written_is_read_the_same() -> None:
    records = [drawn(seed) for seed in range(300)]
    for record in records:
        again = Record.from_pgn(record.to_pgn())
        assert told(again) == told(record)
        assert again.to_pgn() == record.to_pgn()
        assert max(map(len, record.to_pgn().split("\n\n")[1].splitlines())) <= 79
        assert told(Record.from_dict(record.to_dict())) == told(record)
    text = "\n".join(record.to_pgn() for record in records)
    assert list(map(told, Record.all_from_pgn(text))) == list(map(told, records))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_whole_game_of_each_game(game: str) -> None:
    position = GAMES[game].start(*GAMES[game].default)
    played = po.playout(position, seed=1)
    for move in played.moves:
        position.push(move)
    result = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[played.result]
    text = Record(position, ("a", "b"), 1).to_pgn()
    assert text.startswith(f'[Game "{game}"]\n')
    assert f'[Result "{result}"]' in text
    assert text.endswith(f"{result}\n")
    assert Record.from_pgn(text).position.history == position.history


def test_text_by_somebody_else() -> None:
    """Without the tags that may be left out; with comments, numbers of comments and spaces."""
    text = """
    ; a file
    [Game  "Reversi"] [Event "a \\"cup\\""]
    1.f5 {good} d6 $1 2. C3 ; the usual move
    1-0
    """
    game = Record.from_pgn(text)
    assert game.position.history == ("f5", "d6", "c3")
    assert game.players == ("?", "?")
    assert game.tags == {"Event": 'a "cup"'}
    assert game.outcome == "black has won (unknown)"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the text has 0 games"),
        ("1. a1a2 *", "line 1, column 1: a game begins with its tags"),
        ("[Game othello] *", r'line 1, column 1: a tag is written \[Name "value"\]'),
        ('[Event "x"] *', 'line 1, column 1: the tag "Game" must be one of'),
        ('[Game "othelo"] *', "did you mean 'othello'"),
        ('[Game "othello"] [Game "othello"] *', "there are two tags 'Game'"),
        ('[Game "othello"]\n1. f5 f5 *', "line 2, column 7: 'f5' is not legal here"),
        ('[Game "othello"]\n1. f5', "line 2, column 6: expected a move, or a result"),
        ('[Game "othello"] 1. f5 [Game "othello"] *', "expected a move, or a result"),
        ('[Game "othello"] [FEN "X"] *', 'the tag "FEN": '),
        ('[Game "othello"] [Seed "-1"] *', "the tag \"Seed\" is '-1'"),
        ('[Game "othello"] [Policy "wild"] *', 'the tag "Policy" must be one of'),
        ('[Game "othello"] [Resigned "red"] *', 'the tag "Resigned" must be one of'),
        ('[Game "othello"] [Result "1-0"] *', "the moves end with \\*"),
        ('[Game "othello"] [Termination "clock"] *', "its result is \\*"),
        ('[Game "othello"] [Resigned "white"] 0-1', "its result is 0-1, and by its moves 1-0"),
        (
            '[Game "breakthrough"] [FEN "b.w/.../w.. b"] 0-1',
            "its result is 0-1, and by its moves 1-0",
        ),
        ('[Game "othello"] 1. f5 {[%emt 1e999]} *', "%emt is '1e999'"),
        ('[Game "othello"] 1. f5 {[%expected 2]} *', "%expected is '2'"),
        ('[Game "othello"] 1. f5 {[%emt 1-1]} *', "%emt is '1-1'"),
        ('[Game "othello"] * [Game "othello"] *', "the text has 2 games"),
    ],
)
def test_what_is_wrong_is_named(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Record.from_pgn(text)


@pytest.mark.parametrize(
    "tags", [{"FEN": "x"}, {"Black": "x"}, {"two words": "x"}, {"Event": 5}, {"": "x"}]
)
def test_tags_that_cannot_be_written(tags: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        Record(po.Othello(), ("a", "b"), 1, tags=tags).to_pgn()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("seconds", [1.0, 2.0]),
        ("seconds", [-1]),
        ("seconds", ["1"]),
        ("seconds", [10**400]),
        ("expected", [1.5]),
        ("expected", 0.5),
        ("tags", {"Event": 1}),
        ("tags", []),
    ],
)
def test_json_with_a_wrong_part(part: str, value: object) -> None:
    position = po.Othello()
    position.push("f5")
    found = Record(position, ("a", "b"), 1).to_dict()
    with pytest.raises(ValueError, match=f'"{part}"'):
        Record.from_dict(found | {part: value})


def test_reading_takes_linear_time() -> None:
    text = "\n".join(drawn(seed).to_pgn() for seed in range(20)) * 20
    long = Record.from_pgn('[Game "othello"] 1. f5 ' + "{[%emt 1] [%expected 1]}" * 30_000 + "*")
    assert long.seconds == (1.0,)
    began = time.perf_counter()
    assert len(Record.all_from_pgn(text)) == 400
    assert time.perf_counter() - began < 10
