"""`playout.Engine`: somebody else's program as a player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, ClassVar, Self, cast

import numpy as np

from mcts_core.errors import BadMethod, shown
from mcts_core.position import Position
from playout.arena.limit import Limit
from playout.arena.players import MARGIN, Choice, OutOfTime
from playout.arguments import number, one_of, whole_number
from playout.engines.bot import Bot
from playout.engines.client import Client
from playout.engines.gtp import Gtp
from playout.engines.nboard import NBoard
from playout.engines.pool import POOL
from playout.engines.process import EngineFault, EngineLate
from playout.engines.text import SETTINGS, text_of
from playout.engines.uci import Uci
from playout.games import PASS
from playout.names import Protocol

PROTOCOLS: dict[Protocol, type[Client]] = {"uci": Uci, "gtp": Gtp, "nboard": NBoard, "python": Bot}
Options = Mapping[str, object] | Iterable[tuple[str, object]]


@dataclass(frozen=True)
class Engine:
    """A program that plays by UCI, GTP or NBoard, or a file of Python.

    - `command`, `arguments`: the program, by its path or as it is found on the PATH; with
      protocol="python" a file, and the name of its function if that is not `choose`;
    - `variant`: the game as a UCI engine calls it; the usual name by default;
    - `options`: its settings: options of UCI, commands of GTP, `set` of NBoard;
    - `seconds`, `nodes`, `depth` of a move, `clock` and `increment` of a game: its limit;
    - `margin`: seconds past the time of a move that are forgiven; a clock forgives a 20th;
    - `patience`: seconds to wait for an answer that has no time, such as that of a start;
    - `label`: a name of your choice; `log`: a file to which all lines are added.

    >>> import playout as po
    >>> print(po.Engine("fairy-stockfish", protocol="uci", seconds=0.1, options={"Hash": 64}))
    uci:fairy-stockfish@0.1s Hash=64
    """

    is_you: ClassVar[bool] = False

    command: str
    protocol: Protocol = "uci"
    variant: str | None = None
    options: Options = ()
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: float | None = None
    increment: float = 0.0
    arguments: Sequence[str] = ()
    label: str | None = None
    log: str | None = None
    margin: float = MARGIN
    patience: float = 60.0

    def __post_init__(self) -> None:
        one_of("protocol", self.protocol, PROTOCOLS)
        for name in ("command", "variant", "label", "log"):
            value = getattr(self, name)
            if (value is None and name != "command") or _is_line(value):
                continue
            raise BadMethod(f"{name} must be a text of one line, not {shown(value)}")
        if isinstance(self.arguments, str) or not all(map(_is_line, self.arguments)):
            raise BadMethod(f"arguments must be a list of texts, not {shown(self.arguments)}")
        self._set("arguments", tuple(self.arguments))
        self._set("options", _options(self.options))
        limit = self.limit  # checked by being made
        self._set("seconds", limit.seconds)
        self._set("nodes", limit.nodes)
        self._set("clock", limit.clock)
        if self.depth is not None:
            self._set("depth", whole_number("depth", self.depth, 1, 1000))
        self._set("margin", number("margin", self.margin))
        self._set("patience", number("patience", self.patience, above=True))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def name(self) -> str:
        """The label, or the text that `engine_from` reads."""
        return self.label or str(self)

    @property
    def limit(self) -> Limit:
        """How much it may think, beside its depth."""
        return Limit(None, self.nodes, self.seconds, self.clock, self.increment)

    @property
    def is_repeatable(self) -> bool:
        """Whether it plays the same game again, given the same seed."""
        return self.client.is_repeatable

    @property
    def is_limited(self) -> bool:
        """Whether anything ends its thinking."""
        return self.limit.is_given or self.depth is not None

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The options, as names and values in text."""
        return cast(tuple[tuple[str, str], ...], self.options)

    @property
    def client(self) -> type[Client]:
        """What speaks its protocol."""
        return PROTOCOLS[self.protocol]

    def limited(self, limit: Limit) -> Self:
        """The same with a limit, if it has none; playouts mean nothing to it."""
        if self.is_limited:
            return self
        return replace(
            self,
            nodes=limit.nodes,
            seconds=limit.seconds,
            clock=limit.clock,
            increment=limit.increment,
        )

    def scaled(self, factor: float) -> Self:
        """The same with `factor` times as much time."""
        limit = self.limit.scaled(factor)
        return replace(self, seconds=limit.seconds, clock=limit.clock, increment=limit.increment)

    def as_program(self) -> Self:
        """The same without what may differ from game to game."""
        return replace(
            self, seconds=None, nodes=None, depth=None, clock=None, increment=0.0, label=None
        )

    def check(self, position: Position) -> None:
        """Raise BadMethod if its protocol cannot play that game. The program is not started."""
        self.client.check(self, position)

    def begin(self, start: Position, seed: np.random.SeedSequence) -> EngineSeat:
        """A seat in a game from this position; the program is started if none waits."""
        self.check(start)
        return EngineSeat(self, start)

    def close(self) -> None:
        """End the program where it waits for its next game. It is started anew when it plays."""
        POOL.close(self)

    def described(self) -> dict[str, Any]:
        """The text that `engine_from` reads, and the label."""
        return {"text": str(self), "label": self.label}

    def __str__(self) -> str:
        return text_of(self)


def _is_line(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and bool(value)


def _options(options: Options) -> tuple[tuple[str, str], ...]:
    """Names and values as text; UCI writes true and false small."""
    pairs = options.items() if isinstance(options, Mapping) else options
    found = tuple(
        (name, str(value).lower() if isinstance(value, bool) else str(value))
        for name, value in pairs
    )
    for name, value in found:
        if not _is_line(name) or "=" in name or not value.isprintable():
            raise BadMethod(
                f"an option is a name and a value of one line, not {shown(name)} and {shown(value)}"
            )
        if name in SETTINGS:
            raise BadMethod(f"{name} is a setting of playout.Engine itself: give {name}=")
    return found


class EngineSeat:
    """A game of an engine. A program that ends is started anew once, and asked once more."""

    def __init__(self, engine: Engine, start: Position) -> None:
        self._engine, self._start = engine, start
        self._may_restart = True
        self._client: Client | None = self._begun()

    def choose(self, position: Position, left: float | None) -> Choice:
        """Ask the program; a forced pass is no question."""
        if list(position.legal_moves) == [PASS]:
            return Choice(PASS)
        began = perf_counter()
        try:
            return self._ask(position, left)
        except EngineLate as fault:
            raise OutOfTime(str(fault)) from None
        except EngineFault:
            if not self._may_restart:
                raise
        self._may_restart = False
        self._client = self._begun()
        spent = perf_counter() - began
        return self.choose(position, None if left is None else max(left - spent, 0.0))

    def _ask(self, position: Position, left: float | None) -> Choice:
        """Ask the program, and end it if no move comes."""
        client, self._client = self._client, None
        if client is None:
            raise EngineFault(f"{self._engine.name} has been ended in this game")
        try:
            choice = client.ask(position, left)
        except BaseException:
            client.child.end()
            raise
        self._client = client
        return choice

    def close(self) -> None:
        """Keep the program for the next game."""
        if self._client is not None:
            POOL.give(self._client)
            self._client = None

    def _begun(self) -> Client:
        client = POOL.take(self._engine)
        try:
            client.begin(self._start)
        except BaseException:
            client.child.end()
            raise
        return client
