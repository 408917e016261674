"""Events as web servers get them, directly and by way of a proxy."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from socket import create_server

import pytest
from receivers import web_server
from tls_material import material
from web_client_process import urls_are_opened

from sanstone.kernel.notification import webhook
from sanstone.kernel.tls import Trust

RECORD = {"index": 7, "message": {"name": "disk.missing", "severity": "alert"}, "log_message": "ü"}
TRUST = Trust((material().authority.text,))


@pytest.fixture
def by(tmp_path: Path) -> Iterator[str]:
    """The socket of the process that opens URLs."""
    with urls_are_opened(tmp_path / "web-client.sock") as path:
        yield path


def test_an_event_is_posted_as_json(by: str) -> None:
    with web_server() as web:
        webhook.post(by, web.url, TRUST, "", RECORD)
    [request] = web.requests
    assert (request.path, request.body) == ("/hook?for=san", RECORD)
    assert request.headers["Content-Type"] == "application/json"


def test_by_tls_to_a_server_that_proves_its_name(by: str) -> None:
    with web_server(material().server_context()) as web:
        webhook.post(by, web.url, TRUST, "", RECORD)
        with pytest.raises(OSError, match="certificate verify failed"):
            webhook.post(by, web.url, Trust(), "", RECORD)
    assert len(web.requests) == 1


def test_a_server_may_require_a_client_certificate(by: str) -> None:
    client = material().client
    with web_server(material().server_context(asks=True)) as web:
        trust = Trust((material().authority.text,), client.text, client.key)
        webhook.post(by, web.url, trust, "", RECORD)
        with pytest.raises(OSError, match=r"(?i)certificate.required|EOF|reset|broken pipe"):
            webhook.post(by, web.url, TRUST, "", RECORD)
    assert len(web.requests) == 1


@pytest.mark.parametrize("status", [302, 307, 404, 500])
def test_a_refusing_server_is_an_error(by: str, status: int) -> None:
    with web_server() as web:
        web.status = status
        with pytest.raises(OSError, match=f"it answered {status}"):
            webhook.post(by, web.url, TRUST, "", RECORD)
    assert len(web.requests) == 1, "no redirection is followed"


def test_a_closed_port_is_an_error(by: str) -> None:
    with create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(OSError, match="refused"):
        webhook.post(by, f"http://127.0.0.1:{port}/", TRUST, "", RECORD)


def test_a_proxy_gets_its_login(by: str) -> None:
    with web_server() as proxy:
        address = proxy.url.removeprefix("http://").partition("/")[0]
        through = f"http://array:a%20secret@{address}"
        webhook.post(by, "http://hooks.example.org/san", TRUST, through, RECORD)
    [request] = proxy.requests
    assert request.path == "http://hooks.example.org/san"
    login = base64.b64encode(b"array:a secret").decode()
    assert request.headers["Proxy-Authorization"] == f"Basic {login}"
