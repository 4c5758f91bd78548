"""A review as text, and as HTML with the graph of the game and a board for each mistake."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from mcts_core.board import squares_named
from playout.render import board as pictures
from playout.render import chart
from playout.render import text as render
from playout.render.html import cell, table

if TYPE_CHECKING:
    from playout.reviewing import Review, Reviewed

HEADS = ("move", "played", "worth", "best", "worth of best", "loss", "")
KEY = "Blue: what was played. Orange: the best move."
PICTURES = 12  # mistakes drawn
STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "figure{display:inline-block;margin:0 1.5rem 1.5rem 0;max-width:20rem;vertical-align:top}"
    "svg{max-width:100%;height:auto}"
)


def text(review: Review) -> str:
    """The losses, the largest first, and a line for each side."""
    lines = [_title(review), *_summary(review)]
    worst = review.worst
    if worst:
        lines += ["", "move  played  best    loss"]
    for move in worst:
        sure = ", for certain" if move.exact else ""
        lines.append(
            f"{move.number:<5} {move.move:<7} {move.best:<7} {move.loss:.3f}  {move.word}{sure}"
        )
    return "\n".join(lines)


def _title(review: Review) -> str:
    first, second = review.record.players
    sides = review.record.game.sides
    outcome = review.record.outcome or "not finished"
    return (
        f"{render.place(review.record.position).split(',')[0]}, {sides[0]} {first}, "
        f"{sides[1]} {second}: {outcome}"
    )


def _summary(review: Review) -> Iterator[str]:
    """For each side the mean loss and the number of faults."""
    for turn, side in enumerate(review.record.game.sides):
        own = [move for move in review.moves if move.position.turn == turn]
        if own:
            mean = sum(move.loss for move in own) / len(own)
            words = [move.word for move in own]
            counts = ", ".join(
                f"{words.count(word)} {word}{'s' if words.count(word) != 1 else ''}"
                for word in ("blunder", "mistake")
            )
            yield f"{side}: mean loss {mean:.3f}, {counts}"
    exact = sum(move.exact for move in review.moves)
    in_book = sum(move.in_book for move in review.moves)
    yield (
        f"{len(review.moves)} moves by {review.method!r} in "
        f"{render.seconds_text(review.seconds)}, {exact} of them exact"
        + (f", {in_book} by the book" if in_book else "")
    )


def html(review: Review, top: int = 3) -> str:
    """The graph, the mistakes with their boards, and all moves. `top`: the level of the title."""
    worst = review.worst
    boards = "".join(_figure(move) for move in worst[:PICTURES])
    rows = ["".join(_cells(move)) for move in review.moves]
    head = [cell("th", escape(name), "move") for name in HEADS]
    return (
        _heading(top, _title(review))
        + "".join(f"<p>{escape(line)}</p>" for line in _summary(review))
        + graph(review)
        + (_heading(top + 1, "Losses, the largest first") if boards else "<p>No mistakes.</p>")
        + (f"<p>{KEY}</p>{boards}" if boards else "")
        + _heading(top + 1, "All moves")
        + '<div style="overflow-x:auto">'
        + table(head, [f"<tr>{row}</tr>" for row in rows])
        + "</div>"
    )


def _heading(level: int, words: str) -> str:
    return f"<h{level}>{escape(words)}</h{level}>"


def page(review: Review) -> str:
    """The same as a complete page."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(_title(review))}</title><style>{STYLE}</style></head>"
        f"<body>{html(review, 1)}</body></html>\n"
    )


def graph(review: Review) -> str:
    """The first player's value from move to move."""
    values = review.values
    curve = chart.Curve([float(ply) for ply in range(len(values))], values)
    first = review.record.game.sides[0]
    return chart.svg(curve, f"expected result of {first}", "moves played", [(0.5, "even")])


def _figure(move: Reviewed) -> str:
    """The position with the move that was played and the better one."""
    board = render.board_of(move.position)
    if board is None:
        return ""
    arrows = [
        pictures.Arrow(squares_named(board, move.move), 0.4, title=f"played: {move.move}"),
        pictures.Arrow(squares_named(board, move.best), 0.4, True, f"best: {move.best}"),
    ]
    why = f" {move.best}: {'; '.join(move.why)}." if move.why else ""
    sure = " for certain" if move.exact else ""
    return (
        f"<figure>{pictures.svg(board, arrows)}<figcaption><b>{escape(move.number)} "
        f"{escape(move.move)}</b>, a loss of {move.loss:.2f}{sure}. Better: "
        f"<b>{escape(' '.join(move.line[:6]))}</b>.{escape(why)}</figcaption></figure>"
    )


def _cells(move: Reviewed) -> list[str]:
    sure = " (exact)" if move.exact else " (book)" if move.in_book else ""
    texts = [
        *(move.number, str(move.move), f"{move.after:.3f}", str(move.best)),
        *(f"{move.before:.3f}", f"{move.loss:.3f}", move.word + sure),
    ]
    return [cell("td", escape(text), "move") for text in texts]
