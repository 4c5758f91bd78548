"""The command `go`: how long to think, by the words after it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mcts_core.errors import BadMethod, shown
from playout.arena.limit import MOVES_TO_GO, Limit
from playout.serving.mind import FOREVER, Effort

NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime")
FLAGS = ("infinite", "ponder")
REFUSED = ("searchmoves", "mate", "perft")
NUMBER = re.compile(r"[+-]?[0-9]{1,15}")
LEAST = 1e-3  # seconds, where a clock has run out


@dataclass(frozen=True, slots=True)
class Go:
    """What `go` asks for. Times are in milliseconds, as UCI has them."""

    numbers: dict[str, int] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()

    @property
    def is_held(self) -> bool:
        """Whether the answer waits for `stop` or `ponderhit`."""
        return bool(self.flags)

    def seconds(self, turn: int) -> float | None:
        """Time for the move of the first player (0) or the second; None: no limit in time."""
        found = []
        if "movetime" in self.numbers:
            found.append(max(self.numbers["movetime"] / 1000, LEAST))
        clock, increment = ("wtime", "winc") if turn == 0 else ("btime", "binc")
        if clock in self.numbers:
            left = max(self.numbers[clock] / 1000, LEAST)
            limit = Limit(clock=left, increment=max(0, self.numbers.get(increment, 0)) / 1000)
            moves = min(max(1, self.numbers.get("movestogo", MOVES_TO_GO)), MOVES_TO_GO)
            found.append(limit.budget(left, moves) or LEAST)
        return min(found, default=None)

    def effort(self, turn: int, lines: int) -> Effort:
        """How much to think; without an end while the opponent does."""
        seconds = self.seconds(turn)
        return Effort(
            seconds=FOREVER if self.is_held or seconds is None else seconds,
            hurry=seconds if "ponder" in self.flags else None,
            work=self._at_least_1("nodes"),
            depth=self._at_least_1("depth"),
            lines=lines,
        )

    def _at_least_1(self, name: str) -> int | None:
        return max(1, self.numbers[name]) if name in self.numbers else None


def go_from(words: list[str]) -> Go:
    """What the words after `go` ask for; BadMethod for what is not supported.

    >>> go_from("wtime 60000 btime 1 winc 1000".split()).seconds(turn=0)
    3.95
    >>> go_from(["searchmoves", "a2a3"])
    Traceback (most recent call last):
    mcts_core.errors.BadMethod: go searchmoves is not supported: leave it out
    """
    numbers: dict[str, int] = {}
    flags = set()
    rest = iter(words)
    for word in rest:
        if word in NUMBERS:
            numbers[word] = _number(word, next(rest, ""))
        elif word in FLAGS:
            flags.add(word)
        elif word in REFUSED:
            raise BadMethod(f"go {word} is not supported: leave it out")
        else:
            raise BadMethod(f"go does not know {shown(word)}: {', '.join((*NUMBERS, *FLAGS))}")
    return Go(numbers, frozenset(flags))


def _number(name: str, text: str) -> int:
    if not NUMBER.fullmatch(text):
        raise BadMethod(f"go {name} needs a whole number, not {shown(text)}")
    return int(text)
