"""Games, moves and values as NBoard writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcts_core.games.othello import Othello
from playout.arena.limit import Limit
from playout.formats import read_ggf
from playout.games import PASS
from playout.result import Result
from playout.serving.mind import FOREVER
from playout.serving.scores import Variation, depth_of, variations

TIME = re.compile(r"(?:([0-9]{1,6}):)?([0-9]{1,6}(?:\.[0-9]{1,6})?)")
MOVE = re.compile(r"\s([BW])\[[^\]/]*+(?:/[^\]/]*+(?:/([^\]/]*+))?)?\]")


@dataclass(slots=True)
class NBoardGame:
    """A position, and the seconds that each player has left; None: without a clock."""

    position: Othello
    left: list[float] | None = None

    def seconds(self) -> float:
        """Time for a move of the player to move."""
        if self.left is None:
            return FOREVER
        left = max(self.left[self.position.turn], 1e-3)
        return Limit(clock=left).budget(left) or FOREVER

    def play(self, text: str) -> None:
        """Play `F5/eval/time`, of which the last two may be missing."""
        move, _, rest = text.partition("/")
        turn = self.position.turn
        self.position.push(self.position.normal_text(own_move(move)))
        if self.left is not None:
            self.left[turn] -= seconds_in(rest.rpartition("/")[2])


def game_from(ggf: str) -> NBoardGame:
    """The game of a GGF text.

    >>> game = game_from("(;GM[Othello]TI[1:00]TY[8]B[F5/0.5/2]W[D6//3];)")
    >>> game.left, game.position.turn
    ([58.0, 57.0], 0)
    """
    found = read_ggf(ggf)
    allowed = seconds_in(found.tags.get("TI", "").partition("/")[0])
    if allowed == 0.0:
        return NBoardGame(found.position)
    left = [allowed, allowed]
    for move in MOVE.finditer(ggf.replace("]", "] ")):
        left["BW".index(move[1])] -= seconds_in(move[2] or "")
    return NBoardGame(found.position, left)


def seconds_in(text: str) -> float:
    """Seconds of a time such as `15:00` or `2.5`; 0 if there is none.

    >>> seconds_in("15:00"), seconds_in("2.5"), seconds_in("")
    (900.0, 2.5, 0.0)
    """
    found = TIME.match(text.strip())
    return 60 * int(found[1] or 0) + float(found[2]) if found else 0.0


def own_move(text: str) -> str:
    """A move as this library writes it; a pass is PA.

    >>> own_move("F5"), own_move("PA")
    ('f5', 'pass')
    """
    move = text.strip().lower()
    return PASS if move in ("pa", PASS) else move


def nboard_move(move: str) -> str:
    """A move as NBoard writes it.

    >>> nboard_move("f5"), nboard_move("pass")
    ('F5', 'PA')
    """
    return "PA" if move == PASS else move.upper()


def search_lines(result: Result, most: int) -> list[str]:
    """What is known of the best moves: `search PV eval 0 depth`."""
    return [
        f"search {''.join(map(nboard_move, found.moves))} {points(found)} 0 "
        f"{depth_text(result, found)}"
        for found in variations(result, most)
    ]


def points(found: Variation) -> str:
    """The value in discs: exact at the end of a game, before it what the search takes for discs.

    >>> points(Variation(("f5",), 1, None, -250, None, None))
    '-2.50'
    """
    if found.margin is not None:
        return f"{found.margin:+d}.00"
    if found.certain is not None:
        return f"{round(2 * found.certain - 1):+d}.00"
    return f"{found.centipawns / 100:+.2f}"


def depth_text(result: Result, found: Variation) -> str:
    """How deep: `100%` an exact score, `100%W` a certain win, draw or loss."""
    if found.margin is not None:
        return "100%"
    if found.certain is not None:
        return "100%W"
    return str(depth_of(result))
