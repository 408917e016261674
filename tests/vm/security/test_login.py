"""Who may log in, and over what."""

from __future__ import annotations

import dataclasses
import http.client
import socket
import ssl
from urllib.parse import urlsplit

import pytest
from patience import eventually

from lab.api import Api, Refused
from lab.station import Array

FREE_FAILURES = 5


def answers(api: Api) -> int:
    """Return the status of a request."""
    try:
        api.get("cluster")
    except Refused as refused:
        return refused.status
    return 200


def test_guessing_is_slowed_down(api: Api) -> None:
    guesser = dataclasses.replace(api, password="wrong")
    assert [answers(guesser) for _ in range(FREE_FAILURES + 2)] == [401] * (FREE_FAILURES + 2)
    assert answers(api) == 401
    eventually(lambda: answers(api) == 200)
    events = api.get("support/ems/events", message__name="security.login.failed")
    assert events["records"]


def test_plain_http_is_no_way_in(array: Array) -> None:
    place = urlsplit(array.url)
    plain = http.client.HTTPConnection(str(place.hostname), place.port, timeout=60)
    plain.request("GET", "/api/cluster")
    assert plain.getresponse().status == 400
    assert ":80 " not in array.run("ss --no-header --listening --tcp --numeric")


def test_old_versions_of_tls_are_refused(api: Api) -> None:
    place = urlsplit(api.url)
    old = api.context()
    old.minimum_version = ssl.TLSVersion.TLSv1
    old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    with (
        socket.create_connection((str(place.hostname), place.port), timeout=60) as connection,
        pytest.raises(ssl.SSLError),
    ):
        old.wrap_socket(connection)
