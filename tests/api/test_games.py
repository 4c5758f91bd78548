"""Each game has a complete and correct entry in the registry."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import pytest

import mcts_core.games
import playout as po
import playout.reference as ref
from mcts_core.games.python_game import PythonPosition
from playout.cli.positions import position_from
from playout.games import DEFAULT, GAMES, Game, game_of
from playout.methods import TreeMethod
from support.helpers import random_game
from support.searching import BY_PLAYOUTS

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def test_every_compiled_game_has_an_entry() -> None:
    for module in pkgutil.iter_modules(mcts_core.games.__path__, "mcts_core.games."):
        import_module(module.name)
    compiled = set(po.Position.__subclasses__()) - {PythonPosition}
    ours = {kind for kind in compiled if kind.__module__.startswith("mcts_core.games.")}
    assert ours == {game.position for game in GAMES.values()}


@games
def test_a_game_is_exported_and_has_a_twin(game: Game) -> None:
    assert getattr(po, game.position.__name__) is game.position
    assert issubclass(game.twin, ref.BoardPosition)
    size, known = game.perft
    start = game.start(*size)
    assert game_of(start) is game
    assert type(ref.position(start)) is game.twin
    assert [ref.perft(ref.position(start), depth) for depth in (1, 2)] == known[:2]


@games
def test_a_game_says_how_it_is_played(game: Game) -> None:
    assert game.rules.endswith(".")
    assert len(game.rules) < 250  # for a beginner, at a glance


@games
@pytest.mark.parametrize("method", BY_PLAYOUTS)
def test_searches_are_those_of_the_twin(game: Game, method: str) -> None:
    """Equal visit for visit, with random and guided playouts, and with the solver."""
    size, _ = game.perft
    start = game.start(*size)
    solver = BY_PLAYOUTS[method].grows_tree
    for seed, policy in enumerate(("random", "guided")):
        ours = po.search(start, method, playouts=60, seed=seed, policy=policy, solver=solver)
        twin = ref.search(start, method, playouts=60, seed=seed, policy=policy, solver=solver)
        assert ours.move == twin.move
        visits = dict(zip(ours.moves["move"].tolist(), ours.moves["visits"].tolist(), strict=True))
        assert visits == {row.move: row.visits for row in twin.moves}


@games
@pytest.mark.parametrize("kind", [kind for kind in BY_PLAYOUTS.values() if kind.grows_tree])
def test_threads_and_lanes(game: Game, kind: type[TreeMethod]) -> None:
    """A search on threads counts every playout; a search with lanes is repeatable."""
    start = game.start(*game.default)
    found = po.search(start, kind(), playouts=3000, seed=1, threads=2)
    assert found.playouts == found.moves["visits"].sum() == 3000
    first, second = (po.search(start, kind(lanes=8), playouts=3000, seed=1) for _ in range(2))
    assert first.moves.tobytes() == second.moves.tobytes()


@games
def test_lines_tell_their_game(game: Game) -> None:
    """Each game recognises its own lines of text and no others."""
    assert game.read(game.example).fen.lower().startswith(game.example.split()[0].lower())
    for size in {game.default, *game.benchmarks}:
        for position in random_game(game.start(*size), seed=1):
            takers = [name for name, each in GAMES.items() if each.line.match(position.fen)]
            assert takers == [game.name]
            assert position_from(position=position.fen) == position


@games
def test_moves_in_one_text(game: Game) -> None:
    start = game.start(*game.default)
    played = game.play(start, game.example_moves)
    assert len(played.history) > 1
    assert start.history == ()
    assert game.play(start, " ".join(played.history)) == played
    for wrong in ("z9z9", f"{game.example_moves} z9z9"):
        with pytest.raises((po.IllegalMove, po.BadPosition), match=r"(move|column) [0-9]+: "):
            game.play(start, wrong)


@games
def test_colours_are_those_of_the_board(game: Game) -> None:
    """The caption of a board names the side to move as the registry does."""
    position = game.start(*game.default)
    for turn in (0, 1):
        assert position.turn == turn
        assert f"{game.sides[turn]} to move" in position.board.caption
        position.push(position.legal_moves[0])


def test_other_positions_have_no_entry() -> None:
    assert game_of("a2a3") is None
    assert DEFAULT.name == "breakthrough"
