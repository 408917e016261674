"""Every answer is a JSON object in ONTAP's form, whatever goes wrong."""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from collections.abc import Callable

import pytest
from sqlalchemy.exc import OperationalError
from toy import ShelfResource
from toy_api import Toys, answer, refusal_message

from sanstone.core.database import turns
from sanstone.core.database.store import writing


@pytest.mark.parametrize(
    "path", ["no/such/thing", "", "svm", "svm%2F%2Fsvms", "svm/svms/a/b", "%00"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
def test_an_unknown_endpoint(api: Toys, method: str, path: str) -> None:
    response = api.call(method, path, {} if method != "GET" else None)
    refusal_message(response, 404, "3")
    assert "There is no endpoint" in response.get_json()["error"]["message"]
    assert response.mimetype == "application/hal+json"


@pytest.mark.parametrize("path", ["/svm/svms", "svm//svms", "//svm///svms/", "svm/svms//?x=//"])
def test_several_slashes_in_a_path_are_one(api: Toys, path: str) -> None:
    uuid = api.svm()
    query = path.replace("x=//", "name=svm1")
    assert api.names(query) == ["svm1"]
    place = path.partition("?")[0].rstrip("/")
    assert api.get(f"{place}//{uuid}")["name"] == "svm1"


def test_a_path_outside_the_api_is_json_too(api: Toys) -> None:
    refusal_message(api.client.get("/index.html"), 404, "3")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "svm/svms", {"GET", "HEAD", "OPTIONS", "POST", "PATCH", "DELETE"}),
        ("POST", "svm/svms/x", {"GET", "HEAD", "OPTIONS", "PATCH", "DELETE"}),
        ("POST", "toys/planets", {"GET", "HEAD", "OPTIONS"}),
        ("DELETE", "toys/room", {"GET", "HEAD", "OPTIONS", "PATCH"}),
        ("TRACE", "toys/room", {"GET", "HEAD", "OPTIONS", "PATCH"}),
    ],
)
def test_a_method_that_there_is_not(api: Toys, method: str, path: str, allowed: set[str]) -> None:
    response = api.call(method, path)
    refusal_message(response, 405, "3")
    assert f"{method} is not possible" in response.get_json()["error"]["message"]
    assert set(response.headers["Allow"].split(", ")) == allowed


def test_options_names_the_methods(api: Toys) -> None:
    response = api.call("OPTIONS", "toys/room")
    assert answer(response, 200) == {}
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS, PATCH"


@pytest.mark.parametrize(
    ("accept", "mimetype"),
    [
        (None, "application/hal+json"),
        ("*/*", "application/hal+json"),
        ("application/hal+json", "application/hal+json"),
        ("application/hal+json, application/json", "application/hal+json"),
        ("application/*", "application/hal+json"),
        ("text/html", "application/hal+json"),
        ("application/json", "application/json"),
        ("application/json, text/plain, */*", "application/json"),
        ("application/json;q=0.5, application/hal+json;q=0.4", "application/json"),
        ("complete nonsense;;;q=x", "application/hal+json"),
    ],
)
@pytest.mark.parametrize(("path", "status"), [("svm/svms", 200), ("no/such/thing", 404)])
def test_the_type_of_the_answer(
    api: Toys, path: str, status: int, accept: str | None, mimetype: str
) -> None:
    """Trident decodes exactly two types, and a page of HTML never."""
    headers = {} if accept is None else {"Accept": accept}
    response = api.call("GET", path, headers=headers)
    assert (response.status_code, response.mimetype) == (status, mimetype)
    answer(response, status)


def test_a_body_that_is_too_large(api: Toys) -> None:
    body = b'{"name": "' + b"x" * (1024 * 1024) + b'"}'
    refusal_message(api.call("POST", "svm/svms", body), 413, "2")


def test_a_large_body_is_only_a_long_name(api: Toys) -> None:
    body = b'{"name": "' + b"x" * (1000 * 1024) + b'"}'
    refusal_message(api.call("POST", "svm/svms", body), 400, "262197", "name")


def test_an_internal_error_is_logged_and_answered_without_details(
    api: Toys, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("the details")

    monkeypatch.setattr(ShelfResource, "create", broken)
    api.svm()
    with caplog.at_level(logging.ERROR):
        response = api.call("POST", "toys/shelves", {"name": "a", "svm": "svm1"})
    message = refusal_message(response, 500, "65538")
    assert "the details" not in message
    assert "the details" in caplog.text
    assert api.names("toys/shelves") == []


def test_fields_come_in_the_order_of_their_declaration(api: Toys) -> None:
    api.svm()
    record = json.loads(api.call("GET", "svm/svms?fields=*").data)["records"][0]
    assert list(record) == ["uuid", "name", "_links"]


def test_a_writer_far_back_in_line_may_try_again(
    api: Toys, unchanged: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "MOST", 0)
    api.call("GET", "svm/svms")
    writes, has_written = threading.Event(), threading.Event()

    def write_long() -> None:
        with writing(api.database):
            writes.set()
            has_written.wait()

    thread = threading.Thread(target=write_long)
    thread.start()
    writes.wait()
    response = api.call("POST", "svm/svms", {"name": "a"})
    assert "busy with other changes" in refusal_message(response, 503, "65538")
    assert response.headers["Retry-After"] == "5"
    assert api.call("GET", "svm/svms").status_code == 200, "who only reads waits for nobody"
    has_written.set()
    thread.join()
    unchanged()


@pytest.mark.parametrize(
    ("code", "status", "text"),
    [
        (sqlite3.SQLITE_BUSY, 503, "in use"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, 503, "in use"),
        (sqlite3.SQLITE_LOCKED, 503, "in use"),
        (sqlite3.SQLITE_FULL, 507, "system disk is full"),
        (sqlite3.SQLITE_CORRUPT, 503, "configuration is damaged. Hosts are served on"),
        (sqlite3.SQLITE_NOTADB, 503, "configuration is damaged. Hosts are served on"),
        (sqlite3.SQLITE_IOERR, 500, "internal error"),
    ],
)
def test_errors_of_the_database_have_their_answers(
    api: Toys,
    unchanged: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    code: int,
    status: int,
    text: str,
) -> None:
    def refuse(*_: object) -> None:
        error = sqlite3.OperationalError("as SQLite says")
        error.sqlite_errorcode = code
        raise OperationalError("INSERT", {}, error)

    api.svm()
    monkeypatch.setattr(ShelfResource, "create", refuse)
    response = api.call("POST", "toys/shelves", {"name": "a", "svm": "svm1"})
    assert text in refusal_message(response, status, "65538")
    assert ("Retry-After" in response.headers) is (status != 500)
