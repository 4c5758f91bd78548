"""Sphinx settings for the site: run `make docs`, then open build/docs/index.html."""

import playout

project = "playout"
release = playout.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"playout {release}"
html_show_copyright = False
html_show_sphinx = False
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


def link_to_pages(app, docname, source):
    """Turn links that work in the repository into links within the site."""
    for file, page in PAGES.items():
        source[0] = source[0].replace(f"]({file})", f"]({page})")


def setup(app):
    """Called by Sphinx."""
    app.connect("source-read", link_to_pages)
