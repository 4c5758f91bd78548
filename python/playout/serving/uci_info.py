"""What a search tells a UCI program: `info` lines and `bestmove`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcts_core.position import Position
from playout.notation import NULL, uci_move
from playout.result import Result
from playout.serving.scores import Variation, depth_of, variations

NO_MOVE = f"bestmove {NULL}"


def info_lines(result: Result, lines: int) -> Iterator[str]:
    """A line for each of the best moves, as many as asked for."""
    depth = depth_of(result)
    work = result.playouts if result.method.plays_out else result.nodes
    rate = round(work / max(result.seconds, 1e-3))
    for number, found in enumerate(variations(result, lines), 1):
        yield (
            f"info depth {depth} seldepth {max(depth, len(found.moves))} multipv {number} "
            f"score {score(found)} nodes {work} nps {rate} time {round(result.seconds * 1000)} "
            f"pv {' '.join(uci_line(result.position, found.moves))}"
        )


def score(found: Variation) -> str:
    """The value of a move."""
    if found.mate is not None:
        return f"mate {found.mate}"
    return f"cp {found.centipawns if found.certain is None else 0}"


def uci_line(position: Position, line: Sequence[str]) -> Iterator[str]:
    """The moves of a line as UCI writes them."""
    after = position.copy()
    for move in line:
        yield uci_move(after, move)
        after.push(move)


def best_move(result: Result) -> str:
    """`bestmove`, and the answer that is expected."""
    move, *answer = uci_line(result.position, [result.move, *result.pv[1:2]])
    return f"bestmove {move}" + (f" ponder {answer[0]}" if answer else "")
