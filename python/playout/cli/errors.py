"""Reporting errors: one line that names the fault and the remedy, and an exit code."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Collection, Sequence
from typing import Any

import click

from playout import interrupts
from playout.cli.visible import visible

OPTION_NAMES = {"help_option_names": ["-h", "--help"]}
LONGEST_LINE = 2000  # characters of a message; longer ones are cut
UNREAD, WRONG_INPUT = 1, 2


class Fault(click.ClickException):
    """Wrong input that the command line detects, not the library."""

    exit_code = WRONG_INPUT


class Command(click.Command):
    """A command that turns errors of the library into errors of the command line."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("context_settings", OPTION_NAMES)
        super().__init__(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run it. Every ValueError is about the user's input."""
        try:
            with interrupts.raised():
                return super().invoke(ctx)
        except ValueError as fault:
            raise Fault(in_options(str(fault), list(ctx.params))) from fault


def in_options(message: str, names: Collection[str]) -> str:
    """A message of the library with its arguments written as options.

    >>> in_options("playouts must be a whole number, not 0", ["playouts"])
    '--playouts must be a whole number, not 0'
    >>> in_options("solver=True needs a tree: use UCT, or limit it by seconds=", ["solver"])
    '--solver needs a tree: use UCT, or limit it by seconds='
    """
    known = "|".join(names)
    message = re.sub(rf"^({known}) (?=must)", lambda found: f"{_option(found[1])} ", message)
    message = re.sub(rf"(?<![\w(,.])({known})=True", lambda found: _option(found[1]), message)
    return re.sub(
        rf"(?<![\w(,.])({known})=(\S?)",
        lambda found: _option(found[1]) + (f" {found[2]}" if found[2] else ""),
        message,
    )


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def run(command: click.Command, arguments: Sequence[str] | None) -> int:
    """Run a command and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # no error if a character cannot be printed
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")  # nor if input bytes are not text
    try:
        words = None if arguments is None else list(arguments)
        code = command.main(words, prog_name="playout", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as fault:
        where = fault.ctx.command_path if fault.ctx else "playout"
        return _complain(f"{_sentence(fault.format_message())} (see {where} --help)")
    except click.ClickException as fault:
        return _complain(fault.format_message())
    except (click.Abort, KeyboardInterrupt):  # click has ended the line already
        print(interrupts.MESSAGE, file=sys.stderr)
        return interrupts.INTERRUPTED
    except BrokenPipeError:  # the reader has closed the pipe; click and rich exit with 1 too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    return code if isinstance(code, int) else 0


def _sentence(message: str) -> str:
    return message.rstrip(".")


def _complain(message: str) -> int:
    line = visible(re.sub(r"\s*\n\s*", " ", message.strip()[:LONGEST_LINE]))
    print(f"playout: {line[:LONGEST_LINE]}", file=sys.stderr)
    return WRONG_INPUT
