"""Engines as texts: `uci:fairy-stockfish@0.1s variant=breakthrough "Skill Level"=-5`.

A protocol, a command, perhaps a level; then words: settings of `Engine` by their names, and options
of the program itself. A command with arguments, or with spaces, stands in quotes. A file of Python
needs no protocol: `bot.py`, `bots/mine.py:other@1s`.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from mcts_core.errors import BadMethod, shown
from playout.arena.limit import limit_from, plain
from playout.arguments import number, one_of
from playout.names import Protocol

if TYPE_CHECKING:
    from playout.engines.engine import Engine

HEAD = re.compile(r"\s*['\"]?(uci|gtp|nboard|python):", re.IGNORECASE)
BOT = re.compile(r"(?P<path>.+\.py)(?::(?P<function>[^\W\d]\w*))?(?:@(?P<level>.+))?")
TEXTS = ("variant", "log")  # settings that are text
NUMBERS = ("margin", "patience")
EXAMPLE = "uci:fairy-stockfish@0.1s"
SETTINGS = (*TEXTS, *NUMBERS, "depth")  # options of a program have other names


def names_engine(text: str) -> bool:
    """Whether a text is that of an engine or of a file."""
    return HEAD.match(text) is not None or BOT.fullmatch(text.strip()) is not None


def engine_from(text: str) -> Engine:
    """The engine that a text names.

    >>> engine_from("uci:'./engine --fast'@5000n Hash=64").arguments
    ('--fast',)
    >>> engine_from("bots/mine.py:other@1s").name
    'mine:other'
    """
    from playout.engines.engine import Engine

    if HEAD.match(text) is None:
        return _bot_from(text)
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
    settings |= _limits(level, text)
    spoken = one_of("protocol", protocol.lower(), get_args(Protocol))
    return Engine(parts[0], spoken, arguments=tuple(parts[1:]), **settings)


def _bot_from(text: str) -> Engine:
    """The function in a file, called after the file."""
    from playout.engines.engine import Engine

    found = BOT.fullmatch(text.strip())
    if found is None:
        raise BadMethod(f"{shown(text)} names no engine: write it like {EXAMPLE}, or bot.py")
    path, function = found["path"], found["function"]
    return Engine(
        path,
        "python",
        arguments=() if function is None else (function,),
        label=Path(path).stem + ("" if function is None else f":{function}"),
        **_limits(found["level"], text),
    )


def _limits(level: str | None, text: str) -> dict[str, Any]:
    """The limits of a level, as arguments of `Engine`."""
    if not level:
        return {}
    limit = limit_from(level, f"{shown(text)}: ")
    if limit.playouts is not None:
        raise BadMethod(
            f"{shown(text)}: an engine counts no playouts: give nodes (@50000n), seconds "
            "(@0.1s), a clock (@60+0.5s), or depth=6 behind the command"
        )
    return {name: getattr(limit, name) for name in ("seconds", "nodes", "clock", "increment")}


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
