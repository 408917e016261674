"""Transports and versions of TLS for logins, and refusals by the web server itself."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
from contextlib import nullcontext
from urllib.parse import urlsplit

import pytest

from lab import patience
from lab.api import Api
from lab.station import Array


def test_plain_http_is_no_way_in(array: Array) -> None:
    place = urlsplit(array.url)
    plain = http.client.HTTPConnection(str(place.hostname), place.port, timeout=patience.SECONDS)
    plain.request("GET", "/api/cluster")
    answer = plain.getresponse()
    assert (answer.status, json.loads(answer.read())["error"]["code"]) == (400, "2")
    assert ":80 " not in array.run("ss --no-header --listening --tcp --numeric")


def test_old_versions_of_tls_are_refused(api: Api) -> None:
    place = urlsplit(api.url)
    old = api.context()
    old.minimum_version = ssl.TLSVersion.TLSv1
    old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    with (
        socket.create_connection(
            (str(place.hostname), place.port), timeout=patience.SECONDS
        ) as connection,
        pytest.raises(ssl.SSLError),
    ):
        old.wrap_socket(connection)


@pytest.mark.parametrize(
    ("cipher", "taken"), [("ECDHE+AESGCM", True), ("ECDHE+AES+SHA256:ECDHE+AES+SHA", False)]
)
def test_ciphers_of_tls_1_2(api: Api, cipher: str, taken: bool) -> None:
    place = urlsplit(api.url)
    context = api.context()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(cipher)
    with (
        socket.create_connection(
            (str(place.hostname), place.port), timeout=patience.SECONDS
        ) as connection,
        nullcontext() if taken else pytest.raises(ssl.SSLError),
    ):
        context.wrap_socket(connection)


def test_refusals_by_the_web_server_are_json_too(api: Api) -> None:
    place = urlsplit(api.url)
    answers = []
    for line in ("NOTHING", f"GET /api/{'x' * 9000} HTTP/1.1", "GET /api/cluster HTTP/1.1"):
        with (
            socket.create_connection(
                (str(place.hostname), place.port), timeout=patience.SECONDS
            ) as plain,
            api.context().wrap_socket(plain) as connection,
        ):
            connection.sendall(f"{line}\r\nConnection: close\r\n\r\n".encode())
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            answers.append((answer.status, json.loads(answer.read())["error"]["code"]))
    assert answers == [(400, "2"), (414, "2"), (400, "2")]
