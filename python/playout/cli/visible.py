"""Control characters are shown and not sent: a terminal obeys them, whoever wrote the text."""

from __future__ import annotations


def visible(text: str) -> str:
    r"""A line with all that cannot be printed written as in Python; this includes line breaks and
    characters that turn the direction of writing.

    >>> print(visible("\x1b[31mgame.json"))
    \x1b[31mgame.json
    """
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def visible_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(map(visible, text.split("\n")))
