"""Control characters are made visible, because a terminal would obey them."""

from __future__ import annotations


def visible(text: str) -> str:
    r"""A line in which unprintable characters are written as in Python. These include line breaks
    and characters that change the direction of writing.

    >>> print(visible("\x1b[31mgame.json"))
    \x1b[31mgame.json
    """
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def visible_lines(text: str) -> str:
    """The same for a text of several lines, whose line breaks stay."""
    return "\n".join(map(visible, text.split("\n")))
