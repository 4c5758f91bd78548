"""Games as text that people can read: tags and numbered moves, like chess's PGN.

    [Game "breakthrough"]
    [White "uct@1000"]
    [Black "flat@1000"]
    [Result "1-0"]
    [FEN "bbb/.../www w"]
    [Seed "1"]

    1. b1a2 {[%emt 0.5] [%expected 0.61]} a3b2 2. c1b2 1-0

Moves are in the game's own notation. Results are the first player's, whatever the sides are
called: 1-0, 0-1, 1/2-1/2, or * for a game that goes on. A comment after a move holds its seconds
(`emt`) and the result that its mover expected for the first player. Tags that a `Record` has no
field for are kept in its `tags`. A backslash is before each quote and backslash of a value; `\\n`
is a new line.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator
from itertools import zip_longest

from mcts_core.errors import shown
from mcts_core.position import Position
from playout.arguments import one_of
from playout.games import Game, root_of
from playout.python_games import game_again
from playout.record import MOST_DIGITS, Record
from playout.task import SEARCH_POLICIES

WIDTH = 79
RESULTS = {1.0: "1-0", 0.0: "0-1", 0.5: "1/2-1/2", None: "*"}
VALUES = {text: value for value, text in RESULTS.items()}
UNKNOWN = "unknown"  # why a game ended that its rules had not ended, if the text does not say

# Texts may be long and wrong. No pattern backtracks, so reading takes linear time.
SPACE = re.compile(r"(?:\s++|;[^\n]*+|\$[0-9]++)*+")
TAG = re.compile(r'\[\s*+([A-Za-z0-9_]++)\s++"((?:[^"\\]++|\\.)*+)"\s*+\]', re.DOTALL)
TOKEN = re.compile(r"\{([^}]*+)\}|([0-9]++\.++)|([^\s{}\[\]();\"]++)")
NOTE = re.compile(r"\[%(emt|expected)\s++([0-9.eE+-]{1,40}+)\s*+\]")
NAME = re.compile(r"[A-Za-z0-9_]{1,100}")


def write(record: Record) -> str:
    """The text of a game.

    >>> import playout as po
    >>> game = po.ConnectFour(4)
    >>> for move in "123":
    ...     _ = game.push(move)
    >>> print(write(Record(game, ("you", "uct@9"), seed=7, seconds=(0.5,))), end="")
    [Game "connect-four"]
    [White "you"]
    [Black "uct@9"]
    [Result "*"]
    [FEN "......./......./......./....... x"]
    [Seed "7"]
    <BLANKLINE>
    1. 1 {[%emt 0.5]} 2 2. 3 *
    """
    tags = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in _tags(record).items())
    words = [*_words(record), RESULTS[record.result]]
    moves = textwrap.fill(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{tags}\n{moves}\n"


def _tags(record: Record) -> dict[str, str]:
    """All tags, in order; those that say nothing new are left out."""
    game, own = record.game, _own(record.game)
    for name, value in record.tags.items():
        is_name = isinstance(name, str) and NAME.fullmatch(name)
        if not is_name or name in own or not isinstance(value, str):
            raise ValueError(
                f"the tag {shown(name)} with the value {shown(value)} cannot be written: its name "
                f"is letters, digits and _, and none of {', '.join(own)}, and its value is text"
            )
    tags = {"Game": game.name}
    tags |= dict(zip(map(str.capitalize, game.sides), record.players, strict=True))
    tags["Result"] = RESULTS[record.result]
    if record.verdict is not None:
        tags["Termination"] = record.verdict[1]
    if record.resigned is not None:
        tags["Resigned"] = game.sides[record.resigned]
    tags |= {"FEN": game.write(root_of(record.position)), "Seed": str(record.seed)}
    if record.policy != SEARCH_POLICIES[0]:
        tags["Policy"] = record.policy
    return tags | record.tags


def _own(game: Game) -> tuple[str, ...]:
    """The tags that say what a `Record` has a field for."""
    sides = map(str.capitalize, game.sides)
    return ("Game", *sides, "Result", "Termination", "Resigned", "FEN", "Seed", "Policy")


def _words(record: Record) -> Iterator[str]:
    """The moves, with numbers and comments."""
    position = root_of(record.position)
    moves = record.position.history
    number, is_first = 0, True
    for move, seconds, expected in zip_longest(moves, record.seconds, record.expected):
        if move is None:
            raise ValueError("there are seconds or expected results of more moves than were played")
        if position.turn == 0 or is_first:
            number += 1
            yield f"{number}." if position.turn == 0 else f"{number}..."
        position.push(move)
        yield str(move)
        notes = {"emt": seconds, "expected": expected}
        known = [f"[%{name} {float(x)!r}]" for name, x in notes.items() if x is not None]
        if known:
            yield f"{{{' '.join(known)}}}"
        is_first = False


def _escaped(value: str) -> str:
    value = value.replace("\\", "\\\\").replace('"', '\\"')
    return value.replace("\n", "\\n").replace("\r", "\\r")


def _unescaped(value: str) -> str:
    return re.sub(
        r"\\(.)", lambda found: {"n": "\n", "r": "\r"}.get(found[1], found[1]), value, flags=re.S
    )


# Reading


def read(text: str) -> Record:
    """The game of a text with one game.

    >>> game = read('[Game "breakthrough"] [FEN "bbb/.../www w"] 1. a1a2 b3a2 *')
    >>> game.position.history, game.players
    (<2 moves: a1a2 b3a2>, ('?', '?'))
    """
    records = read_all(text)
    if len(records) != 1:
        raise ValueError(f"the text has {len(records)} games, and one was expected")
    return records[0]


def read_all(text: str) -> list[Record]:
    """The games of a text, one after the other. A ValueError says what is wrong, and where."""
    if not isinstance(text, str):
        raise ValueError(f"games are read from text, not from {shown(text)}")
    found = []
    at = _skip(text, 0)
    while at < len(text):
        record, at = _read_game(text, at)
        found.append(record)
        at = _skip(text, at)
    return found


def _skip(text: str, at: int) -> int:
    """Past white space, comments to the end of a line, and PGN's numbers of comments."""
    found = SPACE.match(text, at)
    return at if found is None else found.end()


def _where(text: str, at: int) -> str:
    before = text[:at]
    return f"line {before.count(chr(10)) + 1}, column {at - before.rfind(chr(10))}"


def _read_game(text: str, at: int) -> tuple[Record, int]:
    """The game that begins there, and where it ends."""
    begin = at
    tags, at = _read_tags(text, at)
    try:
        record = _from_tags(tags, game_again(tags.pop("Game", ""), 'the tag "Game"'))
    except ValueError as fault:
        raise ValueError(f"the game at {_where(text, begin)}: {fault}") from None
    result, at = _read_moves(text, at, record)
    try:
        _take_result(record, tags, result)
    except ValueError as fault:
        raise ValueError(f"the game at {_where(text, begin)}: {fault}") from None
    record.tags = tags
    return record, at


def _read_tags(text: str, at: int) -> tuple[dict[str, str], int]:
    tags: dict[str, str] = {}
    while text.startswith("[", at):
        found = TAG.match(text, at)
        if found is None:
            raise ValueError(f'{_where(text, at)}: a tag is written [Name "value"]')
        if found[1] in tags:
            raise ValueError(f"{_where(text, at)}: there are two tags {shown(found[1])}")
        if not NAME.fullmatch(found[1]):
            raise ValueError(f"{_where(text, at)}: the name of a tag has at most 100 characters")
        tags[found[1]] = _unescaped(found[2])
        at = _skip(text, found.end())
    if not tags:
        raise ValueError(
            f'{_where(text, at)}: a game begins with its tags, such as [Game "othello"]'
        )
    return tags, at


def _from_tags(tags: dict[str, str], game: Game) -> Record:
    """The record before its first move. Takes its tags out."""
    start = _start(tags, game)
    first, second = (tags.pop(side.capitalize(), "?") for side in game.sides)
    seed = tags.pop("Seed", "0")
    if not (seed.isascii() and seed.isdigit() and len(seed) <= MOST_DIGITS):
        raise ValueError(f'the tag "Seed" is {shown(seed)}, and not up to {MOST_DIGITS} digits')
    policy = one_of('the tag "Policy"', tags.pop("Policy", SEARCH_POLICIES[0]), SEARCH_POLICIES)
    record = Record(start, (first, second), int(seed), policy)
    resigned = tags.pop("Resigned", None)
    if resigned is not None:
        record.resigned = game.sides.index(one_of('the tag "Resigned"', resigned, game.sides))
    return record


def _start(tags: dict[str, str], game: Game) -> Position:
    fen = tags.pop("FEN", None)
    if fen is None:
        return game.start(*game.default)
    try:
        return game.read(fen)
    except ValueError as fault:
        raise ValueError(f'the tag "FEN": {fault}') from None


def _read_moves(text: str, at: int, record: Record) -> tuple[str, int]:
    """Play the moves up to the result. Returns the result, and where the game ends."""
    position = record.position
    notes: dict[str, list[float | None]] = {"emt": [], "expected": []}
    result = None
    while result is None:
        at = _skip(text, at)
        found = TOKEN.match(text, at)
        if found is None:
            raise ValueError(
                f"{_where(text, at)}: expected a move, or a result such as 1-0 or * at the end"
            )
        comment, _, word = found.groups()
        if word in VALUES:
            result = word
        elif word is not None:
            try:
                position.push(word)
            except ValueError as fault:
                raise ValueError(f"{_where(text, at)}: {fault}") from None
            for values in notes.values():
                values.append(None)
        elif comment is not None and position.history:
            for name, value in NOTE.findall(comment):
                notes[name][-1] = _noted(name, value, text, at)
        at = found.end()
    record.seconds, record.expected = _known(notes["emt"]), _known(notes["expected"])
    return result, at


def _noted(name: str, value: str, text: str, at: int) -> float:
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    most = math.inf if name == "emt" else 1.0
    if not 0.0 <= found <= most or math.isinf(found):
        where = _where(text, at)
        raise ValueError(f"{where}: %{name} is {shown(value)}, and not a number that it can be")
    return found


def _known(values: list[float | None]) -> tuple[float | None, ...]:
    """The values up to the last that is known."""
    while values and values[-1] is None:
        values.pop()
    return tuple(values)


def _take_result(record: Record, tags: dict[str, str], result: str) -> None:
    """Take over the result, if the game did not end by its rules. Takes its tags out."""
    told = tags.pop("Result", result)
    if told != result:
        raise ValueError(f'the tag "Result" is {shown(told)}, and the moves end with {result}')
    reason, value = tags.pop("Termination", None), VALUES[result]
    if reason is not None or (record.result is None and value is not None):
        if value is None:
            raise ValueError("it has ended by the tag Termination, and its result is *")
        record.verdict = value, UNKNOWN if reason is None else reason
    if record.result != value:
        raise ValueError(f"its result is {result}, and by its moves {RESULTS[record.result]}")
