"""Othello positions and games as Othello programs write them: OBF, move lists, GGF.

- OBF: a position in one line: the squares from a1 on as X, O and -, a space, the side to move. Test
  positions add `; MOVE:+score` for each of the best moves.
- A move list: a game from the start, `f5d6c3...`; passes are left out.
- GGF: a game with its players, result, times and evaluations, `(;GM[Othello]PB[...]...;)`.

`Othello.from_fen` and `fen` also read and write positions. The moves of a game are in `history`.
`playout.wthor` reads and writes files of many games.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from mcts_core.errors import BadPosition, did_you_mean, shown
from mcts_core.games.othello import Othello
from playout.arguments import finite, number, whole_number
from playout.games import PASS, root_of

SIZES = {4: 16, 6: 36, 8: 64}
BOARDS = {(str(size), squares) for size, squares in SIZES.items()}
MOST_SCORE = 10**9 - 1

# Texts may be long and wrong. No pattern backtracks, so reading takes linear time.
SCORED_MOVE = re.compile(r"(\w++)\s*+:\s*+([+-]?[0-9]{1,9})")
MOVE = re.compile(r"pass|p[as]|--|[a-h][1-8]|(\S+)", re.IGNORECASE)
TAG = re.compile(r"\s*+([A-Za-z]++)\[([^\]]*+)\]")
NUMBER = re.compile(r"\s*+([0-9.eE+-]{1,40}+)\s*+")


@dataclass(frozen=True)
class Obf:
    """A position of a test suite, with the scores of its moves for the side to move."""

    position: Othello
    scores: dict[str, int] = field(default_factory=dict)
    """The best moves with their scores, in the order of the line."""


def read_obf(line: str) -> Obf:
    """A position from its OBF line. Dots and spaces are not squares; `*` is read as X, `0` as O.

    >>> obf = read_obf("---------------------------OX------XO--------------------------- X; F5:+0")
    >>> obf.position == Othello(), obf.scores
    (True, {'f5': 0})
    >>> read_obf("---------------------------OX------XO--------------------------- Y")
    Traceback (most recent call last):
    mcts_core.errors.BadPosition: column 66: the side to move is 'X' or 'O', not 'Y'
    """
    text = _text(line, "an OBF line")
    board, *notes = text.rstrip().split(";")
    squares = (board.split(maxsplit=1) or [""])[0]
    start = text.find(squares)
    if len(squares) not in SIZES.values():
        raise BadPosition(
            f"column {start + len(squares) + 1}: the squares end here, {len(squares)} of them; "
            "a board has 64, 36 or 16"
        )
    for i, disc in enumerate(squares):
        if disc.upper() not in "XO-*0":
            raise BadPosition(f"column {start + i + 1}: a square is 'X', 'O' or '-', not {disc!r}")
    column = start + len(squares)
    side = board[column:].strip()
    column += len(board[column:]) - len(board[column:].lstrip())
    if side.upper() not in ("X", "O", "*", "0"):
        raise BadPosition(f"column {column + 1}: the side to move is 'X' or 'O', not {shown(side)}")
    fen = f"{squares} {side}".upper().replace("*", "X").replace("0", "O")
    position = Othello.from_fen(fen)
    scores: dict[str, int] = {}
    column = len(board) + 1
    for note in notes:
        if note.strip():
            move, score = _scored_move(note, column, position)
            scores[move] = score
        column += len(note) + 1
    return Obf(position, scores)


def _scored_move(note: str, column: int, position: Othello) -> tuple[str, int]:
    """`MOVE:+score`, which begins at that column, counted from 0."""
    column += len(note) - len(note.lstrip())
    where = f"column {column + 1}"
    parts = SCORED_MOVE.fullmatch(note.strip())
    if not parts:
        raise BadPosition(
            f"{where}: expected a move and its score, such as 'F5:+2', not {shown(note.strip())}"
        )
    move = position.normal_text(parts[1])
    _refuse_illegal(position, move, where)
    return move, int(parts[2])


def _refuse_illegal(position: Othello, move: str, where: str) -> None:
    if position.is_over:
        raise BadPosition(f"{where}: {shown(move)} comes after the end of the game")
    legal = position.legal_moves
    if move not in legal:
        some = " ".join(legal[:3]) + (f" ... ({len(legal)} moves)" if len(legal) > 3 else "")
        hint = did_you_mean(move, legal)
        raise BadPosition(f"{where}: {shown(move)} is not legal here{hint} Legal: {some}")


def write_obf(position: Othello, scores: dict[str, int] | None = None) -> str:
    """The OBF line of a position, with the scores of moves if given.

    >>> write_obf(Othello(4), {"b1": -10})
    '-----OX--XO----- X; B1:-10;'
    """
    _refuse_others(position, "an OBF line")
    notes = ""
    for move, score in (scores or {}).items():
        if move not in position.legal_moves:
            raise BadPosition(f"scores are of legal moves, and {shown(move)} is none here")
        score = whole_number(f"the score of {move}", score, -MOST_SCORE, MOST_SCORE)
        notes += f" {move.upper()}:{score:+d};"
    return position.fen + (f";{notes}" if notes else "")


def read_moves(text: str, size: int = 8, *, start: Othello | None = None) -> Othello:
    """The position after a list of moves from the start; passes are played where they are forced.

    With `start` the moves are played from that position.

    Moves may be separated by spaces, and a pass may be written (`pass`, `pa`, `ps`, `--`).

    >>> str(read_moves("F5d6 C3").history[-1])
    'c3'
    >>> read_moves("f5f6a1")
    Traceback (most recent call last):
    mcts_core.errors.BadPosition: column 5: 'a1' is not legal here. Legal: d3 c4 e6 ... (4 moves)
    """
    position = Othello(size) if start is None else start.copy()
    text = _text(text, "a move list")
    for found in MOVE.finditer(text):
        where = f"column {found.start() + 1}"
        if found[1]:
            raise BadPosition(f"{where}: expected a move such as 'f5', not {found[1][:8]!r}")
        play(position, found[0], where)
    return position


def play(position: Othello, move: str, where: str) -> None:
    """Play a move, after a pass if there is no other. An error begins with `where`."""
    move = position.normal_text(move)
    if position.legal_moves == (PASS,) and move != PASS:
        position.push(PASS)
    _refuse_illegal(position, move, where)
    position.push(move)


def write_moves(position: Othello) -> str:
    """The moves that led to a position from the start, without passes except one at the end.

    >>> write_moves(read_moves("f5d6c3"))
    'f5d6c3'
    """
    _refuse_others(position, "a move list")
    _from_start(position, "a move list")
    history = position.history
    moves = "".join(move for move in history if move != PASS)
    return moves + (PASS if history[-1:] == (PASS,) else "")  # no later move implies it


@dataclass(frozen=True)
class Ggf:
    """A game from GGF: its final position with the moves before it, and its other tags."""

    position: Othello
    tags: dict[str, str] = field(default_factory=dict)
    """Such as PB, PW (the players), PC (the place), DT (the date), RE (the result)."""
    scores: tuple[float | None, ...] = ()
    """What the mover of each move in `position.history` thought it worth; None: not told."""
    seconds: tuple[float | None, ...] = ()
    """That each move took, in the same form."""


BOARD_TAGS = ("GM", "TY", "BO", "B", "W")


def read_ggf(text: str) -> Ggf:
    """Read a game from GGF, starting at the position in its `BO` tag.

    An evaluation or a time that is no number counts as not told.

    >>> game = read_ggf("(;GM[Othello]PB[Ann]PW[Bob]TY[8]B[F5]W[D6//1.5]B[C3/+2.0/];)")
    >>> game.tags["PB"], write_moves(game.position)
    ('Ann', 'f5d6c3')
    >>> game.scores, game.seconds
    ((None, None, 2.0), (None, 1.5, None))
    """
    text = _text(text, "a GGF game")
    begin = text.find("(;")
    if begin < 0:
        raise BadPosition("column 1: a GGF game begins with '(;'")
    tags: dict[str, str] = {}
    notes: list[tuple[float | None, float | None]] = []
    position: Othello | None = None
    column, size = begin + 2, 8
    while not text.startswith(";)", column):
        found = TAG.match(text, column)
        if not found:
            rest = text[column:].lstrip()
            if rest.startswith(";)"):
                break
            if not rest:
                raise BadPosition(f"column {column + 1}: the game does not end with ';)'")
            raise BadPosition(
                f"column {len(text) - len(rest) + 1}: expected a tag such as 'B[f5]' or the end "
                f"';)', not {rest[:8]!r}"
            )
        tag, value = found[1].upper(), found[2]
        where = f"column {found.start(2) + 1}"
        if tag == "GM" and value.strip().lower() != "othello":
            raise BadPosition(f"{where}: the game is {shown(value)}, not Othello")
        if tag == "TY":
            size = _size(value, where)
        elif tag == "BO":
            position, notes = _board(value, where), []
        elif tag in ("B", "W"):
            position = Othello(size) if position is None else position
            move, *told = value.split("/")
            _push_of(position, tag, move, where)
            notes += [(None, None)] * (len(position.history) - len(notes) - 1)  # passes left out
            notes.append((_number_in(told[:1]), _number_in(told[1:2], least=0.0)))
        elif tag not in BOARD_TAGS:
            tags[tag] = value
        column = found.end()
    scores, seconds = zip(*notes, strict=True) if notes else ((), ())
    return Ggf(Othello(size) if position is None else position, tags, scores, seconds)


def _number_in(told: list[str], least: float = -math.inf) -> float | None:
    """The number in a text that may be missing, or be no such number."""
    found = NUMBER.fullmatch(told[0]) if told else None
    try:
        value = math.nan if found is None else float(found[1])
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= least else None


def _size(value: str, where: str) -> int:
    """The board's size from the game's type, such as `8` or `s8r20`."""
    found = re.match(r"[^0-9]*+([468])(?![0-9])", value)
    if not found:
        raise BadPosition(f"{where}: the board is of type {shown(value)}; its size is 8, 6 or 4")
    return int(found[1])


def _board(value: str, where: str) -> Othello:
    """`8 ---- ... *`: the size, the squares with any spaces, the side to move."""
    parts = value.replace("*", "X").replace("0", "O").upper().split()
    squares = "".join(parts[1:-1])
    if len(parts) < 3 or (parts[0], len(squares)) not in BOARDS:
        raise BadPosition(
            f"{where}: a board is its size (8, 6 or 4), all its squares and the side to move; "
            f"this one has {len(squares)} squares"
        )
    try:
        return Othello.from_fen(f"{squares} {parts[-1]}")
    except BadPosition as fault:
        raise BadPosition(f"{where}: {fault}") from None


def _push_of(position: Othello, tag: str, move: str, where: str) -> None:
    """Play a move of Black or White."""
    turn = "BW".index(tag)
    if not position.is_over and position.turn != turn and position.legal_moves[0] == PASS:
        position.push(PASS)
    if position.turn != turn and not position.is_over:
        raise BadPosition(f"{where}: it is {'Black' if turn else 'White'}'s move, not {tag}'s")
    play(position, move, where)


def write_ggf(
    position: Othello,
    tags: dict[str, str] | None = None,
    *,
    scores: Sequence[float | None] = (),
    seconds: Sequence[float | None] = (),
) -> str:
    """The GGF text of the game that led to a position, with the tags given.

    `scores` and `seconds` are of the moves in `position.history`, from the first; None: not told.

    >>> game = read_moves("f5d6", size=8)
    >>> write_ggf(game, {"PB": "Ann"})[:46]
    '(;GM[Othello]PB[Ann]TY[8]BO[8 ----------------'
    >>> write_ggf(game, scores=[2, None], seconds=[0.5, 1])[-25:]
    'B[F5/2.0/0.5]W[D6//1.0];)'
    """
    _refuse_others(position, "a GGF game")
    for tag, value in (tags or {}).items():
        if not _is_tag(tag) or not isinstance(value, str) or "]" in value:
            raise BadPosition(
                f"{shown(tag)} with the value {shown(value)} cannot be written: a tag is letters "
                f"from A to Z, not one of {', '.join(BOARD_TAGS)}, and its value a text without ']'"
            )
    start = root_of(position)
    squares, side = start.fen.replace("X", "*").split()
    more = "".join(f"{tag.upper()}[{value}]" for tag, value in (tags or {}).items())
    plies = len(position.history)
    notes = zip(
        _of_moves("scores", scores, plies), _of_moves("seconds", seconds, plies), strict=True
    )
    moves = []
    turn = start.turn
    for move, (score, time) in zip(position.history, notes, strict=True):
        text = f"{'pa' if move == PASS else move.upper()}/{score}/{time}".rstrip("/")
        moves.append(f"{'BW'[turn]}[{text}]")
        turn = 1 - turn
    board = f"BO[{position.size} {squares} {side}]"
    return f"(;GM[Othello]{more}TY[{position.size}]{board}{''.join(moves)};)"


def _of_moves(name: str, values: Sequence[float | None], plies: int) -> list[str]:
    """The numbers of all moves as text; empty where there is none."""
    if isinstance(values, str) or not isinstance(values, Sequence) or len(values) > plies:
        raise BadPosition(f"{name} is a list with at most a number for each of {plies} moves")
    check = finite if name == "scores" else number
    texts = ["" if value is None else repr(check(name, value)) for value in values]
    return texts + [""] * (plies - len(texts))


def _is_tag(tag: str) -> bool:
    is_word = isinstance(tag, str) and tag.isascii() and tag.isalpha()
    return is_word and tag.upper() not in BOARD_TAGS


def _text(text: str, what: str) -> str:
    if not isinstance(text, str):
        raise BadPosition(f"{what} is text, not {shown(text)}")
    return text


def _refuse_others(position: Othello, what: str) -> None:
    if not isinstance(position, Othello):
        raise BadPosition(f"{what} tells of Othello, not of {shown(position)}")


def _from_start(position: Othello, what: str) -> None:
    start = root_of(position)
    if start != Othello(position.size):
        raise BadPosition(
            f"{what} tells a game from the start, and this one began elsewhere: {start.fen}; "
            "write_ggf keeps where it began"
        )
