"""Hostile requests: each is refused in the right way, and the server goes on."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from playout.web.guard import LARGEST_BODY, LONGEST_PATH, Bucket
from playout.web.server import Server

JSON = {"content_type": "application/json"}
PLACE = {"game": "breakthrough", "rows": 5, "columns": 5}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


class Answer:
    """A status, headers and a body."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.headers = response.status, response.headers
        self.text = response.read().decode()


def sent(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> Answer:
    """The answer to a request with the token, unless headers say something else."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    given = {"x-token": server.token} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    try:
        connection.request(method, path, body, {n: v for n, v in given.items() if v != "-"})
        return Answer(connection.getresponse())
    finally:
        connection.close()


def asked(server: Server, name: str, **parts: Any) -> Answer:
    body = json.dumps(parts).encode()
    return sent(server, "POST", f"/api/{name}", body, content_type="application/json")


def still_well(server: Server) -> bool:
    return asked(server, "position", **PLACE).status == 200


# Who may ask


def test_the_token_is_needed(server: Server) -> None:
    for token in ("-", "", "wrong", server.token[:-1], server.token + "x", "\u00e4"):
        answer = sent(server, "GET", "/", x_token=token)
        assert answer.status == 403, token
        assert server.token not in answer.text


def test_the_token_of_another_server(server: Server) -> None:
    with Server() as other:
        assert sent(server, "GET", "/", x_token=other.token).status == 403


def test_tokens_are_long_and_differ() -> None:
    servers = [Server() for _ in range(3)]
    for server in servers:
        server.close()
    tokens = {server.token for server in servers}
    assert len(tokens) == 3
    assert min(map(len, tokens)) >= 32


def test_the_first_visit_gets_a_cookie_and_loses_the_token_from_its_address(server: Server) -> None:
    answer = sent(server, "GET", f"/?token={server.token}", x_token="-")
    assert (answer.status, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    name = cookie.partition(";")[0]
    assert sent(server, "GET", "/", x_token="-", cookie=name).status == 200
    assert sent(server, "GET", "/", x_token="-", cookie="playout-1=x").status == 403


def test_a_wrong_token_in_the_address(server: Server) -> None:
    assert sent(server, "GET", "/?token=guess", x_token="-").status == 403
    assert sent(server, "GET", f"/style.css?token={server.token}", x_token="-").status == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "localhost.evil:80", ""]
)
def test_a_name_that_leads_here_is_not_this_host(server: Server, host: str) -> None:
    """DNS rebinding: the browser sends the name of the page that attacks."""
    assert sent(server, "GET", "/", host=host).status in (400, 403)


def test_localhost_is_this_host(server: Server) -> None:
    assert sent(server, "GET", "/", host=f"localhost:{server.port}").status == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "file://"]
)
def test_another_page_may_not_ask(server: Server, origin: str) -> None:
    assert sent(server, "GET", "/", origin=origin).status == 403
    body = json.dumps(PLACE).encode()
    answer = sent(server, "POST", "/api/position", body, origin=origin, **JSON)
    assert answer.status == 403


def test_the_page_itself_may_ask(server: Server) -> None:
    body = json.dumps(PLACE).encode()
    answer = sent(server, "POST", "/api/position", body, origin=server.origin, **JSON)
    assert answer.status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_may_not_ask(server: Server, site: str) -> None:
    assert sent(server, "GET", "/events/analysed?ask={}", sec_fetch_site=site).status == 403


def test_a_form_of_another_page_cannot_send_json(server: Server) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = sent(server, "POST", "/api/position", b"{}", content_type=kind)
        assert answer.status == 415


def test_it_listens_on_loopback_alone(server: Server) -> None:
    assert server._socket.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT"])
def test_other_methods(server: Server, method: str) -> None:
    assert sent(server, method, "/").status in (400, 405)


# Files and headers


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/../setup.py",
            "/..%2f..%2fsetup.py",
            "/%2e%2e/app.py",
            "/static/../app.py",
            "//etc/passwd",
        ),
        *(
            "/app.py",
            "/guard.py",
            "/etc/passwd",
            "/index.html/..",
            "/C:/x",
            "/%00",
            "/api",
            "/api/",
        ),
        *("/api/__class__", "/api/../index.html", "/events/nothing"),
    ],
)
def test_only_the_files_of_the_page(server: Server, path: str) -> None:
    assert sent(server, "GET", path).status == 404


def test_every_answer_keeps_the_browser_strict(server: Server) -> None:
    answers = [
        sent(server, "GET", "/"),
        sent(server, "GET", "/nothing"),
        sent(server, "GET", "/", x_token="-"),
        asked(server, "position", **PLACE),
    ]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers


def test_the_page_loads_nothing_from_elsewhere_and_has_no_script_in_it() -> None:
    folder = Path(__file__).parents[2] / "python" / "playout" / "web" / "static"
    for file in folder.iterdir():
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text, file
        assert "https:" not in text, file
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "eval(",
            "Function(",
            "document.write",
        ):
            assert word not in text, (file, word)
        assert len(text) <= 20_000, file
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert page.count("<script") == 1
    assert " on" not in page.split("<body>")[1].replace(" on this", "")


# Size and rate


def test_a_long_address(server: Server) -> None:
    assert sent(server, "GET", "/?" + "x" * LONGEST_PATH).status == 414


def test_a_large_body(server: Server) -> None:
    large = b'{"game": "' + b"x" * LARGEST_BODY + b'"}'
    assert sent(server, "POST", "/api/position", large, **JSON).status == 413


def test_a_body_that_is_larger_than_it_says(server: Server) -> None:
    """In chunks, without a length."""
    head = (
        f"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"X-Token: {server.token}\r\nContent-Type: application/json\r\n"
        "Transfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"2000\r\n" + b" " * 0x2000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as wire:
        wire.sendall(head.encode())
        try:
            for _ in range(LARGEST_BODY // 0x2000 + 2):
                wire.sendall(chunk)
            found = wire.recv(4096)
        except OSError:  # it has closed the connection already
            found = b"413"
    assert b"413" in found
    assert still_well(server)


def test_a_length_that_is_no_number(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as wire:
        head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: -5\r\n\r\n"
        wire.sendall(head.encode())
        assert wire.recv(64).startswith(b"HTTP/1.1 400")
    assert still_well(server)


def test_bytes_that_are_no_request(server: Server) -> None:
    for garbage in (b"\x00\xff" * 50, b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as wire:
            wire.sendall(garbage + b"\r\n\r\n")
            assert wire.recv(64)[:12] in (b"HTTP/1.1 400", b"")
    assert still_well(server)


def test_two_hosts(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as wire:
        host = f"Host: 127.0.0.1:{server.port}\r\n"
        wire.sendall(f"GET / HTTP/1.1\r\n{host}Host: evil.example\r\n\r\n".encode())
        assert wire.recv(64).startswith(b"HTTP/1.1 400")


def test_a_web_socket(server: Server) -> None:
    answer = sent(
        *(server, "GET", "/"), connection="Upgrade", upgrade="websocket",
        sec_websocket_key="dGhlIHNhbXBsZSBub25jZQ==", sec_websocket_version="13",
    )  # fmt: skip
    assert answer.status == 200  # the page, not a socket


def test_too_many_requests() -> None:
    with Server() as server:
        answers = [sent(server, "GET", "/", x_token="-").status for _ in range(400)]
    assert answers[0] == 403
    assert 429 in answers


def test_a_bucket_fills_again() -> None:
    bucket = Bucket(rate=1e6, most=1.0)
    assert bucket.take()
    assert bucket.take() or bucket.take() or bucket.take()


# What is asked


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"1", b'"text"', b"\xff", b"[" * 30_000, b'{"game": NaN}']
)
def test_what_is_no_json_object(server: Server, body: bytes) -> None:
    answer = sent(server, "POST", "/api/position", body, **JSON)
    assert answer.status == 400
    assert json.loads(answer.text)["error"]


@pytest.mark.parametrize(
    "parts",
    [
        {"game": "chess"},
        {"game": ["othello"]},
        {"game": "othello", "rows": 10**9, "columns": 10**9},
        {"game": "othello", "rows": -1},
        {"game": "othello", "rows": "8"},
        {"game": "othello", "rows": 1e999},
        {"game": "othello", "start": "X" * 30_000},
        {"game": "othello", "start": "../../etc/passwd"},
        {"game": "othello", "moves": "f5"},
        {"game": "othello", "moves": ["f5"] * 1000},
        {"game": "othello", "moves": ["<script>alert(1)</script>"]},
        {"game": "othello", "moves": [{"$ne": 1}]},
        {"game": "breakthrough", "start": "bbb/.../www w" + "\x00"},
        {"game": "breakthrough", "seed": 1, "start": "(;GM[Othello];)"},
    ],
)
def test_wrong_positions(server: Server, parts: dict[str, Any]) -> None:
    answer = asked(server, "position", **parts)
    assert answer.status == 400
    assert "Traceback" not in answer.text
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    "method",
    [
        "AlphaBeta(evaluation='x.net')",
        "AlphaBeta(evaluation='/etc/passwd.net')",
        "AlphaBeta(evaluation='x.' 'net')",
        r"AlphaBeta(evaluation='x\x2enet')",
        "UCT(evaluation='../x.net')",
        "Halving(method=UCT(evaluation='x.net'))",
        "uci:sh@1s",
        "uci:'sh -c id'@1s",
        "bot.py@1s",
        "you",
        "uct threads=64",
        "uct memory=900GB",
        "uct keep",
        "AlphaBeta(threads=64)",
        "__import__('os')",
        "UCT(c=().__class__)",
        "UCT(c=9**9**9)",
        "UCT(" * 60,
        "x" * 5000,
    ],
)
def test_wrong_methods(server: Server, method: str) -> None:
    """No file is read, no program is started, and memory and threads are not the page's."""
    answer = asked(server, "move", **PLACE, method=method)
    assert answer.status == 400, answer.text
    assert still_well(server)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("move", {"seconds": -1}),
        ("move", {"seconds": "forever"}),
        ("move", {"seed": -1}),
        ("move", {"seed": 2**70}),
        ("steps", {"steps": 10**9}),
        ("steps", {"method": "flat"}),
        ("exact", {"nodes": 10**12}),
        ("edited", {"board": ["w" * 21]}),
        ("edited", {"board": [["w"]]}),
        ("edited", {"board": ["www"], "turn": 7}),
        ("read", {"text": "x" * 30_000}),
        ("read", {"text": "{" * 5000}),
        ("read", {"text": '[Game "breakthrough"] [FEN "../../x"] *'}),
        ("judged", {}),
        ("page", {}),
    ],
)
def test_wrong_requests(server: Server, name: str, parts: dict[str, Any]) -> None:
    answer = asked(server, name, **(PLACE | parts))
    assert answer.status == 400, answer.text
    assert json.loads(answer.text)["error"]


def test_searches_are_bounded(server: Server) -> None:
    """A request for a search without an end gets one with ours."""
    answer = asked(server, "move", **PLACE, method="uct@2000000000", seconds=0.2)
    assert answer.status == 200
    assert json.loads(answer.text)["result"]["seconds"] < 20


def test_only_a_few_searches_at_once(server: Server) -> None:
    ask = json.dumps(PLACE | {"method": "uct", "seconds": 60}).replace(" ", "")
    wires = []
    try:
        for _ in range(4):
            wires.append(http.client.HTTPConnection("127.0.0.1", server.port, timeout=20))
            path = f"/events/analysed?ask={quoted(ask)}"
            wires[-1].request("GET", path, headers={"x-token": server.token})
            assert wires[-1].getresponse().readline().startswith(b"data: {")
        refused = asked(server, "hint", **PLACE)
        assert refused.status == 429
        assert "enough searches" in refused.text
    finally:
        for wire in wires:
            wire.close()
    for _ in range(100):  # the searches of pages that have gone end soon
        if asked(server, "hint", **PLACE).status == 200:
            break
    else:
        pytest.fail("the searches went on")


def quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")


def test_wrong_streams_end_with_the_reason(server: Server) -> None:
    for ask in ("", "{", '{"game":"chess"}', '{"game":"othello","method":"bot.py"}'):
        answer = sent(server, "GET", f"/events/analysed?ask={quoted(ask)}")
        event = json.loads(answer.text.removeprefix("data: "))
        assert event["error"]
        assert event["end"]


def test_names_of_players_are_text(server: Server) -> None:
    """What a game file says is sent as JSON, and written into pages with escapes."""
    name = "<img src=x onerror=alert(1)>"
    made = asked(server, "page", **PLACE, moves=["a2a3"], players=[name, "b"], playouts=10)
    page = json.loads(made.text)["html"]
    assert "<img" not in page
    assert "&lt;img" in page
    assert "<script" not in page


def test_a_port_that_is_taken(server: Server) -> None:
    with pytest.raises(ValueError, match=f"port {server.port} cannot be used"):
        Server(server.port)
