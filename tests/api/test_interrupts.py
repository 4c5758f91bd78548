"""Ctrl-C that waits for the end of a block."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from playout.interrupts import held_back


@pytest.fixture(autouse=True)
def default_handler() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_waits_for_the_end_of_the_block() -> None:
    reached = []
    with pytest.raises(KeyboardInterrupt), held_back():  # noqa: PT012, it comes at the end
        signal.raise_signal(signal.SIGINT)
        reached.append(True)
    assert reached
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_ctrl_c_nothing_happens() -> None:
    with held_back():
        pass
    with pytest.raises(ZeroDivisionError), held_back():
        1 / 0  # noqa: B018
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_handlers_of_others_and_other_threads_are_left_alone() -> None:
    heard: list[int] = []

    def own(number: int, frame: object) -> None:
        heard.append(number)

    signal.signal(signal.SIGINT, own)
    with held_back():
        signal.raise_signal(signal.SIGINT)
        assert heard == [signal.SIGINT]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    seen: list[object] = []

    def look() -> None:
        with held_back():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
