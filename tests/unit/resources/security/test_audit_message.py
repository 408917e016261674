"""The content of the audit log, and the secrets that are never in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from in_process import LOGIN, Array
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from sanstone.core import places
from sanstone.core.database import store
from sanstone.security import activity, audit

PATH = "security/audit/messages"
SECRET = "hush, hush 1"


def newest(api: Array) -> dict[str, Any]:
    """Return the newest record."""
    query = "order_by=index desc&max_records=1&fields=*"
    record: dict[str, Any] = api.records(f"{PATH}?{query}")[0]
    return record


def everything() -> str:
    """Return all that the log holds."""
    return " ".join(f"{row.user} {row.input} {row.message}" for row in audit.messages())


def test_a_change_is_recorded_with_user_address_request_and_result(api: Array) -> None:
    api.svm("svm1", comment="first")
    record = newest(api)
    assert (record["user"], record["role"], record["scope"]) == ("admin", "admin", "cluster")
    assert (record["location"], record["application"]) == ("127.0.0.1", "http")
    request = 'POST /api/svm/svms?return_records=true {"name": "svm1", "comment": "first"}'
    assert (record["input"], record["state"]) == (request, "success")
    assert record["message"].startswith("job ")
    assert record["node"]["name"] == "array1-01"


def test_looking_is_not_recorded_but_a_refusal_to_is(api: Array) -> None:
    api.get("svm/svms")
    api.call("OPTIONS", "svm/svms")
    assert api.records(PATH) == []
    api.client.get("/api/svm/svms", auth=("admin", "wrong"))
    record = newest(api)
    assert (record["user"], record["state"]) == ("admin", "error")
    assert record["input"] == "GET /api/svm/svms"
    assert record["message"] == "not authorized for that command"


def test_a_refused_change_is_recorded_with_the_reason(api: Array) -> None:
    api.call("POST", "svm/svms", {"name": "1 bad name"})
    record = newest(api)
    assert record["state"] == "error"
    assert "name" in record["message"]


def test_an_unknown_name_is_not_recorded(api: Array) -> None:
    api.client.get("/api/svm/svms", auth=(SECRET, "x"))
    assert "user" not in newest(api)
    assert SECRET not in everything()


def test_guessing_does_not_drown_the_log(api: Array) -> None:
    for _ in range(20):
        api.client.get("/api/svm/svms", auth=("admin", "wrong"))
    assert 0 < len(audit.messages()) <= 3


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("security/accounts", {"name": "joe", "password": SECRET}),
        ("security/accounts", {"records": [{"name": "joe", "password": SECRET}]}),
        ("security/accounts", {"name": "joe", "passwrod": SECRET}),
        ("security/accounts", {"name": {"password": SECRET}}),
        ("security/accounts", {"owner": {"name": "x", "password": SECRET}}),
        ("security/accounts", {"applications": [{"application": "http", "password": SECRET}]}),
        ("security/accounts", {"comment": [[SECRET]]}),
        ("security/accounts", [SECRET]),
        ("security/accounts", SECRET),
        ("security/accounts", {SECRET: 1}),
        ("security/accounts", {SECRET: {"a": 1}}),
        ("security/accounts?password=hush, hush 1", {}),
        ("security/authentication/password", {"name": "admin", "password": SECRET}),
        ("security/session", {"name": "admin", "password": SECRET}),
        ("protocols/san/iscsi/credentials", {"chap.inbound.password": SECRET}),
        ("protocols/san/iscsi/credentials", {"chap": {"inbound": {"password": SECRET}}}),
        ("protocols/san/iscsi/credentials", {"chap": {"outbound.password": SECRET}}),
        ("protocols/nvme/subsystems", {"hosts": [{"dh_hmac_chap": {"host_secret_key": SECRET}}]}),
        ("no/such/thing", {"password": SECRET}),
    ],
)
def test_no_secret_is_ever_recorded(api: Array, path: str, body: Any) -> None:
    api.call("POST", path, body)
    assert audit.messages()
    assert SECRET not in everything()
    assert "hush" not in everything()


def test_however_deep_a_body_is_the_change_is_recorded(api: Array) -> None:
    """Values that clients put under `_links` are accepted and ignored."""
    deep = '{"a": ' * 900 + "1" + "}" * 900
    body = f'{{"name": "svm1", "_links": {deep}}}'
    assert api.client.post("/api/svm/svms", data=body, auth=LOGIN).status_code == 202
    assert newest(api)["input"] == 'POST /api/svm/svms {"name": "svm1", "***": "***"}'


def test_a_body_that_is_no_json_is_not_recorded(api: Array) -> None:
    data = b'{"password": "hush, hush 1"'
    api.client.post("/api/security/accounts", data=data, auth=LOGIN)
    assert newest(api)["input"] == "POST /api/security/accounts ***"


def test_a_record_is_one_line_of_bounded_length(api: Array) -> None:
    api.call("POST", "svm/svms", {"name": "x" * 5000, "comment": "a\nb"})
    record = newest(api)
    assert len(record["input"]) == audit.MOST_CHARACTERS
    assert "\n" not in record["input"]


def test_a_log_that_cannot_be_written_makes_no_failure_of_a_change(
    api: Array, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(_entry: audit.Entry) -> None:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    monkeypatch.setattr(audit, "record", full)
    assert api.call("POST", "svm/svms", {"name": "svm1"}).status_code == 202
    assert "the audit log cannot be written" in caplog.text


def test_a_damaged_log_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path / "elsewhere"))
    places.api_directory().mkdir(parents=True)
    (places.api_directory() / activity.FILE).write_bytes(b"no database at all" * 1000)
    audit.record(audit.Entry("u", "r", "", "here", "http", "POST /api", audit.SUCCESS, ""))
    assert len(audit.messages()) == 1


def test_a_log_that_another_worker_makes_right_now_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path / "elsewhere"))
    places.api_directory().mkdir(parents=True)
    real, file = store.engine, places.api_directory() / activity.FILE
    monkeypatch.setattr(store, "engine", lambda *arguments: hurried(real(*arguments)))
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("BEGIN IMMEDIATE")
        inode = file.stat().st_ino
        with pytest.raises(OperationalError, match="locked"):
            audit.messages()
        assert file.stat().st_ino == inode
    assert audit.messages() == []


def hurried(database: Engine) -> Engine:
    """Return the engine as one that does not wait for locks."""
    event.listen(database, "connect", lambda opened, _: opened.execute("PRAGMA busy_timeout=0"))
    return database


def test_only_the_newest_records_are_kept(api: Array, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "KEPT", 50)
    for _ in range(210):
        audit.record(audit.Entry("u", "r", "", "here", "http", "POST /api", audit.SUCCESS, ""))
    indexes = [row.index for row in audit.messages()]
    assert indexes == list(range(151, 211))
