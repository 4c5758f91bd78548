"""`playout review` and `playout web`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import playout as po
from playout.exchange import of_position, written
from playout.formats import write_ggf
from support.commands import fault, playout, timeless


@pytest.fixture
def ggf(tmp_path: Path) -> Path:
    position = po.Othello(6)
    for move in po.playout(position, seed=4).moves:
        position.push(move)
    path = tmp_path / "game.ggf"
    path.write_text(write_ggf(position, {"PB": "Ann", "PW": "Bob"}))
    return path


def test_a_ggf_game(ggf: Path) -> None:
    ran = playout("review", str(ggf), "--playouts", "100", "--seed", "1")
    assert ran.code == 0, ran.err
    assert "Othello 6x6, black" in ran.out
    assert "move  played  best    loss" in ran.out
    assert "for certain" in ran.out
    assert timeless(playout(*ran.again).out) == timeless(ran.out)


def test_the_page_and_json(ggf: Path, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    words = ["review", str(ggf), "-n", "50", "--nodes", "1000", "--seed", "1"]
    ran = playout(*words, "--html", str(page), "--json")
    found = json.loads(ran.out)
    assert found["kind"] == "playout review"
    assert found["command"].startswith("playout review")
    assert page.read_text().startswith("<!doctype html>")


def test_standard_input_with_moves_alone() -> None:
    ran = playout("review", "-", "-g", "othello", "-n", "50", "--seed", "1", stdin="f5d6c3")
    assert "3 moves by" in ran.out


def test_a_record_of_the_terminal(tmp_path: Path) -> None:
    game = po.Breakthrough(4)
    for move in po.playout(game, seed=1).moves:
        game.push(move)
    path = tmp_path / "game.json"
    path.write_text(written(of_position(game))["JSON"])
    assert "has won" in playout("review", str(path), "-n", "50", "--seed", "1").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no-such-file"], "no-such-file: there is no such file"),
        (["."], ". cannot be read"),
        (["-", "-g", "othelo"], "--game must be one of"),
        (["-"], "is no game"),
    ],
)
def test_wrong_input(words: list[str], message: str) -> None:
    assert message in fault("review", *words, stdin="hello")


def test_web_without_its_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playout.web.server", None)
    assert 'pip install "playout[web]"' in fault("web", "--no-open")


def test_web_prints_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    server = pytest.importorskip("playout.web.server")
    opened: list[Any] = []
    monkeypatch.setattr(server.Server, "run", lambda self: self.close())
    monkeypatch.setattr("webbrowser.open", opened.append)
    ran = playout("web", "-g", "othello", "--moves", "f5d6", "--seed", "3", "--method", "rave")
    assert ran.code == 0, ran.err
    (address,) = opened
    assert address in ran.out
    assert address.startswith("http://127.0.0.1:")
    assert "token=" in address
    assert address.endswith("&moves=f5+d6&method=rave&seed=3")
    playout("web", "--no-open")
    assert len(opened) == 1
    playout("web", "--view", "inside")
    assert opened[1].endswith("&view=inside")


def test_web_refuses_a_wrong_position() -> None:
    assert "did you mean 'othello'?" in fault("web", "-g", "othelo", "--no-open")


def test_web_refuses_a_game_that_it_cannot_show() -> None:
    ran = playout("web", "--no-open", "-g", "support.noughts:Noughts")
    assert ran.code == 2
    assert "the page knows breakthrough, othello, connect-four" in ran.err
