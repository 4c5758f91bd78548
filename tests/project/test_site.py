"""What the site adds to its pages: outputs of code, the notebook, recorded pages of the lens."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import matplotlib
import numpy as np
import pytest

import notebook
import outputs
import playout as po

matplotlib.use("Agg")

DOCS = Path(__file__).parents[2] / "docs"


def test_the_best_form_of_an_output_is_shown() -> None:
    forms = {"text/plain": "a < b", "text/html": "<b>b</b>"}
    assert outputs.html(forms) == '<div class="output"><b>b</b></div>'
    assert "<pre>a &lt; b</pre>" in outputs.html({"text/plain": "a < b"})


def test_lines_share_the_names_of_their_page() -> None:
    names: dict[str, object] = {"po": po}
    assert "<svg" in outputs.run("b = po.Breakthrough(4)\nb", names)
    assert "<table" in outputs.run("po.search(b, playouts=50, seed=1)", names)
    assert "<pre>6</pre>" in outputs.run("len(b.legal_moves)", names)
    with pytest.raises(AssertionError, match="a value to show"):
        outputs.run("b = 1", names)


def test_axes_stand_for_their_figure() -> None:
    axes = po.plot(po.search(po.Breakthrough(4), "rave", playouts=50, seed=1))
    assert isinstance(axes, np.ndarray)
    picture = base64.b64decode(outputs.forms(axes)["image/png"])
    assert picture.startswith(b"\x89PNG")


def test_the_page_of_the_notebook_has_all_its_texts_and_outputs() -> None:
    page = outputs.markdown(notebook.NOTEBOOK)
    shown = 0
    for cell in notebook.cells(notebook.NOTEBOOK.read_text(encoding="utf-8")):
        assert "".join(cell["source"]) in page
        shown += len(cell.get("outputs", ()))
    assert page.count('<div class="output">') == shown > 20


def test_every_picture_of_the_gallery_has_its_line() -> None:
    """`make docs` runs the lines; a line that fails ends the build."""
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## ", page, re.MULTILINE)
    lines = re.findall(r"^```\{shown\}\n(.+?)\n```$", page, re.MULTILINE | re.DOTALL)
    assert len(sections) == len(lines) > 10
    for each in lines:
        compile(each, "gallery.md", "exec")


def test_a_recording_needs_nothing_but_itself() -> None:
    pytest.importorskip("starlette")
    import recording

    found = recording.inside("small", po.Breakthrough(4), ("uct", "rave"), 600)
    page = recording.page(found)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r'(?:src|href)="(?!data:)', page)
    modules = json.loads(re.findall(r'<script type="importmap">(.*?)</script>', page)[0])["imports"]
    for address in modules.values():
        text = base64.b64decode(address.partition(",")[2]).decode()
        assert "./" not in re.sub(r"//.*", "", text).replace("../", "")
        imported = re.findall(r'^(?:import|export) .*?from "(.+?)";', text, re.MULTILINE)
        assert set(imported) <= set(modules)
