"""A game between two players on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import numpy as np
from rich.console import Console

from mcts_core.errors import IllegalMove
from mcts_core.position import Move
from playout.arena.game import TIME
from playout.arena.limit import Limit
from playout.arena.players import Searching, You
from playout.best import Best
from playout.cli import prompts, record
from playout.cli.clock import Clock, TimeIsOver, face
from playout.cli.errors import Fault
from playout.cli.screen import board_of, is_terminal, mover, print_whole
from playout.explaining import reasons
from playout.games import PASS
from playout.record import Record
from playout.render.text import seconds_text
from playout.result import Result
from playout.reviewing import review

HINTS = 3  # moves shown
COMMENT = 20_000  # playouts, and nodes of exact solving, for a comment on a move
ADVISER = Searching(Best(), Limit(playouts=10_000))  # for a hint, however weak the opponent


class Session:
    """Plays a game on a screen, and saves it to a file if there is one."""

    def __init__(
        self,
        screen: Console,
        game: Record,
        path: Path | None,
        *,
        is_silent: bool,
        has_comments: bool = False,
    ) -> None:
        self.screen, self.game, self.path = screen, game, path
        self.players = record.players_of(game)
        self._clock = Clock(game)
        self._is_silent = is_silent
        self._has_comments = has_comments
        self._is_quitting = False
        self._comments: list[str] = []  # to be shown again under the board after the answer

    def play(self) -> bool:
        """Play until the game is over or the user leaves. Returns whether it is over."""
        if is_terminal() and any(player.is_you for player in self.players):
            prompts.edit_lines()
        self._greet()
        self._clock.begin()
        try:
            while not self.game.is_over and not self._is_quitting:
                player = self._player
                if player.is_you:
                    self._your_turn()
                else:
                    self._search_and_play(player)
        except TimeIsOver:
            self._lose_on_time()
        except (KeyboardInterrupt, EOFError):
            self._say()
            self._keep()  # Ctrl-C may have interrupted a save
        if self.game.is_over:
            self._say(f"The game is over: {self.game.outcome}.", "bold")
        elif self.path is not None:
            self._say_whole(f"The game is saved in {self.path}.")
        else:
            self._say("The game is not saved; the next line has all of it.")
        return self.game.is_over

    @property
    def _player(self) -> Searching | You:
        return self.players[self.game.position.turn]

    def _say(self, text: str = "", style: str = "") -> None:
        if not self._is_silent:
            self.screen.print(text, style=style or None)

    def _say_whole(self, text: str, style: str = "") -> None:
        """Print a line with a path in it, which must not be wrapped."""
        if not self._is_silent:
            print_whole(self.screen, text, style)

    def _greet(self) -> None:
        sides = self.game.game.sides
        for side, player in zip(sides, self.players, strict=True):
            self._say(f"{side}: {player.words}")
        if self._clock.is_there:
            self._say(f"clock: {self._clock.limit.words}, for each side")
        if any(player.is_you for player in self.players):
            self._say("Type a move, or one of: " + ", ".join(prompts.WORDS))
        self._show()

    def _show(self, *, anew: bool = False) -> None:
        """Print the board; in a terminal, and `anew`, in place of what is there."""
        if not self._is_silent:
            if anew and is_terminal():
                self.screen.clear()
            position = self.game.position
            drawn = board_of(self.screen, position, legal=True, large=True)
            self.screen.print("", drawn, sep="\n")

    def _push(self, move: str) -> None:
        known = self.game.position.find_move(move)  # what is not legal takes no time
        self._clock.check()
        self._clock.moved()
        self.game.position.push(known)
        self._keep()

    def _keep(self) -> None:
        """Save the game. If that fails, tell the user and stop saving; a silent match raises."""
        if self.path is None:
            return
        try:
            record.write(self.path, self.game)
        except Fault as fault:
            if self._is_silent:
                raise
            self._say_whole(f"{fault.message}. The game is not kept in it any more.", "yellow")
            self.path = None

    def _lose_on_time(self) -> None:
        """The side to move has lost."""
        turn = self.game.position.turn
        self.game.verdict = (float(turn), TIME)
        self._keep()
        self._say(f"\n{mover(self.game.position)} has lost on time.", "yellow")

    def _left(self, turn: int) -> str:
        """What a side has left on its clock, in words for the end of a line."""
        left = self._clock.left(turn)
        return "" if left is None else f", {face(left)} left"

    # The turn of a method

    def _seed(self, purpose: int) -> np.random.SeedSequence:
        """The seed for this ply. So a resumed game continues as it would have."""
        return np.random.SeedSequence((self.game.seed, len(self.game.position.history), purpose))

    def _searched(self, player: Searching, purpose: int, left: float | None = None) -> Result:
        watched = is_terminal() and not self._is_silent
        waiting = self.screen.status(f"thinking: {player.words} ...") if watched else nullcontext()
        with waiting:
            return player.search(self.game.position, self._seed(purpose), left)

    def _search_and_play(self, player: Searching) -> None:
        who, turn = mover(self.game.position), self.game.position.turn
        known = player.from_book(self.game.position)
        if known is None:
            result = self._searched(player, 0, self._clock.left(turn))
            move, worth = result.move, _worth(result)
        else:
            move, worth = known.move, f"  (worth {known.value:.3f} to it by the book)"
        self._push(move)
        self._show(anew=any(player.is_you for player in self.players))
        if self._comments:
            self._say("\n".join(self._comments))
            self._comments = []
        self._say(f"{who} plays {move}{worth}{self._left(turn)}")

    # The turn of the user

    def _comment(self) -> None:
        """Say what the user's move gave away. In a terminal it stays when the board is redrawn."""
        if not self._has_comments:
            return
        last = self.game.position
        before = last.copy()
        move = before.pop()
        alone = before.copy(past=False)
        alone.push(move)
        (judged,) = review(alone, playouts=COMMENT, nodes=COMMENT, seed=self._seed(2)).moves
        lines = [f"{move}: {judged.word}"]
        if judged.loss > 0:
            sure = " for certain" if judged.exact else ""
            lines[0] += f", it gave away {judged.loss:.2f}{sure}"
        if judged.move != judged.best:
            lines.append(f"  better: {judged.best}")
        lines += [f"  {judged.best}: {reason}" for reason in judged.why]
        self._say("\n".join(lines))
        self._comments = lines if is_terminal() else []

    def _your_turn(self) -> None:
        legal, turn = self.game.position.legal_moves, self.game.position.turn
        if legal == (PASS,):
            self._say(f"{mover(self.game.position)} has no move and passes.")
            self._push(PASS)
            return
        with self._clock.watching():
            text = input(f"{mover(self.game.position)} to move{self._left(turn)}> ")
        if not text.strip():
            self._list(legal)
            return
        try:
            said = prompts.understood(text, self.game.position)
            if said.move is not None:
                self._push(said.move)
                self._show(anew=True)
                self._comment()
                self._clock.begin()  # a comment takes nobody's time
            else:
                getattr(self, f"_{said.word}")(said.rest)
        except IllegalMove as fault:
            self._say(str(fault), "yellow")
        except Fault as fault:  # from saving
            self._say_whole(fault.message, "yellow")

    def _list(self, moves: Sequence[Move]) -> None:
        self._say(f"{len(moves)} legal moves: {' '.join(moves)}")

    def _moves(self, _: str) -> None:
        self._list(self.game.position.legal_moves)

    def _hint(self, _: str) -> None:
        result = self._searched(ADVISER, 1)
        best = [str(row["move"]) for row in result.moves[:HINTS]]
        self._say(f"best for {mover(self.game.position)} is {best[0]}{_worth(result)}")
        for reason in reasons(self.game.position, best[0]):
            self._say(f"  {best[0]}: {reason}")
        if len(best) > 1:
            self._say(f"the next best moves here: {', '.join(best[1:])}")

    def _undo(self, _: str) -> None:
        """Take moves back to the last position in which the user had a choice."""
        position, asking = self.game.position, self.game.position.turn
        back = position.copy()
        other_is_you = self.players[1 - asking].is_you
        while back.history:
            back.pop()
            is_turn = other_is_you or back.turn == asking
            if is_turn and back.legal_moves != (PASS,):
                while len(position.history) > len(back.history):
                    position.pop()
                self._clock.taken_back()
                self._keep()
                self._show()
                return
        self._say("There is no move of yours to take back.", "yellow")

    def _save(self, rest: str) -> None:
        if not rest and self.path is None:
            self._say("Where to? Type save and a file, such as save game.json", "yellow")
            return
        path = Path(rest) if rest else self.path
        assert path is not None
        if path != self.path and record.exists(path):
            self._say_whole(f"{path} exists: choose another name.", "yellow")
            return
        record.write(path, self.game)
        self.path = path
        self._say_whole(f"Saved in {path}, and kept up to date there.")

    def _board(self, _: str) -> None:
        self._show()

    def _resign(self, _: str) -> None:
        self.game.resigned = self.game.position.turn
        self._keep()

    def _quit(self, _: str) -> None:
        self._is_quitting = True

    def _help(self, _: str) -> None:
        self._say(self.game.game.rules)
        example = self.game.position.legal_moves[0]
        self._say(f"  {example:8}a move is typed as it is printed")
        for word, meaning in prompts.WORDS.items():
            self._say(f"  {word:8}{meaning}")


def _worth(result: Result) -> str:
    time = seconds_text(result.seconds)
    worth = f"{result.value:+g} points" if result.is_in_points else f"{result.value:.3f}"
    work = f"{result.playouts:,} playouts" if result.playouts else f"depth {result.depth}"
    return f"  (worth {worth} to it; {work}, {time})"
