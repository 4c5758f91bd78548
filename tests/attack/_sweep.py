"""Sweep entry points: every allocation of a call fails once.

    python _sweep.py STRIDE MODULE [NAME...]

MODULE has the entry points, as a dict `ENTRIES` (see `_entries.py`). The allocator of
`_allocator.c` must be preloaded before the C library's. Each entry point is swept in its own
process. For each, the script prints a line of JSON with the counts of the outcomes and the faults.
"""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import importlib
import json
import mmap
import os
import signal
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TextIO

from mcts_core.base import crew

ALLOCATOR = ctypes.PyDLL(None)
left, failed, blocks, mapped = (
    ctypes.c_long.in_dll(ALLOCATOR, name) for name in ("left", "failed", "blocks", "mapped")
)
caller, spared = (ctypes.c_void_p.in_dll(ALLOCATOR, name) for name in ("caller", "spared"))

PATIENCE = 20  # seconds: a call that takes longer hangs
IN_A_ROW = 3  # calls without a failure that end a sweep
# Python keeps freed tuples for reuse. There must be some of length two: without memory for one,
# items() of a dict breaks the garbage collector's lists (python/cpython#152107).
PAIRS = 500
REPEATS = 10  # repetitions of a call that may leak: a leak grows each time
MOST_CRASHES = 20

# Other errors that Python and NumPy raise when memory runs out.
FOREIGN = {
    "can't allocate lock": RuntimeError,
    "can't start new thread": RuntimeError,
    "returned NULL without setting an exception": SystemError,
    "error return without exception set": SystemError,
    "returned a result with an exception set": SystemError,
    "StringDType is not currently supported": TypeError,  # by numpy.dtype of a list of fields
}


class Sweep:
    """The sweep of one entry point. It reports allocations, outcomes and faults to `tell`."""

    def __init__(self, entry: Any, tell: Callable[[str, Any], None]) -> None:
        self.entry = entry
        self.tell = tell
        for _ in range(3):  # so that imports, caches and interned strings exist
            self.found = entry.facts(entry.call(entry.make()))
            self.later = entry.later(entry.make())
        gc.collect()
        gc.freeze()

    def run(self, first: int, stride: int) -> None:
        """Let every `stride`-th allocation fail, until a call has no more of them."""
        n, missed = first, 0
        while missed < IN_A_ROW:
            self.tell("at", n)
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
            missed = 0 if self.fail_once(n) else missed + 1
            n += stride
        faulthandler.cancel_dump_traceback_later()

    def fail_once(self, n: int) -> bool:
        """Let allocation n fail. Returns whether the call had that many."""
        subject = self.entry.make()
        before = held()
        value, error = attempt(self.entry.call, subject, n)
        has_failed = failed.value > 0
        kind, place = kind_of(error), place_of(error)
        if has_failed:
            self.tell("count", kind)
        if error is None:
            self.expect("returned", self.found, self.entry.facts, value)
        elif kind == "wrong":
            self.tell("fault", f"raised\n{text_of(error)}")
        has_raised = error is not None
        del value, error
        if is_ours(place) and held() > before and self.leaks(n, place):
            self.tell("fault", f"left something behind, each time: {place}")
        if has_raised:
            self.expect("answered afterwards", self.later, self.entry.later, subject)
        while swallowed:
            self.tell("fault", f"swallowed {swallowed.pop()}")
        return has_failed

    def expect(self, what: str, wanted: Any, ask: Callable[[Any], Any], subject: Any) -> None:
        try:
            found = ask(subject)
        except Exception as error:
            found = text_of(error)
        if found != wanted:
            self.tell("fault", f"{what}\n{found!s:.500}\ninstead of\n{wanted!s:.500}")

    def leaks(self, n: int, place: str) -> bool:
        """Whether a failure at this place leaks each time."""
        kept = []
        for _ in range(REPEATS):
            before = held()
            subject = self.entry.make()
            gc.collect()
            value, error = attempt(self.entry.call, subject, n)
            is_there = failed.value > 0 and place_of(error) == place
            del subject, value, error
            if is_there:
                kept.append(held() - before)
        return len(kept) > REPEATS // 2 and min(kept) > 0


def attempt(call: Callable[[Any], Any], subject: Any, n: int) -> tuple[Any, BaseException | None]:
    """Call with allocation n failing: the result, the error. (Setting `left` allocates nothing.)"""
    spare = [(None, number) for number in range(PAIRS)]
    del spare
    failed.value = 0
    left.value = n
    try:
        value = call(subject)
        left.value = -1
        return value, None
    except BaseException as error:
        return None, error
    finally:
        left.value = -1


def spare_copies_of_lists() -> None:
    """Work around Python before 3.13, which leaks a list if it has no memory for a copy."""
    source = [None]
    for n in range(3):
        before = sys.getrefcount(source)
        attempt(list, source, n)
        if sys.getrefcount(source) > before:
            spared.value = caller.value


def held() -> int:
    """Blocks of memory in use, without caches of Python; a page of a mapping counts as one."""
    sys._clear_type_cache()
    gc.collect()
    return blocks.value + mapped.value // mmap.PAGESIZE


def kind_of(error: BaseException | None) -> str:
    """The kind of outcome of a failure."""
    if error is None:
        return "absorbed"
    if isinstance(error, MemoryError):
        return "raised"
    known = (isinstance(error, kind) and part in str(error) for part, kind in FOREIGN.items())
    return "foreign" if any(known) else "wrong"


def place_of(error: BaseException | None) -> str:
    """The file and line where it was raised, or an empty text."""
    if error is None:
        return ""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    return f"{frame.f_code.co_filename}:{line}"


def is_ours(place: str) -> bool:
    """Whether a leak may be the library's fault. Python 3.11 and NumPy have leaks too."""
    return not place or (".pyx:" in place and not place.startswith("numpy/"))


swallowed: list[str] = []  # errors that compiled code could not raise, or that ended a thread


def note_swallowed(told: Any) -> None:
    if isinstance(told.object, str) or told.object is taking_part:
        swallowed.append(f"{told.exc_value!r} at {place_of(told.exc_value)}")


def text_of(error: BaseException) -> str:
    return "".join(traceback.format_exception(error, limit=-4)).strip()


# Allocations of threads fail only while they run the library's code. In Python's own thread code, a
# failed allocation can make a thread hang or lose its work.

OF_PYTHON: list[tuple[type, str]] = [
    (threading.Thread, "start"),
    (threading.Thread, "join"),
    (threading.Event, "set"),
    (threading.Event, "wait"),
    (Future, "result"),
    (ThreadPoolExecutor, "submit"),
    (ThreadPoolExecutor, "shutdown"),
]


def let_threads_take_part() -> None:
    for kind, name in OF_PYTHON:
        setattr(kind, name, standing_by(getattr(kind, name)))
    run, submit = threading.Thread.run, ThreadPoolExecutor.submit

    def run_thread(thread: threading.Thread) -> None:
        is_of_executor = thread.name.startswith("ThreadPoolExecutor")
        run(thread) if is_of_executor else taking_part(run, thread)

    start = crew.start_new_thread
    crew.start_new_thread = lambda function, given: start(taking_part, (function, *given))
    threading.Thread.run = run_thread
    ThreadPoolExecutor.submit = lambda pool, *given: submit(pool, taking_part, *given)


def taking_part(function: Callable[..., Any], *given: Any) -> Any:
    before = ALLOCATOR.take_part(1)
    try:
        return function(*given)
    finally:
        try:
            ALLOCATOR.take_part(before)
        except MemoryError:
            ALLOCATOR.take_part(before)


def standing_by(function: Callable[..., Any]) -> Callable[..., Any]:
    def called(*given: Any, **more: Any) -> Any:
        before = ALLOCATOR.take_part(0)
        try:
            return function(*given, **more)
        finally:
            ALLOCATOR.take_part(before)

    return called


# Processes


def sweep(entry: Any, first: int, stride: int) -> tuple[Counter[str], list[str]]:
    """Sweep in processes; after a crash, continue with the next allocation."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    for _ in range(MOST_CRASHES):
        at = first
        child, lines = start(entry, first, stride)
        for line in lines:
            what, told = json.loads(line)
            if what == "at":
                at = told
            elif what == "count":
                counts[told] += 1
            else:
                faults.append(f"allocation {at} {told}")
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if code == 0:
            break
        how = signal.Signals(-code).name if code < 0 else f"taking more than {PATIENCE} seconds"
        faults.append(f"allocation {at} ended the process by {how}")
        first = at + stride
    return counts, faults


def start(entry: Any, first: int, stride: int) -> tuple[int, TextIO]:
    """Start a sweep in its own process. Returns the process id and its output."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, os.fdopen(reading)
    with os.fdopen(writing, "w", buffering=1) as pipe:

        def tell(*told: Any) -> None:
            print(json.dumps(told), file=pipe)

        ALLOCATOR.take_part(1)
        spare_copies_of_lists()
        try:
            Sweep(entry, tell).run(first, stride)
        except BaseException as error:
            tell("fault", f"could not be judged\n{text_of(error)}")
    os._exit(0)


def main() -> None:
    stride, module, *names = sys.argv[1:]
    entries = importlib.import_module(module).ENTRIES
    faulthandler.enable()
    let_threads_take_part()
    sys.unraisablehook = note_swallowed
    for number, name in enumerate(names or entries):
        counts, faults = sweep(entries[name], number % int(stride), int(stride))
        print(json.dumps({"name": name, "counts": counts, "faults": faults}), flush=True)


if __name__ == "__main__":
    main()
