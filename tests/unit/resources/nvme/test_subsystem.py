"""NVMe subsystems as clients make, change and see them."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array

SUBSYSTEMS = "protocols/nvme/subsystems"
NQN = "nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5"


@pytest.fixture
@prepared_once
def nvme(api: Array) -> Array:
    """An array with two SVMs that have NVMe services."""
    for name in ("svm1", "svm2"):
        api.svm(name)
        api.make("protocols/nvme/services", {"svm.name": name})
    return api


def subsystem(name: str = "sub1", **more: Any) -> dict[str, Any]:
    """Return the body of a subsystem."""
    return {"svm": {"name": "svm1"}, "name": name, "os_type": "linux"} | more


def test_a_subsystem_is_shown_as_created(nvme: Array) -> None:
    created = nvme.make(SUBSYSTEMS, subsystem(comment="c"))
    record = nvme.get(f"{SUBSYSTEMS}/{created['uuid']}")
    assert (record["name"], record["os_type"], record["comment"]) == ("sub1", "linux", "c")
    svm = record["svm"]["uuid"].replace("-", "")
    assert record["target_nqn"] == f"nqn.2026-11.org.sanstone:sn.{svm}:subsystem.sub1"
    assert len(record["serial_number"]) == 20


def test_identity_for_hosts_never_changes(nvme: Array) -> None:
    created = nvme.make(SUBSYSTEMS, subsystem())
    path = f"{SUBSYSTEMS}/{created['uuid']}"
    nvme.patch(path, {"comment": "new"})
    nvme.refuse("PATCH", path, "262196", {"name": "sub2"})
    [svm] = nvme.records("svm/svms?name=svm1")
    nvme.patch(f"svm/svms/{svm['uuid']}", {"name": "renamed"})
    record = nvme.get(path)
    for name in ("target_nqn", "serial_number", "name"):
        assert record[name] == created[name]
    assert record["comment"] == "new"


def test_hosts_come_along(nvme: Array) -> None:
    hosts = [{"nqn": NQN, "priority": "high"}, "nqn.2014-08.org.example:other"]
    created = nvme.make(SUBSYSTEMS, subsystem(hosts=hosts))
    host_records = nvme.get(f"{SUBSYSTEMS}/{created['uuid']}?fields=hosts")["hosts"]
    assert [(h["nqn"], h["priority"]) for h in host_records] == [
        ("nqn.2014-08.org.example:other", "regular"),
        (NQN, "high"),
    ]
    assert all(host["dh_hmac_chap"] == {"mode": "none"} for host in host_records)


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("72089709", {"name": "a b"}),
        ("72089709", {"name": "x" * 65}),
        ("72089709", {"name": "a/b"}),
        ("262197", {"os_type": "beos"}),
        ("2621462", {"svm": {"name": "svm9"}}),
        ("72090036", {"hosts": [NQN, NQN]}),
        ("72090003", {"hosts": [{"priority": "high"}]}),
        ("72089772", {"hosts": ["host1"]}),
        ("72089773", {"hosts": ["nqn.2014-13.org.x:y"]}),
        ("72089771", {"hosts": ["nqn.2014-08.org.x"]}),
    ],
)
def test_invalid_subsystems_are_refused(nvme: Array, code: str, change: dict[str, Any]) -> None:
    nvme.refuse("POST", SUBSYSTEMS, code, subsystem(**change))


def test_names_are_unique_in_the_svm_and_shared_with_igroups(nvme: Array) -> None:
    nvme.make(SUBSYSTEMS, subsystem())
    nvme.make("protocols/san/igroups", subsystem("hosts"))
    nvme.refuse("POST", SUBSYSTEMS, "72090025", subsystem())
    nvme.refuse("POST", SUBSYSTEMS, "72090043", subsystem("hosts"))
    nvme.make(SUBSYSTEMS, subsystem(svm={"name": "svm2"}))


def test_the_svm_needs_an_nvme_service(nvme: Array) -> None:
    nvme.svm("svm3")
    nvme.refuse("POST", SUBSYSTEMS, "72090029", subsystem(svm={"name": "svm3"}))


def test_a_subsystem_with_hosts_is_deleted_only_by_explicit_option(nvme: Array) -> None:
    path = f"{SUBSYSTEMS}/{nvme.make(SUBSYSTEMS, subsystem(hosts=[NQN]))['uuid']}"
    nvme.refuse("DELETE", path, "72090024")
    body = {"allow_delete_while_mapped": "true", "allow_delete_with_hosts": "true"}
    assert nvme.call("DELETE", path, body).status_code == 200
    nvme.refuse("GET", path, "4")
