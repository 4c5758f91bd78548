"""Running the command line in tests."""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest import mock

from playout.cli import main


@dataclass(frozen=True)
class Ran:
    """The output of a command and its exit code."""

    code: int
    out: str
    err: str

    @property
    def last_line(self) -> str:
        return self.out.rstrip().splitlines()[-1]

    @property
    def again(self) -> list[str]:
        """The words of the command that the last line gives, without `playout`."""
        line = self.last_line
        assert ": playout " in line
        return shlex.split(line.split(": playout ", 1)[1])


def playout(*arguments: str, stdin: str = "") -> Ran:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch.object(sys, "stdin", io.StringIO(stdin)),
        mock.patch.dict(os.environ, COLUMNS="80"),
    ):
        code = main(arguments)
    return Ran(code, out.getvalue(), err.getvalue())


def fault(*arguments: str, stdin: str = "") -> str:
    """The message of a command that must fail: one line, exit code 2, no other output."""
    ran = playout(*arguments, stdin=stdin)
    assert ran.code == 2, ran
    assert ran.out == ""
    assert ran.err.startswith("playout: ")
    assert ran.err.count("\n") == 1
    assert ran.err.endswith("\n")
    return ran.err.removeprefix("playout: ").rstrip()


def timeless(text: str) -> str:
    """A text without times and rates."""
    text = re.sub(r"[\d.,]+(?:e[+-]?\d+)? (us|ms|s)\b", "# s", text)
    text = re.sub(r"[\d,]+/s\b", "#/s", text)
    text = re.sub(r"[\d.,]+ MiB", "# MiB", text)
    return "\n".join(re.sub(r" +", " ", line).rstrip() for line in text.splitlines())
