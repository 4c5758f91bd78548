"""Games as SGF (Smart Game Format, FF[4]), one game in a file, without variations.

    (;FF[4]CA[UTF-8]AP[playout]GAME[breakthrough]PW[uct]PB[flat]RE[W+]START[bbb/.../www w]SEED[1]
    ;W[b1a2]V[0.61]SECONDS[0.5];B[a3b2];W[c1b2])

Moves are in the game's own notation, of the side `W` or `B`. `V` is the first player's result as
the mover of the move expected it. These are not of the format: GAME, START, SEED, POLICY, RESIGNED,
VERDICT, SECONDS, and TAGS with all further tags as JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from mcts_core.errors import shown
from playout.games import root_of
from playout.python_games import game_again
from playout.record import Record

OTHELLO = {"othello": "2"}  # the games that SGF has a number for
PROPERTY = re.compile(r"\s*+([A-Za-z]++)\s*+((?:\[(?:[^\]\\]++|\\.)*+\]\s*+)++)", re.DOTALL)
VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)


def write(record: Record) -> str:
    """The text of a game.

    >>> import playout as po
    >>> game = po.ConnectFour(4, 5)
    >>> for move in "123":
    ...     _ = game.push(move)
    >>> print(write(Record(game, ("you", "uct@9"), seed=7, seconds=(0.5,))).replace("PW", "\\nPW"))
    (;FF[4]CA[UTF-8]AP[playout]GAME[connect-four]
    PW[you]PB[uct@9]START[...../...../...../..... x]SEED[7]
    ;W[1]SECONDS[0.5];B[2];W[3])
    <BLANKLINE>
    """
    facts = record.to_dict()
    names = [side[0].upper() for side in record.game.sides]
    first = {"FF": "4", "CA": "UTF-8", "AP": "playout", "GAME": facts["game"]}
    if facts["game"] in OTHELLO:
        first["GM"] = OTHELLO[facts["game"]]
    first |= {f"P{name}": player for name, player in zip(names, record.players, strict=True)}
    if record.result is not None:
        first["RE"] = {1.0: f"{names[0]}+", 0.0: f"{names[1]}+", 0.5: "Draw"}[record.result]
    first |= {"START": facts["start"], "SEED": str(record.seed)}
    if record.policy != "random":
        first["POLICY"] = record.policy
    if record.resigned is not None:
        first["RESIGNED"] = facts["resigned"]
    if record.verdict is not None:
        first["VERDICT"] = json.dumps(facts["verdict"])
    if record.tags:
        first["TAGS"] = json.dumps(record.tags)
    moves = "".join(f";{_node(node)}" for node in _moves(record, names))
    return f"(;{_node(first)}{moves and chr(10)}{moves})\n"


def _node(properties: dict[str, str]) -> str:
    return "".join(
        f"{name}[{value.replace(chr(92), chr(92) * 2).replace(']', chr(92) + ']')}]"
        for name, value in properties.items()
    )


def _moves(record: Record, names: list[str]) -> Iterator[dict[str, str]]:
    """The properties of each move."""
    position = root_of(record.position)
    numbers = zip_longest(record.position.history, record.expected, record.seconds)
    for move, expected, seconds in numbers:
        if move is None:
            raise ValueError("there are seconds or expected results of more moves than were played")
        node = {names[position.turn]: str(move)}
        for name, value in (("V", expected), ("SECONDS", seconds)):
            if value is not None:
                node[name] = repr(float(value))
        yield node
        position.push(move)


def read(text: str) -> Record:
    """The game that `write` wrote; a ValueError says what is wrong with it.

    >>> import playout as po
    >>> record = Record(po.Breakthrough(5), ("uct@1000", "you"), seed=1)
    >>> read(write(record)) == record
    True
    """
    if not isinstance(text, str):
        raise ValueError(f"an SGF game is text, not {shown(text)}")
    first, *moves = _nodes(text)
    game = game_again(first.get("GAME", ""), "the property GAME")
    names = {side[0].upper(): turn for turn, side in enumerate(game.sides)}
    found = Record(game.start(*game.default), ("", ""), 0).to_dict()
    found |= {
        "start": first.get("START", found["start"]),
        "players": {
            side: first.get(f"P{name}", "?") for side, name in zip(game.sides, names, strict=True)
        },
        "seed": _number("SEED", first.get("SEED", "0"), int),
        "policy": first.get("POLICY", "random"),
        "resigned": first.get("RESIGNED"),
        "verdict": _json("VERDICT", first.get("VERDICT", "null")),
        "tags": _json("TAGS", first.get("TAGS", "{}")),
        "moves": [_move(node, names) for node in moves],
        "expected": _column("V", moves),
        "seconds": _column("SECONDS", moves),
    }
    record = Record.from_dict(found)
    told = _side_won(first.get("RE", ""), names)
    if record.result != told:
        raise ValueError(f"the property RE is {shown(first.get('RE'))}, and not how it ended")
    return record


def _nodes(text: str) -> list[dict[str, str]]:
    """The properties of each node: of the game, then of each move."""
    body = text.strip()
    if not body.startswith("(;") or not body.endswith(")"):
        raise ValueError("an SGF game begins with '(;' and ends with ')'")
    nodes: list[dict[str, str]] = []
    at = 1
    while at < len(body) - 1:
        if body[at] == ";":
            nodes.append({})
            at += 1
        elif found := PROPERTY.match(body, at, len(body) - 1):
            values = VALUE.findall(found[2])
            if found[1] in nodes[-1] or len(values) > 1:
                raise ValueError(f"character {at + 1}: {found[1]} is there more than once")
            nodes[-1][found[1]] = re.sub(r"\\(.)", r"\1", values[0], flags=re.DOTALL)
            at = found.end()
        elif body[at].isspace():
            at += 1
        else:
            raise ValueError(
                f"character {at + 1}: expected ';' or a property such as W[a2a3], "
                f"not {shown(body[at : at + 8])}; variations are not read"
            )
    return nodes


def _move(node: dict[str, str], names: dict[str, int]) -> str:
    moves = [node[name] for name in names if name in node]
    if len(moves) != 1:
        raise ValueError(f"a node has one move, {' or '.join(names)}, not {shown(node)}")
    return moves[0]


def _column(name: str, nodes: list[dict[str, str]]) -> list[float | None]:
    """The numbers of all moves up to the last that is known."""
    values = [_number(name, node[name], float) if name in node else None for node in nodes]
    while values and values[-1] is None:
        values.pop()
    return values


def _number(name: str, text: str, kind: type[int | float]) -> Any:
    try:
        if len(text) > 1000 or "_" in text:
            raise ValueError
        return kind(text)
    except ValueError:
        raise ValueError(f"the property {name} is {shown(text)}, and not a number") from None


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"the property {name} is {shown(text)}, and not JSON") from None


def _side_won(result: str, names: dict[str, int]) -> float | None:
    """The first player's result."""
    results: dict[str, float | None] = {"": None, "Draw": 0.5, "0": 0.5}
    results |= {f"{name}+": 1.0 - turn for name, turn in names.items()}
    if result not in results:
        raise ValueError(f"the property RE is {shown(result)}, and not one of W+, B+, Draw")
    return results[result]
