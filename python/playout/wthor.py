"""Othello games in WTHOR files, the format of the public databases of tournament games.

A file (`.wtb`) is a header of 16 bytes and 68 bytes for each game. Numbers are little-endian::

    bytes   the header                       bytes   a game
    0-3     century, year, month and day     0-1     number of the tournament
            of the file                      2-3     number of the black player
    4-7     how many games                   4-5     number of the white player
    8-9     not used here                    6       black's score, from 0 to 64
    10-11   year of the games                7       the same, if both sides play the
    12      board: 8, or 0, which means 8            last moves perfectly
    13      1 for problems, not games        8-67    60 moves: 10 * row + column, and 0
    14      empty squares from which on              after the last; no passes
            play is perfect for byte 7

Numbers stand for names. Files of names (`.jou` for players, `.trn` for tournaments) have the same
header and then 20 or 26 bytes for each name.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from mcts_core.errors import BadPosition, shown
from mcts_core.games.othello import Othello
from playout.arguments import whole_number
from playout.formats import play
from playout.games import PASS, root_of
from playout.pgn import UNKNOWN
from playout.record import Record

HEADER = struct.Struct("<4BIHH4B")
GAME = struct.Struct("<3H2B60s")
SQUARES = 64
MOST_NUMBER = 2**16 - 1
PLAYER_BYTES, TOURNAMENT_BYTES = 20, 26
TOURNAMENT, SCORE, BEST = "Tournament", "Score", "BestScore"


@dataclass(frozen=True)
class Wthor:
    """What a file of games holds.

    The tags of a record are its `Tournament`, the `Score` of black and the `BestScore`, which black
    would have if both sides played the last moves perfectly. `write` computes a missing score from
    the game, and takes it as the best score, too.
    """

    records: tuple[Record, ...]
    year: int = 0
    """Of the games; 0: not told."""
    created: date | None = None
    """The date of the file; None: not told."""
    depth: int = 0
    """How many squares are empty where perfect play begins, for `BestScore`."""


def read(data: bytes, *, players: Sequence[str] = (), tournaments: Sequence[str] = ()) -> Wthor:
    """The games of a file. Its numbers become names, if these are given: see `read_names`.

    >>> from playout.formats import read_moves
    >>> game = Record(read_moves("f5d6c3"), ("7", "12"), seed=0, verdict=(1.0, "unknown"))
    >>> data = write(Wthor((game,), year=1999))
    >>> len(data), data[-60:-56].hex()
    (84, '38402100')
    >>> found = read(data, players=[f"player {n}" for n in range(20)])
    >>> found.year, found.records[0].players, found.records[0].result
    (1999, ('player 7', 'player 12'), 1.0)
    >>> read(data[:-1])
    Traceback (most recent call last):
    mcts_core.errors.BadPosition: this WTHOR file has 83 bytes, and its header tells of 1 games, \
which take 84: it is damaged or incomplete
    """
    century, year, month, day, n, _, games_year, board, kind, depth, _ = _header(data, GAME.size)
    if board not in (0, 8):
        raise BadPosition(f"this WTHOR file is of boards of size {board}, and only 8 is read")
    if kind:
        raise BadPosition("this WTHOR file holds problems instead of games, which are not read")
    records = tuple(
        _read_game(
            number, GAME.unpack_from(data, HEADER.size + i * GAME.size), players, tournaments
        )
        for number, i in enumerate(range(n), start=1)
    )
    return Wthor(records, games_year, _date(100 * century + year, month, day), depth)


def _header(data: bytes, size: int) -> tuple[int, ...]:
    """The numbers of the header of a file whose entries have this size."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise BadPosition(f"a WTHOR file is bytes, not {shown(data)}")
    if len(data) < HEADER.size:
        raise BadPosition(
            f"this WTHOR file has {len(data)} bytes, and its header alone takes {HEADER.size}: "
            "it is incomplete"
        )
    header: tuple[int, ...] = HEADER.unpack_from(data)
    n = header[4]
    if len(data) != HEADER.size + n * size:
        raise BadPosition(
            f"this WTHOR file has {len(data)} bytes, and its header tells of {n} games, which take "
            f"{HEADER.size + n * size}: it is damaged or incomplete"
        )
    return header


def _date(year: int, month: int, day: int) -> date | None:
    """The date, if it is one."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _read_game(
    number: int,
    entry: tuple[int, int, int, int, int, bytes],
    players: Sequence[str],
    tournaments: Sequence[str],
) -> Record:
    tournament, black, white, score, best, moves = entry
    if max(score, best) > SQUARES:
        raise BadPosition(f"game {number}: a score of {max(score, best)} is more than {SQUARES}")
    position = _after(moves, number)
    names = [_name(n, players, f"game {number}: player") for n in (black, white)]
    record = Record(position, (names[0], names[1]), seed=0)
    result = 1.0 if 2 * score > SQUARES else 0.5 if 2 * score == SQUARES else 0.0
    if result != position.result:
        record.verdict = result, UNKNOWN
    where = f"game {number}: tournament"
    record.tags = {
        TOURNAMENT: _name(tournament, tournaments, where),
        SCORE: str(score),
        BEST: str(best),
    }
    return record


def _after(moves: bytes, number: int) -> Othello:
    """The position after moves, up to the first 0."""
    played = moves.rstrip(b"\0")
    position = Othello()
    for ply, code in enumerate(played, start=1):
        row, column = divmod(code, 10)
        where = f"game {number}, move {ply}"
        if not (1 <= row <= 8 and 1 <= column <= 8):
            raise BadPosition(
                f"{where}: {code} is no square; they are numbered 11 to 88, 10 * row + column"
            )
        play(position, f"{'abcdefgh'[column - 1]}{row}", where)
    return position


def _name(number: int, names: Sequence[str], what: str) -> str:
    """The name of a number; the number itself if there are no names."""
    if names and number >= len(names):
        raise BadPosition(
            f"{what} {number} has no name: there are {len(names)} names, from number 0 on"
        )
    return names[number] if names else str(number)


def write(file: Wthor, *, players: Sequence[str] = (), tournaments: Sequence[str] = ()) -> bytes:
    """The bytes of a file of games from the start position, each with a result.

    The names of players and tournaments become their numbers in `players` and `tournaments`, which
    belong into files of their own: see `write_names`. A name that is a number, such as "7", needs
    no list. The format has no room for times, expected results and a pass as the last move.
    """
    if not isinstance(file, Wthor):
        raise BadPosition(f"what is written is a Wthor(records), not {shown(file)}")
    year = whole_number("year", file.year, 0, MOST_NUMBER)
    depth = whole_number("depth", file.depth, 0, 60)
    head = _packed_header(len(file.records), file.created, year, depth)
    entries = (
        _packed_game(number, record, players, tournaments)
        for number, record in enumerate(file.records, start=1)
    )
    return head + b"".join(entries)


def _packed_header(n: int, created: date | None, year: int = 0, depth: int = 0) -> bytes:
    when = (0, 0, 0, 0)
    if created is not None:
        when = (*divmod(created.year, 100), created.month, created.day)
    return HEADER.pack(*when, n, 0, year, 8, 0, depth, 0)


def _packed_game(
    number: int, record: Record, players: Sequence[str], tournaments: Sequence[str]
) -> bytes:
    where = f"game {number}"
    position = record.position
    if not isinstance(position, Othello) or root_of(position) != Othello():
        raise BadPosition(
            f"{where}: a WTHOR file holds games of Othello 8x8 from the start position"
        )
    if record.result is None:
        raise BadPosition(f"{where}: a WTHOR file holds games with a result, and this one goes on")
    score = record.tags.get(SCORE, str(_score(record, position)))
    best = record.tags.get(BEST, score)
    tournament = record.tags.get(TOURNAMENT, "0")
    return GAME.pack(
        _number(tournament, tournaments, f"{where}: tournament"),
        *(_number(name, players, f"{where}: player") for name in record.players),
        *(_number(text, (), f"{where}: score", SQUARES) for text in (score, best)),
        bytes(
            10 * int(move[1]) + ord(move[0]) - ord("a") + 1
            for move in position.history
            if move != PASS
        ),
    )


def _score(record: Record, position: Othello) -> int:
    """Black's discs, and empty squares if black won; 0, 32 or 64 if a verdict ended it."""
    result = record.result
    assert result is not None
    if result != position.result:
        return round(SQUARES * result)
    black, white = position.discs
    return black + round((SQUARES - black - white) * result)


def _number(name: str, names: Sequence[str], what: str, most: int = MOST_NUMBER) -> int:
    """The number of a name."""
    if name in names:
        return names.index(name)
    if not (name.isascii() and name.isdigit() and len(name) <= 5 and int(name) <= most):
        raise BadPosition(
            f"{what} {shown(name)} is no number from 0 to {most}"
            + ("" if most == SQUARES else ", and none of the names given")
        )
    return int(name)


def read_names(data: bytes) -> list[str]:
    """The names in a file of players or tournaments, by their numbers.

    >>> read_names(write_names(["Ann", "Bob"]))
    ['Ann', 'Bob']
    """
    n = int.from_bytes(data[4:8], "little")
    is_of_players = len(data) != HEADER.size + n * TOURNAMENT_BYTES
    size = PLAYER_BYTES if is_of_players else TOURNAMENT_BYTES
    _header(data, size)
    entries = (data[HEADER.size + i * size :][:size] for i in range(n))
    return [bytes(entry).split(b"\0")[0].decode("latin-1") for entry in entries]


def write_names(
    names: Iterable[str], *, tournaments: bool = False, created: date | None = None
) -> bytes:
    """The bytes of a file of players, or of tournaments.

    Names have at most 19 characters of Latin-1, those of tournaments 25.
    """
    size = TOURNAMENT_BYTES if tournaments else PLAYER_BYTES
    packed = [_packed_name(name, size) for name in names]
    return _packed_header(len(packed), created) + b"".join(packed)


def _packed_name(name: str, size: int) -> bytes:
    try:
        packed = name.encode("latin-1")
    except (UnicodeEncodeError, AttributeError):
        packed = b"\0"
    if len(packed) >= size or b"\0" in packed:
        raise BadPosition(
            f"the name {shown(name)} cannot be written: names have at most {size - 1} characters "
            "of Latin-1"
        )
    return packed.ljust(size, b"\0")
