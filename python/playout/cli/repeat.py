"""The line that repeats a run: the command with the seed that was drawn."""

from __future__ import annotations

import os
import secrets
import shlex
from typing import Any

import click
from click.core import ParameterSource


def drawn(seed: int | None) -> int:
    """The seed, or a new one that is short enough to type."""
    return secrets.randbits(32) if seed is None else seed


def command_line(ctx: click.Context, **changes: object) -> str:
    """This command with its options and `changes`. A change to None leaves an option out.

    Input from a file or a pipe is included as text, so that the line is complete.
    """
    words = ctx.command_path.split()
    for param in ctx.command.params:
        name = param.name or ""
        is_given = ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
        if name in changes or is_given:
            words += _words(param, changes.get(name, ctx.params.get(name)))
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    """A word quoted for a shell; with `$'...'` of bash and zsh if it has unprintable characters."""
    if word.isprintable():
        return shlex.quote(word)
    plain = range(ord(" "), ord("~") + 1)
    escaped = (
        chr(byte) if byte in plain and byte not in b"\\'" else f"\\x{byte:02x}"
        for byte in os.fsencode(word)
    )
    return f"$'{''.join(escaped)}'"


def _words(param: click.Parameter, value: Any) -> list[str]:
    if value is None or value == ():
        return []
    if isinstance(param, click.Argument):
        return [*map(str, value)] if isinstance(value, tuple) else [str(value)]
    if isinstance(value, bool):
        flags = param.opts if value else param.secondary_opts
        return [_longest(flags)] if flags else []
    values = value if isinstance(value, tuple) else (value,)
    option = _longest(param.opts)
    return [word for one in values for word in (option, str(one).removesuffix(".0"))]


def _longest(options: list[str]) -> str:
    return max(options, key=len)
