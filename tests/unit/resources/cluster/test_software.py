"""The release, on an array that was not started from a system disk."""

from __future__ import annotations

import pytest
from in_process import Array

from sanstone import __version__

URL = "https://mirror.example.org/sanstone-2.0.raucb"


def test_the_version_is_that_of_the_array(api: Array) -> None:
    record = api.get("cluster/software?fields=*")
    assert record["version"] == __version__
    assert [(n["name"], n["version"]) for n in record["nodes"]] == [("array1-01", __version__)]
    assert "state" not in record and "status_details" not in record


def test_there_is_nothing_to_update(api: Array) -> None:
    assert api.records("cluster/software/images") == []
    for body in ({"version": "9.99.1"}, {"action": "cancel"}):
        response = api.call("PATCH", "cluster/software", body)
        assert response.status_code == 409
        assert "first" in response.get_json()["error"]["message"] or "action" in body
    response = api.call("POST", "cluster/software/download", {"url": URL, "then_update": True})
    assert "install it first" in response.get_json()["error"]["message"]


def test_the_release_that_runs_is_there_already(api: Array) -> None:
    assert api.call("PATCH", "cluster/software", {"version": __version__}).status_code == 202


def test_the_download_has_not_started_on_a_new_array(api: Array) -> None:
    record = api.get("cluster/software/download")
    assert (record["state"], record["code"]) == ("not_started", 0)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://mirror/a.raucb",
        "file:///etc/shadow",
        "http://mirror/",
        "http:///a.raucb",
        "http://joe:secret@mirror/a.raucb",
        "http://mirror:99999/a.raucb",
        "http://mirror/a b.raucb",
        "http://mirror/p\u00e4ckchen.raucb",
        "http://mirror..example/a.raucb",
        "http://[::1/a.raucb",
    ],
)
def test_an_invalid_package_address_is_refused(api: Array, url: str) -> None:
    response = api.call("POST", "cluster/software/download", {"url": url})
    assert response.status_code == 400
    assert response.get_json()["error"]["target"] == "url"
