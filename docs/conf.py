"""Sphinx settings for the site: run `make docs`, then open build/docs/index.html."""

import sys
from collections import defaultdict
from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive

import playout

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "building"))

import outputs  # noqa: E402
import recording  # noqa: E402

project = "playout"
release = playout.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["math"]  # so that formulas are shown by GitHub, too
html_theme = "furo"
html_title = f"playout {release}"
html_show_copyright = False
html_show_sphinx = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
myst_heading_anchors = 3

smartquotes = False  # "--" is a move of Othello, not a dash
# In docstrings, text in single backquotes is code.
default_role = "literal"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_type_aliases = {"AnySeed": "AnySeed", "Seed": "Seed", "AnyEvaluation": "AnyEvaluation"}
python_maximum_signature_line_length = 90
suppress_warnings = ["ref.python"]  # the type `bytes` has the name of a field of two classes

# These files are pages of the site.
PAGES = {"../CONTRIBUTING.md": "contributing.md", "../CHANGELOG.md": "changes.md"}
# The names that the lines of a page have defined so far.
NAMES: dict[str, dict[str, object]] = defaultdict(lambda: {"po": playout})
NOTEBOOK = HERE.parent / "examples" / "from_flat_to_grave.ipynb"


class Shown(Directive):
    """Lines of code, and below them what a notebook shows of the last one. Pages share no names."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Run the lines while the page is built."""
        text = "\n".join(self.content)
        names = NAMES[self.state.document.settings.env.docname]
        code = nodes.literal_block(text, text, language="python")
        return [code, nodes.raw("", outputs.run(text, names), format="html")]


class Recorded(Directive):
    """A recorded page, by its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Show the page in a frame."""
        (found,) = (each for each in recording.recordings() if each.name == self.arguments[0])
        address = escape(f"recorded/{found.address}")
        frame = f'<iframe class="recorded" title="{found.name}" src="{address}"></iframe>'
        alone = f'<p><a href="{address}">The same on a page of its own</a></p>'
        return [nodes.raw("", frame + alone, format="html")]


def link_to_pages(app, docname, source):
    """Turn links that work in the repository into links within the site."""
    for file, page in PAGES.items():
        source[0] = source[0].replace(f"]({file})", f"]({page})")


def show_notebook(app, docname, source):
    """Put the notebook in front of what its page says."""
    if docname == "notebook":
        source[0] = f"{outputs.markdown(NOTEBOOK)}\n\n{source[0]}"


def record(app, fault):
    """Write the recorded pages beside the others."""
    if fault is None:
        recording.write(Path(app.outdir) / "recorded")


def setup(app):
    """Called by Sphinx."""
    app.add_directive("shown", Shown)
    app.add_directive("recorded", Recorded)
    app.connect("source-read", link_to_pages)
    app.connect("source-read", show_notebook)
    app.connect("build-finished", record)
