"""The options of the UCI engine: how each is declared, and what its values change."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Self

from mcts_core.errors import BadMethod, did_you_mean, shown
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.games.othello import Othello
from mcts_core.position import Position
from playout.arena.limit import NO_LIMIT, Limit
from playout.arena.players import Searching
from playout.arguments import memory_size, on_this_machine, one_of
from playout.method import Method
from playout.method_text import method_from
from playout.methods import RAVE
from playout.names import SearchPolicy
from playout.task import MOST_THREADS, SEARCH_POLICIES

VARIANTS: dict[str, Callable[[], Position]] = {  # UCI's names of a game on a board of one size
    "breakthrough": Breakthrough,
    "breakthrough7": lambda: Breakthrough(7),
    "breakthrough6": lambda: Breakthrough(6),
    "breakthrough5": lambda: Breakthrough(5),
    "flipello": Othello,
    "flipello6": lambda: Othello(6),
    "flipello4": lambda: Othello(4),
}
MOST_HASH = 2**20  # MB
MOST_LINES = 64
SETOPTION = re.compile(r"name\s+(.*?)(?:\s+value(?:\s+(.*))?)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of all options."""

    variant: str = "breakthrough"
    method: Method = field(default_factory=RAVE)
    threads: int = 1
    hash: int | None = None  # MB
    lines: int = 1
    solver: bool = True
    ponder: bool = False
    policy: SearchPolicy = "random"
    limit: Limit = NO_LIMIT  # for every move, whatever `go` says

    @classmethod
    def of(cls, player: Searching, variant: str) -> Self:
        """The options that describe a player."""
        memory = None if player.memory is None else memory_size("memory", player.memory)
        return cls(
            variant=variant,
            method=player.method,
            threads=player.threads,
            solver=player.solver,
            hash=None if memory is None else max(1, memory // 2**20),
            policy=player.policy,
            limit=player.limit,
        )

    @property
    def player(self) -> Searching:
        """Who searches. The solver is for methods with a tree."""
        return Searching(
            self.method,
            self.limit,
            solver=self.solver and self.method.grows_tree,
            threads=self.threads,
            memory=None if self.hash is None else self.hash * 2**20,
            policy=self.policy,
        )


@dataclass(frozen=True, slots=True)
class Option:
    """One option: what `uci` says of it, and what a value does."""

    name: str
    kind: str
    default: Callable[[Settings], str]
    change: Callable[[Settings, str], Settings]
    more: str = ""

    def declared(self, settings: Settings) -> str:
        """The line that `uci` prints."""
        more = f" {self.more}" if self.more else ""
        return f"option name {self.name} type {self.kind} default {self.default(settings)}{more}"


def _whole(name: str, text: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= most:
        raise BadMethod(f"{name} is a whole number from 1 to {most}, not {shown(text)}")
    return int(text)


def _check(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise BadMethod(f"{name} is true or false, not {shown(text)}")
    return text.lower() == "true"


def _hash(text: str) -> int:
    """Megabytes that this machine has."""
    size = _whole("Hash", text, MOST_HASH)
    on_this_machine(size * 2**20)
    return size


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


OPTIONS = (
    Option(
        "UCI_Variant", "combo", lambda now: now.variant,
        lambda now, text: replace(now, variant=one_of("UCI_Variant", text.lower(), VARIANTS)),
        " ".join(f"var {name}" for name in VARIANTS),
    ),
    Option(
        "Method", "string", lambda now: repr(now.method),
        lambda now, text: replace(now, method=method_from(text)),
    ),
    Option(
        "Threads", "spin", lambda now: str(now.threads),
        lambda now, text: replace(now, threads=_whole("Threads", text, MOST_THREADS)),
        f"min 1 max {MOST_THREADS}",
    ),
    Option(
        "Hash", "spin", lambda now: str(now.hash or 1024),
        lambda now, text: replace(now, hash=_hash(text)),
        f"min 1 max {MOST_HASH}",
    ),
    Option(
        "MultiPV", "spin", lambda now: str(now.lines),
        lambda now, text: replace(now, lines=_whole("MultiPV", text, MOST_LINES)),
        f"min 1 max {MOST_LINES}",
    ),
    Option(
        "Solver", "check", lambda now: _text(now.solver),
        lambda now, text: replace(now, solver=_check("Solver", text)),
    ),
    Option(
        "Policy", "combo", lambda now: now.policy,
        lambda now, text: replace(now, policy=one_of("Policy", text, SEARCH_POLICIES)),
        " ".join(f"var {name}" for name in SEARCH_POLICIES),
    ),
    Option(
        "Ponder", "check", lambda now: _text(now.ponder),
        lambda now, text: replace(now, ponder=_check("Ponder", text)),
    ),
)  # fmt: skip
BY_NAME = {option.name.lower(): option for option in OPTIONS}


def changed(settings: Settings, words: str) -> Settings:
    """The settings after `setoption` with these words; a ValueError if they name none.

    >>> changed(Settings(), "name Threads value 2").threads
    2
    """
    found = SETOPTION.fullmatch(words.strip())
    if not found:
        raise BadMethod("write: setoption name NAME value VALUE")
    option = BY_NAME.get(found[1].strip().lower())
    if option is None:
        names = [option.name for option in OPTIONS]
        hint = did_you_mean(found[1], names)
        raise BadMethod(f"no option {shown(found[1])}{hint} Known: {', '.join(names)}")
    return option.change(settings, (found[2] or "").strip())
