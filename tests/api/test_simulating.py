"""`po.simulations`: what each simulation of a tree search did, in four pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

import playout as po
from support.helpers import Heap

ENDING = "..bb/.w../..../ww.. w"  # white wins soon, so walks reach the end of the game


def run_of(
    method: str = "uct", n: int = 60, start: po.Position | None = None
) -> list[po.Simulation]:
    return po.simulations(start or po.Breakthrough(4), method, n=n, seed=1)


def test_walk_playout_and_result_are_one_game() -> None:
    for each in run_of():
        game = each.position.copy()
        for move in each.path:
            game.push(move)
        assert game == each.leaf
        for move in each.playout:
            game.push(move)
        assert game == each.end
        assert game.result == each.result


def test_each_walk_leaves_the_tree_at_its_last_move() -> None:
    run = run_of()
    tree = {run[0].position}
    for each in run:
        before = each.leaf.copy()
        before.pop()
        assert before in tree
        assert each.leaf not in tree
        assert each.grown == (not each.leaf.is_over)
        if each.grown:
            tree.add(each.leaf)
        assert each.earlier == run[: each.number - 1]


def test_what_is_known_is_not_played_out() -> None:
    run = run_of(start=po.Breakthrough.from_fen(ENDING), n=200)
    ended = [each for each in run if not each.grown]
    assert ended
    for each in ended:
        assert len(each.playout) == 0
        assert each.leaf.is_over


def test_moves_before_the_position_are_left_out() -> None:
    game = po.Breakthrough(4)
    game.push("a2b3")
    (only,) = run_of(start=game, n=1)
    assert len(only.position.history) == 0
    assert len(only.path) == 1


@pytest.mark.parametrize(
    "start", [po.Breakthrough(5), po.Othello(6), po.ConnectFour(4, 4)], ids=str
)
def test_amaf_counts_the_moves_that_the_engine_counts(start: po.Position) -> None:
    run = po.simulations(start, "rave", n=30, seed=1)
    before: dict[str, int] = dict.fromkeys(map(str, start.legal_moves), 0)
    for each in run:
        rows = po.search(start, "rave", playouts=each.number, seed=1).moves
        after = dict(zip(rows["move"].tolist(), rows["amaf_visits"].tolist(), strict=True))
        assert {move for move in after if after[move] > before[move]} == set(map(str, each.amaf))
        before = after


def test_the_picture_of_rave_says_what_amaf_counts() -> None:
    *_, last = run_of("rave", 30, po.Breakthrough(5))
    words = " ".join(line.text or "" for line in ElementTree.fromstring(last._repr_svg_()).iter())
    assert f"AMAF counts it for {last.amaf[1]}" in " ".join(words.split())
    *_, plain = run_of("uct", 30, po.Breakthrough(5))
    assert "AMAF" not in plain._repr_svg_()


@pytest.mark.parametrize("start", [po.Breakthrough(5), po.Othello(6), po.ConnectFour()], ids=str)
def test_the_picture(start: po.Position) -> None:
    """Four times the tree and a board; what is not lit in the first picture is the new node."""
    *_, last = run_of("grave", 30, start)
    picture = ElementTree.fromstring(last._repr_svg_())
    phases = picture.findall("./{*}g")
    titles = [phase.findtext("{*}text") for phase in phases]
    assert titles == ["1 Selection", "2 Expansion", "3 Playout", "4 Backup"]
    lit = [len(phase.findall("{*}circle[@class='lit']")) for phase in phases]
    assert lit == [len(last.path), *[len(last.path) + 1] * 3]
    assert [len(phase.findall("{*}g/{*}svg")) for phase in phases] == [1, 1, 1, 1]
    visits = [phase.findtext("{*}text[@class='visits']") for phase in phases]
    assert visits == ["29", "29", "29", "30"]


def test_the_picture_of_a_game_that_has_ended_in_the_tree() -> None:
    run = run_of(start=po.Breakthrough.from_fen(ENDING), n=200)
    picture = next(each for each in run if not each.grown)._repr_svg_()
    words = " ".join(line.text or "" for line in ElementTree.fromstring(picture).iter())
    assert "The game ends here, so nothing is added." in words


def test_a_value_of_an_evaluation_is_no_win() -> None:
    method = po.UCT(cut=0, evaluation="rows")
    (only,) = po.simulations(po.Breakthrough(5), method, n=1, seed=1)
    assert only.result not in (0.0, 0.5, 1.0)
    words = picture_words(only)
    assert f"an evaluation of {only.result:.2f} for white." in words
    assert "wins" not in words


def test_one_random_move_is_one() -> None:
    run = run_of(start=po.Breakthrough.from_fen(ENDING), n=200)
    short = next(each for each in run if len(each.playout) == 1)
    assert "One random move is played: " in picture_words(short)


def picture_words(simulation: po.Simulation) -> str:
    lines = ElementTree.fromstring(simulation._repr_svg_()).iter()
    return " ".join(" ".join(line.text or "" for line in lines).split())


def test_what_cannot_be_shown_is_refused() -> None:
    with pytest.raises(po.BadMethod, match="grows no tree"):
        run_of("flat")
    with pytest.raises(ValueError, match="n must be"):
        run_of(n=0)
    with pytest.raises(po.BadPosition, match="has no twin"):
        po.simulations(Heap(5), "uct", n=1)  # type: ignore[arg-type]
    with pytest.raises(po.BadPosition, match="over"):
        run_of(start=po.Breakthrough.from_fen("w.../.b../..../.... b"))
