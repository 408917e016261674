"""Commands over REST, lists that are always empty, and what clients report of themselves."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from simulator import Simulator, simulated

from sanstone.http.empty_lists import EMPTY

GIB = 1024**3


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array without configuration."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder) as simulator:
        yield simulator


def records(array: Simulator, path: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = array.get(path)["records"]
    return records


def test_the_array_is_no_asa_r2_system(array: Simulator) -> None:
    for table in ("OntapMode", "OntapPersonality"):
        [record] = records(array, f"private/cli/debug/smdb/table/{table}?return_timeout=15")
        assert (record["ASA_R2"], record["ASA_NEXT"]) == (False, False)


def test_volumes_and_luns_as_the_command_line_shows_them(array: Simulator) -> None:
    primary = {"disk_count": 4, "raid_type": "raid_dp"}
    array.do("POST", "storage/aggregates", {"name": "aggr1", "block_storage": {"primary": primary}})
    array.do("POST", "svm/svms", {"name": "svm1"})
    array.do("POST", "storage/volumes", {"svm.name": "svm1", "name": "vol1", "size": "1GB"})
    body = {"svm.name": "svm1", "name": "/vol/vol1/lun1", "os_type": "linux"}
    lun = array.make("storage/luns", body | {"space.size": "64MB"})
    [record] = records(array, "private/cli/lun?fields=path,serial_hex,size&vserver=svm*")
    assert record == {
        "vserver": "svm1",
        "path": "/vol/vol1/lun1",
        "serial_hex": lun["serial_number"].encode().hex(),
        "size": 64 * 1024**2,
    }
    [volume] = records(array, "private/cli/volume?volume=vol1|vol2&is_constituent=*&vsroot=false")
    assert (volume["aggregate"], volume["total"], volume["available"]) == ("aggr1", GIB, GIB)
    assert (volume["used"], volume["percent_used"]) == (0, 0)
    assert records(array, "private/cli/volume?vserver=other") == []
    assert records(array, "private/cli/volume/recovery-queue?volume=vol1*") == []


def test_objects_are_shown_as_on_the_command_line(array: Simulator) -> None:
    array.do("POST", "svm/svms", {"name": "svm1"})
    lif = {"svm.name": "svm1", "name": "lif1", "location.home_port.name": "e0a"}
    array.make("network/ip/interfaces", lif | {"ip": {"address": "10.10.1.1", "netmask": 24}})
    [node] = records(array, "private/cli/node?health=true")
    [date] = records(array, "private/cli/cluster/date?fields=date")
    assert datetime.fromisoformat(date["date"]).tzinfo
    [svm] = records(array, "private/cli/vserver?vserver=svm1")
    assert (svm["type"], svm["operational_state"]) == ("data", "running")
    [own] = records(array, "private/cli/vserver?type=admin&fields=type")
    assert own == {"vserver": array.get("cluster")["name"], "type": "admin"}
    [record] = records(array, "private/cli/network/interface?vserver=svm1")
    assert record == {
        "vserver": "svm1",
        "lif": "lif1",
        "address": "10.10.1.1",
        "home_node": node["node"],
        "home_port": "e0a",
        "data_protocol": ["iscsi", "nvme-tcp"],
    }


@pytest.fixture
def volume(array: Simulator) -> str:
    """The path of the volume vol1 of svm1, created by commands, with a LUN in it."""
    primary = {"disk_count": 4, "raid_type": "raid_dp"}
    array.do("POST", "storage/aggregates", {"name": "aggr1", "block_storage": {"primary": primary}})
    array.do("POST", "svm/svms", {"name": "svm1"})
    body = {"vserver": "svm1", "volume": "vol1", "size": "1GB", "aggregate": "aggr1"}
    array.do("POST", "private/cli/volume", body)
    lun = {"vserver": "svm1", "path": "/vol/vol1/lun1", "size": "64MB", "ostype": "linux"}
    array.do("POST", "private/cli/lun", lun)
    [record] = records(array, "storage/volumes?name=vol1")
    return f"storage/volumes/{record['uuid']}"


def test_keys_are_always_shown(array: Simulator, volume: str) -> None:
    assert records(array, "private/cli/volume?fields=state") == [
        {"vserver": "svm1", "volume": "vol1", "state": "online"}
    ]
    assert records(array, "private/cli/lun?fields=ostype") == [
        {"vserver": "svm1", "path": "/vol/vol1/lun1", "ostype": "linux"}
    ]
    assert records(array, "private/cli/node?fields=health")[0].keys() == {"node", "health"}


def test_a_snapshot_is_taken_renamed_restored_and_deleted(array: Simulator, volume: str) -> None:
    place = "private/cli/volume/snapshot"
    reference = {"vserver": "svm1", "volume": "vol1", "snapshot": "s1"}
    array.do("POST", place, reference | {"comment": "c"})
    array.do("POST", f"{place}/rename", reference | {"new-name": "s2"})
    reference["snapshot"] = "s2"
    array.do("DELETE", "private/cli/lun?vserver=svm1&path=/vol/vol1/lun1", {})
    array.do("POST", f"{place}/restore", reference)
    assert len(records(array, "storage/luns")) == 1
    array.do("DELETE", f"{place}?vserver=svm1&volume=vol1&snapshot=s2", {})
    assert records(array, f"{volume}/snapshots") == []


def test_volumes_and_maps_are_changed_by_commands(array: Simulator, volume: str) -> None:
    reference = {"vserver": "svm1", "volume": "vol1"}
    array.do("PATCH", "private/cli/volume?vserver=svm1&volume=vol1", {"size": "2GB"})
    array.do("POST", "private/cli/volume/rename", reference | {"newname": "vol2"})
    assert array.get(f"{volume}?fields=name,size") == {
        **array.get(f"{volume}?fields=uuid"),
        "name": "vol2",
        "size": 2 * GIB,
    }
    group = {"vserver": "svm1", "igroup": "g1"}
    array.do("POST", "private/cli/lun/igroup", group | {"ostype": "linux", "protocol": "iscsi"})
    host = group | {"initiator": "iqn.1994-05.com.redhat:Host1"}
    array.do("POST", "private/cli/lun/igroup/add", host)
    mapped = group | {"path": "/vol/vol2/lun1"}
    array.do("POST", "private/cli/lun/mapping", mapped | {"lun-id": 3})
    [record] = records(array, "protocols/san/lun-maps")
    assert record["logical_unit_number"] == 3
    array.do("POST", "private/cli/lun/igroup/remove", host | {"force": True})
    array.do("DELETE", "private/cli/lun/mapping", mapped)
    array.do("DELETE", "private/cli/lun/igroup", group)
    array.do("DELETE", "private/cli/volume?vserver=svm1&volume=vol2", {})
    assert records(array, "storage/volumes") == []


@pytest.mark.parametrize(
    ("method", "command", "arguments", "status", "code"),
    [
        ("POST", "volume/snapshot/restore", {"snapshot": "none"}, 400, "1638600"),
        ("POST", "volume/snapshot/restore", {}, 400, "2"),
        ("POST", "volume/snapshot/restore", {"snapshot": "s", "volume": "vol*"}, 404, "4"),
        ("POST", "volume/snapshot", {"snapshot": "s", "volume": "none"}, 404, "4"),
        ("POST", "volume/snapshot", {"snapshot": "s", "colour": "red"}, 400, "262179"),
        ("POST", "volume/offline", {"vserver": "svm9"}, 404, "4"),
        ("DELETE", "volume", {"volume": "*"}, 404, "4"),
        ("PUT", "volume", {}, 405, "3"),
    ],
)
def test_impossible_commands_are_refused(
    array: Simulator,
    volume: str,
    method: str,
    command: str,
    arguments: dict[str, str],
    status: int,
    code: str,
) -> None:
    body = {"vserver": "svm1", "volume": "vol1"} | arguments
    response = array.call(method, f"private/cli/{command}", body)
    assert (response.status_code, response.get_json()["error"]["code"]) == (status, code)


def test_a_role_must_allow_what_a_command_stands_for(array: Simulator, volume: str) -> None:
    privileges = [
        {"path": "/api/private/cli", "access": "all"},
        {"path": "/api/storage/volumes", "access": "readonly"},
    ]
    array.do("POST", "security/roles", {"name": "few", "privileges": privileges})
    application = {"application": "http", "authentication_methods": ["password"]}
    account = {"name": "someone", "password": "a-Password7", "role": "few"}
    array.do("POST", "security/accounts", account | {"applications": [application]})
    response = array.client.open(
        "/api/private/cli/volume/offline",
        method="POST",
        json={"vserver": "svm1", "volume": "vol1"},
        auth=("someone", "a-Password7"),
    )
    assert (response.status_code, response.get_json()["error"]["code"]) == (403, "6")
    assert array.get(volume)["state"] == "online"


def test_a_slash_too_many_before_a_path_is_forgiven(array: Simulator) -> None:
    # So the modules na_ontap_cg_snapshot and na_ontap_disks ask.
    assert records(array, "/application/consistency-groups?fields=name") == []
    [node] = records(array, "/cluster/nodes")
    assert records(array, f"/cluster/nodes?ha.partners.name={node['name']}") == []


def test_other_commands_do_not_exist(array: Simulator) -> None:
    response = array.call("GET", "private/cli/vserver/cifs")
    assert (response.status_code, response.get_json()["error"]["code"]) == (404, "3")


@pytest.mark.parametrize("path", [path for path in EMPTY if "<" not in path])
def test_unsupported_collections_are_empty(array: Simulator, path: str) -> None:
    assert array.get(f"{path}?fields=x&svm.uuid=y&list_destinations_only=true") == {
        "records": [],
        "num_records": 0,
    }
    response = array.call("GET", f"{path}/some-key")
    assert (response.status_code, response.get_json()["error"]["code"]) == (404, "4")
    # Interfaces lack an adapter first of all.
    status = 400 if path == "network/fc/interfaces" else 405
    assert array.call("POST", path, {}).status_code == status
