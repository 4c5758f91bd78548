"""Proofs compared with brute force: random games with awkward keys, and small boards."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from itertools import cycle
from typing import Any, NamedTuple

import playout as po
from mcts_core.games.python_game import PythonPosition
from support import exact
from support.helpers import random_game

PROMISE = "what is proven is true, with any keys that tell positions apart"

MERSENNE = 2**61 - 1  # Python's hash of a number is taken modulo this
BITS = range(6)  # the bits of a state's number
MOST_NODES = 1_000_000  # far more than any of these games needs
MEMORY = "16MB"
MEMORIES = ["64KiB", MEMORY]  # of the solver: tables that are full at once, and that grow


class Label:
    """An object of a user's class. All objects have the same hash."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Label) and self.number == other.number

    def __hash__(self) -> int:
        return 7


# Functions that turn the six-bit number of a state into a key. Different numbers give unequal keys.
KEYS: dict[str, Callable[[int], Hashable]] = {
    "signs in a tuple": lambda n: tuple(-1 - (n >> bit & 1) for bit in BITS),  # -1, -2: one hash
    "two boards in an int": lambda n: n << 64 | 0xFF,
    "negative ints": lambda n: n // 2 - 2**64 * (n % 2),
    "ints modulo the hash": lambda n: (n * MERSENNE,),
    "text": lambda n: f"{n:06b}",
    "bytes": lambda n: bytes([n, 255 - n]),
    "nested tuples": lambda n: (n // 8, (-1 - n % 2, ((n // 2 % 2,), -1 - n // 4 % 2))),
    "frozensets": lambda n: frozenset((bit, -1 - (n >> bit & 1)) for bit in BITS),
    "floats": lambda n: (2.0 ** (61 * (n % 8)), n // 8 / 2),  # powers with the hash of 1
    "None": lambda n: (None,) * n or None,
    "objects of one hash": Label,
    "bools": lambda n: tuple(n >> bit & 1 == 1 for bit in BITS),
}

BOARDS: list[po.Position] = [
    po.Breakthrough(3, first_rows=1),
    po.Breakthrough(4, 3),
    po.Breakthrough(3, 4, first_rows=1),
    po.Breakthrough(4),
    po.Breakthrough(4, 5),
    po.Othello(4),
    po.Othello(6),
    po.Othello(8),
]
MOST_EMPTY = {4: 12, 6: 7, 8: 6}  # empty squares of Othello that brute force can solve, by size

Search = tuple[po.Method, int]
SEARCHES: list[Search] = [
    (po.UCT(), 1),
    (po.RAVE(), 1),
    (po.GRAVE(ref=5), 1),
    (po.UCT(), 2),
    (po.RAVE(lanes=8), 1),
    (po.GRAVE(), 2),
    (po.UCT(lanes=8), 2),
    (po.RAVE(), 2),
]


class Graph(NamedTuple):
    """A random game: the moves of each state, and the first player's results at the ends."""

    children: list[list[int]]
    turns: list[int]
    values: list[float]  # under best play

    @classmethod
    def drawn(cls, seed: int) -> Graph:
        """Draw layers of states. A move leads to the next layer; several moves lead to one state.

        In half of the games a player may move twice in a row.
        """
        choice = random.Random(seed)
        width = choice.randint(2, 7)
        layers = [range(i, i + width) for i in range(1, 57, width)]
        alternates = choice.random() < 0.5
        children, turns = [[*layers[0]]], [0]
        for number, layer in enumerate(layers, 1):
            below = layers[number] if number < len(layers) else range(0)
            for _ in layer:
                is_end = not below or choice.random() < 0.1
                children.append([] if is_end else choice.choices(below, k=choice.randint(1, 4)))
                turns.append(number % 2 if alternates else choice.randrange(2))
        values = [choice.choice((0.0, 0.5, 1.0)) for _ in children]
        for state in reversed(range(len(children))):
            if children[state]:
                best = min if turns[state] else max
                values[state] = best(values[child] for child in children[state])
        return cls(children, turns, values)


class Game:
    """A game in plain Python on the graph, with keys of one kind."""

    n_codes = 7

    def __init__(self, kind: str, seed: int) -> None:
        self.kind, self.seed = kind, seed
        self.graph = Graph.drawn(seed)
        self.state = 0

    @property
    def turn(self) -> int:
        return self.graph.turns[self.state]

    def legal_moves(self) -> list[int]:
        return list(range(len(self.graph.children[self.state])))

    def play(self, move: int) -> None:
        self.state = self.graph.children[self.state][move]

    def is_over(self) -> bool:
        return not self.graph.children[self.state]

    def result(self) -> float:
        return self.graph.values[self.state]

    def key(self) -> Hashable:
        return KEYS[self.kind](self.state)

    def code(self, move: int) -> int:
        return move

    def copy(self) -> Game:
        twin: Game = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        return twin

    def __repr__(self) -> str:
        return f"Game({self.kind!r}, seed={self.seed})"


def boards(seed: int) -> Iterator[po.Position]:
    """Positions of random games."""
    choice = random.Random(seed)
    for start in cycle(BOARDS):
        game = [position.copy() for position in random_game(start, choice.getrandbits(32))]
        small = [p for p in game[:-1] if p.fen.count("-") <= MOST_EMPTY.get(p.rows, 0)]
        if small:  # some games of Othello end early
            yield choice.choice(small)


def value_of(position: po.Position, turn: int) -> float:
    """The value by brute force, as a player sees it."""
    if isinstance(position, PythonPosition):
        value = position.object.graph.values[position.object.state]
    else:
        value = exact.value(position)
    return 1.0 - value if turn else value


def after(position: po.Position, move: str) -> po.Position:
    child = position.copy()
    child.push(move)
    return child


def check_solution(start: Any, threads: int, memory: str) -> None:
    """Check the value of `po.solve`, and that its line of best play keeps the value."""
    if isinstance(start, po.Othello):  # its own solver has one thread
        threads = 1
    found = po.solve(start, nodes=MOST_NODES, threads=threads, memory=memory)
    how = f"nodes={MOST_NODES}, threads={threads}, memory={memory!r}"
    assert found.is_solved, f"solve({start!r}, {how}) does not solve it"
    position, turn = found.position, found.position.turn
    value = value_of(position, turn)
    assert found.value == value, f"solve({start!r}, {how}).value is {found.value}, not {value}"
    for move in found.pv:
        position = after(position, move)
        at_end = value_of(position, turn)
        assert at_end == value, f"solve({start!r}).pv {found.pv} loses the value {value} by {move}"
    assert position.is_over, f"solve({start!r}).pv {found.pv} ends too soon"


def check_search(start: Any, search: Search, seed: int) -> bool:
    """Check every proven move of a search. Returns whether the position was proven."""
    method, threads = search
    result = po.search(
        start, method, playouts=5000, seed=seed, threads=threads, solver=True, memory=MEMORY
    )
    name = f"search({start!r}, {method!r}, threads={threads}, seed={seed}, solver=True)"
    turn = result.position.turn
    for row in result.moves:
        value = value_of(after(result.position, str(row["move"])), turn)
        is_true = row["proven"] != row["proven"] or row["proven"] == value  # nan: not proven
        assert is_true, f"{name} proves {row['move']} {row['proven']}, in truth {value}"
    value = value_of(result.position, turn)
    if result.reason == "proven":
        assert result.value == value, f"{name}.value is {result.value}, in truth {value}"
    return result.reason == "proven"


def attack(night: bool) -> str:
    """Solve and search each game; count what was proven."""
    wanted = 45_000 if night else 1500
    proofs, seed, choice = 0, 0, random.Random(1)
    kinds, on_boards = cycle(KEYS), boards(1)
    while proofs < wanted:
        seed += 1
        for start in (Game(next(kinds), seed), Game(next(kinds), seed), next(on_boards)):
            check_solution(start, seed % 4 + 1, choice.choice(MEMORIES))
            proofs += 1 + check_search(start, choice.choice(SEARCHES), seed)
    return f"{proofs:,} proofs, {len(KEYS)} kinds of keys: 0 wrong"
