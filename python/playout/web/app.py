"""The application: the page's files, an answer to each request, and streams of events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import resources
from threading import BoundedSemaphore

from anyio import to_thread
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from playout.serving.faults import in_one_line
from playout.web.answers import QUICK, SEARCHES, STREAMS, Plain, Stream
from playout.web.asking import Asked
from playout.web.guard import Guard, Refused

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
MOST_AT_ONCE = 4  # searches
MOST_QUICK = 16  # other requests at once
FAULTS = (ValueError, MemoryError)

Endpoint = Callable[[Request], Awaitable[Response]]


class Busy(Exception):
    """Enough searches are under way."""


class Seats:
    """How many searches may run at once."""

    def __init__(self, most: int) -> None:
        self._free = BoundedSemaphore(most)

    @contextmanager
    def one(self) -> Iterator[None]:
        """A seat while the block runs; `Busy` if all are taken."""
        if not self._free.acquire(blocking=False):
            raise Busy
        try:
            yield
        finally:
            self._free.release()


def files() -> dict[str, tuple[bytes, str]]:
    """The files of the page by their address. No other file can be asked for."""
    folder = resources.files("playout.web").joinpath("static")
    found = {}
    for file in folder.iterdir():
        kind = TYPES.get("." + file.name.rpartition(".")[2])
        if kind is not None:
            found[f"/{file.name}"] = file.read_bytes(), kind
    found["/"] = found["/index.html"]
    return found


def application(token: str, port: int) -> Guard:
    """The guarded application."""
    seats = Seats(MOST_AT_ONCE)
    routes = [Route(path, _file(*found)) for path, found in files().items()]
    for answers, limited in ((QUICK, Seats(MOST_QUICK)), (SEARCHES, seats)):
        routes += [
            Route(f"/api/{name}", _answer(answer, limited), methods=["POST"])
            for name, answer in answers.items()
        ]
    routes += [
        Route(f"/events/{name}", _stream(begin, seats), methods=["GET"])
        for name, begin in STREAMS.items()
    ]
    handlers = {404: _missing, 405: _missing, Refused: _refused}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), token, port)


async def _missing(request: Request, fault: Exception) -> Response:
    return PlainTextResponse("there is no such page here", status_code=404)


async def _refused(request: Request, fault: Exception) -> Response:
    """A body that turns out to be too large while it is read."""
    assert isinstance(fault, Refused)
    return PlainTextResponse(fault.reason, status_code=fault.status)


def _file(content: bytes, kind: str) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        return Response(content, media_type=kind)

    return endpoint


def _answer(answer: Callable[[Asked], Plain], seats: Seats) -> Endpoint:
    """An endpoint that answers a JSON object with another one."""

    async def endpoint(request: Request) -> Response:
        body = await request.body()

        def answered() -> Plain:
            with seats.one():
                return answer(Asked.of_text(body))

        try:
            return JSONResponse(await run_in_threadpool(answered))
        except Busy:
            return _fault(BUSY, 429)
        except FAULTS as fault:
            return _fault(in_one_line(fault), 400)

    return endpoint


def _stream(begin: Callable[[Asked], Stream], seats: Seats) -> Endpoint:
    """An endpoint that answers with server-sent events. When the page leaves, the search ends."""

    async def endpoint(request: Request) -> Response:
        try:
            asked = Asked.of_text(request.query_params.get("ask", ""))
            stream = await run_in_threadpool(begin, asked)
        except FAULTS as fault:
            return _events_of(_once({"error": in_one_line(fault), "end": True}))
        return _events_of(_events(stream, seats))

    return endpoint


async def _events(stream: Stream, seats: Seats) -> AsyncIterator[str]:
    """Each event as text. The next one is searched for when the page has taken the last one."""
    try:
        with seats.one():
            while (event := await _next(stream.events)) is not None:
                yield _event(event)
        yield _event({"end": True})
    except Busy:
        yield _event({"error": BUSY, "busy": True, "end": True})
    except FAULTS as fault:
        yield _event({"error": in_one_line(fault), "end": True})
    finally:
        stream.stop()


BUSY = "enough searches are under way: wait until one has ended, or close another page"


async def _next(events: Iterator[Plain]) -> Plain | None:
    """The next event, from a thread; if the page leaves, nobody waits for the thread."""
    return await to_thread.run_sync(partial(next, events, None), abandon_on_cancel=True)


async def _once(event: Plain) -> AsyncIterator[str]:
    yield _event(event)


def _event(event: Plain) -> str:
    return f"data: {json.dumps(event, allow_nan=False)}\n\n"


def _events_of(events: AsyncIterator[str]) -> Response:
    return StreamingResponse(events, media_type="text/event-stream")


def _fault(text: str, status: int) -> Response:
    return JSONResponse({"error": text}, status_code=status)
