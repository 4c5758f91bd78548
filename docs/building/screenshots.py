"""Takes the pictures of the lens for docs/web.md, in Chromium.

python docs/building/screenshots.py
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

from PIL import Image
from playwright import sync_api as playwright

from playout.web.server import Server

IMAGES = Path(__file__).parents[1] / "images"
START = "bbbbb/b.bbb/.b.../w.ww./wwwww w"
MOVES = "c4 e3 f5 c6 f4 b3 f2 g5 g6 f3 g4 f1 f6 e6 d7 e8"


def play(page: Any) -> None:
    """A search under way."""
    page.wait_for_selector("tr[data-move]")
    page.wait_for_timeout(2500)


def inside(page: Any) -> None:
    """The expansion of a simulation, in two trees."""
    page.wait_for_selector(".panel .tree")
    for _ in range(60):
        page.click("#step")
    page.click("button[data-phase=grow]")


# The file, the width of the window, the link, and what to do there.
PICTURES = [
    ("web.png", 1440, f"game=othello&moves={MOVES}&method=rave&seed=1", play),
    ("web-inside.png", 1240, f"game=breakthrough&start={START}&method=uct&view=inside", inside),
]


def main() -> None:
    """Take all pictures."""
    with Server() as server, playwright.sync_playwright() as running:
        browser = running.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox"]
        )
        for name, width, link, act in PICTURES:
            page = browser.new_page(viewport={"width": width, "height": 900})
            page.goto(f"{server.address}#{link.replace(' ', '+')}")
            act(page)
            taken = Image.open(io.BytesIO(page.screenshot(full_page=True)))
            taken.convert("RGB").quantize(256).save(IMAGES / name, optimize=True)
            print(name)
        browser.close()


if __name__ == "__main__":
    main()
