"""Static evaluation of Othello positions.

Values are seen by the side to move: positive is good for it. Most terms compare its count a with
the opponent's count b as `100 * (a - b) / (a + b)`.

The order in which terms are added is part of the definition. It affects the last digit of a sum,
and the compiled evaluation has to agree to the last digit.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import TypeAlias

from .othello import DIRECTIONS, EMPTY, Othello

FINISHED = 1_000_000
"""The value of a won game is this plus its margin; no evaluation reaches it."""

UPPER_HALF = (
    (100, -10, 11, 6, 6, 11, -10, 100),
    (-10, -20, 1, 2, 2, 1, -20, -10),
    (10, 1, 5, 4, 4, 5, 1, 10),
    (6, 2, 4, 2, 2, 4, 2, 6),
)
WEIGHTS = (*UPPER_HALF, *reversed(UPPER_HALF))

Evaluate: TypeAlias = Callable[[Othello], float]


def final_score(position: Othello) -> float:
    """The value of a finished game. Empty squares go to the winner.

    >>> final_score(Othello.from_fen("XX-------------- O"))
    -1000016.0
    """
    own, enemy = position.board.count(position.mover), position.board.count(position.opponent)
    empty = position.board.count(EMPTY)
    if own > enemy:
        return float(FINISHED + (own - enemy + empty))
    if own < enemy:
        return float(-FINISHED + (own - enemy - empty))
    return 0.0


# The terms.


def ratio(a: int, b: int) -> float:
    """How far a outweighs b, from -100 to 100.

    >>> ratio(3, 1), ratio(0, 0)
    (50.0, 0.0)
    """
    return 100.0 * (a - b) / (a + b) if a + b else 0.0


def table_term(position: Othello, weights: tuple[tuple[float, ...], ...] = WEIGHTS) -> float:
    """The weights of own discs minus those of the opponent, row by row.

    >>> table_term(Othello().play("f5", "d6"))
    0.0
    """
    total = 0.0
    for row in range(8):
        own = enemy = 0.0
        for col in range(8):
            disc = position.board[8 * row + col]
            if disc == position.mover:
                own += weights[row][col]
            elif disc == position.opponent:
                enemy += weights[row][col]
        total += own - enemy
    return total


def parity_term(position: Othello) -> float:
    """Discs on the board.

    >>> parity_term(Othello().play("f5"))
    -60.0
    """
    return ratio(position.board.count(position.mover), position.board.count(position.opponent))


def mobility_term(position: Othello) -> float:
    """Squares where a side could play if it were to move.

    >>> mobility_term(Othello().play("f5"))
    0.0
    """
    return ratio(
        len(position.playable(position.mover, position.opponent)),
        len(position.playable(position.opponent, position.mover)),
    )


def potential_term(position: Othello) -> float:
    """Empty squares next to a disc of the other side, where moves may become possible.

    >>> potential_term(Othello()), potential_term(Othello().play("f5"))
    (0.0, 44.44444444444444)
    """

    def next_to(disc: str) -> int:
        return sum(
            square == EMPTY and any(position.board[n] == disc for n in neighbours(position.cols)[i])
            for i, square in enumerate(position.board)
        )

    return ratio(next_to(position.opponent), next_to(position.mover))


def corners_term(position: Othello) -> float:
    """Corners taken.

    >>> corners_term(Othello.from_fen("XX-------------O O"))
    0.0
    """
    last = position.cols - 1
    corners = [position.board[position.cols * row + col] for row in (0, last) for col in (0, last)]
    return ratio(corners.count(position.mover), corners.count(position.opponent))


def stability_term(position: Othello) -> float:
    """Discs that can never be flipped minus discs that can be flipped at once, relative to both.

    >>> stability_term(Othello()), stability_term(Othello.from_fen("XX-------------- O"))
    (0.0, -100.0)
    """
    own, enemy = position.mover, position.opponent
    stable_own, stable_enemy = len(stable(position, own)), len(stable(position, enemy))
    loose_own, loose_enemy = len(loose(position, own)), len(loose(position, enemy))
    concerned = stable_own + stable_enemy + loose_own + loose_enemy
    if concerned == 0:
        return 0.0
    return 100.0 * ((stable_own - loose_own) - (stable_enemy - loose_enemy)) / concerned


TERMS: dict[str, Evaluate] = {
    "parity": parity_term,
    "mobility": mobility_term,
    "potential": potential_term,
    "corners": corners_term,
    "stability": stability_term,
}
"""In the order in which they are added, after the table."""


# Stability.


def loose(position: Othello, disc: str) -> set[int]:
    """The discs of a colour that the other side could flip if it were to move.

    >>> sorted(loose(Othello(4), "O"))
    [5, 10]
    """
    other = position.opponent if disc == position.mover else position.mover
    as_seen = Othello.with_board(
        position.rows, position.cols, position.board, position.players.index(other)
    )
    return {
        flipped for square in as_seen.playable(other, disc) for flipped in as_seen.flips(square)
    }


def stable(position: Othello, disc: str) -> set[int]:
    """The discs of a colour that are proved never to be flipped.

    A disc can be flipped only along a line. It is safe along a line if all squares of the line are
    taken, or the next square on one side is a stable disc of its colour, or there is no next square
    on one side. A disc is stable if it is safe along all four lines through it. On the edge of the
    board, only the line of the edge can flip a disc, and all continuations are tried instead.

    >>> sorted(stable(Othello.from_fen("XX--OX---OOO---- X"), "X"))
    [0, 1]
    """
    size, board = position.cols, position.board
    found: set[int] = set()
    for edge in edges(size):
        kept = never_flipped("".join(board[square] for square in edge))
        found |= {square for i, square in enumerate(edge) if i in kept and board[square] == disc}
    through = lines(size)
    for square in range(size * size):
        if board[square] == disc and all(
            all(board[other] != EMPTY for other in line) for line in through[square]
        ):
            found.add(square)
    if not found:
        return found
    while True:
        more = {
            square
            for square in range(size * size)
            if board[square] == disc
            and square not in found
            and all(is_safe(board, line, square, found) for line in through[square])
        }
        if not more:
            return found
        found |= more


def is_safe(board: str, line: tuple[int, ...], square: int, found: set[int]) -> bool:
    """Can the disc not be flipped along this line, given discs of its colour that are stable?"""
    if all(board[other] != EMPTY for other in line):
        return True
    i = line.index(square)
    is_at_end = i in (0, len(line) - 1)
    return is_at_end or line[i - 1] in found or line[i + 1] in found


@cache
def never_flipped(line: str) -> frozenset[int]:
    """The discs of an edge that keep their colour, whatever is placed on the edge.

    >>> sorted(never_flipped("XXO-"))
    [0, 1]
    >>> sorted(never_flipped("XXOX"))
    [0, 1, 2, 3]
    """
    kept = {i for i, disc in enumerate(line) if disc != EMPTY}
    for i, disc in enumerate(line):
        if disc == EMPTY:
            for placed, other in ("XO", "OX"):
                after = list(line)
                after[i] = placed
                for j in flips_on_line(line, i, placed, other):
                    after[j] = placed
                    kept.discard(j)
                kept &= never_flipped("".join(after))
    return frozenset(kept)


def flips_on_line(line: str, i: int, placed: str, other: str) -> list[int]:
    """The discs on a line that a disc placed on square i flips.

    >>> flips_on_line("XOO-OO", 3, "X", "O")
    [2, 1]
    """
    flips: list[int] = []
    for side in (range(i - 1, -1, -1), range(i + 1, len(line))):
        passed: list[int] = []
        for j in side:
            if line[j] != other:
                flips += passed if line[j] == placed else []
                break
            passed.append(j)
    return flips


# The board's geometry.


@lru_cache
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """For each square, the squares next to it.

    >>> neighbours(4)[0]
    (1, 4, 5)
    """
    return tuple(
        tuple(
            size * (square // size + down) + square % size + right
            for down, right in DIRECTIONS
            if 0 <= square // size + down < size and 0 <= square % size + right < size
        )
        for square in range(size * size)
    )


@lru_cache
def edges(size: int) -> tuple[tuple[int, ...], ...]:
    """The squares of the four edges: first row, last row, first column, last column."""
    n = size * size
    return (
        tuple(range(size)),
        tuple(range(n - size, n)),
        tuple(range(0, n, size)),
        tuple(range(size - 1, n, size)),
    )


@lru_cache
def lines(size: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each square, the four lines through it, from edge to edge.

    >>> lines(4)[1]
    ((1, 4), (0, 1, 2, 3), (1, 6, 11), (1, 5, 9, 13))
    """

    def through(square: int, down: int, right: int) -> tuple[int, ...]:
        row, col = divmod(square, size)
        steps = range(1 - size, size)
        places = [(row + step * down, col + step * right) for step in steps]
        return tuple(size * r + c for r, c in places if 0 <= r < size and 0 <= c < size)

    kinds = ((1, -1), (0, 1), (1, 1), (1, 0))
    return tuple(tuple(through(square, *kind) for kind in kinds) for square in range(size * size))


# Evaluations.


def mix(
    weights: tuple[tuple[float, ...], ...] | None = None,
    divisor: float = 1.0,
    **term_weights: float,
) -> Evaluate:
    """An evaluation that adds up terms, each times its weight.

    >>> evaluate(Othello().play("f5"), mix(parity=2.0, mobility=1.0, divisor=3.0))
    -40.0
    """

    def value_of(position: Othello) -> float:
        value = 0.0
        if weights is not None:
            value += table_term(position, weights)
        for name, term in TERMS.items():
            weight = term_weights.get(name, 0.0)
            if weight:
                value += weight * term(position)
        return value / divisor

    return value_of


def by_phase(mixes: list[Evaluate]) -> Evaluate:
    """An evaluation with a different mix in each part of the game, by the number of discs."""

    def value_of(position: Othello) -> float:
        phase = min(int(position.progress * len(mixes)), len(mixes) - 1)
        return mixes[phase](position)

    return value_of


EVALUATIONS: Mapping[str, Evaluate] = {
    "weights": mix(WEIGHTS),
    "ratios": mix(parity=1.0, mobility=1.0, corners=1.0, divisor=3.0),
    "washington": mix(corners=30.0, mobility=5.0, stability=25.0, parity=25.0),
}


def evaluate(position: Othello, evaluation: str | Evaluate = "weights") -> float:
    """The value of a position to the side to move; for a finished game, its result.

    >>> evaluate(Othello().play("f5", "d6", "c3"), "weights")
    -9.0
    """
    if position.is_over:
        return final_score(position)
    function = EVALUATIONS[evaluation] if isinstance(evaluation, str) else evaluation
    return function(position)
