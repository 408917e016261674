"""Igroups as clients make, change and see them."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array
from paths_of_hosts import HOST, OTHER, add_paths
from sqlalchemy import select

from sanstone.core.database.store import reading
from sanstone.model.network import IpEndpoint, IpInterface

IGROUPS = "protocols/san/igroups"
EUI = "eui.0123456789abcdef"
WWPN = "20:00:00:50:56:00:00:01"


@pytest.fixture
@prepared_once
def san(api: Array) -> Array:
    """An array with two SVMs, both with an NVMe service."""
    for name in ("svm1", "svm2"):
        api.svm(name)
        api.make("protocols/nvme/services", {"svm.name": name})
    return api


def igroup(name: str = "hosts", **more: Any) -> dict[str, Any]:
    """Return the body of an igroup."""
    return {"svm": {"name": "svm1"}, "name": name, "os_type": "linux"} | more


def test_an_igroup_is_shown_as_created(san: Array) -> None:
    initiators = [HOST.upper().replace("IQN", "iqn"), {"name": EUI.upper(), "comment": "b"}]
    created = san.make(IGROUPS, igroup(initiators=initiators, comment="two hosts"))
    record = san.get(f"{IGROUPS}/{created['uuid']}")
    assert (record["name"], record["svm"]["name"]) == ("hosts", "svm1")
    assert (record["os_type"], record["protocol"], record["comment"]) == (
        "linux",
        "mixed",
        "two hosts",
    )
    listed = [(item["name"], item.get("comment")) for item in record["initiators"]]
    assert listed == [(EUI, "b"), (HOST, None)]
    assert record["supports_igroups"] is True
    assert "lun_maps" not in record


def test_an_igroup_without_initiators_shows_none(san: Array) -> None:
    created = san.make(IGROUPS, igroup(os_type="default"))
    assert created["os_type"] == "linux"
    assert "initiators" not in created


def test_igroups_are_found_by_their_initiators(san: Array) -> None:
    san.make(IGROUPS, igroup("a", initiators=[HOST]))
    san.make(IGROUPS, igroup("b", initiators=[HOST, OTHER]))
    query = f"initiators.name={OTHER}&svm.name=svm1&fields=protocol"
    assert [record["name"] for record in san.records(f"{IGROUPS}?{query}")] == ["b"]
    assert [record["name"] for record in san.records(f"{IGROUPS}?name=a*")] == ["a"]


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("5373971", "iqn.1994-13.com.redhat:host1"),
        ("5373972", "iqn.1994-05.:host1"),
        ("5373969", "iqn.1994-05.com.redhat:a b"),
        ("5373977", "eui.0123"),
        ("5373978", "eui.0123456789abcdeg"),
        ("5373982", "20:00:00:50"),
        ("5373983", "2:0:00:0050:56:00:00:01"),
        ("5373992", "iqn.1994-05.com.redhat:" + "x" * 223),
        ("5373993", "host1"),
        ("5373993", ""),
        ("5373993", 7),
    ],
)
def test_names_of_initiators(san: Array, code: str, name: Any) -> None:
    error = san.refuse("POST", IGROUPS, code, igroup(initiators=[{"name": name}]))
    assert error["target"] == "initiators.name"


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("5373958", {"name": "two words"}),
        ("5373958", {"name": "x" * 97}),
        ("5374039", {"protocol": "iscsi", "initiators": [WWPN]}),
        ("5374038", {"protocol": "fcp", "initiators": [HOST]}),
        ("5374035", {"initiators": [HOST, HOST]}),
        ("5374033", {"initiators": [{"comment": "nobody"}]}),
        ("2621462", {"svm": {"name": "svm9"}}),
        ("262197", {"os_type": "beos"}),
        ("5374878", {"igroups": [{"name": "child"}]}),
    ],
)
def test_invalid_igroups_are_refused(san: Array, code: str, change: dict[str, Any]) -> None:
    san.refuse("POST", IGROUPS, code, igroup(**change))


@pytest.mark.parametrize("protocol", ["mixed", "fcp"])
def test_a_host_may_be_given_by_its_wwpn(san: Array, protocol: str) -> None:
    created = san.make(IGROUPS, igroup(protocol=protocol, initiators=[WWPN.replace(":", "")]))
    assert [each["name"] for each in san.get(f"{IGROUPS}/{created['uuid']}")["initiators"]] == [
        WWPN
    ]


def test_a_host_may_be_given_by_an_alias_of_its_wwpn(san: Array) -> None:
    san.make("network/fc/wwpn-aliases", {"svm.name": "svm1", "alias": "host1", "wwpn": WWPN})
    created = san.make(IGROUPS, igroup(protocol="fcp", initiators=["host1"]))
    assert [each["name"] for each in san.get(f"{IGROUPS}/{created['uuid']}")["initiators"]] == [
        WWPN
    ]
    members = f"{IGROUPS}/{created['uuid']}/initiators"
    san.refuse("POST", members, "5374035", {"name": "host1"})
    san.refuse("POST", members, "5373993", {"name": "host2"})


def test_igroups_and_subsystems_share_names(san: Array) -> None:
    san.make(IGROUPS, igroup())
    san.make("protocols/nvme/subsystems", igroup("sub"))
    san.refuse("POST", IGROUPS, "5374023", igroup())
    san.refuse("POST", IGROUPS, "5374023", igroup("sub"))
    san.make(IGROUPS, igroup(svm={"name": "svm2"}))


class TestChange:
    """PATCH and DELETE of an igroup."""

    @pytest.fixture
    def path(self, san: Array) -> str:
        return f"{IGROUPS}/{san.make(IGROUPS, igroup(initiators=[HOST]))['uuid']}"

    def test_name_system_and_comment(self, san: Array, path: str) -> None:
        san.patch(path, {"name": "renamed", "os_type": "vmware"})
        san.patch(path, {"comment": "c"})
        record = san.get(path)
        assert (record["name"], record["os_type"], record["comment"]) == (
            "renamed",
            "vmware",
            "c",
        )
        assert [item["name"] for item in record["initiators"]] == [HOST]

    def test_the_same_name_again_is_fine(self, san: Array, path: str) -> None:
        san.patch(path, {"name": "hosts"})

    def test_a_taken_name(self, san: Array, path: str) -> None:
        san.make(IGROUPS, igroup("other"))
        san.refuse("PATCH", path, "5374023", {"name": "other"})

    def test_the_protocol_stays(self, san: Array, path: str) -> None:
        san.refuse("PATCH", path, "262196", {"protocol": "iscsi"})

    def test_deletion_takes_the_initiators_along(self, san: Array, path: str) -> None:
        san.delete(path)
        san.refuse("GET", path, "4")
        san.make(IGROUPS, igroup(initiators=[HOST]))


class TestConnectionState:
    """The connection state of an igroup, by the logins of its initiators."""

    @pytest.fixture
    def san(self, api: Array) -> Array:
        """An SVM with two LIFs, both up."""
        add_paths(api)
        return api

    def test_the_connection_state_counts_logins(self, san: Array) -> None:
        group = san.make(IGROUPS, igroup("two", initiators=[HOST, OTHER]))
        empty = san.make(IGROUPS, igroup("empty"))
        assert (_state(san, group), _state(san, empty)) == ("none", "no_initiators")
        _log_in(san, HOST, "lif1")
        assert _state(san, group) == "partial"
        _log_in(san, OTHER, "lif2")
        assert _state(san, group) == "full"

    def test_a_session_at_a_lif_that_is_down_does_not_count(self, san: Array) -> None:
        group = san.make(IGROUPS, igroup("two", initiators=[HOST, OTHER]))
        for initiator in (HOST, OTHER):
            _log_in(san, initiator, "lif1")
        _log_in(san, OTHER, "lif2")
        _set_lif(san, "lif1", "down")
        assert _state(san, group) == "partial"
        _set_lif(san, "lif2", "down")
        assert _state(san, group) == "none"
        _set_lif(san, "lif1", "up")
        assert _state(san, group) == "full"


def _state(san: Array, group: dict[str, Any]) -> str:
    field = "connectivity_tracking.connection_state"
    record = san.get(f"{IGROUPS}/{group['uuid']}?fields={field}")
    return str(record["connectivity_tracking"]["connection_state"])


def _log_in(san: Array, initiator: str, lif: str) -> None:
    """Let the reconciler see a session of an initiator at a LIF of svm1."""
    with reading(san.database) as session:
        query = select(IpEndpoint).join(IpEndpoint.interface)
        end = session.scalars(
            query.where(IpInterface.name == lif, IpEndpoint.family == "scsi")
        ).one()
        facts = {"svm": end.interface.svm_uuid, "tag": end.id, "tsih": len(initiator)}
    key = f"{facts['svm']}/{facts['tag']}/{initiator}"
    san.observe("protocols/san/iscsi/sessions", key, initiator=initiator, **facts)


def _set_lif(san: Array, name: str, state: str) -> None:
    [lif] = san.records(f"network/ip/interfaces?name={name}")
    san.observe("network/ip/interfaces", lif["uuid"], state=state)
