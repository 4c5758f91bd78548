"""What the engine commands share: the player, and the pipes to the other program."""

from __future__ import annotations

import os
import sys
from functools import partial

from mcts_core.errors import shown
from playout.arena.players import Searching, player_from
from playout.cli.errors import Fault
from playout.serving.lines import Lines, Output

STDIN = 0


def engine_player(text: str) -> Searching:
    """The player that the engine is."""
    player = player_from(text)
    if player.is_you:
        raise Fault(f"an engine plays by a method, such as rave, not by {shown(text)}")
    return player


def commands() -> Lines:
    """The lines that the other program sends; from here on they are read."""
    return Lines(partial(os.read, STDIN))


def answers() -> Output:
    """Where the other program reads."""
    return Output(sys.stdout)
