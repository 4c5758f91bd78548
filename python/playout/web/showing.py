"""Positions, results and the registries as plain data for the page."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from mcts_core.board import squares_named
from mcts_core.evaluator import Evaluator
from mcts_core.position import Position
from playout.arena.levels import levels
from playout.columns import as_rows
from playout.evaluation import compiled, evaluate, predicts_results
from playout.games import GAMES, Game, game_of, root_of
from playout.methods import METHODS, method_of
from playout.render.html import SURE
from playout.result import Result, plain
from playout.serving.scores import variations

LINES, PLIES = 6, 8  # principal lines of a snapshot, and their length
CERTAIN = 40.0  # times the scale of an evaluation: no result is more certain
# Settings with a slider: least, most, and whether equal steps multiply.
SLIDERS: dict[str, tuple[float, float, bool]] = {
    "c": (0.0, 2.0, False),
    "bias": (1e-7, 1.0, True),
    "ref": (0.0, 1000.0, False),
}
SOURCES = {  # where a move's value comes from, in words
    "proven": "proven: certain by search",
    "mean": "mean result of the playouts after the move",
    "amaf_mean": "AMAF: playouts in which the move occurs at all",
    "value": "look-ahead with an evaluation",
    "": "nothing is known yet",
}


def games() -> list[dict[str, Any]]:
    """The games of the registry, with their boards, levels and methods."""
    return [_game(game) for game in GAMES.values()]


def _game(game: Game) -> dict[str, Any]:
    start = game.start(*game.default)
    suiting = [name for name, kind in METHODS.items() if kind.suits(start)]
    return {
        "name": game.name,
        "title": game.title,
        "rules": game.rules,
        "sides": game.sides,
        "numbered": game.numbered,
        "sizes": game.sizes,
        "rows": game.default[0],
        "columns": game.default[1],
        "example": game.example,
        "levels": [{"name": level.name, "player": str(level)} for level in levels(start)],
        "methods": [_method(name) for name in (*suiting, "best")],
    }


def _method(name: str) -> dict[str, Any]:
    method = method_of(name)
    known = {part.name for part in fields(method)}
    sliders = [
        {"name": name, "value": value, "least": low, "most": high, "multiplies": multiplies}
        for name, (low, high, multiplies) in SLIDERS.items()
        if name in known and isinstance(value := getattr(method, name), int | float)
    ]
    return {
        "name": name,
        "text": repr(method),
        "tree": method.grows_tree,
        "playouts": method.plays_out,
        "sliders": sliders,
    }


def position(shown: Position) -> dict[str, Any]:
    """A position with its board and its legal moves."""
    board, game = shown.board, game_of(shown)
    assert game is not None
    legal = [] if shown.is_over else list(shown.legal_moves)
    values = evaluations(shown) if legal else {}
    return {
        "game": game.name,
        "line": shown.fen,
        "start": root_of(shown).fen,
        "moves": [str(move) for move in shown.history],
        "turn": shown.turn,
        "sides": game.sides,
        "caption": board.caption,
        "rows": board.rows,
        "ranks": board.ranks,
        "files": list(board.files),
        "colours": board.colours,
        "marked": sorted(board.marked),
        "counts": [sum(row.count(side[0]) for row in board.rows) for side in game.sides],
        "result": shown.result,
        "legal": [
            {
                "move": str(move),
                "squares": squares_named(board, move),
                "evaluation": values.get(str(move)),
            }
            for move in legal
        ],
    }


def evaluations(shown: Position) -> dict[str, float]:
    """What the package's evaluation expects after each move, if it predicts results."""
    evaluator = compiled(None, shown) if predicts_results(shown) else None
    if not isinstance(evaluator, Evaluator):
        return {}
    found = {}
    for move, after in zip(shown.legal_moves, shown.children(), strict=True):
        points = evaluate(after) * (1.0 if after.turn == shown.turn else -1.0)
        bounded = max(-CERTAIN, min(CERTAIN, points / evaluator.scale))
        found[str(move)] = 1.0 / (1.0 + math.exp(-bounded))
    return found


def result(found: Result) -> dict[str, Any]:
    """A result or a snapshot, with the lines of its best moves. Values are the mover's."""
    rows = as_rows(found.moves)
    best = variations(found, LINES)
    lines = {
        line.moves[0]: [str(move) for move in line.moves[:PLIES]] for line in best if line.moves
    }
    return {
        "method": repr(found.method),
        "move": str(found.move),
        "value": found.value,
        "playouts": found.playouts,
        "nodes": found.nodes,
        "depth": found.depth,
        "seconds": found.seconds,
        "reason": found.reason,
        "points": not found.method.plays_out and not 0.0 <= found.value <= 1.0,
        "moves": [_row(found, row, lines) for row in rows],
    }


def _row(found: Result, row: dict[str, Any], lines: dict[str, list[str]]) -> dict[str, Any]:
    """The row of a move: the method's columns, its value, and where that comes from."""
    known = {name: plain(value) for name, value in row.items()}
    source = next((name for name in found.method.values if known.get(name) is not None), "")
    if not found.method.plays_out:
        source = "proven" if known.get("proven") is not None else "value"
    error = known.get("stderr")
    return known | {
        "worth": known["value"] if source == "value" else found.method.worth(row),
        "source": source,
        "error": None if error is None or source != "mean" else SURE * error,
        "line": lines.get(str(row["move"]), [str(row["move"])]),
    }
