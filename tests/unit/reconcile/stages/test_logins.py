"""Accounts become users of the system, and go again."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from simulator import Simulator, simulated
from sqlalchemy import select

from fakes.files import Text
from sanstone.core.database.store import reading
from sanstone.model.security import Account
from sanstone.security import logins

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
BOTH = ["password", "publickey"]


def ssh(methods: list[str]) -> list[dict[str, Any]]:
    """Return the applications of an account that uses SSH by these methods."""
    http = {"application": "http", "authentication_methods": ["password"]}
    return [http, {"application": "ssh", "authentication_methods": methods}]


def add_alice(array: Simulator) -> None:
    alice = {"name": "alice", "password": "a long Password 1", "applications": ssh(BOTH)}
    array.do("POST", "security/accounts", alice)
    key = {"account": {"name": "alice"}, "public_key": f"{KEY} laptop"}
    array.do("POST", "security/authentication/publickeys", key)


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array with an account `alice` that uses SSH by password and by key."""
    with simulated(tmp_path, add_alice) as simulator:
        yield simulator


def account(array: Simulator, name: str) -> Account:
    """Return an account's row."""
    with reading(array.database) as session:
        row = session.scalars(select(Account).filter_by(name=name)).one()
        session.expunge_all()
        return row


def place(array: Simulator, name: str) -> str:
    """Return the path of an account in the API."""
    record = array.get(f"security/accounts?name={name}&fields=owner")["records"][0]
    return f"security/accounts/{record['owner']['uuid']}/{name}"


def test_an_account_is_a_user(array: Simulator) -> None:
    record = json.loads((array.folder / "userdb/alice.user").read_text())
    number = logins.user_id(account(array, "alice"))
    assert (record["userName"], record["uid"], record["gid"]) == ("alice", number, logins.GROUP)
    assert record["shell"] == "/usr/bin/sanstone-shell"
    assert "password" not in json.dumps(record).lower()
    assert json.loads((array.folder / f"userdb/{number}.user").read_text()) == record
    assert (array.folder / "keys/alice").read_text() == f"{KEY} laptop\n"


def test_everybody_may_read_and_only_root_may_write(array: Simulator) -> None:
    for path in (array.folder / "userdb/alice.user", array.folder / "keys/alice"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.mark.parametrize("change", [{"locked": True}, {"applications": ssh([])[:1]}])
def test_an_account_that_may_not_log_in_is_no_user(
    array: Simulator, change: dict[str, Any]
) -> None:
    array.do("PATCH", place(array, "alice"), change)
    assert not (array.folder / "keys/alice").exists()
    assert "alice.user" not in [path.name for path in (array.folder / "userdb").iterdir()]


def test_without_the_method_there_are_no_keys(array: Simulator) -> None:
    array.do("PATCH", place(array, "alice"), {"applications": ssh(["password"])})
    assert (array.folder / "userdb/alice.user").exists()
    assert not (array.folder / "keys/alice").exists()


def test_a_deleted_account_leaves_nothing_and_a_new_one_of_the_name_is_another_user(
    array: Simulator,
) -> None:
    before = logins.user_id(account(array, "alice"))
    array.do("DELETE", place(array, "alice"))
    assert not (array.folder / f"userdb/{before}.user").is_symlink()
    body = {"name": "alice", "password": "a long Password 2", "applications": ssh(["password"])}
    array.do("POST", "security/accounts", body)
    assert logins.user_id(account(array, "alice")) != before
    assert not (array.folder / "keys/alice").exists()


def test_foreign_changes_of_logins_are_undone(array: Simulator) -> None:
    (array.folder / "userdb/mallory.user").write_text("{}")
    (array.folder / "keys/alice").write_text("another key")
    array.settle()
    assert not (array.folder / "userdb/mallory.user").exists()
    assert (array.folder / "keys/alice").read_text() == f"{KEY} laptop\n"


def test_a_taken_user_number_is_an_event(array: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logins, "user_id", lambda _: 7)
    array.settle()
    events = array.get("support/ems/events?fields=log_message&message.name=logins.failed")
    assert [record["log_message"] for record in events["records"]] == [
        'Account "alice" cannot use SSH or the console: delete it and create it again.'
    ]


def test_a_name_of_a_system_user_is_an_event(array: Simulator) -> None:
    users = "root:x:0:0:root:/root:/bin/bash\nalice:x:901:901::/:/bin/false\n"
    array.kernel.files.place("/etc/passwd", Text(users))
    array.settle()
    events = array.get("support/ems/events?fields=log_message&message.name=logins.failed")
    assert [record["log_message"] for record in events["records"]] == [
        'Account "alice" cannot use SSH or the console: the system has a user of this name. '
        "Create one with another name."
    ]


def test_a_folder_that_cannot_be_written_is_an_event(array: Simulator) -> None:
    folder = array.folder / "keys"
    (folder / "alice").unlink()
    folder.rmdir()
    folder.write_text("in the way")
    array.settle()
    events = array.get("support/ems/events?fields=log_message&message.name=logins.failed")
    assert "cannot be set up" in events["records"][0]["log_message"]
