"""Fuzz every parser with random, mutated, repeated and composed inputs."""

from __future__ import annotations

import copy
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import playout as po
from mcts_core.errors import shown
from playout import formats
from playout.arena.openings import openings_of
from playout.arena.players import player_from
from playout.arguments import LEAST_MEMORY, memory_size
from playout.cli import record
from playout.cli.errors import Fault
from playout.cli.positions import position_from
from playout.cli.prompts import understood
from playout.method_text import method_from
from playout.record import Record

PROMISE = "any text is read or refused at once, in one short line; what is read is written the same"

LONGEST_MESSAGE = 2000  # characters
SLOWEST = 0.5  # seconds
# Python's own messages, which show that the input was not checked.
BARE = re.compile(
    r"invalid literal|Exceeds the limit|could not convert|unpack|codec|domain|ambiguous|"
    r"object is not|has no attribute|must be str|instance of|math range"
)
CHARACTERS = (
    "wbXOxo-*0./ ;:()[]{}'\"\\@#=,+_^~%!?<>|&$\t\n\r\v\f\0 12345678abcdefghkmgGBis"
    "\u00a0\u2003\u00b2\u0663\u0968\ufb00\u0130\u0131\u017f\u212a\u1e9e\u00e9\u200b\u202e\ufeff"
    "\ud800\U0001f600\U0001d7d8"
)
NO_TEXTS: tuple[Any, ...] = (
    None,
    5,
    0.5,
    b"f5",
    ["f5"],
    {},
    object(),
    10**5000,
    ("x" * 9999,),
    int,
)


@dataclass(frozen=True)
class Reader:
    """A parser and its inputs."""

    name: str
    read: Callable[[Any], object]  # checks that writing gives equal text
    refuses: tuple[type[Exception], ...]
    samples: tuple[Any, ...]  # valid inputs
    pieces: tuple[str, ...] = ()  # parts for composed inputs
    takes_objects: bool = False


# Inputs


def inputs(reader: Reader, n: int) -> Iterator[Any]:
    """n inputs, the same in every run."""
    draw = random.Random(f"{reader.name} {n}")
    if isinstance(reader.samples[0], dict):
        for _ in range(n):
            yield altered(draw.choice(reader.samples), reader, draw)
        return
    kinds = (mutated, mutated, composed, composed, noise, repeated)
    for _ in range(n):
        if reader.takes_objects and draw.random() < 0.01:
            yield draw.choice(NO_TEXTS)
        else:
            yield draw.choice(kinds)(reader, draw)


def noise(reader: Reader, draw: random.Random) -> str:
    if draw.random() < 0.5:
        return "".join(draw.choices(CHARACTERS, k=draw.randrange(30)))
    return draw.randbytes(draw.randrange(30)).decode(draw.choice(["latin-1", "utf-16"]), "replace")


def mutated(reader: Reader, draw: random.Random) -> str:
    """A sample with up to four random changes."""
    text = draw.choice(reader.samples)
    for _ in range(draw.randrange(5)):
        i = draw.randrange(len(text) + 1)
        j = min(len(text), i + draw.randrange(6))
        put = draw.choice(
            ["", draw.choice(CHARACTERS), text[i:j] * 2, draw.choice(reader.pieces or ("",))]
        )
        text = text[:i] + put + text[draw.choice([i, j]) :]
    return text


def composed(reader: Reader, draw: random.Random) -> str:
    return "".join(draw.choices(reader.pieces, k=draw.randrange(12)))


def repeated(reader: Reader, draw: random.Random) -> str:
    """A text with one part repeated many times, sometimes very many."""
    text = mutated(reader, draw)
    i = draw.randrange(len(text) + 1)
    part = draw.choice([text[i : i + 1], *reader.pieces, draw.choice(CHARACTERS)])
    times = draw.choice([20, 200]) if draw.random() < 0.98 else 20_000
    return text[:i] + part * times + text[i:]


def altered(sample: dict[str, Any], reader: Reader, draw: random.Random) -> dict[str, Any]:
    """A JSON object with some parts, at any depth, replaced or left out."""
    found = copy.deepcopy(sample)
    for _ in range(draw.randrange(1, 4)):
        inside: Any = found
        while True:
            keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
            key = draw.choice(keys) if keys else None
            if key is None or not isinstance(inside[key], (dict, list)) or draw.random() < 0.3:
                break
            inside = inside[key]
        if key is not None and draw.random() < 0.1:
            del inside[key]
        elif key is not None:
            inside[key] = value_like(inside[key], reader, draw)
    return found


def value_like(value: Any, reader: Reader, draw: random.Random) -> Any:
    """A text made from the old one, or another JSON value."""
    if isinstance(value, str) and draw.random() < 0.7:
        as_samples = Reader("", str, (), (value,), reader.pieces)
        return draw.choice((mutated, composed, noise, repeated))(as_samples, draw)
    others: tuple[Any, ...] = (
        None, True, 0, -1, 1, 7, 10**400, 10**5000, 0.5, float("nan"), float("inf"), "", [], {},
        [[]], {"a": [1]}, "a2a3", ["a2a3"] * 200, [None], draw.choice(reader.pieces),
    )  # fmt: skip
    return draw.choice(others)


# Reading, and writing the same text


def reads_fen(game: type[po.Position]) -> Callable[[Any], None]:
    def read(text: Any) -> None:
        position = game.from_fen(text)
        again = game.from_fen(position.fen)
        assert again == position
        assert again.fen == position.fen

    return read


def plays(position: po.Position) -> Callable[[Any], None]:
    def push(text: Any) -> None:
        move = position.push(text)
        assert position.pop() == move
        assert position.find_move(str(move)) == move
        assert move in position.legal_moves

    return push


def read_obf(text: Any) -> None:
    obf = formats.read_obf(text)
    assert formats.read_obf(formats.write_obf(obf.position, obf.scores)) == obf


def read_moves(text: Any) -> None:
    game = formats.read_moves(text, 4)
    again = formats.read_moves(formats.write_moves(game), 4)
    assert (again, again.history) == (game, game.history)


def read_ggf(text: Any) -> None:
    game = formats.read_ggf(text)
    told = {"scores": game.scores, "seconds": game.seconds}
    again = formats.read_ggf(formats.write_ggf(game.position, game.tags, **told))
    assert (again, again.position.history) == (game, game.position.history)


def read_memory(text: Any) -> None:
    size = memory_size("memory", text)
    assert memory_size("memory", str(size)) == size >= LEAST_MEMORY


def name_method(text: Any) -> None:
    method = po.method_of(text)
    assert method_from(repr(method)) == method


def read_method(text: str) -> None:
    method = method_from(text)
    assert method_from(repr(method)) == method


def read_player(text: str) -> None:
    player = player_from(text)
    assert player_from(str(player)) == player


def read_openings(text: str) -> None:
    openings = openings_of([text])
    assert openings_of([" ".join(line) for line in openings.lines]) == openings


def read_options(options: dict[str, Any]) -> None:
    """Values that a command line cannot contain are ignored."""
    given = {
        name: value
        for name, value in options.items()
        if isinstance(value, int if name == "first_rows" else str)
    }
    position = position_from(**given)
    assert position_from(position=position.fen) == position


def read_talk(text: str) -> None:
    said = understood(text, po.Othello(4))
    assert (said.move is None) != (said.word == "")


def read_record(found: dict[str, Any]) -> None:
    game = Record.from_dict(found)
    record.players_of(game)
    told = game.to_dict()
    assert Record.from_dict(json.loads(json.dumps(told))).to_dict() == told


def read_pgn(text: str) -> None:
    for game in Record.all_from_pgn(text):
        told = game.to_pgn()
        again = Record.from_pgn(told)
        assert again.to_pgn() == told
        assert again.to_dict() == game.to_dict()


def game_of(seed: int) -> po.Othello:
    """The first moves of a game on 4x4, passes among them."""
    position, draw = po.Othello(4), random.Random(seed)
    for _ in range(draw.randrange(13)):
        if not position.is_over:
            position.push(draw.choice(position.legal_moves))
    return position


FENS = ("www/.../bbb b", ".b./b.w/... w", "bbb/.../www w", "bbbb/..w./b..w/.ww. b", "bb./w../..w w")
BOARDS = ("-----XO--OX----- X", "----OXX--XO----- O", "XX-------------- O", f"{'-' * 36} X")
LINES = (
    "..../..../..../.... x", "..../o.../oxo./xxox x", "...../...../..o../..x../..x.. o",
)  # fmt: skip
GAMES = tuple(game_of(seed) for seed in range(30))
SQUARES = ("a1", "b1", "c1", "d1", "a2", "d2", "a3", "d3", "a4", "b4", "c4", "d4")
GGF = "(;GM[Othello]PB[A]PW[B]TY[4]BO[4 -----*O--O*----- *]B[B1//0.5]W[A1/+2.0/];)"
METHODS = (
    "uct", "RAVE", " grave ", "UCT(c=0.7, fpu=1)", "RAVE(bias=[1e-5, 1e-4, 0.1], scale=kind)",
    "Flat(schedule='recent', half_life=50.0)", "GRAVE(ref=25, lanes=8)", "alphabeta",
    "AlphaBeta(depth=4, evaluation=Evaluation(mobility=1, corners=-5), exact_ties=True)",
    "AlphaBeta(evaluation=Evaluation(by_phase=[Evaluation(parity=1), Evaluation(corners=2)]))",
    f"AlphaBeta(evaluation=Evaluation(weights={[[1.5] * 8] * 8}, divisor=3))",
)  # fmt: skip
CALLS = (
    "(", ")", "[", "]", "{", "}", ",", "=", "-", "+", "*", "**", ".", ":", "#", "\\", "'", '"',
    "f'", "c=", "c=1", "bias=", "ties=first", "evaluation=", "weights=", "uct", "UCT", "RAVE",
    "AlphaBeta",
    "Evaluation", "by_phase=[", "None", "True", "nan", "1e999", "0x", "9", "1_0", "1j", "...",
    "lambda: ", "not ", " if 1 else ", "x:=", "await ", "\n", "@", "\u00b2",
)  # fmt: skip
LEVELS = (
    "@",
    "@10",
    "@2s",
    "@.5s",
    "@1e-05s",
    "@1_000",
    "s",
    "e",
    "_",
    ".",
    "9",
    " ",
    "you",
    "uct",
)
RECORDS = tuple(
    Record(start, (first, second), 7, policy).to_dict()
    for start, first, second, policy in (
        (GAMES[-1], "you", "uct@9", "random"),
        (po.Breakthrough.from_fen(FENS[1]), "RAVE(bias=0.1)@2s", "flat@1", "guided"),
        (po.Othello(), "AlphaBeta(depth=2)", "human", "random"),
    )
)
PGNS = (
    *(Record.from_dict(told).to_pgn() for told in RECORDS),
    '[Game "connect-four"] [FEN "..../..../..../.... x"] [White "a \\" \\\\ \\n"] 1. 1 2 2. 3 *',
    '[Game "breakthrough"][FEN "www/.../bbb b"][Termination "clock"] 1... a1a2 {[%emt 1]} 1-0',
    '[Game "othello"]\n[Event "x"] 1. f5 {[%emt 0.5] [%expected .25]} d6 ; so\n2. c3 $3 1/2-1/2',
)
OPTIONS: tuple[dict[str, Any], ...] = (
    {"game": "breakthrough", "size": "4x3", "first_rows": 1, "position": None, "moves": "a1a2"},
    {"game": "othello", "size": "4", "first_rows": None, "position": None, "moves": "b1c1"},
    {"game": None, "size": None, "first_rows": None, "position": FENS[3], "moves": "A4-a3, d2d3"},
    {"game": "connect-four", "size": "5x4", "first_rows": None, "position": None, "moves": "3 42"},
    {"game": None, "size": None, "first_rows": None, "position": LINES[1], "moves": "4,1"},
    {"game": None, "size": None, "first_rows": None, "position": GGF, "moves": None},
    {"game": None, "size": None, "first_rows": None, "position": BOARDS[1], "moves": "pa"},
)

READERS = (
    Reader("Breakthrough.from_fen", reads_fen(po.Breakthrough), (po.BadPosition,), FENS,
           ("w", "b", ".", "/", " ", " w", " b", "www", "bbb", "..."), takes_objects=True),
    Reader("Othello.from_fen", reads_fen(po.Othello), (po.BadPosition,), BOARDS,
           ("X", "O", "-", " ", " X", " O", "-" * 8, "-" * 32, "xo"), takes_objects=True),
    Reader("ConnectFour.from_fen", reads_fen(po.ConnectFour), (po.BadPosition,), LINES,
           ("x", "o", ".", "/", " ", " x", " o", "xoxo", "....", "/" * 9), takes_objects=True),
    Reader("Breakthrough.push", plays(po.Breakthrough.from_fen(FENS[3])), (po.IllegalMove,),
           ("a2a1", "A4-B3", "a2xb1", " d4xc3 "), ("a", "c", "1", "3", "-", "x", " ", "a4"),
           takes_objects=True),
    Reader("Othello.push", plays(po.Othello.from_fen("XO-------------- O")), (po.IllegalMove,),
           ("pass", "PA", "--", "ps", "a1"), ("p", "a", "s", "-", " ", "A1"), takes_objects=True),
    Reader("read_obf", read_obf, (po.BadPosition,),
           (f"{BOARDS[0]}; A3:+2; b4:-10;", BOARDS[1], f"{BOARDS[0].replace('X', '*')};;"),
           (BOARDS[0], "-" * 16, ";", ":", " X", "A3", "B4:", "+", "-", "0", "64", " "),
           takes_objects=True),
    Reader("read_moves", read_moves, (po.BadPosition,),
           tuple(" ".join(game.history) for game in GAMES),
           (*SQUARES, "pass", "pa", "--", " ", "\n", "e5"), takes_objects=True),
    Reader("read_ggf", read_ggf, (po.BadPosition,),
           (GGF, "(; PB[\u00e9] ;)", *map(formats.write_ggf, GAMES)),
           ("(;", ";)", "B[", "W[", "]", "B[c1]", "W[B1//2]", "TY[4]", "TY[", "BO[4 ", BOARDS[0],
            "/", "/-", "1e9",
            "GM[Othello]", "GM[", "PB[", "\\", "pa", " *]", "8", "\n"), takes_objects=True),
    Reader("memory_size", read_memory, (ValueError,), ("512MB", "2 GiB", "1.5g", "65536", " 1 mb "),
           ("1", "9", "000", ".", " ", "k", "m", "Gi", "B", "-", "e", "+", "_"),
           takes_objects=True),
    Reader("method_of", name_method, (po.BadMethod,), ("uct", "RAVE", " grave "),
           ("uct", "rave", "g", "alpha", "beta", " ", "(", ")"), takes_objects=True),
    Reader("method_text", read_method, (po.BadMethod,), METHODS, CALLS),
    Reader("arena.players", read_player, (ValueError,),
           ("you", "uct@10", "rave@2s", "UCT(c=0.7)@1_000", "alphabeta@0.5s", "grave@60+0.5s",
            "rave@50n solver guided threads=2", "uci:fairy-stockfish@0.1s variant=breakthrough",
            "gtp:'gtp-rhino -l 1'@1s margin=2", "nboard:edax depth=6 'Skill Level'=3"),
           (*LEVELS, *CALLS[:6], "uci:", "'", "=", " solver", " threads=", "+1s", "n")),
    Reader("arena.openings", read_openings, (ValueError,),
           ("a2a3 d7d6", "f5d6 # a comment", "1,2, 3"), ("#", ",", " ", "\t", "a2a3", "\n")),
    Reader("cli.positions", read_options, (ValueError, Fault), OPTIONS,
           (*FENS, *BOARDS, GGF, "5", "6x5", " x ", "othello", "breakthrough", "a1a2", ",", "/",
            ";")),
    Reader("cli.talk", read_talk, (po.IllegalMove,), ("hint", "save a b", "b1", "?", " Q "),
           ("save ", "hint", "undo", " ", "b1", "c", "1", "?")),
    Reader("pgn", read_pgn, (ValueError,), PGNS,
           ('[', ']', '"', "\\", "{", "}", "[%emt ", "[%expected ", "1e999", "1.", "1-0", "*", "\n",
            '[Game "othello"] ', '[Result "', '[Seed "', '[FEN "', "f5", "pass", ";", "$1"),
           takes_objects=True),
    Reader("record", read_record, (ValueError,), RECORDS, (*SQUARES, *LEVELS, *METHODS[:3])),
)  # fmt: skip


# The attack


def fault_of(reader: Reader, given: Any) -> str:
    """The fault in the answer to an input; empty if there is none."""
    try:
        reader.read(given)
    except reader.refuses as refusal:
        message = refusal.message if isinstance(refusal, Fault) else str(refusal)
        if not 0 < len(message) <= LONGEST_MESSAGE or "\n" in message:
            return f"its message has {len(message)} characters, or several lines: {shown(message)}"
        return f"Python's own message: {message}" if BARE.search(message) else ""
    except AssertionError:
        return "what was read is not written the same"
    except Exception as failure:
        return f"{type(failure).__name__}: {shown(str(failure))}"
    return ""


def seconds_for(reader: Reader, given: Any) -> float:
    began = time.perf_counter()
    fault = fault_of(reader, given)
    assert not fault, f"{reader.name} of {shorter(given)}: {fault}"
    return time.perf_counter() - began


def shorter(given: Any) -> str:
    """The repr of an input, so that it can be tried again; cut if it is very long."""
    text = repr(given) if isinstance(given, str) else shown(given)
    return text if len(text) <= 5000 else f"{text[:5000]}... ({len(text)} characters)"


def attack(night: bool) -> str:
    n = 1_000_000 if night else 5_000
    slowest = 0.0
    for reader in READERS:
        for given in inputs(reader, n):
            seconds = seconds_for(reader, given)
            if seconds > SLOWEST:  # or the machine was busy
                seconds = min(seconds_for(reader, given) for _ in range(3))
            assert seconds < SLOWEST, f"{reader.name}: {seconds:.1f} s for {shorter(given)}"
            slowest = max(slowest, seconds)
    total = len(READERS) * n
    return f"{len(READERS)} parsers, {total:,} inputs: 0 faults, slowest {1e3 * slowest:.0f} ms"
