"""`playout.check_engine`: whether a program does what a match asks of it, a line for each thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from mcts_core.errors import BadMethod, shown
from mcts_core.games.breakthrough import Breakthrough
from mcts_core.position import Position
from playout.arena.limit import NO_LIMIT
from playout.arena.players import player_of
from playout.engines.client import Client
from playout.engines.engine import Engine
from playout.games import PASS

GAMES = 50  # random games in which positions are looked for
PROMPT = 0.5  # seconds in which `stop` has to be obeyed


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was tried."""

    what: str
    is_good: bool
    detail: str

    def __str__(self) -> str:
        return f"{'ok   ' if self.is_good else 'FAULT'}  {self.what:<24}  {self.detail}".rstrip()


@dataclass(frozen=True, slots=True)
class EngineReport:
    """What came of a check, a line for each thing that was tried.

    >>> from playout.engines.checking import EngineReport
    >>> report = EngineReport(())
    >>> report.is_good
    True
    """

    lines: tuple[Line, ...]

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return all(line.is_good for line in self.lines)

    def __str__(self) -> str:
        return "\n".join(map(str, self.lines))


def check_engine(engine: object, game: Position | None = None) -> EngineReport:
    """Try out whether an engine can play a game, Breakthrough by default.

    It is started, given positions (among them one after a forced pass, where the game has passes,
    and one near the end), stopped in the middle of a search, timed, and asked to quit. `engine`
    may be a text, as on the command line.

    >>> import playout as po
    >>> print(po.check_engine("uci:no-such-program@0.1s"))
    FAULT  start and handshake       there is no program 'no-such-program': install it, or give \
its path as the command
    """
    player = player_of(engine, NO_LIMIT)
    if not isinstance(player, Engine):
        raise BadMethod(
            "an engine is written like uci:fairy-stockfish@0.1s, or "
            f"po.Engine('fairy-stockfish', seconds=0.1); not {shown(engine)}"
        )
    start = Breakthrough() if game is None else game
    player.check(start)
    check = _Check(player, start)
    try:
        check.run()
    finally:
        check.end()
    return EngineReport(tuple(check.lines))


class _Check:
    """A check under way. It ends at the first fault, because what follows would prove nothing."""

    def __init__(self, engine: Engine, start: Position) -> None:
        self.engine, self.start = engine, start
        self.lines: list[Line] = []
        self._client: Client | None = None

    def run(self) -> None:
        """Try everything."""
        steps: list[tuple[str, Callable[[], str]]] = [
            ("start and handshake", self._shake),
            ("game and board", self._begin),
        ]
        steps += [(what, self._moves(where)) for what, where in _positions(self.start)]
        steps += [("a second game", self._again), ("stop", self._stop), ("quit", self._quit)]
        for what, step in steps:
            try:
                detail = step()
            except Exception as fault:
                self.lines.append(Line(what, False, str(fault)))
                return
            self.lines.append(Line(what, True, detail))

    def end(self) -> None:
        """End the program."""
        if self._client is not None:
            self._client.child.end()

    @property
    def client(self) -> Client:
        """The program that was started."""
        assert self._client is not None
        return self._client

    def _shake(self) -> str:
        began = perf_counter()
        self._client = self.engine.client(self.engine)
        self._client.shake()
        n = len(self.engine.settings)
        options = f", {n} option{'s' * (n > 1)} set" if n else ""
        return f"{perf_counter() - began:.2f} s{options}"

    def _begin(self) -> str:
        self.client.begin(self.start)
        return ""

    def _moves(self, position: Position) -> Callable[[], str]:
        return lambda: self._move(position)

    def _move(self, position: Position) -> str:
        """A legal move, in time."""
        began = perf_counter()
        choice = self.client.ask(position, self.engine.clock)
        spent = perf_counter() - began
        if choice.move not in position.legal_moves:
            raise BadMethod(f"{shown(choice.move)} is no legal move in {position.fen}")
        value = "" if choice.value is None else f", expects {choice.value:.2f}"
        limit = self.engine.seconds
        late = "" if limit is None else f" ({(spent - limit) * 1000:+.0f} ms)"
        return f"{choice.move}{value}, {spent:.3f} s{late}"

    def _again(self) -> str:
        self.client.begin(self.start)
        return self._move(self.start)

    def _stop(self) -> str:
        seconds = self.client.stop(self.start)
        if seconds is None:
            return "this protocol has none"
        if seconds > PROMPT:
            raise BadMethod(f"obeyed only after {seconds:.2f} s")
        return f"obeyed after {seconds:.3f} s"

    def _quit(self) -> str:
        began = perf_counter()
        client, self._client = self.client, None
        if not client.child.end(client.last):
            raise BadMethod(f"it does not end by itself at {client.last!r}, and was killed")
        return f"{perf_counter() - began:.2f} s"


def _positions(start: Position) -> list[tuple[str, Position]]:
    """Positions that differ in what they ask for, with their names."""
    random = np.random.default_rng(1)
    found = {"the start position": start}
    for _ in range(GAMES):
        position = last = start.copy()
        while not position.is_over:
            moves = position.legal_moves
            if len(moves) > 1:
                plies = len(position.history) - len(start.history)
                is_late = plies > 0 and position.history[-1] == PASS
                name = "after a forced pass" if is_late else "in the middle"
                if plies > 3:
                    found.setdefault(name, position.copy())
                last = position.copy()
            position.push(moves[int(random.integers(len(moves)))])
        found.setdefault("near the end", last)
        if len(found) == 4:
            break
    return list(found.items())
