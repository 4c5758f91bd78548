"""What a notebook would show, as HTML for a page of the site."""

from __future__ import annotations

import ast
import base64
import io
import json
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

Bundle = dict[str, str]  # a form for each media type, as in a notebook


def _png(content: str) -> str:
    return f'<img class="plot" alt="a plot" src="data:image/png;base64,{content.strip()}">'


# The best form first.
FORMS: dict[str, Callable[[str], str]] = {
    "image/svg+xml": str,
    "text/html": str,
    "image/png": _png,
    "text/plain": lambda text: f"<pre>{escape(text)}</pre>",
}


def html(bundle: Bundle) -> str:
    """The best form of an output."""
    kind = next(kind for kind in FORMS if kind in bundle)
    return f'<div class="output">{FORMS[kind](bundle[kind])}</div>'


# A notebook


def markdown(notebook: Path) -> str:
    """A notebook with its outputs as a page in Markdown."""
    parts = []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            parts.append(_fenced("python", source))
            parts += [_fenced("{raw} html", html(_bundle(output))) for output in cell["outputs"]]
        else:
            parts.append(source)
    return "\n\n".join(parts)


def _bundle(output: dict[str, Any]) -> Bundle:
    found = output.get("data", {"text/plain": output.get("text", "")})
    return {kind: "".join(content) for kind, content in found.items()}


def _fenced(kind: str, text: str) -> str:
    return f"````{kind}\n{text}\n````"


# Code that is run while the site is built


def run(source: str, names: dict[str, Any]) -> str:
    """Run some lines. Returns what a notebook shows of the last one."""
    *before, last = ast.parse(source).body
    assert isinstance(last, ast.Expr), "the last line must have a value to show"
    exec(compile(ast.Module(before, []), "<a page>", "exec"), names)
    return html(forms(eval(compile(ast.Expression(last.value), "<a page>", "eval"), names)))


def forms(value: Any) -> Bundle:
    """The forms of a value. Axes of matplotlib stand for their figure."""
    if hasattr(value, "ravel"):  # an array of axes
        value = value.ravel()[0]
    if hasattr(value, "figure"):
        return {"image/png": _drawn(value.figure)}
    found = {"text/plain": repr(value)}
    for kind, name in (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_")):
        form = getattr(value, name, None)
        if form is not None and (content := form()) is not None:
            found[kind] = content
    return found


def _drawn(figure: Any) -> str:
    from matplotlib import pyplot

    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=130)
    pyplot.close(figure)
    return base64.b64encode(file.getvalue()).decode()
