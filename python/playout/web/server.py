"""Runs the application on the loopback interface, on a free port, with a token of its own."""

from __future__ import annotations

import secrets
import socket
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import uvicorn

from playout.web.app import application

HOST = "127.0.0.1"
LONGEST_WAIT = 10.0  # seconds to begin
MOST_CONNECTIONS = 64
GRACE = 2  # seconds for requests under way at the end


@dataclass
class Server:
    """A server for one page. `with Server() as server:` runs it in a thread."""

    port: int = 0  # 0: any that is free
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def __post_init__(self) -> None:
        self._socket = socket.socket(
            socket.AF_INET,
            socket.SOCK_STREAM,
            socket.IPPROTO_TCP,  # so that asyncio sends at once
        )
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((HOST, self.port))
        except OSError as fault:
            self._socket.close()
            raise ValueError(
                f"port {self.port} cannot be used: {fault.strerror}; leave it out for a free one"
            ) from None
        self.port = self._socket.getsockname()[1]
        config = uvicorn.Config(
            application(self.token, self.port),
            log_level="critical",
            access_log=False,
            lifespan="off",
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=GRACE,
            limit_concurrency=MOST_CONNECTIONS,
        )
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    @property
    def origin(self) -> str:
        """The address without the token."""
        return f"http://{HOST}:{self.port}"

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"{self.origin}/?token={self.token}"

    def run(self) -> None:
        """Serve until Ctrl-C."""
        self._server.run(sockets=[self._socket])

    def close(self) -> None:
        """Give the port back."""
        self._socket.close()

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self.run, daemon=True)
        self._thread.start()
        wait = threading.Event()
        for _ in range(round(LONGEST_WAIT / 0.01)):
            if self._server.started:
                return self
            wait.wait(0.01)
        raise RuntimeError("the server did not begin")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()
        self.close()
