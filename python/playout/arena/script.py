"""A player that is a Python file: `bot.py`, or `bots/mine.py:choose`.

The file is run once in each process that plays, when the player first takes part in a game.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from mcts_core.errors import BadMethod, did_you_mean, shown
from mcts_core.position import Position
from playout.arena.limit import NO_LIMIT, Limit, limit_from

FUNCTION = "choose"
TEXT = re.compile(r"(?P<path>.+\.py)(?::(?P<function>[^\W\d]\w*))?(?:@(?P<level>.+))?")


@dataclass(frozen=True)
class Script:
    """A function in a file that takes a position and returns a move."""

    is_you: ClassVar[bool] = False
    is_repeatable: ClassVar[bool] = True  # as far as can be known

    path: str
    function: str = FUNCTION
    limit: Limit = NO_LIMIT
    label: str | None = None

    @property
    def name(self) -> str:
        """The label, or the file's name without its folder."""
        if self.label is not None:
            return self.label
        more = "" if self.function == FUNCTION else f":{self.function}"
        return f"{Path(self.path).stem}{more}"

    @property
    def words(self) -> str:
        """As a person would say it."""
        return f"{self.function} of {self.path}"

    def check(self, position: Position) -> None:
        """Raise BadMethod if the file or the function is not there."""
        function_in(self.path, self.function)

    def scaled(self, factor: float) -> Script:
        """The same with `factor` times as much time."""
        return replace(self, limit=self.limit.scaled(factor))

    def begin(self, start: Position, seed: np.random.SeedSequence) -> Any:
        """The function in a seat."""
        from playout.arena.players import Calling

        return Calling(function_in(self.path, self.function), self.limit, self.name)

    def described(self) -> dict[str, Any]:
        """The text that `player_from` reads, and the label."""
        return {"text": str(self), "label": self.label}

    def __str__(self) -> str:
        return f"{self.path}:{self.function}" + (f"@{self.limit}" if self.limit.is_given else "")


def script_from(text: str, limit: Limit) -> Script | None:
    """The player that such a text names; None if it is no file of Python.

    Of `limit`, which is for players without a level, only the clock can be kept from outside.
    """
    found = TEXT.fullmatch(text)
    if found is None:
        return None
    own = Limit(clock=limit.clock, increment=limit.increment)
    if found["level"] is not None:
        own = limit_from(found["level"], f"{shown(text)}: ")
    return Script(found["path"], found["function"] or FUNCTION, own)


@cache
def function_in(path: str, name: str) -> Callable[[Position], str]:
    """The function of this name in a file."""
    try:
        names = runpy.run_path(path)
    except OSError as fault:
        raise BadMethod(f"{path} cannot be read: {fault.strerror}") from None
    except Exception as fault:
        raise BadMethod(f"{path} cannot be run: {type(fault).__name__}: {fault}") from fault
    function = names.get(name)
    if not callable(function):
        functions = [known for known, value in names.items() if callable(value)]
        raise BadMethod(
            f"{path} has no function {name!r}{did_you_mean(name, functions)} Write "
            f"def {name}(position), which returns one of position.legal_moves"
        )
    return function  # type: ignore[no-any-return]
