"""One simulation as four pictures: selection, expansion, playout and backup.

Each picture has the tree above a board. The tree is that of the simulations before; in the last
picture the result is counted. Colours are readable on light and dark pages.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from mcts_core.board import Board, squares_named
from playout.games import game_of
from playout.render import board as pictures

if TYPE_CHECKING:
    from playout.simulating import Simulation

WIDTH, GAP = 250, 16  # pixels: a picture, and the space between two
TOP = 44  # above the root: the title
LEVEL, LEAF = 58, 38  # between two levels of the tree, and between two leaves
LEAVES = 6  # drawn side by side
ROLL = 62  # below the tree: the random game and its result
BOARD = 190  # the width of the board
LINE, LETTERS = 16, 36  # the height of a line of words, and its length in letters
LARGEST, NAME = 13, 16  # the radius of the root; the height of a node's move below it
INK, QUIET = "#7d8590", "#9aa7b0"
SELECT, GROW, ROLLING, BACK = "#2f8fe0", "#2f9e44", "#d9822b", "#b25bb0"


@dataclass
class _Branch:
    """A node of the tree: how often walks came through it, and won for the player who moved."""

    path: tuple[str, ...] = ()
    visits: int = 0
    wins: float = 0.0
    below: dict[str, _Branch] = field(default_factory=dict)
    x: float = 0.0  # leaves from the node's leftmost one

    def along(self, path: Iterable[str]) -> Iterator[_Branch]:
        """The nodes of a walk, this one first. Missing ones are added without visits."""
        node = self
        yield node
        for move in path:
            node = node.below.setdefault(move, _Branch((*node.path, move)))
            yield node

    def count(self, path: Iterable[str], results: tuple[float, float]) -> None:
        """Count a walk. `results`: of the player to move at the root, and of the other."""
        for node in self.along(path):
            node.visits += 1
            node.wins += results[(len(node.path) + 1) % 2]

    def shown(self, least: int, kept: frozenset[tuple[str, ...]]) -> list[_Branch]:
        """The children with `least` visits or more, and those of the walk, as they were added."""
        children = self.below.values()
        return [each for each in children if each.visits >= least or each.path in kept]


class _Phase(NamedTuple):
    """What one picture shows."""

    title: str
    colour: str
    words: str
    walk: tuple[str, ...]  # drawn in colour
    board: Board
    arrows: list[pictures.Arrow]


def svg(simulation: Simulation) -> str:
    """The four pictures side by side."""
    path = tuple(map(str, simulation.path))
    before, after = _tree(simulation.earlier), _tree([*simulation.earlier, simulation])
    for _ in before.along(path):
        pass
    kept = frozenset(path[:length] for length in range(len(path) + 1))
    least = next(n for n in range(1, before.visits + 2) if _leaves(before, n, kept) <= LEAVES)
    deepest = max(_levels(before, least, kept), len(path))
    board_top = TOP + LARGEST + deepest * LEVEL + ROLL
    drawn = [
        _picture(index, phase, after if index == 3 else before, least, kept, board_top, simulation)
        for index, phase in enumerate(_phases(simulation, path))
    ]
    width = 4 * WIDTH + 3 * GAP
    height = max(height for _, height in drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" '
        f'width="{width}" height="{height:g}" role="img" font-family="sans-serif" font-size="12" '
        f'fill="{INK}" aria-label="Simulation {simulation.number} in four phases">'
        + "".join(picture for picture, _ in drawn)
        + "</svg>"
    )


def _phases(simulation: Simulation, path: tuple[str, ...]) -> list[_Phase]:
    """The four phases in words."""
    root, leaf, end = simulation.position, simulation.leaf, simulation.end
    number, n = simulation.number, len(simulation.playout)
    game = game_of(root)
    assert game is not None  # only games of the package have twins with boards
    walk = " ".join(path)
    result = _outcome(simulation, game.sides)
    added = f"{path[-1]} leads out of the tree: its position becomes a new node."
    played = "One random move is played" if n == 1 else f"Both sides play {n} random moves"
    arrows = [pictures.Arrow(squares_named(root.board, path[0]), 0.4)]
    return [
        _Phase(
            "1 Selection",
            SELECT,
            f"Simulation {number} follows the highest score, position after position: {walk}.",
            path[:-1] if simulation.grown else path,
            root.board,
            arrows,
        ),
        _Phase(
            "2 Expansion",
            GROW,
            added if simulation.grown else "The game ends here, so nothing is added.",
            path,
            leaf.board,
            [],
        ),
        _Phase(
            "3 Playout",
            ROLLING,
            f"{played if n else 'The result is known here'}: {result}.",
            path,
            end.board,
            [],
        ),
        _Phase(
            "4 Backup",
            BACK,
            f"Every node of the walk counts a visit and the result.{_amaf(simulation, path)}",
            path,
            root.board,
            arrows,
        ),
    ]


def _outcome(simulation: Simulation, sides: tuple[str, str]) -> str:
    """The result in words. Only an evaluation gives other values than those of finished games."""
    result = simulation.result
    if result not in (0.0, 0.5, 1.0):
        return f"an evaluation of {result:.2f} for {sides[0]}"
    return "a draw" if result == 0.5 else f"{sides[result == 0]} wins"


def _amaf(simulation: Simulation, path: tuple[str, ...]) -> str:
    """What AMAF counts besides, if the method has it."""
    later = [str(move) for move in simulation.amaf if move != path[0]]
    if not later or "amaf" not in simulation.choices[0]["moves"][0]:
        return ""
    return f" At the root AMAF counts it for {', '.join(later)} too, which came later."


# The tree


def _tree(simulations: Iterable[Simulation]) -> _Branch:
    root = _Branch()
    for each in simulations:
        own = each.result if each.position.turn == 0 else 1.0 - each.result
        root.count(map(str, each.path), (own, 1.0 - own))
    return root


def _leaves(node: _Branch, least: int, kept: frozenset[tuple[str, ...]]) -> int:
    return sum(_leaves(each, least, kept) for each in node.shown(least, kept)) or 1


def _levels(node: _Branch, least: int, kept: frozenset[tuple[str, ...]]) -> int:
    return max((1 + _levels(each, least, kept) for each in node.shown(least, kept)), default=0)


def _place(node: _Branch, least: int, kept: frozenset[tuple[str, ...]], left: float) -> float:
    """Place leaves side by side, parents above the middle. Returns the next free column."""
    children = node.shown(least, kept)
    if not children:
        node.x = left
        return left + 1
    for child in children:
        left = _place(child, least, kept, left)
    node.x = (children[0].x + children[-1].x) / 2
    return left


# The pictures


def _picture(
    index: int,
    phase: _Phase,
    root: _Branch,
    least: int,
    kept: frozenset[tuple[str, ...]],
    board_top: float,
    simulation: Simulation,
) -> tuple[str, float]:
    """One phase and its height."""
    tree = _Drawing(root, least, kept, phase)
    board, scale = pictures.svg(phase.board, phase.arrows), _scale(phase.board)
    words_top = board_top + _height(phase.board) * scale + LINE
    lines = textwrap.wrap(phase.words, LETTERS)
    parts = [
        f'<g transform="translate({index * (WIDTH + GAP)} 0)">',
        f'<text x="{WIDTH / 2:g}" y="18" text-anchor="middle" font-size="15" font-weight="bold" '
        f'fill="{phase.colour}">{phase.title}</text>',
        *tree.parts(),
        *(tree.random_game(simulation.result) if index >= 2 else ()),
        f'<g transform="translate({(WIDTH - BOARD) / 2:g} {board_top:g}) scale({scale:.4f})">',
        f"{board}</g>",
    ]
    for row, line in enumerate(lines):
        parts.append(
            f'<text x="{WIDTH / 2:g}" y="{words_top + row * LINE:g}" '
            f'text-anchor="middle">{escape(line)}</text>'
        )
    return "".join([*parts, "</g>"]), words_top + len(lines) * LINE


def _scale(board: Board) -> float:
    return BOARD / (len(board.files) * pictures.SQUARE + 2 * pictures.MARGIN)


def _height(board: Board) -> float:
    return len(board.rows) * pictures.SQUARE + 2 * pictures.MARGIN + pictures.CAPTION


class _Drawing:
    """The tree in one phase."""

    def __init__(
        self, root: _Branch, least: int, kept: frozenset[tuple[str, ...]], phase: _Phase
    ) -> None:
        columns = _place(root, least, kept, 0.0)
        self._root, self._least, self._kept, self._phase = root, least, kept, phase
        self._left = (WIDTH - (columns - 1) * LEAF) / 2
        self._lit = {phase.walk[:length] for length in range(len(phase.walk) + 1)}

    def parts(self) -> Iterator[str]:
        """Lines first, so that nodes cover their ends."""
        nodes = list(self._nodes(self._root))
        for node in nodes:
            yield from (self._line(node, child) for child in self._children(node))
        for node in nodes:
            yield self._dot(node)

    def _children(self, node: _Branch) -> list[_Branch]:
        """The children to draw; those without visits only if they are lit."""
        shown = node.shown(self._least, self._kept)
        return [each for each in shown if each.visits or each.path in self._lit]

    def _nodes(self, node: _Branch) -> Iterator[_Branch]:
        yield node
        for child in self._children(node):
            yield from self._nodes(child)

    def _at(self, node: _Branch) -> tuple[float, float]:
        return self._left + node.x * LEAF, TOP + len(node.path) * LEVEL

    def _radius(self, node: _Branch) -> float:
        return 5 + (LARGEST - 5) * math.sqrt(node.visits / max(1, self._root.visits))

    def _line(self, node: _Branch, child: _Branch) -> str:
        (x1, y1), (x2, y2) = self._at(node), self._at(child)
        y1 += self._radius(node) + NAME if node.path else 0.0
        lit = child.path in self._lit
        colour = self._phase.colour if lit else QUIET
        wide = 4.0 if lit else 1 + 5 * child.visits / max(1, self._root.visits)
        return (
            f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke="{colour}" '
            f'stroke-width="{wide:.1f}" fill="none"/>'
        )

    def _dot(self, node: _Branch) -> str:
        """A node in the colour of its mean, with its move below and its visits beside it."""
        x, y = self._at(node)
        mean = node.wins / node.visits if node.path and node.visits else None
        fill = "#8a9399" if mean is None else pictures.colour_of(mean)
        radius = self._radius(node)
        lit = node.path in self._lit
        edge, wide = (self._phase.colour, 3) if lit else ("#555", 1)
        name = node.path[-1] if node.path else ""
        return (
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.1f}" fill="{fill}" stroke="{edge}" '
            f'stroke-width="{wide}" class="{"lit" if lit else "node"}"/>'
            f'<text x="{x:g}" y="{y + radius + NAME - 4:.1f}" text-anchor="middle" font-size="11">'
            f"{escape(name)}</text>"
            f'<text x="{x + radius + 3:.1f}" y="{y - 4:g}" font-size="10" class="visits">'
            f"{node.visits or ''}</text>"
        )

    def random_game(self, result: float) -> Iterator[str]:
        """A zigzag below the last node of the walk, and the first player's result."""
        *_, leaf = self._root.along(self._phase.walk)
        x, y = self._at(leaf)
        yield (
            f'<path d="M{x:g} {y + 28:g}l7 5l-14 5l14 5l-7 4" fill="none" stroke="{ROLLING}" '
            'stroke-width="2"/>'
            f'<circle cx="{x:g}" cy="{y + 58:g}" r="10" fill="{pictures.colour_of(result)}" '
            f'stroke="{ROLLING}" stroke-width="2"/>'
            f'<text x="{x:g}" y="{y + 62:g}" text-anchor="middle" font-weight="bold" '
            f'fill="{"#111" if result == 0.5 else "#fff"}">'
            f"{'&#189;' if result == 0.5 else f'{round(result, 2):g}'}</text>"
        )
