"""OpenSpiel: its games for our methods, our methods as its bots, its bots as our players.

`State` makes a position of any OpenSpiel game with perfect information and without chance a game in
Python. So everything that takes such a game takes it: `search`, `match`, `compare`, `solve`.

    from playout.adapters import openspiel
    game = openspiel.State("tic_tac_toe")
    po.search(game, "uct", playouts=1000).move.original      # an action, an int
    bot = openspiel.Bot("uct", playouts=1000)                # a pyspiel.Bot
    theirs = openspiel.player(lambda side: pyspiel.make_uniform_random_bot(side, 7), "random")
    po.match("uct", theirs, game=game, playouts=1000)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import pyspiel

from mcts_core.errors import BadGame, BadPosition, shown
from mcts_core.position import Position
from playout.method import Method
from playout.methods import method_of
from playout.names import MethodName
from playout.searching import search
from playout.task import Limits


class Action(int):
    """An action of OpenSpiel; its text is OpenSpiel's, as one word."""

    text: str

    def __new__(cls, action: int, text: str) -> Self:
        """Make an action with its text."""
        made = super().__new__(cls, action)
        made.text = text
        return made

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return Action, (int(self), self.text)


class State:
    """A position of an OpenSpiel game, as a game in Python.

    >>> game = State("tic_tac_toe")
    >>> [str(move) for move in game.legal_moves()][:2]
    ['x(0,0)', 'x(0,1)']
    """

    def __init__(self, game: str | pyspiel.Game | pyspiel.State = "tic_tac_toe") -> None:
        if isinstance(game, str):
            try:
                game = pyspiel.load_game(game)
            except pyspiel.SpielError as fault:
                raise BadPosition(f"OpenSpiel has no game {shown(game)}: {fault}") from None
        self.state = game.new_initial_state() if isinstance(game, pyspiel.Game) else game.clone()
        self.game = self.state.get_game()
        kind = self.game.get_type()
        if (
            kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL
            or kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION
            or kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
            or self.game.num_players() > 2
        ):
            raise BadGame(
                f"{kind.short_name} has hidden information, chance, moves at the same time or more "
                "than two players: searches are for games without these"
            )
        self.n_codes = self.game.num_distinct_actions() * self.game.num_players()
        self.max_plies = max(1, self.game.max_game_length())

    @property
    def turn(self) -> int:
        """Who is to move."""
        return max(0, int(self.state.current_player()))

    def legal_moves(self) -> list[Action]:
        """OpenSpiel's legal actions."""
        player = self.state.current_player()
        texts = (
            (action, self.state.action_to_string(player, action))
            for action in self.state.legal_actions()
        )
        return [Action(action, "_".join(text.split())) for action, text in texts]

    def play(self, action: int) -> None:
        """Apply an action."""
        self.state.apply_action(int(action))

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.is_terminal())

    def result(self) -> float:
        """The first player's return, from the least that the game has (0) to the most (1)."""
        least, most = self.game.min_utility(), self.game.max_utility()
        return float((self.state.returns()[0] - least) / (most - least))

    def key(self) -> str:
        """The moves so far: a text of the board would not always tell positions apart."""
        return str(self.state.history_str())

    def code(self, action: int) -> int:
        """An AMAF code for each player and action."""
        return int(self.turn * self.game.num_distinct_actions() + action)

    def copy(self) -> State:
        """An equal position."""
        twin = object.__new__(State)
        twin.__dict__.update(self.__dict__, state=self.state.clone())
        return twin

    @property
    def fen(self) -> str:
        """The game and the actions so far, in one line."""
        return "; ".join([str(self.game), *map(str, self.state.history())])

    @classmethod
    def from_fen(cls, line: str) -> State:
        """The position that `fen` wrote."""
        game, *actions = line.split("; ")
        found = cls(game)
        for action in actions:
            if not action.isdigit() or int(action) not in found.state.legal_actions():
                raise BadPosition(f"{shown(action)} is no legal action in {shown(line)}")
            found.state.apply_action(int(action))
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return State.from_fen, (self.fen,)

    def __str__(self) -> str:
        return str(self.state)


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """A method of ours as a bot of OpenSpiel."""

    def __init__(
        self,
        method: MethodName | str | Method = "uct",
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        seed: int | None = None,
    ) -> None:
        pyspiel.Bot.__init__(self)
        Limits.checked(playouts, seconds, None)
        self._method = method_of(method)
        self._how: dict[str, Any] = {"playouts": playouts, "seconds": seconds, "seed": seed}

    def step(self, state: pyspiel.State) -> int:
        """The action to play."""
        return int(search(State(state), self._method, **self._how).move.original)

    def provides_policy(self) -> bool:
        """Whether `step_with_policy` is there."""
        return True

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        """Each action with its share of the visits."""
        return self.step_with_policy(state)[0]

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        """The shares of the visits, and the action to play."""
        own = State(state)
        found = search(own, self._method, **self._how)
        actions = {str(action): int(action) for action in own.legal_moves()}
        visits = dict(
            zip(found.moves["move"].tolist(), found.moves["visits"].tolist(), strict=True)
        )
        total = max(1, sum(visits.values()))
        shares = [(action, visits[text] / total) for text, action in actions.items()]
        return shares, int(found.move.original)


def player(made: Callable[[int], pyspiel.Bot], name: str = "") -> Callable[[Position], str]:
    """A bot of OpenSpiel as a player of `po.match`, in games that begin with a `State`.

    `made` makes the bot for a side, 0 or 1, because most of their bots play one side only.
    """
    bots: dict[int, pyspiel.Bot] = {}

    def choose(position: Position) -> str:
        own = getattr(position, "object", None)
        if not isinstance(own, State):
            raise BadPosition("a bot of OpenSpiel plays OpenSpiel's games: give game=State(...)")
        if own.turn not in bots:
            bots[own.turn] = made(own.turn)
        action = bots[own.turn].step(own.state.clone())
        return "_".join(own.state.action_to_string(own.turn, action).split())

    choose.__name__ = name or getattr(made, "__name__", "bot")
    return choose
