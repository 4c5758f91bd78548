"""What goes wrong in a command: the engine says it in one line, and lives on."""

from __future__ import annotations

from collections.abc import Callable

LONGEST = 500  # characters of a message


def obey(
    command: Callable[[str], object], words: str, complain: Callable[[Exception], None]
) -> None:
    """Carry out a command; `complain` gets what it raises, unless nobody reads the answers."""
    try:
        command(words)
    except OSError:
        raise
    except Exception as fault:
        complain(fault)


def in_one_line(fault: Exception) -> str:
    """The message without line breaks; the name of the error if it has none.

    >>> in_one_line(ValueError("one\\n two")), in_one_line(MemoryError())
    ('one two', 'MemoryError')
    """
    return " ".join(str(fault).split())[:LONGEST] or type(fault).__name__
