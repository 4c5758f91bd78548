"""What stands before every request: it must come from the page of this server, and be small."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from time import monotonic
from typing import Any, TypeAlias
from urllib.parse import parse_qs

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_PATH = 16_384  # bytes, with the query
LARGEST_BODY = 65_536  # bytes
RATE, BURST = 50.0, 250.0  # requests a second in the long run, and at once
METHODS = ("GET", "POST")
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


class Refused(Exception):
    """A request that is not answered: a status and a reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class Guard:
    """Lets requests through that carry the token, name this host, and come from this page.

    A page of another site cannot pass: the browser sends it no cookie of this one (SameSite), says
    where it comes from (Origin, Sec-Fetch-Site), and a name that leads here (DNS rebinding) is not
    this host.
    """

    def __init__(self, app: App, token: str, port: int) -> None:
        self._app, self._token, self.port = app, token, port
        self._rate = Bucket(RATE, BURST)

    @property
    def cookie(self) -> str:
        """The name of the cookie with the token. Cookies know no ports, so its name has it."""
        return f"playout-{self.port}"

    @property
    def _hosts(self) -> tuple[str, ...]:
        return tuple(f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a web socket
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            headers = {name.decode("latin-1"): v.decode("latin-1") for name, v in scope["headers"]}
            self._check_origin(scope, headers)
            if not self._rate.take():
                raise Refused(429, "too many requests: wait a moment")
            if self._is_entry(scope):
                await _answer(send, 303, "", {"location": "/", "set-cookie": self._set_cookie()})
                return
            self._check_token(headers)
            await self._app(scope, _bounded(receive, _length(headers)), _with_headers(send))
        except Refused as refusal:
            await _answer(send, refusal.status, refusal.reason)

    def _check_origin(self, scope: Scope, headers: dict[str, str]) -> None:
        if scope["method"] not in METHODS:
            raise Refused(405, "only GET and POST are known here")
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > LONGEST_PATH:
            raise Refused(414, "the address is too long")
        if sum(name == b"host" for name, _ in scope["headers"]) != 1:
            raise Refused(400, "a request names one host")
        host = headers["host"].lower()
        if host not in self._hosts:
            raise Refused(403, "this server is for this machine alone")
        if headers.get("origin", f"http://{host}").lower() != f"http://{host}":
            raise Refused(403, "this request comes from another page")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Refused(403, "this request comes from another site")
        if scope["method"] == "POST":
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                raise Refused(415, "what is sent must be JSON")

    def _is_entry(self, scope: Scope) -> bool:
        """Whether this is the first visit, whose address has the token."""
        if scope["method"] != "GET" or scope["path"] != "/":
            return False
        query = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=8)
        return self._is_token(query.get("token", [""])[0])

    def _check_token(self, headers: dict[str, str]) -> None:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            found = None
        if not self._is_token(headers.get("x-token", "") if found is None else found.value):
            raise Refused(403, "open the address that `playout web` printed: it has the token")

    def _is_token(self, found: str) -> bool:
        return hmac.compare_digest(found.encode(), self._token.encode())

    def _set_cookie(self) -> str:
        return f"{self.cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict"


class Bucket:
    """Allows a number of events at once, and a rate in the long run.

    >>> bucket = Bucket(1.0, 2.0)
    >>> [bucket.take() for _ in range(3)]
    [True, True, False]
    """

    def __init__(self, rate: float, most: float) -> None:
        self._rate, self._most = rate, most
        self._left, self._last = most, monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = monotonic()
        self._left = min(self._most, self._left + (now - self._last) * self._rate)
        self._last = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


def _length(headers: dict[str, str]) -> int:
    """The length that a request says its body has."""
    text = headers.get("content-length", "0")
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise Refused(400, "the length of the request is no number")
    return int(text)


def _bounded(receive: Receive, told: int) -> Receive:
    """Receive a body, at most LARGEST_BODY of it, whatever its header says."""
    if told > LARGEST_BODY:
        raise Refused(413, f"a request has at most {LARGEST_BODY:,} bytes")
    read = 0

    async def bounded() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > LARGEST_BODY:
            raise Refused(413, f"a request has at most {LARGEST_BODY:,} bytes")
        return message

    return bounded


def _with_headers(send: Send) -> Send:
    """Add the headers that keep a browser strict."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message["headers"] = [*message.get("headers", []), *own]
        await send(message)

    return sending


async def _answer(send: Send, status: int, text: str, more: dict[str, str] | None = None) -> None:
    headers = {"content-type": "text/plain; charset=utf-8", **HEADERS, **(more or {})}
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": text.encode()})
