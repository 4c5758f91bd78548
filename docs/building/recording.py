"""Pages of the lens that need no server: files with the page's own scripts and recorded answers."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import playout as po
from playout.exchange import read_game
from playout.games import game_of, root_of
from playout.web.answers import QUICK, SEARCHES, STREAMS
from playout.web.asking import Asked

HERE = Path(__file__).parent
GAME = HERE.parents[1] / "examples" / "game.ggf"
STATIC = resources.files("playout.web").joinpath("static")
IMPORT, BARE = re.compile(r'"\./(\w+)\.js"'), r'"\1"'
LOADED = re.compile(r'<(?:link rel="stylesheet"|script type="module").*\n')  # by the page itself
BEGIN = """import "main";
for (const [place, times] of Object.entries(clicks)) {
  while (!document.querySelector(place)) await new Promise((go) => setTimeout(go, 20));
  for (let n = 0; n < times; n += 1) document.querySelector(place).click();
}"""
MOST_EVENTS = 60  # kept of a stream
ANSWERS = QUICK | SEARCHES

Plain = dict[str, Any]


class Recording(NamedTuple):
    """A view of one game, and what the page asks for while it is used."""

    name: str
    view: str
    place: Plain  # the game, its start, its moves and the seed, as every request has them
    asked: list[tuple[str, Plain]]
    clicks: dict[str, int]  # what is clicked at the beginning, and how often

    @property
    def address(self) -> str:
        """The file with the fragment that opens the view."""
        place = self.place | {"moves": " ".join(self.place["moves"])}
        method = next((asked["method"] for _, asked in self.asked if "method" in asked), "uct")
        return f"{self.name}.html#{urlencode(place | {'method': method, 'view': self.view})}"


# What is recorded


def inside(name: str, position: po.Position, methods: tuple[str, str], playouts: int) -> Recording:
    """Two searches step by step, and how they converge."""
    place = _place(position)
    each = {"playouts": playouts, "every": playouts // 60, "seconds": 60}
    asked: list[tuple[str, Plain]] = [("exact", place | {"nodes": 500_000})]
    for method in methods:
        asked.append(("steps", place | {"method": method, "steps": 100}))
        asked.append(("analysed", place | {"method": method} | each))
    return Recording(name, "inside", place, asked, {"#step": 24, "[data-phase=grow]": 1})


def reviewed(name: str, game: po.Position) -> Recording:
    """A review, with the position before every move."""
    place = _place(game)
    moves = place["moves"]
    asked: list[tuple[str, Plain]] = [
        ("position", place | {"moves": moves[:ply]}) for ply in range(len(moves) + 1)
    ]
    asked.append(("reviewed", place | {"playouts": 3000}))
    asked.append(("page", place | {"playouts": 3000}))
    return Recording(name, "review", place, asked, {"#begin-review": 1})


def _place(position: po.Position) -> Plain:
    game = game_of(position)
    assert game is not None, "the page shows games of the package"
    moves = [str(move) for move in position.history]
    return {"game": game.name, "start": root_of(position).fen, "moves": moves, "seed": 1}


def recordings() -> list[Recording]:
    """The recordings of the site."""
    game = read_game(GAME.read_text(encoding="utf-8")).position
    return [
        inside("lens-inside", po.Breakthrough(5), ("uct", "rave"), 10_000),
        reviewed("lens-review", game),
    ]


# The page


def page(recording: Recording) -> str:
    """The view as one file. Its modules import each other by name, through an import map."""
    place = {name: part for name, part in recording.place.items() if name != "seed"}
    asked = [("games", {}), ("position", place), *recording.asked]
    answers = json.dumps(dict(_answered(asked)), separators=(",", ":"), allow_nan=False)
    answers = answers.replace("<", "\\u003c")  # so that no text ends the script
    sheets = "".join(_text(name) for name in ("style.css", "parts.css"))
    icon = f"data:image/svg+xml;base64,{_encoded(_text('icon.svg'))}"
    head = (
        f"<style>{sheets}header,footer{{display:none}}</style>"
        f'<script type="importmap">{json.dumps({"imports": _modules()})}</script>'
        f'<script type="application/json" id="recorded">{answers}</script>'
        f"<script>const clicks = {json.dumps(recording.clicks)};</script>"
        f'<script type="module">{BEGIN}</script>'
    )
    text = LOADED.sub("", _text("index.html"))
    return text.replace("</head>", f"{head}\n</head>").replace('"icon.svg"', f'"{icon}"')


def _text(name: str) -> str:
    return STATIC.joinpath(name).read_text(encoding="utf-8")


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _modules() -> dict[str, str]:
    """The page's scripts as addresses that hold them. `ask` is ours, the page's own is `live`."""
    texts = {
        file.name.removesuffix(".js"): file.read_text(encoding="utf-8")
        for file in STATIC.iterdir()
        if file.name.endswith(".js")
    }
    texts |= {"live": texts["ask"], "ask": (HERE / "recorded_ask.js").read_text(encoding="utf-8")}
    return {
        name: f"data:text/javascript;base64,{_encoded(IMPORT.sub(BARE, text))}"
        for name, text in texts.items()
    }


def _answered(asked: Iterable[tuple[str, Plain]]) -> Iterable[tuple[str, Any]]:
    for name, parts in asked:
        request = Asked(parts)
        answer = (
            _thinned(list(STREAMS[name](request).events))
            if name in STREAMS
            else ANSWERS[name](request)
        )
        yield json.dumps([name, sorted(parts.items())], separators=(",", ":")), answer


def _thinned(events: list[Plain]) -> list[Plain]:
    """Some of the events, the last one included."""
    step = -(-len(events) // MOST_EVENTS)
    return [*events[:-1:step], events[-1]]


def write(folder: Path) -> None:
    """All recordings, and the review as a page without scripts, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for recording in recordings():
        (folder / f"{recording.name}.html").write_text(page(recording), encoding="utf-8")
    review = po.review(read_game(GAME.read_text(encoding="utf-8")), seed=1)
    (folder / "review.html").write_text(review.to_html(), encoding="utf-8")
