"""The lab's REST client keeps its connection, and takes a new one where the array ended it."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from lab.api import Api, Refused
from sanstone.security import certificates


class Server(ThreadingHTTPServer):
    """Counts connections; `hang_up` ends each after an answer, without notice."""

    connections = 0
    hang_up = False


class Handler(BaseHTTPRequestHandler):
    """Answers with the path, and under /api/missing that there is nothing."""

    protocol_version = "HTTP/1.1"
    server: Server

    def setup(self) -> None:
        """Begin a connection."""
        super().setup()
        self.server.connections += 1

    def do_GET(self) -> None:
        """Answer a request."""
        answer = json.dumps({"path": self.path}).encode()
        self.send_response(404 if "missing" in self.path else 200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
        self.close_connection = self.server.hang_up

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Server, Api]]:
    """A server over TLS, and a client that trusts its certificate."""
    certificate = certificates.self_signed(
        certificates.CertificateSpecification((("CN", "array"),)), 1
    )
    file = tmp_path / "server.pem"
    file.write_text(certificate.key + certificate.text)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    server = Server(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield (
        server,
        Api(f"https://127.0.0.1:{server.server_port}/", "admin", "secret", certificate.text),
    )
    server.shutdown()
    thread.join()
    server.server_close()


def test_requests_share_a_connection(server: tuple[Server, Api]) -> None:
    machine, api = server
    assert api.get("storage/luns", svm__name="svm 1") == {
        "path": "/api/storage/luns?svm.name=svm+1"
    }
    with pytest.raises(Refused) as error:
        api.get("missing")
    assert (error.value.status, error.value.body) == (404, {"path": "/api/missing"})
    assert api.get("cluster") == {"path": "/api/cluster"}
    assert machine.connections == 1


def test_a_connection_that_the_array_ended_is_not_used_again(server: tuple[Server, Api]) -> None:
    machine, api = server
    machine.hang_up = True
    for number in range(1, 4):
        assert api.get("cluster") == {"path": "/api/cluster"}
        _wait_for_the_end(api)
        assert machine.connections == number


def test_a_link_local_address_has_a_zone_and_no_port(server: tuple[Server, Api]) -> None:
    there = replace(server[1], url="https://[fe80::1%lab-none]/")
    with pytest.raises(OSError, match=r"(?i)no such|not known|invalid|unreachable|name or service"):
        there.get("cluster")


def test_each_thread_has_a_connection_of_its_own(server: tuple[Server, Api]) -> None:
    machine, api = server
    api.get("cluster")
    thread = Thread(target=api.get, args=["cluster"])
    thread.start()
    thread.join()
    assert machine.connections == 2


def _wait_for_the_end(api: Api) -> None:
    """Wait until the other end of the client's connection has been closed."""
    connection = api._line.connection
    assert connection
    connection.sock.settimeout(None)
    assert connection.sock.recv(1) == b""
