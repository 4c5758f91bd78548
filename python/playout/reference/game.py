"""What every game supplies: moves and positions.

Playouts and searches use a game only through the class `Position`. A position never changes:
`position.after(move)` is a new position. So no move has to be taken back, a position can be stored
in a set or be the key of a dictionary, and no function can change its caller's board.

A game of your own is a class derived from `Position`. It defines whose turn it is, the legal moves,
where they lead, their AMAF codes and the result. Equal positions must compare equal. `search.py`
has an example of twenty lines.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Protocol, Self, TypeAlias, runtime_checkable


def seen_by(turn: int, result: float) -> float:
    """Convert a result of the first player to that of the player `turn`, or back.

    All results of games and bounds of proofs are converted here.

    >>> seen_by(0, 1.0), seen_by(1, 1.0), seen_by(1, 0.5)
    (1.0, 0.0, 0.5)
    """
    return result if turn == 0 else 1.0 - result


class Move(NamedTuple):
    """A move: its text and the squares that the text names.

    In Breakthrough these are the square left and the square entered, in Othello the square of the
    new disc; a pass names none.
    """

    text: str
    squares: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.text


MoveClasses: TypeAlias = Sequence[tuple[int, Sequence[Move]]]
"""Classes of moves with their weights in a playout (see `policy.py`)."""


@runtime_checkable
class Position(Protocol):
    """What a search needs of a position. Equal positions must compare and hash equal."""

    turn: int
    """The side to move: 0 is the first player, 1 the second."""

    # The rules, supplied by each game.

    @property
    @abstractmethod
    def legal_moves(self) -> Sequence[Move]:
        """The legal moves in their official order, which decides ties; none in a finished game."""

    @property
    @abstractmethod
    def result(self) -> float | None:
        """1.0, 0.5 or 0.0 for the first player's win, draw or loss; None while the game goes on."""

    @abstractmethod
    def after(self, move: Move) -> Self:
        """The position after a legal move."""

    @abstractmethod
    def code(self, move: Move) -> int:
        """The AMAF code of a move that has not been played yet."""

    # Optional.

    @property
    def kernel_moves(self) -> Sequence[Move]:
        """The legal moves in the order in which a playout numbers them."""
        return self.legal_moves

    @property
    def must_pass(self) -> bool:
        """Is a pass the only legal move? Then a playout passes without drawing a number."""
        return False

    @property
    def guided_classes(self) -> MoveClasses:
        """The legal moves, weighted by a little knowledge of the game: the policy "guided"."""
        raise ValueError(f"there is no guided policy for {type(self).__name__}")

    def kind(self, move: Move) -> int:
        """The kind of a legal move: 0, 1, ..., for RAVE with a bias of its own for each kind."""
        return 0

    @property
    def by_margin(self) -> "Position":
        """The same position of the game whose result is a share of the margin."""
        raise ValueError(f"there are no margins in {type(self).__name__}")

    @property
    def progress(self) -> float:
        """How much of the game is over, from 0.0 to 1.0, for RAVE with a bias by phase."""
        return 0.0


class BoardPosition(Position):
    """A position on a board of squares: the base of the games in this package."""

    players: ClassVar[str]
    """The characters of both players' men on the board, the first player's first."""

    finished_game_leaves: ClassVar[int]
    """How perft counts a game that ends before the requested depth: 1 or 0."""

    rows: int
    cols: int
    board: str

    @classmethod
    def with_board(cls, rows: int, cols: int, board: str, turn: int) -> Self:
        """The position with this board and side to move."""
        position = cls.__new__(cls)  # without __init__, which makes the start position
        position.set_up(rows, cols, board, turn)
        return position

    def set_up(self, rows: int, cols: int, board: str, turn: int) -> None:
        """Fill a new position, which never changes afterwards."""
        self.rows = rows
        self.cols = cols
        self.board = board
        self.turn = turn

    # Supplied by each game.

    @property
    @abstractmethod
    def n_codes(self) -> int:
        """Codes are the numbers 0, 1, ..., n_codes - 1."""

    @property
    @abstractmethod
    def fen(self) -> str:
        """The position as a line of text."""

    @classmethod
    @abstractmethod
    def from_fen(cls, fen: str) -> Self:
        """Read a position from a line of text."""

    # Tactics, for searches with an evaluation: optional.

    def solve(self) -> int:
        """What tactics prove: above 0 a win of the mover, below 0 a loss, 0 nothing."""
        return 0

    @property
    def noisy_moves(self) -> Sequence[Move]:
        """The legal moves that change much, such as captures."""
        return ()

    @property
    def passed(self) -> Self | None:
        """The position as if the mover had passed; None if tactics do not need it."""
        return None

    # Derived from these.

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        return self.result is not None

    @property
    def planes(self) -> tuple[list[int], list[int]]:
        """The squares of the mover's men and of the opponent's, as evaluations see them.

        In Breakthrough Black's board is turned upside down, so that the mover's men move up.
        """
        own, enemy = (
            [square for square, man in enumerate(self.board) if man == side]
            for side in (self.mover, self.opponent)
        )
        return own, enemy

    @property
    def mover(self) -> str:
        """The character of the side to move."""
        return self.players[self.turn]

    @property
    def opponent(self) -> str:
        """The character of the other side."""
        return self.players[1 - self.turn]

    def text(self, move: Move) -> str:
        """The text of a move."""
        return move.text

    def parse(self, text: str) -> Move:
        """The legal move with this text."""
        for move in self.legal_moves:
            if move.text == text:
                return move
        if self.is_over:
            raise ValueError(f"{text!r} is not legal here: the game is over")
        legal = " ".join(move.text for move in self.legal_moves)
        raise ValueError(f"{text!r} is not legal here. Legal: {legal}")

    def play(self, *texts: str) -> Self:
        """The position after these moves, given as texts."""
        position = self
        for text in texts:
            position = position.after(position.parse(text))
        return position

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoardPosition):
            return NotImplemented
        return type(self) is type(other) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    @property
    def identity(self) -> tuple[int, str, int]:
        """Equal for equal positions of one game, and only for them."""
        return self.cols, self.board, self.turn

    def __repr__(self) -> str:
        return f"{type(self).__name__}.from_fen({self.fen!r})"
