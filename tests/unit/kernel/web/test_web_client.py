"""Downloads for root's programs, hop by hop."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket
from typing import Any

import pytest
from receivers import listening
from web_client_process import urls_are_opened

from sanstone.kernel.web import destination
from sanstone.kernel.web.question import Question, Unanswered, answered

PATIENCE = 30.0
CONTENT = b"content" * 100_000


class Mirror:
    """A web server: paths with the address that they redirect to, all others are the content."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.leads: dict[str, str] = {}
        self.logins: list[str | None] = []


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            fake.logins.append(self.headers["Authorization"])
            lead = fake.leads.get(self.path)
            self.send_response(302 if lead else 200)
            if lead:
                self.send_header("Location", lead)
            self.send_header("Content-Length", "0" if lead else str(len(CONTENT)))
            self.end_headers()
            self.wfile.write(b"" if lead else CONTENT)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        fake = Mirror(f"http://127.0.0.1:{server.server_port}/")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield fake
        server.shutdown()
        thread.join()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[str]:
    """The socket of the process."""
    with urls_are_opened(tmp_path / "web-client.sock") as path:
        yield path


def fetched(place: str, url: str, hops: int = 5, login: str = "") -> bytes:
    """Return the content at a URL, after redirects."""
    with answered(place, Question(url, PATIENCE, hops=hops, login=login)) as answer:
        assert answer.head.status == 200
        return b"".join(iter(answer.read1, b""))


def test_the_content_of_a_url(place: str, mirror: Mirror) -> None:
    assert fetched(place, mirror.url) == CONTENT
    with answered(place, Question(mirror.url, PATIENCE)) as answer:
        assert answer.length == len(CONTENT)


def test_a_redirect_is_followed_without_the_login(place: str, mirror: Mirror) -> None:
    mirror.leads = {"/a": "/b", "/b": f"{mirror.url}c"}
    assert fetched(place, f"{mirror.url}a", login="Basic secret") == CONTENT
    assert mirror.logins == ["Basic secret", None, None]


def test_redirects_have_a_limit(place: str, mirror: Mirror) -> None:
    mirror.leads = {"/a": "/a"}
    with pytest.raises(Unanswered, match="redirects too often"):
        fetched(place, f"{mirror.url}a")
    assert len(mirror.logins) == 6


@pytest.mark.parametrize(
    "lead", ["ftp://example.org/x", "file:///etc/shadow", "gopher://a/", "https:///a"]
)
def test_redirects_go_to_http_and_https_alone(place: str, mirror: Mirror, lead: str) -> None:
    mirror.leads = {"/a": lead}
    with pytest.raises(Unanswered, match="no URL of http or https"):
        fetched(place, f"{mirror.url}a")


def test_each_hop_is_looked_at(place: str, mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mirror stands for another machine here, and 127.0.0.2 for this one."""

    def require(_family: int, address: Any) -> None:
        if address[0] != "127.0.0.1":
            raise destination.Forbidden(f"{address[0]} is forbidden")

    monkeypatch.setattr(destination, "require_elsewhere", require)
    mirror.leads = {"/a": mirror.url.replace("127.0.0.1", "127.0.0.2")}
    with pytest.raises(Unanswered, match=r"127\.0\.0\.2 is forbidden"):
        fetched(place, f"{mirror.url}a")
    assert len(mirror.logins) == 1


@pytest.mark.parametrize(
    "reply", [b"SSH-2.0-OpenSSH_10.0\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf"]
)
def test_a_malformed_or_truncated_reply_is_an_error(place: str, reply: bytes) -> None:
    def answer(connection: socket) -> None:
        connection.recv(65536)
        connection.sendall(reply)

    with (
        listening(answer) as (host, port),
        pytest.raises(Unanswered, match=r"not understood|cut short"),
    ):
        fetched(place, f"http://{host}:{port}/")


def test_without_the_process_there_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(Unanswered, match="sanstone-web-client does not answer"):
        fetched(str(tmp_path / "nothing.sock"), "http://example.org/")
