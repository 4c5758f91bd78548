"""How the games of a match begin: moves at random, or balanced ones, or those of a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from mcts_core.errors import BadPosition, shown
from mcts_core.position import Position
from playout.arguments import number, whole_number
from playout.searching import search

MOST_PLIES = 200
TRIES = 1000  # until a random game lasts for the opening's plies
BALANCED_TRIES = 100  # until one of them is balanced


@dataclass(frozen=True, slots=True)
class Openings:
    """Which opening each pair of games has: number n is always the same one.

    - `plies`: moves at random from the start position;
    - `balance`: the worth of the position after them lies this close to a draw, by a search of
      `playouts`; the closest of 100 where none does;
    - `lines`: not at random but these, in turn: texts of moves from the start position.
    """

    plies: int = 4
    balance: float | None = None
    playouts: int = 2000
    lines: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "plies", whole_number("plies", self.plies, 0, MOST_PLIES))
        object.__setattr__(self, "playouts", whole_number("playouts", self.playouts, 1, 10**9))
        if self.balance is not None:
            object.__setattr__(self, "balance", number("balance", self.balance))

    def check(self, start: Position) -> None:
        """Raise BadPosition if a line of moves is not legal, or ends the game."""
        for number_, line in enumerate(self.lines, start=1):
            try:
                position = after(start, line)
            except ValueError as fault:
                raise BadPosition(f"opening {number_}: {fault}") from None
            if position.is_over:
                raise BadPosition(f"opening {number_}: the game is over after it: leave it out")

    def of_pair(self, number: int) -> Openings:
        """What is needed for the pair of this number: of many lines, one."""
        if not self.lines:
            return self
        return replace(self, lines=(self.lines[number % len(self.lines)],))

    def moves(self, start: Position, seed: np.random.SeedSequence) -> tuple[str, ...]:
        """The opening with this seed; of `lines`, the one whose turn the spawn key's end says.

        >>> import playout as po
        >>> Openings(plies=3).moves(po.Breakthrough(5), np.random.SeedSequence(1))
        ('c2c3', 'c4d3', 'e2e3')
        """
        if self.lines:
            return self.lines[seed.spawn_key[-1] % len(self.lines)]
        random = np.random.default_rng(seed)
        if self.balance is None:
            return _random_moves(start, self.plies, random)
        closest: tuple[str, ...] = ()
        least = np.inf
        for _ in range(BALANCED_TRIES):
            moves = _random_moves(start, self.plies, random)
            drawn = int(random.integers(2**32))
            worth = search(after(start, moves), playouts=self.playouts, seed=drawn).value
            if abs(worth - 0.5) < least:
                closest, least = moves, abs(worth - 0.5)
            if least <= self.balance:
                break
        return closest


DEFAULT_OPENINGS = Openings()


def after(start: Position, moves: Iterable[str]) -> Position:
    """The position after these moves."""
    position = start.copy()
    for move in moves:
        position.push(move)
    return position


def _random_moves(start: Position, plies: int, random: np.random.Generator) -> tuple[str, ...]:
    """This many moves at random, after which the game is not over."""
    for _ in range(TRIES):
        position = start.copy()
        while len(position.history) - len(start.history) < plies and not position.is_over:
            legal = position.legal_moves
            position.push(legal[int(random.integers(len(legal)))])
        if not position.is_over:
            return tuple(str(move) for move in position.history[len(start.history) :])
    raise BadPosition(
        f"of {TRIES} random games none lasted for more than {plies} plies: take shorter openings"
    )


def openings_of(value: object) -> Openings:
    """Openings from what a user gives: `Openings`, a number of plies, a file, or lines of moves.

    >>> openings_of(["a2a3 d7d6", "b2b3"]).lines
    (('a2a3', 'd7d6'), ('b2b3',))
    """
    if isinstance(value, Openings):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Openings(plies=value)
    if isinstance(value, (str, Path)):
        return Openings(lines=_lines(read_lines(Path(value)), str(value)))
    if isinstance(value, Sequence) and all(isinstance(line, str) for line in value):
        return Openings(lines=_lines(value, "openings"))
    raise ValueError(
        "openings must be a number of random plies, a file with a line of moves for each opening, "
        f"a list of such lines, or playout.Openings; not {shown(value)}"
    )


def read_lines(path: Path) -> list[str]:
    """The lines of a text file."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "it is not a text in UTF-8"
        raise ValueError(f"openings: {path} cannot be read: {reason}") from None


def _lines(lines: Iterable[str], source: str) -> tuple[tuple[str, ...], ...]:
    """The moves of each line; what follows a # is a comment."""
    texts = (line.partition("#")[0] for line in lines)
    found = tuple(tuple(re.findall(r"[^\s,]+", text)) for text in texts if text.strip())
    if not found:
        raise ValueError(f"{source}: there is no opening in it: write a line of moves for each")
    return found
