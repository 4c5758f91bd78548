"""What the engine commands share: the player, and the pipes to the other program."""

from __future__ import annotations

import os
import sys
from functools import partial

from playout.arena.players import Searching, player_from
from playout.cli.errors import Fault
from playout.serving.lines import Lines, Output

STDIN = 0


def engine_player(text: str) -> Searching:
    """The player that the engine is."""
    player = player_from(text)
    if not isinstance(player, Searching):
        raise Fault("an engine plays by a method, such as rave, not by you")
    return player


def pipes() -> tuple[Lines, Output]:
    """Standard input and output, for a program at the other end."""
    return Lines(partial(os.read, STDIN)), Output(sys.stdout)
