"""What the clients of all protocols share: a program under way, and how long it is waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from mcts_core.errors import BadMethod
from mcts_core.position import Position
from playout.arena.players import Choice
from playout.engines.process import Child

if TYPE_CHECKING:
    from playout.engines.engine import Engine


class Client:
    """A program that has been started, spoken to in one protocol."""

    last: ClassVar[str] = "quit"
    """The line that ends it."""
    is_repeatable: ClassVar[bool] = False
    """Whether it plays the same game again, given the same seed; most programs promise nothing."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.child = Child(engine.name, self.words(engine), engine.log)

    @classmethod
    def words(cls, engine: Engine) -> tuple[str, ...]:
        """The command that starts it."""
        return (engine.command, *engine.arguments)

    @classmethod
    def check(cls, engine: Engine, position: Position) -> None:
        """Raise BadMethod if the protocol cannot do what is asked. Nothing is started."""

    def shake(self) -> None:
        """Begin the conversation, and set the options."""

    def begin(self, start: Position) -> None:
        """A new game from a position."""

    def ask(self, position: Position, left: float | None) -> Choice:
        """A move in a position of the game, with `left` seconds on the clock."""
        raise NotImplementedError

    def stop(self, position: Position) -> float | None:
        """Let it think without a limit, and stop it. Returns how long that took, if it can be."""
        return None

    def allowed(self, left: float | None) -> float:
        """Seconds that are waited for a move."""
        seconds, margin = self.engine.seconds, self.engine.margin
        times = [time + margin for time in (seconds, left) if time is not None]
        return min(times, default=self.engine.patience)


def refuse_limits(engine: Engine, names: tuple[str, ...], remedy: str) -> None:
    """Raise BadMethod if the engine has a limit that its protocol cannot tell."""
    for name in names:
        if getattr(engine, name) is not None:
            raise BadMethod(f"{engine.protocol.upper()} has no word for {name}=: {remedy}")
