"""Paths of hosts, from the configuration and from observations."""

from __future__ import annotations

import pytest
from beginnings import prepared_once
from in_process import Array
from logins import account, as_
from paths_of_hosts import HOST, IGROUPS, OTHER, PATHS, add_paths, lif, paths, see

NQN = "nqn.2014-08.org.nvmexpress:uuid:5a000000-0000-4000-8000-000000000001"


@pytest.fixture
@prepared_once
def san(api: Array) -> Array:
    """An SVM with two LIFs, and a LUN that is mapped to an igroup of HOST."""
    add_paths(api)
    return api


def test_an_initiator_has_a_path_to_each_lif_and_what_is_mapped(san: Array) -> None:
    one, two = paths(san)
    assert [p["interface"]["name"] for p in (one, two)] == ["lif1", "lif2"]
    assert (one["host"]["name"], one["initiator"]["name"]) == ("web1", HOST)
    assert one["interface"]["ip"] == {"address": "10.10.1.1"}
    assert [igroup["name"] for igroup in one["igroups"]] == ["hosts"]
    assert [lun["name"] for lun in one["luns"]] == ["/vol/vol1/lun1"]
    assert (one["device_count"], one["transport_protocol"]) == (1, "iscsi")
    assert one["state"] == "never" and "since" not in one


def test_a_path_is_found_by_its_key(san: Array) -> None:
    one, _ = paths(san)
    assert san.get(f"{PATHS}/{one['svm']['uuid']}/{one['uuid']}")["uuid"] == one["uuid"]


def test_states(san: Array) -> None:
    one, two = paths(san)
    see(san, one, connected=True)
    see(san, two, connected=False)
    connected, other = paths(san)
    assert (connected["state"], other["state"]) == ("connected", "lost")
    assert other["since"] == "1970-01-01T01:23:20+00:00"
    assert "was logged in" in other["message"]
    san.observe("network/ip/interfaces", one["interface"]["uuid"], state="down")
    assert [p["state"] for p in paths(san)] == ["lif_down", "lost"]


def test_a_path_that_is_not_served_has_a_reason(san: Array) -> None:
    [service] = san.records("protocols/san/iscsi/services")
    san.patch(f"protocols/san/iscsi/services/{service['svm']['uuid']}", {"enabled": False})
    assert {p["state"] for p in paths(san)} == {"not_served"}
    assert paths(san)[0]["message"] == 'The iscsi service of SVM "svm1" is down.'


def test_a_portset_leaves_lifs_out(san: Array) -> None:
    body = {"name": "ports", "svm.name": "svm1", "interfaces": [{"ip": {"name": "lif2"}}]}
    san.make("protocols/san/portsets", body)
    [group] = san.records(IGROUPS)
    san.patch(f"{IGROUPS}/{group['uuid']}", {"portset.name": "ports"})
    assert [p["interface"]["name"] for p in paths(san)] == ["lif2"]


def test_an_initiator_sees_the_maps_of_the_igroups_above(san: Array) -> None:
    inner = {"name": "inner", "svm.name": "svm1", "os_type": "linux", "initiators": [OTHER]}
    san.make(IGROUPS, inner)
    [outer] = san.records(f"{IGROUPS}?name=hosts")
    # An igroup has initiators or igroups, so that the LUN is mapped to another one.
    above = {"name": "above", "svm.name": "svm1", "os_type": "linux"}
    created = san.make(IGROUPS, above | {"igroups": [{"name": "inner"}]})
    names = {"lun.name": "/vol/vol1/lun1", "igroup.name": "above", "svm.name": "svm1"}
    san.make("protocols/san/lun-maps", names)
    records = paths(san, f"&initiator.name={OTHER}")[0]
    assert [igroup["name"] for igroup in records["igroups"]] == ["above", "inner"]
    assert records["device_count"] == 1 and outer["uuid"] != created["uuid"]


def test_a_credential_that_denies_takes_the_paths(san: Array) -> None:
    body = {"svm.name": "svm1", "initiator": HOST, "authentication_type": "deny"}
    san.make("protocols/san/iscsi/credentials", body)
    assert paths(san) == []


def test_a_host_of_a_subsystem(san: Array) -> None:
    san.namespace()
    body = {"name": "sub1", "svm.name": "svm1", "os_type": "linux", "hosts": [{"nqn": NQN}]}
    san.make("protocols/nvme/subsystems", body)
    names = {"namespace.name": "/vol/vol1/ns1", "subsystem.name": "sub1", "svm.name": "svm1"}
    san.make("protocols/nvme/subsystem-maps", names)
    records = paths(san, "&transport_protocol=nvme_tcp")
    assert [p["interface"]["name"] for p in records] == ["lif1", "lif2"]
    assert records[0]["subsystem"]["name"] == "sub1" and records[0]["initiator"]["name"] == NQN
    assert [each["name"] for each in records[0]["namespaces"]] == ["/vol/vol1/ns1"]


def test_an_account_of_an_svm_sees_the_paths_of_its_svm(san: Array) -> None:
    san.svm("svm2", iscsi={"enabled": True})
    lif(san, "lif1", "10.10.1.3", "svm2")
    other = {"name": "theirs", "svm.name": "svm2", "os_type": "linux", "initiators": [OTHER]}
    san.make(IGROUPS, other)
    account(san, "vsadmin", "vsadmin", owner={"name": "svm2"})
    for path in (PATHS, "protocols/san/hosts"):
        records = as_(san, "vsadmin", "GET", f"{path}?fields=*").get_json()["records"]
        assert [each["initiator"]["name"] for each in records] == [OTHER]
    mine = paths(san, "&svm.name=svm1")[0]
    place = f"{PATHS}/{mine['svm']['uuid']}/{mine['uuid']}"
    assert as_(san, "vsadmin", "GET", place).status_code == 404
