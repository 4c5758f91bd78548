"""What the page is told: positions, searches, steps of the twin, reviews, games in and out."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import pytest

pytest.importorskip("starlette")

import playout as po
from playout.arena.levels import RANKS
from playout.games import GAMES
from playout.web.answers import QUICK, SEARCHES, STREAMS
from playout.web.asking import MEMORY, Asked

ANSWERS = QUICK | SEARCHES

SMALL: dict[str, Any] = {"game": "breakthrough", "rows": 4, "columns": 4, "seed": 1}
NAMES = list(GAMES)


def answer(name: str, **parts: Any) -> dict[str, Any]:
    """The answer as the page reads it."""
    return json.loads(json.dumps(ANSWERS[name](Asked(parts)), allow_nan=False))  # type: ignore[no-any-return]


def events(name: str, **parts: Any) -> list[dict[str, Any]]:
    found = STREAMS[name](Asked(parts)).events
    return [json.loads(json.dumps(event, allow_nan=False)) for event in found]


def test_every_game_of_the_registry_is_there() -> None:
    found = answer("games")["games"]
    assert [game["name"] for game in found] == NAMES
    for game in found:
        assert {level["name"] for level in game["levels"]} >= set(RANKS)
        assert {"uct", "rave", "grave"} <= {method["name"] for method in game["methods"]}


@pytest.mark.parametrize("name", NAMES)
def test_a_position_of_every_game(name: str) -> None:
    start = GAMES[name].start(*GAMES[name].default)
    found = answer("position", game=name)
    assert found["line"] == start.fen
    assert [each["move"] for each in found["legal"]] == list(start.legal_moves)
    assert all(each["squares"] for each in found["legal"])
    after = answer("position", game=name, moves=[found["legal"][0]["move"]])
    assert after["turn"] == 1
    assert after["start"] == start.fen
    assert after["marked"]


@pytest.mark.parametrize("name", NAMES)
def test_an_edited_board_is_the_position_it_shows(name: str) -> None:
    position = GAMES[name].start(*GAMES[name].default)
    for move in po.playout(position, seed=1).moves[:9]:
        position.push(move)
    found = answer("edited", game=name, board=list(position.board.rows), turn=position.turn)
    assert found["line"] == position.fen


def test_an_edited_board_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="rows"):
        answer("edited", game="breakthrough", board=["ww"], turn=0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", ["beginner", "uct@50", "rave@50", "alphabeta@50n", "best@50"])
def test_a_move_of_a_player(name: str, method: str) -> None:
    found = answer("move", game=name, method=method, seed=1)
    again = answer("move", game=name, method=method, seed=1)
    assert found["position"]["moves"] == [found["result"]["move"]]
    assert again["position"] == found["position"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", ["flat", "ucb", "amaf", "uct", "rave", "grave", "alphabeta"])
def test_an_analysis_has_a_value_for_every_move(name: str, method: str) -> None:
    found = events(
        "analysed",
        game=name,
        method=f"{method}@200" if method != "alphabeta" else "AlphaBeta(depth=2)",
        seed=1,
    )[-1]
    legal = GAMES[name].start(*GAMES[name].default).legal_moves
    assert sorted(row["move"] for row in found["moves"]) == sorted(legal)
    for row in found["moves"]:
        assert row["line"][0] == row["move"]
        assert row["source"] in ("proven", "mean", "amaf_mean", "value", "")
        assert row["source"] != "mean" or row["worth"] == row["mean"]


def test_an_analysis_is_repeatable() -> None:
    first, second = (events("analysed", **SMALL, method="rave@500", every=100) for _ in range(2))
    assert [each["moves"] for each in first] == [each["moves"] for each in second]
    assert [each["playouts"] for each in first] == [100, 200, 300, 400, 500]


def test_an_analysis_says_what_is_proven() -> None:
    found = events("analysed", game="breakthrough", start="..b/.w./.../..w w", method="uct@500")[-1]
    assert found["moves"][0]["source"] == "proven"
    assert found["moves"][0]["worth"] == 1.0


def test_evaluations_are_those_of_the_package() -> None:
    found = answer("position", game="breakthrough")
    values = [each["evaluation"] for each in found["legal"]]
    assert all(0.3 < value < 0.7 for value in values)
    without = answer("position", game="othello", rows=4, columns=4)
    assert without["legal"][0]["evaluation"] is None


def test_the_evaluation_of_a_move_that_wins_is_certain() -> None:
    found = answer(
        "position", game="breakthrough", rows=5, columns=5, start=".b.../w..../...../...../....w w"
    )
    values = {each["move"]: each["evaluation"] for each in found["legal"]}
    assert values["a4a5"] == pytest.approx(1.0)


# Inside


@pytest.mark.parametrize("method", ["uct", "rave", "grave", "ucttuned", "UCT(c=1.0)"])
def test_steps_are_those_of_the_engine(method: str) -> None:
    """After n steps the twin has the visits of the compiled search."""
    found = answer("steps", **SMALL, method=method, steps=150)
    result = po.search(po.Breakthrough(4), method, playouts=150, seed=1)
    visits = dict(zip(found["moves"], (row[0] for row in found["steps"][-1]["root"]), strict=True))
    assert visits == dict(
        zip(result.moves["move"].tolist(), result.moves["visits"].tolist(), strict=True)
    )


@pytest.mark.parametrize("name", ["othello", "breakthrough", "connect-four"])
def test_the_strongest_is_what_the_library_has(name: str) -> None:
    """By a limit in seconds alone: one in playouts would make `best` choose another method."""
    found = answer("move", game=name, method="best@0.05s")["result"]
    assert found["method"] == "AlphaBeta()"
    *_, last = events("analysed", game=name, method="best", seconds=0.1)
    assert last["method"] == "AlphaBeta()"


def test_a_step_has_its_four_phases() -> None:
    steps = answer("steps", **SMALL, method="uct", steps=40)["steps"]
    assert steps[0]["grown"]
    deep = next(step for step in steps if len(step["path"]) > 1)
    start = po.Breakthrough(4)
    for move in deep["path"]:
        start.push(move)
    assert list(start.board.rows) == deep["leaf"]
    for move in deep["playout"]:
        start.push(move)
    assert list(start.board.rows) == deep["end"]
    assert start.result == deep["result"]
    chosen = [next(row for row in each["moves"] if row["chosen"]) for each in deep["choices"]]
    assert [row["move"] for row in chosen] == deep["path"]
    best = deep["choices"][0]["moves"]
    assert best[0]["score"] == max(row["score"] for row in best)
    assert best[0]["score"] == pytest.approx(best[0]["mean"] + best[0]["bonus"])


def test_a_choice_of_rave_shows_both_means() -> None:
    steps = answer("steps", **SMALL, method="rave", steps=60)["steps"]
    row = steps[-1]["choices"][0]["moves"][0]
    mixed = (1 - row["beta"]) * row["mean"] + row["beta"] * row["amaf"]
    assert row["score"] == pytest.approx(mixed)


def test_exact_values() -> None:
    found = answer("exact", game="othello", rows=4, columns=4)["values"]
    assert found == dict.fromkeys(po.Othello(4).legal_moves, 0.0)
    assert answer("exact", game="othello", nodes=100)["values"] is None


# Teaching and reviews


def test_a_hint_gives_its_reasons() -> None:
    found = answer("hint", game="breakthrough", start="..b/.w./.../..w w")
    assert found["move"] in ("b3b4", "b3a4", "b3c4")
    assert found["reasons"] == ["wins at once: it ends the game"]


def test_a_move_is_judged() -> None:
    parts = {"game": "breakthrough", "start": "..b/.w./.../..w w"}
    missed = answer("judged", **parts, moves=["c1b2"])
    assert missed["word"] in ("blunder", "best")
    assert "misses a move that wins at once" in missed["played"]
    assert answer("judged", **parts, moves=["b3b4"])["loss"] == 0.0


def test_a_review_comes_bit_by_bit() -> None:
    moves = list(po.playout(po.Breakthrough(4), seed=5).moves)
    *steps, last = events("reviewed", **SMALL, moves=moves, playouts=100)
    assert [step["done"] for step in steps] == list(range(1, len(moves) + 1))
    assert [move["move"] for move in last["review"]["moves"]] == moves
    page = answer("page", **SMALL, moves=moves, playouts=100)
    assert page["html"].startswith("<!doctype html>")
    assert json.loads(page["json"])["values"] == last["review"]["values"]


# Games in and out


@pytest.mark.parametrize("name", NAMES)
def test_every_form_of_a_game_is_read_again(name: str) -> None:
    start = GAMES[name].start(*GAMES[name].default)
    moves = [str(move) for move in po.playout(start, seed=2).moves[:8]]
    shown = answer("position", game=name, moves=moves)
    texts = answer("write", game=name, moves=moves, players=["Ann", "Bob"])["texts"]
    assert {"PGN", "JSON", "SGF", "line", "moves"} <= set(texts)
    for form, text in texts.items():
        found = answer("read", game=name, text=text)
        assert found["position"]["line"] == shown["line"], form
        if form in ("PGN", "JSON", "SGF"):
            assert found["players"] == ["Ann", "Bob"]
    assert ("GGF" in texts) == (name == "othello")


def test_a_text_that_is_no_game() -> None:
    with pytest.raises(ValueError, match="is no game: give the JSON"):
        ANSWERS["read"](Asked({"text": "hello"}))


# Bounds


def test_the_limits_of_a_player_are_cut_to_ours() -> None:
    asked = Asked(SMALL | {"method": "uct@2000000000"})
    player = asked.player(asked.position)
    assert player.limit.playouts == 5_000_000
    assert player.limit.seconds == 60.0
    assert player.memory == MEMORY


def test_without_a_limit_there_is_one() -> None:
    asked = Asked(SMALL | {"method": "AlphaBeta"})
    assert asked.player(asked.position).limit.nodes == 50_000_000


def test_the_command_knows_the_views_of_the_page() -> None:
    from playout.cli.web import VIEWS

    main = files("playout.web").joinpath("static/main.js").read_text()
    listed = re.search(r"const VIEWS = \{(.*)\}", main)
    assert listed is not None
    assert tuple(re.findall(r"(\w+): ", listed[1])) == VIEWS
