"""Every parser takes time proportional to the length of the text, also for wrong text."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import click
import pytest

import playout as po
from playout import formats
from playout.arena.players import player_from
from playout.arguments import memory_size
from playout.cli.positions import position_from
from playout.cli.prompts import understood
from playout.method_text import method_from

START = "---------------------------OX------XO---------------------------"

Read = Callable[[str], object]


def memory(text: str) -> object:
    return memory_size("memory", text)


def size(text: str) -> object:
    return position_from(size=text)


def position(text: str) -> object:
    return position_from(position=text)


def moves(text: str) -> object:
    return position_from(moves=text)


def said(text: str) -> object:
    return understood(text, po.Othello())


# A text has a beginning, a part that is repeated, and an end.
TEXTS: list[tuple[Read, str, str, str]] = [
    (memory, "1", " ", "x"),
    (memory, "1", "0", "x"),
    (memory, "1.", "0", "x"),
    (memory, "", " ", "x"),
    (formats.read_obf, "", " ", "x"),
    (formats.read_obf, "", "X", " X"),
    (formats.read_obf, START, " ", "x"),
    (formats.read_obf, f"{START} X;", "F", "!"),
    (formats.read_obf, f"{START} X;", " ;", "!"),
    (formats.read_obf, f"{START} X;F5", " ", "x"),
    (formats.read_obf, f"{START} X;F5:", " ", "x"),
    (formats.read_obf, f"{START} X;F5:", "1", "!"),
    (formats.read_moves, "", "x", ""),
    (formats.read_moves, "f5", " ", ""),
    (formats.read_moves, "f5", " ", "x"),
    (formats.read_moves, "f5", "pa", ""),
    (formats.read_ggf, "", "(", ";)"),
    (formats.read_ggf, "", ";)", ""),
    (formats.read_ggf, "(;", " ", "x"),
    (formats.read_ggf, "(;", "A", "!"),
    (formats.read_ggf, "(;", "A[", "!"),
    (formats.read_ggf, "(;", "A[]", "!"),
    (formats.read_ggf, "(;", " A[] ", ";)"),
    (formats.read_ggf, "(;B[", " ", "f5];)"),
    (formats.read_ggf, "(;B[", "f5", "];)"),
    (formats.read_ggf, "(;B[f5", "/", "];)"),
    (formats.read_ggf, "(;TY[", "9", "];)"),
    (formats.read_ggf, "(;TY[", " ", "];)"),
    (formats.read_ggf, "(;BO[8 ", "- ", "];)"),
    (position, "", ".", "!"),
    (position, ".", "a", "!"),
    (position, ".wtb:", "1", "!"),
    (po.method_of, "", " ", "uct"),
    (po.method_of, "", "uct", ""),
    (method_from, "UCT(c=", "1", ")"),
    (method_from, "UCT(c=", " ", ")"),
    (method_from, "UCT(c=", "-", "1)"),
    (method_from, "UCT(c=", "(", ")"),
    (method_from, "UCT(c=", "[", ")"),
    (method_from, "UCT(c=[", "1,", "])"),
    (method_from, "UCT(", "c=1,", ")"),
    (method_from, "UCT(c=1", "+1", ")"),
    (method_from, "UCT(c=a", ".a", ")"),
    (player_from, "uct@1", " ", "x"),
    (player_from, "uct@", "1", "x"),
    (player_from, "uct@", "1_", "x"),
    (player_from, "uct@1.", "0", "x"),
    (player_from, "uct", "@", "1"),
    (size, "5", " ", "!"),
    (size, "5x", " ", "!"),
    (size, "5", "0", "x5"),
    (position, "", "/", " w"),
    (position, "", "w/", " w"),
    (position, "", " ", "w"),
    (position, "www/.../", "b", " w"),
    (moves, "", " ,", "x"),
    (moves, "a2a3", " ", "!"),
    (said, "", "hint", ""),
    (said, "save", " ", "x"),
]


def seconds_for(read: Read, text: str) -> float:
    """The least processor time of three runs, which other work on the machine does not increase."""
    times = []
    for _ in range(3):
        began = time.process_time()
        with contextlib.suppress(ValueError, click.ClickException):
            read(text)
        times.append(time.process_time() - began)
    return min(times)


@pytest.mark.parametrize(("read", "start", "middle", "end"), TEXTS)
def test_time_grows_with_the_text_and_no_faster(
    read: Read, start: str, middle: str, end: str
) -> None:
    """Sixteen times the text takes 16 times as long if time is linear, 256 times if quadratic."""
    short, long = (seconds_for(read, start + middle * n + end) for n in (2_000, 32_000))
    assert long < 80 * max(short, 1e-4)
