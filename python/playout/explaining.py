"""Reasons for a move in words, found by looking one or two plies ahead. They hold for any game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mcts_core.board import squares_named
from mcts_core.position import Move, Position
from playout.games import PASS, game_of
from playout.render.text import board_of

MOST_MOVES = 80  # of a position whose replies are all looked at


def reasons(position: Position, move: str) -> list[str]:
    """What a move does, the most important first; empty if there is nothing to say.

    >>> from playout import Breakthrough
    >>> reasons(Breakthrough.from_fen(".b./w../..w/w.. w"), "a3a4")
    ['wins at once: it ends the game']
    >>> reasons(Breakthrough.from_fen("..b/.../b../.ww w"), "b1a2")
    ['captures the man that would have won', 'the only move that stops a win at the next move']
    """
    played = position.find_move(move)
    return tactics(position, played) or list(_men(position, played))


def tactics(position: Position, move: str) -> list[str]:
    """The reasons that decide games: wins at once, of the player and of the opponent."""
    return list(_tactics(position, position.find_move(move)))


def _tactics(position: Position, move: Move) -> Iterator[str]:
    """Wins, and wins of the opponent that are stopped or allowed."""
    if wins(position, move):
        yield "wins at once: it ends the game"
        return
    legal = position.legal_moves
    if len(legal) == 1:
        yield "the only legal move"
        return
    if any(wins(position, other) for other in legal):
        yield "misses a move that wins at once"
    if len(legal) > MOST_MOVES:
        return
    threats = {other: winning_replies(position, other) for other in legal}
    safe = [other for other in legal if not threats[other]]
    if threats[move]:
        reply = threats[move][0]
        yield f"allows {reply}, which wins at once" if safe else f"cannot stop {reply}, which wins"
    elif len(safe) == 1:
        yield from _captured_threat(position, move, threats)
        yield "the only move that stops a win at the next move"
    elif len(safe) < len(legal) and len(safe) <= len(legal) / 2:
        yield from _captured_threat(position, move, threats)
        yield "one of the moves that stop a win at the next move"


def wins(position: Position, move: Move) -> bool:
    """Whether a move ends the game with a win of the player who makes it."""
    after = position.copy()
    after.push(move)
    return after.is_over and after.result == 1.0 - position.turn


def winning_replies(position: Position, move: Move) -> list[Move]:
    """The opponent's moves that win at once after a move."""
    after = position.copy()
    after.push(move)
    return [] if after.is_over else list(filter(partial(wins, after), after.legal_moves))


def _captured_threat(
    position: Position, move: Move, threats: dict[Move, list[Move]]
) -> Iterator[str]:
    """Whether the move enters the square of a man that would win."""
    board = board_of(position)
    if board is None:
        return
    squares = squares_named(board, move)
    threatening = {
        named[0] for replies in threats.values() for reply in replies
        if len(named := squares_named(board, reply)) > 1
    }  # fmt: skip
    if len(squares) > 1 and squares[-1] in threatening and _taken(position, move):
        yield "captures the man that would have won"


def _men(position: Position, move: Move) -> Iterator[str]:
    """What changes on the board: men that are captured or turned over."""
    if move == PASS:
        yield "there is no other move than to pass"
        return
    game = game_of(position)
    taken, gained = _taken(position, move), _gained(position, move)
    if game is None or not taken:
        return
    opponent = game.sides[1 - position.turn]
    if gained > 1:
        yield f"turns {taken} {'disc' if taken == 1 else 'discs'} of {opponent}"
    else:
        yield f"captures a man of {opponent}"


def _taken(position: Position, move: Move) -> int:
    """How many men of the opponent leave the board or change sides."""
    return _difference(position, move, 1 - position.turn)


def _gained(position: Position, move: Move) -> int:
    """How many men the player gains."""
    return -_difference(position, move, position.turn)


def _difference(position: Position, move: Move, turn: int) -> int:
    """How many men a player loses by a move."""
    after = position.copy()
    after.push(move)
    return _count(position, turn) - _count(after, turn)


def _count(position: Position, turn: int) -> int:
    game, board = game_of(position), board_of(position)
    if game is None or board is None:
        return 0
    return sum(row.count(game.sides[turn][0]) for row in board.rows)
