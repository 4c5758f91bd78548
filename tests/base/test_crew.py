"""Threads of compiled code: they begin, end and fail in order."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from queue import SimpleQueue

import pytest

from mcts_core.base import crew
from support.helpers import await_threads, thread_count


def test_a_call_runs_in_another_thread() -> None:
    idents: list[int] = []
    call = crew.Call(lambda: idents.append(threading.get_ident()))
    assert call.start()
    call.result()
    assert idents == [call.ident] != [threading.get_ident()]


class Owner:
    """Holds a call to one of its own methods."""

    def __init__(self) -> None:
        self.call = crew.Call(self.work)

    def work(self) -> None:
        pass


@pytest.mark.parametrize("end", ["result", "cancel"])
def test_an_ended_call_keeps_nothing_alive(end: str) -> None:
    """Its owner goes without the help of the garbage collector."""
    owner = Owner()
    if end == "result":
        owner.call.start()
    getattr(owner.call, end)()
    gone = weakref.ref(owner)
    gc.disable()
    try:
        del owner
        deadline = time.monotonic() + 5  # the thread itself lets go a moment later
        while gone() is not None:
            assert time.monotonic() < deadline
            time.sleep(0.001)
    finally:
        gc.enable()


def test_a_call_raises_once() -> None:
    call = crew.Call(int, "no number")
    call.start()
    with pytest.raises(ValueError, match="no number"):
        call.result()
    call.result()


def test_a_cancelled_call_never_begins() -> None:
    made: list[str] = []
    call = crew.Call(made.append, "a call")
    call.cancel()
    call.result()  # does not wait
    assert not call.start()
    assert not call.is_alive
    assert made == []


def test_cancelling_comes_too_late_once_it_was_started() -> None:
    go_on, made = threading.Event(), []
    call = crew.Call(lambda: made.append(go_on.wait()))
    call.start()
    call.cancel()
    assert call.is_alive
    go_on.set()
    call.result()
    call.cancel()
    assert made == [True]


class FailingQueue(SimpleQueue):
    """Each call fails once for want of memory before it succeeds."""

    def __init__(self) -> None:
        self.failed: set[tuple[str, int]] = set()

    def _fail_once(self, name: str) -> None:
        key = (name, threading.get_ident())
        if key not in self.failed:
            self.failed.add(key)
            raise MemoryError
        self.failed.remove(key)

    def put(self, *args: object) -> None:
        self._fail_once("put")
        super().put(*args)

    def get(self, *args: object) -> object:
        self._fail_once("get")
        return super().get(*args)


def test_a_crew_ends_even_where_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "SimpleQueue", FailingQueue)
    before, made = thread_count(), []
    members = crew.Crew(3)
    for number in range(5):
        with pytest.raises(MemoryError):
            members.submit(made.append, number)
        members.submit(made.append, number).result()
    members.shutdown()
    await_threads(before)
    assert sorted(made) == [0, 1, 2, 3, 4]
