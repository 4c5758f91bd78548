"""Engines as texts: `uci:fairy-stockfish@0.1s variant=breakthrough "Skill Level"=-5`.

A protocol, a command, perhaps a level; then words: settings of `Engine` by their names, and options
of the program itself. A command with arguments, or with spaces, stands in quotes.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

from mcts_core.errors import BadMethod, shown
from playout.arena.limit import limit_from, plain
from playout.arguments import number

if TYPE_CHECKING:
    from playout.engines.engine import Engine

HEAD = re.compile(r"\s*['\"]?(uci|gtp|nboard):", re.IGNORECASE)
TEXTS = ("variant", "log")  # settings that are text
NUMBERS = ("margin", "patience")
EXAMPLE = "uci:fairy-stockfish@0.1s"
SETTINGS = (*TEXTS, *NUMBERS, "depth")  # options of a program have other names


def names_engine(text: str) -> bool:
    """Whether a text begins as that of an engine."""
    return HEAD.match(text) is not None


def engine_from(text: str) -> Engine:
    """The engine that a text names.

    >>> engine_from("uci:'./engine --fast'@5000n Hash=64").arguments
    ('--fast',)
    """
    from playout.engines.engine import Engine

    try:
        head, *words = shlex.split(text)
        protocol, _, rest = head.partition(":")
        command, at, level = rest.rpartition("@")
        if not at:
            command, level = rest, ""
        parts = shlex.split(command)
    except ValueError as fault:
        raise BadMethod(f"{shown(text)}: {fault}; write it like {EXAMPLE}") from None
    if not parts:
        raise BadMethod(f"{shown(text)}: after {protocol}: comes a command, as in {EXAMPLE}")
    settings: dict[str, Any] = {"options": []}
    for word in words:
        _add(settings, word, text)
    if level:
        limit = limit_from(level, f"{shown(text)}: ")
        if limit.playouts is not None:
            raise BadMethod(
                f"{shown(text)}: an engine counts no playouts: give nodes (@50000n), seconds "
                "(@0.1s), a clock (@60+0.5s), or depth=6 behind the command"
            )
        for name in ("seconds", "nodes", "clock", "increment"):
            settings[name] = getattr(limit, name)
    return Engine(parts[0], protocol.lower(), arguments=tuple(parts[1:]), **settings)


def _add(settings: dict[str, Any], word: str, text: str) -> None:
    """Add what a word after the command says."""
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise BadMethod(
            f"{shown(text)}: after the command come settings such as variant=breakthrough, depth=6 "
            f"or Hash=64, not {shown(word)}"
        )
    if name in TEXTS:
        settings[name] = value
    elif name == "depth":
        settings[name] = int(value) if value.isascii() and value.isdigit() else value
    elif name in NUMBERS:
        try:
            settings[name] = float(value)
        except ValueError:
            settings[name] = number(name, value)  # type: ignore[arg-type]  # raises
    else:
        settings["options"].append((name, value))


def text_of(engine: Engine) -> str:
    """The text from which `engine_from` makes this engine."""
    command = shlex.join((engine.command, *engine.arguments))
    limit = engine.limit
    at = f"@{limit}" if limit.is_given or "@" in command else ""
    words = [f"{engine.protocol}:{command}{at}"]
    words += [f"{name}={getattr(engine, name)}" for name in TEXTS if getattr(engine, name)]
    words += [] if engine.depth is None else [f"depth={engine.depth}"]
    words += [
        f"{name}={plain(getattr(engine, name))}"
        for name in NUMBERS
        if getattr(engine, name) != getattr(type(engine), name)
    ]
    words += [f"{name}={value}" for name, value in engine.settings]
    return shlex.join(words)
