"""Engines that wait for their next game, so that they need not be started for each.

Each process has its own: a child that was forked leaves its parent's engines alone.
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


class Pool:
    """Idle clients, by their engine."""

    def __init__(self) -> None:
        self._empty()

    def _empty(self) -> None:
        self._lock = Lock()
        self._idle: dict[Engine, list[Client]] = {}
        self._ends_with_us = False

    def take(self, engine: Engine) -> Client:
        """A client that waits, or a new one."""
        key = engine.as_program()
        while True:
            with self._lock:
                waiting = self._idle.get(key)
                client = waiting.pop() if waiting else None
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
            self._idle.setdefault(client.engine.as_program(), []).append(client)

    def close(self, engine: Engine | None = None) -> None:
        """End all that wait, or those of one engine."""
        with self._lock:
            keys = list(self._idle) if engine is None else [engine.as_program()]
            clients = [client for key in keys for client in self._idle.pop(key, [])]
        for client in clients:
            client.child.end(client.last)

    def forget(self) -> None:
        """In a child that was forked: the engines are the parent's."""
        for clients in self._idle.values():
            for client in clients:
                client.child.forget()
        self._empty()

    def _end_with_us(self) -> None:
        """At the end of this process end the engines, also in a worker of multiprocessing."""
        from multiprocessing.util import Finalize

        with self._lock:
            if not self._ends_with_us:
                Finalize(None, self.close, exitpriority=0)
                self._ends_with_us = True


POOL = Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=POOL.forget)
