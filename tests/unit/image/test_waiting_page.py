"""The page that an array serves to people and programs while it waits for its state."""

from __future__ import annotations

import json
import ssl
import subprocess
from collections.abc import Iterator
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path

import pytest
from nginx import PROGRAM
from ports import wait_for
from tls_material import material

from image.repository import REPOSITORY
from lab.rack import free_port

CONFIGURATION = REPOSITORY / "overlay/etc/nginx/waiting.conf"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of the page's server, with the product's configuration."""
    port, server = free_port(), material().server
    (tmp_path / "certificate.pem").write_text(server.text)
    (tmp_path / "key.pem").write_text(server.key)
    text = CONFIGURATION.read_text()
    for ours, theirs in {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "listen [::]:443 ssl;": "",
        "/run/waiting": str(tmp_path),
    }.items():
        assert ours in text
        text = text.replace(ours, theirs)
    file = tmp_path / "waiting.conf"
    file.write_text(text)
    argv = [PROGRAM, "-e", "stderr", "-c", str(file), "-g", "daemon off;"]
    with subprocess.Popen(argv) as nginx:
        try:
            wait_for(port, nginx)
            yield port
        finally:
            nginx.terminate()
            nginx.wait()


def answer_to(port: int, method: str, path: str) -> tuple[HTTPResponse, str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = HTTPSConnection("127.0.0.1", port, context=context)
    connection.request(method, path, b"{}" if method == "POST" else None)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response, text


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/", "text/html"),
        ("GET", "/storage/luns", "text/html"),
        ("GET", "/api/cluster", "application/json"),
        ("POST", "/api/storage/luns", "application/json"),
    ],
)
def test_an_answer_names_the_awaited_state(port: int, method: str, path: str, kind: str) -> None:
    response, text = answer_to(port, method, path)
    assert (response.status, response.headers.get_content_type()) == (503, kind)
    assert response.headers["Retry-After"] == "10"
    assert "sanstone-state" in text
    if kind == "application/json":
        assert json.loads(text)["error"]["message"]
