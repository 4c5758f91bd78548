"""The game that a GTP program plays: its board, its players' names, moves and clocks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from mcts_core.errors import BadPosition, IllegalMove, shown
from mcts_core.games.othello import Othello
from mcts_core.position import Position
from playout.arena.limit import MOVES_TO_GO, Limit
from playout.games import GAMES, PASS, Game
from playout.serving.mind import FOREVER


@dataclass(slots=True)
class Clock:
    """Time of one player, in seconds; `moves`: for this number of moves, 0 for all."""

    left: float
    moves: int = 0
    is_overtime: bool = False


@dataclass(frozen=True, slots=True)
class TimeSettings:
    """Main time, then `stones` moves in each period of overtime."""

    main: float
    overtime: float
    stones: int

    @property
    def is_endless(self) -> bool:
        """GTP's way to say that there is no clock."""
        return self.overtime > 0 and self.stones == 0

    def clock(self) -> Clock:
        """A player's clock at the beginning."""
        return Clock(self.main) if self.main > 0 else Clock(self.overtime, self.stones, True)

    def after(self, clock: Clock, spent: float) -> Clock:
        """A player's clock after a move; time that is over is not counted against the player."""
        left = max(clock.left - spent, 0.0)
        if clock.is_overtime:
            if clock.moves > 1:
                return Clock(left, clock.moves - 1, True)
            return Clock(self.overtime, self.stones, True)
        if left == 0.0 and self.overtime > 0:
            return Clock(self.overtime, self.stones, True)
        return Clock(left)


class GTPGame:
    """A game on a square board, its position and its clocks."""

    def __init__(self, game: Game, size: int, time: TimeSettings | None = None) -> None:
        self.game, self.size = game, size
        rows, columns = game.default
        self.position: Position = game.start(size, size + columns - rows)
        self.time = time
        self._clocks: list[Clock] | None = None
        if time is not None:
            self.set_time(time)

    # Clocks

    def set_time(self, settings: TimeSettings) -> None:
        """Clocks for both players, or none."""
        self.time = None if settings.is_endless else settings
        self._clocks = None if self.time is None else [self.time.clock(), self.time.clock()]

    def set_left(self, turn: int, seconds: float, moves: int) -> None:
        """What a player's clock shows; `moves` are 0 before overtime."""
        clocks = self._clocks or [Clock(FOREVER), Clock(FOREVER)]
        clocks[turn] = Clock(seconds, moves, moves > 0)
        self._clocks = clocks

    def seconds(self, turn: int) -> float:
        """Time for a move of this player."""
        clock = Clock(FOREVER) if self._clocks is None else self._clocks[turn]
        if clock.left >= FOREVER:
            return FOREVER
        left = max(clock.left, 1e-3)
        moves = min(clock.moves or MOVES_TO_GO, MOVES_TO_GO)
        return Limit(clock=left).budget(left, moves) or FOREVER

    def spend(self, turn: int, seconds: float) -> None:
        """Count the time of a move; a `time_left` before the next one overrules it."""
        if self._clocks is not None and self.time is not None:
            self._clocks[turn] = self.time.after(self._clocks[turn], seconds)

    # Moves

    def player(self, word: str) -> int:
        """The number of the player that a word names: black, white, b or w."""
        for turn, side in enumerate(self.game.sides):
            if word and word.lower() in (side, side[0]):
                return turn
        raise BadPosition(f"a player is {' or '.join(self.game.sides)}, not {shown(word)}")

    def come_to(self, turn: int) -> None:
        """Play the pass that GTP programs may leave out, so that this player is to move."""
        position = self.position
        if position.is_over:
            raise BadPosition("the game is over")
        if position.turn != turn and position.legal_moves == (PASS,):
            position.push(PASS)
        if position.is_over or position.turn != turn:
            raise BadPosition(f"it is the move of {self.game.sides[1 - turn]}")

    def play(self, turn: int, text: str) -> None:
        """Play a player's move."""
        move = self.own_move(text)
        undone = self.position.copy()
        if not (move == PASS and self.position.turn == turn):
            self.come_to(turn)
        try:
            self.position.push(move)
        except IllegalMove:
            self.position = undone
            raise

    def own_move(self, text: str) -> str:
        """A move of GTP as this library writes it.

        >>> GTPGame(GAMES["othello"], 8).own_move("F5")
        'f5'
        """
        return self.position.normal_text(text.lower())

    # What programs ask about the game

    def side_to_move(self) -> str:
        """The player's name; nothing after the end."""
        return "" if self.position.is_over else self.game.sides[self.position.turn]

    def finished(self) -> str:
        """The result in words; nothing while the game goes on."""
        result = self.position.result
        if result is None:
            return ""
        if result == 0.5:
            return "Draw"
        return f"{self._winner(result).capitalize()} wins" + (
            f" by {self._margin()}" if self.game.points else ""
        )

    def score(self) -> str:
        """The result as Go programs write it: B+4."""
        result = self.position.result
        if result is None:
            raise BadPosition("the game goes on")
        if result == 0.5:
            return "0"
        return f"{self._winner(result)[0].upper()}+{self._margin() if self.game.points else 1}"

    def _winner(self, result: float) -> str:
        return self.game.sides[0 if result == 1.0 else 1]

    def _margin(self) -> int:
        """Discs that the winner has more than the loser; empty squares count for the winner."""
        position = cast(Othello, self.position)
        return position.size**2 - 2 * min(position.discs)

    def board(self) -> str:
        """The squares, the last row first: X is black, O is white."""
        board = self.position.board
        rows = board.rows if board.ranks[-1] == "1" else board.rows[::-1]
        signs = str.maketrans("bw", "XO")
        return "\n" + "\n".join(" ".join(row.translate(signs)) for row in rows)


def game_named(name: str) -> Game:
    """The game of a name as programs write it: Othello, "Connect Four".

    >>> game_named("Connect Four").name
    'connect-four'
    """
    wanted = re.sub(r"[\s_]+", "-", name.strip().lower())
    if wanted not in GAMES:
        titles = ", ".join(game.title for game in GAMES.values())
        raise BadPosition(f"no game {shown(name)}: {titles}")
    return GAMES[wanted]


def vertex(move: str) -> str:
    """A move as GTP writes it.

    >>> vertex("f5"), vertex("pass")
    ('F5', 'PASS')
    """
    return move.upper()
