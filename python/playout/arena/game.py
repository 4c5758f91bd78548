"""One game of a match: two players, their clocks, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from mcts_core.errors import BadMethod, IllegalMove, shown
from mcts_core.position import Position
from playout.arena.players import Choice, OutOfTime, Player, Seat
from playout.arguments import number, whole_number
from playout.render.text import line_of
from playout.solving import solve

# Why a game ended
OVER = "the rules"  # of the game
SOLVED = "solver"  # which knows the result
AGREED = "agreement"  # both players expected the same result
LONG = "length"
TIME = "clock"  # which a player used up
ILLEGAL = "illegal move"
FAILED = "error"  # of a player, or of its engine

MARGIN = 0.05  # seconds past the clock that are forgiven: of handing a move over


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game ends before its rules end it.

    - `solve_nodes`: try to solve each position with this many nodes;
    - `agreed`: both players expect the same side to get at least this much, `plies` times in a
      row, 2 or more: that side wins. Players who do not tell what they expect agree to nothing;
    - `most_plies`: a game that is this long, with its opening, is a draw.

    >>> import playout as po
    >>> sure = po.Adjudication(agreed=0.95, plies=4)
    >>> how = {"game": po.Breakthrough(5), "playouts": 50, "seed": 1}
    >>> po.match("uct", "flat", games=2, adjudication=sure, **how).games
    2
    """

    solve_nodes: int | None = None
    agreed: float | None = None
    plies: int = 4
    most_plies: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("solve_nodes", 1), ("plies", 2), ("most_plies", 1)):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, whole_number(name, value, least, 2**62))
        if self.agreed is not None:
            agreed = number("agreed", self.agreed, 0.5, above=True)
            if agreed > 1:
                raise ValueError(f"agreed must be an expected result up to 1, not {agreed:g}")
            object.__setattr__(self, "agreed", agreed)

    def verdict(self, position: Position, expected: list[float | None]) -> tuple[float, str] | None:
        """The result to the first player and why, if the game is not to go on.

        `expected` has the first player's result as the mover of each ply so far expected it.
        """
        if self.most_plies is not None and len(position.history) >= self.most_plies:
            return 0.5, LONG
        if self.agreed is not None:
            last = expected[-self.plies :]
            if len(last) == self.plies:
                if all(value is not None and value >= self.agreed for value in last):
                    return 1.0, AGREED
                if all(value is not None and value <= 1 - self.agreed for value in last):
                    return 0.0, AGREED
        if self.solve_nodes is not None:
            value = solve(position, outcome_only=True, nodes=self.solve_nodes).value
            if value is not None:
                return (value if position.turn == 0 else 1 - value), SOLVED
        return None


NO_ADJUDICATION = Adjudication()


@dataclass(frozen=True, slots=True)
class Played:
    """A game that has ended."""

    moves: tuple[str, ...]  # after the opening
    result: float  # to the first player: 1, 0.5 or 0
    reason: str
    fault: str  # what a player did wrong, in words; "" if nothing
    seconds: tuple[float, ...]  # for each move
    expected: tuple[float | None, ...]  # the first player's result, as each mover expected it


class Clocks:
    """The seconds that each player has left; None where there is no clock."""

    def __init__(self, players: tuple[Player, Player]) -> None:
        self.left = [player.limit.clock for player in players]
        self._increments = [player.limit.increment for player in players]

    def spend(self, turn: int, seconds: float) -> bool:
        """Take the time of a move off a player's clock. Returns False if it has run out."""
        left = self.left[turn]
        if left is None:
            return True
        if seconds > left + MARGIN:
            return False
        self.left[turn] = max(left - seconds, 0.0) + self._increments[turn]
        return True


def play(
    start: Position,
    players: tuple[Player, Player],
    seed: np.random.SeedSequence,
    rules: Adjudication,
) -> Played:
    """Play a game from a position; `players` are the first player of the game and the second."""
    seats: list[Seat] = []
    try:
        for turn, player in enumerate(players):
            own = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, turn))
            try:
                seats.append(player.begin(start.copy(), own))
            except BadMethod:
                raise  # wrongly set up: that is not a lost game
            except Exception as fault:
                return Played((), float(turn), FAILED, _blame(player, fault), (), ())
        return _Game(start, players, seats).play(rules)
    finally:
        for seat in seats:
            seat.close()


def _blame(player: Player, fault: BaseException | str) -> str:
    text = fault if isinstance(fault, str) else f"{type(fault).__name__}: {fault}"
    return f"{player.name}: {text}"


class _Game:
    """A game under way."""

    def __init__(self, start: Position, players: tuple[Player, Player], seats: list[Seat]) -> None:
        self.position, self.players, self.seats = start.copy(), players, seats
        self.known = len(start.history)  # plies before this game
        self.clocks = Clocks(players)
        self.seconds: list[float] = []
        self.expected: list[float | None] = []

    def play(self, rules: Adjudication) -> Played:
        """Play to the end."""
        while not self.position.is_over:
            verdict = rules.verdict(self.position, self.expected)
            if verdict is not None:
                return self._ended(*verdict)
            lost = self._move(self.position.turn)
            if lost is not None:
                return lost
        assert self.position.result is not None
        return self._ended(self.position.result, OVER)

    def _move(self, turn: int) -> Played | None:
        """Make a player's move. Returns the end of the game if it cannot be made."""
        began = perf_counter()
        try:
            choice = self.seats[turn].choose(self.position, self.clocks.left[turn])
        except OutOfTime as fault:
            return self._lost(turn, TIME, str(fault))
        except (Exception, SystemExit) as fault:  # a function may call sys.exit()
            return self._lost(turn, FAILED, fault)
        spent = perf_counter() - began
        self.seconds.append(spent)
        self.expected.append(_as_first(choice, turn))
        if not self.clocks.spend(turn, spent):
            return self._lost(turn, TIME, f"the clock ran out: this move took {spent:.2f} s")
        try:
            self.position.push(choice.move)
        except (IllegalMove, TypeError):
            where = f"in {line_of(self.position) or self.position}"
            return self._lost(turn, ILLEGAL, f"{shown(choice.move)} is no legal move {where}")
        return None

    def _ended(self, result: float, reason: str, fault: str = "") -> Played:
        moves = tuple(str(move) for move in self.position.history[self.known :])
        return Played(moves, result, reason, fault, tuple(self.seconds), tuple(self.expected))

    def _lost(self, turn: int, reason: str, fault: BaseException | str) -> Played:
        """The player to move has lost: 0 to the first player, 1 if it is the second."""
        return self._ended(float(turn), reason, _blame(self.players[turn], fault))


def _as_first(choice: Choice, turn: int) -> float | None:
    """What a mover expects, as the first player sees it."""
    if choice.value is None:
        return None
    return choice.value if turn == 0 else 1 - choice.value
