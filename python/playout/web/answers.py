"""A function for each request of the page: from what was asked to plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np

from mcts_core.errors import BadPosition
from mcts_core.position import Moves
from playout.exchange import read_game, written
from playout.explaining import reasons, wins
from playout.request import Request
from playout.reviewing import NODES, Review, review, review_backwards
from playout.searching import search
from playout.simulating import simulations
from playout.solving import values_of_moves
from playout.web import showing
from playout.web.asking import LONGEST_LINE, MOST_PLAYOUTS, Asked

INTERVAL = 0.1  # seconds between two snapshots
MOST_STEPS = 400
MOST_EXACT = 1_000_000  # nodes
HINT = 20_000  # playouts
MOST_OF_REVIEW = 100_000  # playouts for each position
Plain = dict[str, Any]


def games(asked: Asked) -> Plain:
    """What can be played, and by which methods."""
    return {"games": showing.games(), "sources": showing.SOURCES}


def position(asked: Asked) -> Plain:
    """A position with its board and its legal moves."""
    return showing.position(asked.position)


def edited(asked: Asked) -> Plain:
    """The position of a board that was edited: rows of men, and the side to move."""
    game, rows = asked.game, asked.texts("board", 20, 20)
    return showing.position(game.read(game.line_of(rows, asked.whole("turn", 0, 1, 0))))


def move(asked: Asked) -> Plain:
    """The move of a method or a level, and the position after it."""
    before = asked.position
    player = asked.player(before)
    seed = np.random.SeedSequence((asked.seed, len(before.history)))
    found = player.search(before, seed)
    after = before.copy()
    after.push(found.move)
    return {"position": showing.position(after), "result": showing.result(found)}


def hint(asked: Asked) -> Plain:
    """The best move with reasons for it."""
    before = asked.position
    found = search(before, "best", playouts=HINT, seed=asked.seed)
    line, value = found.pv[: showing.PLIES], found.value
    at_once = [move for move in before.legal_moves if wins(before, move)]
    if at_once:  # to a search, a win later is as good
        line, value = Moves(at_once[:1]), 1.0
    return {
        "move": str(line[0]),
        "value": value,
        "line": [str(move) for move in line],
        "reasons": reasons(before, line[0]),
    }


def judged(asked: Asked) -> Plain:
    """What the last move gave away."""
    last = asked.position
    if not last.history:
        raise BadPosition("there is no move to judge: play one first")
    played = last.pop()
    before = last.copy(past=False)
    before.push(played)
    found = review(before, playouts=HINT, nodes=NODES // 10, seed=asked.seed)
    return found.moves[0].to_dict()


def exact(asked: Asked) -> Plain:
    """The exact value of every legal move, if it can be found quickly."""
    before = asked.position
    nodes = asked.whole("nodes", 1, MOST_EXACT, NODES)
    values = None if before.is_over else values_of_moves(before, nodes)
    if values is None:
        return {"values": None}
    return {"values": dict(zip(map(str, before.legal_moves), values.tolist(), strict=True))}


def read(asked: Asked) -> Plain:
    """A game from text of any form."""
    game = asked.game if asked.has("game") else None
    record = read_game(asked.text("text", LONGEST_LINE), game)
    return {"position": showing.position(record.position), "players": record.players}


def write(asked: Asked) -> Plain:
    """The game in every form."""
    return {"texts": written(asked.record)}


def steps(asked: Asked) -> Plain:
    """The first simulations of a tree search, each with its four phases."""
    before = asked.position
    method = asked.player(before).method
    n = asked.whole("steps", 1, MOST_STEPS, 100)
    found = [each.to_dict() for each in simulations(before, method, n, seed=asked.seed)]
    return {"method": repr(method), "moves": list(map(str, before.legal_moves)), "steps": found}


def page_of_review(asked: Asked) -> Plain:
    """The review as one page, and as JSON."""
    found = list(_reviews(asked))[-1]
    return {"html": found.to_html(), "json": found.to_json(indent=2)}


def _reviews(asked: Asked) -> Iterator[Review]:
    """The review, as it grows."""
    playouts = asked.whole("playouts", 1, MOST_OF_REVIEW, 3000)
    return review_backwards(asked.record, playouts=playouts, nodes=NODES // 4, seed=asked.seed)


# Answers that come bit by bit


@dataclass(frozen=True)
class Stream:
    """Events, and a function that ends the search behind them soon, from another thread."""

    events: Iterator[Plain]
    stop: Callable[[], None]


def analysed(asked: Asked) -> Stream:
    """Snapshots of a search until it ends."""
    before = asked.position
    player = asked.player(before)
    more: Plain = {"interval": INTERVAL, "seed": asked.seed}
    if player.method.plays_out and asked.has("every"):
        more["every"] = asked.whole("every", 1, MOST_PLAYOUTS, 1)
    elif player.method.grows_tree:
        more["solver"] = True  # so that what is certain is said to be so
    settings = NO_SETTINGS | player.settings(None) | more
    run = player.method.begin(Request(position=before, **settings))
    return Stream(map(showing.result, run.results()), run.stop)


# What a request has beyond the settings of a player
NO_SETTINGS: Plain = {"playouts": None, "until_sure": None, "nodes": None}
NO_SETTINGS |= {"policy": "random", "solver": False}


def reviewed(asked: Asked) -> Stream:
    """How far a review is, and at the end the review."""
    is_stopped = Event()
    return Stream(_told(_reviews(asked), is_stopped), is_stopped.set)


def _told(reviews: Iterator[Review], is_stopped: Event) -> Iterator[Plain]:
    found = None
    for found in reviews:
        if is_stopped.is_set():
            return
        yield {"done": len(found.moves), "of": len(found.record.position.history)}
    assert found is not None
    yield {"review": found.to_dict()}


QUICK: dict[str, Callable[[Asked], Plain]] = {
    "games": games,
    "position": position,
    "edited": edited,
    "read": read,
    "write": write,
}
SEARCHES: dict[str, Callable[[Asked], Plain]] = {
    "move": move,
    "hint": hint,
    "judged": judged,
    "exact": exact,
    "steps": steps,
    "page": page_of_review,
}
STREAMS: dict[str, Callable[[Asked], Stream]] = {
    "analysed": analysed,
    "reviewed": reviewed,
}
