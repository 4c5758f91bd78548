"""The clock of a game on the screen.

The record keeps the setting as the tag TimeControl, as PGN does, and the seconds of each move. So a
game that is resumed goes on with the time that was left, and moves taken back give theirs back.
"""

from __future__ import annotations

import math
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from types import FrameType

from mcts_core.errors import shown
from playout.arena.game import MARGIN
from playout.arena.limit import CLOCK, Limit, plain
from playout.cli.errors import Fault
from playout.games import root_of
from playout.record import Record

TAG = "TimeControl"
HURRY = 10.0  # seconds from which tenths are shown


class TimeIsOver(Exception):
    """The side to move has used its time up."""


def clock_from(text: str) -> Limit:
    """The seconds of a game and those that each move adds.

    >>> clock_from("180+2").words, clock_from("60").words
    ('180 s a game and 2 s a move', '60 s a game')
    """
    found = CLOCK.fullmatch(f"{text if '+' in text else f'{text}+0'}s")
    if found is None or float(found[1]) == 0.0:
        raise Fault(
            f"--clock takes the seconds of a game and those that each move adds, such as 180+2, "
            f"not {shown(text)}"
        )
    return Limit(clock=float(found[1]), increment=float(found[2]))


def tag_of(limit: Limit) -> dict[str, str]:
    """The clock as a tag of the record.

    >>> tag_of(clock_from("180+2"))
    {'TimeControl': '180+2'}
    """
    return {TAG: f"{plain(limit.clock or 0.0)}+{plain(limit.increment)}"}


def clock_of(game: Record) -> Limit:
    """The clock of a record; no limit if it has none, or one of another kind from elsewhere."""
    try:
        return clock_from(game.tags[TAG])
    except (KeyError, Fault):
        return Limit()


def face(seconds: float) -> str:
    """A time as a clock shows it, rounded up.

    >>> face(178.2), face(180.0), face(9.44), face(-0.1)
    ('2:59', '3:00', '0:09.5', '0:00.0')
    """
    if seconds > HURRY:
        minutes, rest = divmod(math.ceil(seconds), 60)
        return f"{minutes}:{rest:02}"
    return f"0:{max(0, math.ceil(seconds * 10)) / 10:04.1f}"


class Clock:
    """What each side has left. Without a clock no time is ever over."""

    def __init__(self, game: Record) -> None:
        self._game = game
        self.limit = clock_of(game)
        self._began = perf_counter()

    @property
    def is_there(self) -> bool:
        """Whether the game has a clock."""
        return self.limit.clock is not None

    def begin(self) -> None:
        """The side to move begins to think."""
        self._began = perf_counter()

    def left(self, turn: int) -> float | None:
        """The seconds that a side has left now; None without a clock."""
        if self.limit.clock is None:
            return None
        position = self._game.position
        first = root_of(position).turn
        own = range((turn - first) % 2, len(position.history), 2)
        seconds = self._padded()
        left = self.limit.clock + sum(self.limit.increment - seconds[ply] for ply in own)
        return left - (perf_counter() - self._began) if turn == position.turn else left

    def _padded(self) -> list[float]:
        """The seconds of each move; 0 for moves from before the clock."""
        known = [seconds or 0.0 for seconds in self._game.seconds]
        return known + [0.0] * (len(self._game.position.history) - len(known))

    def check(self) -> None:
        """Raise if the side to move has no time left."""
        left = self.left(self._game.position.turn)
        if left is not None and left < -MARGIN:
            raise TimeIsOver

    def moved(self) -> None:
        """The side to move makes its move: note its time. The other side begins to think."""
        if self.is_there:
            self._game.seconds = (*self._padded(), perf_counter() - self._began)
        self.begin()

    def taken_back(self) -> None:
        """Moves were taken back."""
        self._game.seconds = self._game.seconds[: len(self._game.position.history)]
        self.begin()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Within this block, such as while the user types, the end of the time raises at once."""
        left = self.left(self._game.position.turn)
        if left is None:
            yield
        elif not hasattr(signal, "setitimer"):  # then it is noticed after the input
            yield
            self.check()
        else:
            kept = signal.signal(signal.SIGALRM, _ring)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-3))
            try:
                yield
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0.0)
                signal.signal(signal.SIGALRM, kept)


def _ring(number: int, frame: FrameType | None) -> None:
    raise TimeIsOver
