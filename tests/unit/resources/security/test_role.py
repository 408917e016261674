"""Roles by directory of commands, as scripts for ONTAP make them."""

from __future__ import annotations

import pytest
from in_process import Array
from logins import ROLES, account, status

PRIVILEGES = [
    {"path": "lun", "access": "all"},
    {"path": "vserver nvme namespace", "access": "readonly"},
]


def test_privileges_are_kept_as_given_and_hold(api: Array) -> None:
    api.make(ROLES, {"name": "sanadmin", "privileges": PRIVILEGES})
    [record] = api.records(f"{ROLES}?name=sanadmin&fields=privileges")
    assert record["privileges"] == PRIVILEGES
    account(api, "joe", "sanadmin")
    answers = {
        path: status(api, "joe", "GET", path)
        for path in ("storage/luns", "protocols/san/igroups", "storage/namespaces", "svm/svms")
    }
    assert answers == {
        "storage/luns": 200,
        "protocols/san/igroups": 200,
        "storage/namespaces": 200,
        "svm/svms": 403,
    }
    assert status(api, "joe", "POST", "storage/namespaces", {}) == 403


def test_a_privilege_is_changed_and_removed_by_its_name(api: Array) -> None:
    created = api.make(ROLES, {"name": "sanadmin", "privileges": PRIVILEGES})
    path = f"{ROLES}/{created['owner']['uuid']}/sanadmin/privileges"
    api.make(path, {"path": "volume snapshot", "access": "readonly"})
    api.patch(f"{path}/volume%20snapshot", {"access": "all"})
    api.delete(f"{path}/lun")
    assert {p["path"]: p["access"] for p in api.records(f"{path}?fields=access")} == {
        "volume snapshot": "all",
        "vserver nvme namespace": "readonly",
    }


@pytest.mark.parametrize("path", ["lun create", "snapmirror", "cluster", "cluster identity"])
def test_paths_that_stand_for_no_directory_are_refused(api: Array, path: str) -> None:
    body = {"name": "x", "privileges": [{"path": path, "access": "all"}]}
    assert "directory of commands" in api.refuse("POST", ROLES, "5636169", body)["message"]
