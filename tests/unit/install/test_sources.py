"""Where answers come from: a server that proves itself, or a file system."""

from __future__ import annotations

import hashlib
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from machine import Machine

from sanstone.install import patience, sources
from sanstone.install.answers import WrongAnswers
from sanstone.security import certificates
from sanstone.security.certificates import CertificateSpecification

CONTENT = b'{"host_name": "san1"}'
Serve = Callable[..., str]
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Answering(BaseHTTPRequestHandler):
    """Serves the answers at /san1.json, and nothing else."""

    def answer(self) -> None:
        self.send_response({"/san1.json": 200, "/moved.json": 302}.get(self.path, 404))
        self.send_header("Location", "/san1.json")
        self.end_headers()
        self.wfile.write(CONTENT if self.path == "/san1.json" else b"")

    def greet(self) -> None:
        self.wfile.write(b"SSH-2.0-OpenSSH_9.9\r\n")

    do_GET = answer

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a server; gives its address."""
    servers = []

    def start(context: ssl.SSLContext | None = None) -> str:
        server = HTTPServer(("127.0.0.1", 0), Answering)
        if context:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"127.0.0.1:{server.server_address[1]}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def own_certificate(tmp_path: Path) -> ssl.SSLContext:
    """The files of a server with a self-signed certificate."""
    certificate = certificates.self_signed(
        CertificateSpecification((("CN", "boot"),), ("IP:127.0.0.1",)), 10
    )
    (tmp_path / "server.pem").write_text(certificate.text + certificate.key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "server.pem")
    return context


def test_the_command_line_names_the_source() -> None:
    line = "BOOT_IMAGE=/bzImage sanstone.install=http://192.0.2.1/a.json#sha256=00 quiet"
    assert sources.on_command_line(line) == "http://192.0.2.1/a.json#sha256=00"
    assert sources.on_command_line("quiet") == ""


def test_a_file_with_its_fingerprint(machine: Machine, tmp_path: Path, serve: Serve) -> None:
    url = f"http://{serve()}/san1.json#sha256={SHA256.upper()}"
    assert sources.read(machine.host, url, tmp_path) == CONTENT.decode()


def test_a_fingerprint_stands_for_a_certificate(
    machine: Machine, tmp_path: Path, serve: Serve, own_certificate: ssl.SSLContext
) -> None:
    address = serve(own_certificate)
    url = f"https://{address}/san1.json#sha256={SHA256}"
    assert sources.read(machine.host, url, tmp_path) == CONTENT.decode()
    with pytest.raises(WrongAnswers, match="CERTIFICATE_VERIFY_FAILED"):
        sources.read(machine.host, f"https://{address}/san1.json", tmp_path)


def test_another_file_than_meant_is_refused(machine: Machine, tmp_path: Path, serve: Serve) -> None:
    url = f"http://{serve()}/san1.json#sha256={'0' * 64}"
    with pytest.raises(WrongAnswers, match=f"has SHA-256 {SHA256}"):
        sources.read(machine.host, url, tmp_path)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("http://192.0.2.1/a.json", "http:// needs #sha256="),
        ("http://192.0.2.1/a.json#md5=00", "64 hexadecimal digits"),
        ("https://192.0.2.1/a.json#sha256=abc", "64 hexadecimal digits"),
        ("ftp://192.0.2.1/a.json", "neither a URL nor"),
        ("/dev/sda1", "neither a URL nor"),
        ("sda1:/a.json", "neither a URL nor"),
        (f"http://192.0.2.1:80x/a.json#sha256={SHA256}", "nonnumeric port: '80x'"),
        (f"http://san..example.org/a.json#sha256={SHA256}", "label"),
        (f"http://[192.0.2.1/a.json#sha256={SHA256}", r"\[192"),
    ],
)
def test_untrusted_or_senseless_sources_are_refused(
    machine: Machine, tmp_path: Path, source: str, why: str
) -> None:
    with pytest.raises(WrongAnswers, match=why):
        sources.read(machine.host, source, tmp_path)
    assert not machine.kernel.interrupt.log


def test_a_file_that_is_not_there(machine: Machine, tmp_path: Path, serve: Serve) -> None:
    url = f"http://{serve()}/other.json#sha256={SHA256}"
    with pytest.raises(WrongAnswers, match="404"):
        sources.read(machine.host, url, tmp_path)


def test_no_redirection_is_followed(machine: Machine, tmp_path: Path, serve: Serve) -> None:
    url = f"http://{serve()}/moved.json#sha256={SHA256}"
    with pytest.raises(WrongAnswers, match="302"):
        sources.read(machine.host, url, tmp_path)


def test_a_server_that_is_not_there(machine: Machine, tmp_path: Path) -> None:
    with pytest.raises(WrongAnswers, match="refused"):
        sources.read(machine.host, f"http://127.0.0.1:9/a#sha256={SHA256}", tmp_path)


def test_a_server_that_is_not_ready_is_tried_again(
    machine: Machine, tmp_path: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Answering, "do_GET", Answering.greet)
    url = f"http://{serve()}/san1.json#sha256={SHA256}"
    with pytest.raises(WrongAnswers, match=r"BadStatusLine: SSH-2\.0"):
        sources.read(machine.host, url, tmp_path)
    monkeypatch.setattr(patience, "PATIENCE", 180.0)
    monkeypatch.setattr(
        time, "sleep", lambda _: monkeypatch.setattr(Answering, "do_GET", Answering.answer)
    )
    assert sources.read(machine.host, url, tmp_path) == CONTENT.decode()


def test_a_file_on_a_device(machine: Machine, tmp_path: Path) -> None:
    there = machine.file_system("LABEL=ANSWERS")
    there.mkdir(parents=True)
    (there / "san1.json").write_bytes(CONTENT)
    folder = tmp_path / "answers"
    assert sources.read(machine.host, "LABEL=ANSWERS:/san1.json", folder) == CONTENT.decode()
    with pytest.raises(WrongAnswers, match="No such file"):
        sources.read(machine.host, "LABEL=ANSWERS:/other.json", folder)
    (there / "large.json").write_bytes(bytes(sources.LARGEST + 1))
    with pytest.raises(WrongAnswers, match="longer than"):
        sources.read(machine.host, "LABEL=ANSWERS:/large.json", folder)
    with pytest.raises(WrongAnswers, match="LABEL=NONE: no such file system"):
        sources.read(machine.host, "LABEL=NONE:/san1.json", folder)
    assert machine.clean


def test_a_stick_is_named_as_udev_names_it(machine: Machine, tmp_path: Path) -> None:
    device = "/dev/disk/by-id/usb-SanDisk_Ultra_4C53-0:0-part1"
    there = machine.file_system(device)
    there.mkdir(parents=True)
    (there / "san1.json").write_bytes(CONTENT)
    text = sources.read(machine.host, f"{device}:/san1.json", tmp_path / "answers")
    assert text == CONTENT.decode()


def test_a_stick_that_is_found_late_is_waited_for(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = machine.file_system("LABEL=ANSWERS")

    def plug_in(_seconds: float) -> None:
        there.mkdir(parents=True)
        (there / "san1.json").write_bytes(CONTENT)

    monkeypatch.setattr(patience, "PATIENCE", 180.0)
    monkeypatch.setattr(time, "sleep", plug_in)
    folder = tmp_path / "answers"
    assert sources.read(machine.host, "LABEL=ANSWERS:/san1.json", folder) == CONTENT.decode()
