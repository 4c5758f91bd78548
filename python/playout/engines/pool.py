"""Engines that wait for their next game, so that they need not be started for each.

Each process has its own: a child that was forked leaves its parent's engines alone. At most
MOST_IDLE programs wait; the one that has waited longest is ended for the next.
"""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING

from mcts_core.errors import BadMethod
from playout.engines.client import Client
from playout.engines.process import EngineFault

if TYPE_CHECKING:
    from playout.engines.engine import Engine


MOST_IDLE = 16  # a bot takes some 50 MB; fewer would be started more often in a large tournament


class Pool:
    """Idle clients."""

    def __init__(self) -> None:
        self._empty()

    def _empty(self) -> None:
        self._lock = Lock()
        self._idle: list[Client] = []  # the one that has waited longest first
        self._ends_with_us = False

    def take(self, engine: Engine) -> Client:
        """A client that waits, or a new one."""
        key = engine.as_program()
        while True:
            with self._lock:
                waiting = [client for client in self._idle if client.engine.as_program() == key]
                client = waiting[-1] if waiting else None
                if client is not None:
                    self._idle.remove(client)
            if client is None:
                return self._started(engine)
            if client.child.is_alive:
                client.engine, client.child.name = engine, engine.name
                return client
            client.child.end()

    def _started(self, engine: Engine) -> Client:
        self._end_with_us()
        client = engine.client(engine)
        try:
            client.shake()
        except EngineFault as fault:  # the wrong program or protocol: not a game to be lost
            client.child.end()
            raise BadMethod(str(fault)) from None
        except BaseException:
            client.child.end()
            raise
        return client

    def give(self, client: Client) -> None:
        """Keep a client for the next game."""
        with self._lock:
            self._idle.append(client)
            too_many, self._idle = self._idle[:-MOST_IDLE], self._idle[-MOST_IDLE:]
        _end(too_many)

    def close(self, engine: Engine | None = None) -> None:
        """End all that wait, or those of one engine."""
        key = None if engine is None else engine.as_program()
        with self._lock:
            ended = [c for c in self._idle if key is None or c.engine.as_program() == key]
            self._idle = [client for client in self._idle if client not in ended]
        _end(ended)

    def forget(self) -> None:
        """In a child that was forked: the engines are the parent's."""
        for client in self._idle:
            client.child.forget()
        self._empty()

    def _end_with_us(self) -> None:
        """At the end of this process end the engines, also in a worker of multiprocessing."""
        from multiprocessing.util import Finalize

        with self._lock:
            if not self._ends_with_us:
                Finalize(None, self.close, exitpriority=0)
                self._ends_with_us = True


def _end(clients: list[Client]) -> None:
    for client in clients:
        client.child.end(client.last)


POOL = Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=POOL.forget)
