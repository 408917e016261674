"""The calls of Cinder's NetApp driver, over REST, and its checks of the answers.

They are those of the driver of Cinder 29.0.0, recorded on the wire; forms are kept as they are: the
doubled slash before every path, options of queries that a list does not have, volumes deleted by
query. With all that it needs Cinder is 300 MB, so that it is not installed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests
from conftest import PASSWORD, USER, Served
from netapp_ontap import resources
from python_client import GIB, HOST_IQN, HOST_NQN, SVM, created

EVERY = "svm.name,location.volume.name,space.size,location.qtree.name,name,os_type"
UNIQUE = "type=rw&style=flex*&is_svm_root=false&error_state.is_inconsistent=false&state=online"


class Cinder:
    """Sends requests as the driver does."""

    def __init__(self, array: Served) -> None:
        self.base = f"https://{array.host}:{array.port}/api//"
        self.session = requests.Session()
        self.session.auth = (USER, PASSWORD)
        self.session.verify = False
        self.session.trust_env = False
        self.session.headers["X-Dot-SVM-Name"] = "svm1"

    def send(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Return an answer; the driver takes none of 400 and above."""
        answer = self.session.request(method, self.base + path, json=body, timeout=90)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        content: dict[str, Any] = answer.json()
        return content

    def one(self, path: str) -> dict[str, Any]:
        """Read a list that must have one object."""
        [record] = self.records(path)
        return record

    def records(self, path: str) -> list[dict[str, Any]]:
        """Read a list."""
        answer = self.send("GET", f"{path}&max_records=10000")
        records: list[dict[str, Any]] = answer["records"]
        assert answer["num_records"] == len(records)
        return records


@pytest.fixture(scope="module")
def cinder(array: Served, volume: Any) -> Iterator[Cinder]:
    """Cinder, and an SVM with a volume and two LIFs for it."""
    for number, port in ((1, "e0a"), (2, "e0b")):
        created(
            resources.IpInterface,
            name=f"lif{number}",
            svm=SVM,
            ip={"address": f"10.10.{number}.1", "netmask": "24"},
            location={"home_port": {"name": port}},
            service_policy={"name": "default-data-blocks"},
        )
    it = Cinder(array)
    yield it
    it.session.close()


def test_a_volume_is_a_pool(cinder: Cinder) -> None:
    fields = (
        "aggregates.name,name,svm.name,nas.path,type,guarantee.honored,guarantee.type,"
        "space.snapshot.reserve_percent,space.size,qos.policy.name,snapshot_policy,language,style"
    )
    pool = cinder.one(f"storage/volumes/?{UNIQUE}&fields={fields}&name=vol1")
    assert (pool["style"], pool["type"], pool["aggregates"][0]["name"]) == (
        "flexvol",
        "rw",
        "aggr1",
    )
    assert pool["guarantee"] == {"type": "none", "honored": True}
    assert pool["snapshot_policy"]["name"]
    assert pool["language"]
    space = cinder.one(f"storage/volumes/?{UNIQUE}&fields=name,space.available,space.afs_total")
    assert space["space"] == {"available": 2 * GIB, "afs_total": 2 * GIB}
    reduced = "fields=efficiency.state,efficiency.compression"
    shown = cinder.one(f"storage/volumes?efficiency.volume_path=/vol/vol1&{reduced}")["efficiency"]
    assert (shown["state"], shown["compression"]) == ("disabled", "none")
    of_pool = "volume.name=vol1&svm.name=svm1"
    assert cinder.records(f"storage/file/clone/split-status?{of_pool}") == []
    sizes = "volume=vol1&vserver=svm1&fields=logical-data-size,logical-data-limit"
    assert cinder.records(f"private/cli/volume/efficiency?{sizes}") == []
    disk = cinder.records("storage/disks?aggregates.name=aggr1&fields=effective_type")[0]
    assert disk["effective_type"]


def test_counters_of_the_node_are_described(cinder: Cinder) -> None:
    node = cinder.one("storage/aggregates?name=aggr1&fields=home_node.name")["home_node"]["name"]
    for table, counter, base in (
        ("system:constituent", "average_processor_busy_percent", "cpu_elapsed_time"),
        ("wafl", "cp_phase_times", "total_cp_msecs"),
    ):
        query = f"counter_schemas.name={counter}&fields=counter_schemas.*&max_records=10000"
        schema = cinder.send("GET", f"cluster/counter/tables/{table}?{query}")["counter_schemas"][0]
        assert (schema["name"], schema["denominator"]["name"]) == (counter, base)
    for table in ("system:constituent", "wafl", "processor"):
        rows = cinder.records(f"cluster/counter/tables/{table}/rows?id={node}:*")
        # The array that is served here samples nothing. For none of them the driver asks so.
        assert rows == []
        query = "id=&counters.name=total_cp_msecs%7Ccp_phase_times"
        fields = "fields=id,counter_table.name,counters.*"
        assert cinder.records(f"cluster/counter/tables/{table}/rows?{query}&{fields}") == []


@pytest.mark.parametrize("kind", ["luns", "namespaces"])
def test_life_of_a_volume(cinder: Cinder, kind: str) -> None:
    place, name = f"storage/{kind}", "/vol/vol1/volume-1"
    body = {"name": name, "space.size": str(GIB // 2), "os_type": "linux"}
    cinder.send("POST", place, body)
    attach = of_iscsi if kind == "luns" else of_nvme
    attach(cinder, name)
    if kind == "luns":
        uuid = cinder.one(f"{place}?name={name}")["uuid"]
        cinder.send("PATCH", f"{place}/{uuid}", {"name": name, "space.size": GIB})
    else:
        cinder.send("PATCH", f"{place}?name={name}", {"space.size": GIB})
    for source, copy in (("volume-1", "snapshot-1"), ("snapshot-1", "volume-2")):
        clone = {"source": {"name": f"/vol/vol1/{source}"}}
        cinder.send("POST", place, {"svm": SVM, "name": f"/vol/vol1/{copy}", "clone": clone})
    fields = f"{EVERY},space.guarantee.requested,uuid"
    for device in cinder.records(f"{place}?fields={fields}&svm.name=svm1"):
        assert device["location"]["volume"]["name"] == "vol1"
        assert device["space"]["size"] == GIB
        assert device["space"]["guarantee"]["requested"] is False
        assert (device["os_type"], device["svm"]["name"]) == ("linux", "svm1")
    for each in ("snapshot-1", "volume-1", "volume-2"):
        query = f"name=/vol/vol1/{each}&svm=svm1&allow_delete_while_mapped=true"
        cinder.send("DELETE", f"{place}?{query}")
    assert cinder.records(f"{place}?location.volume.name=vol1&svm.name=svm1") == []
    cinder.send("DELETE", "storage/qos/policies?name=deleted_cinder_*")


def of_iscsi(cinder: Cinder, name: str) -> None:
    """Attach a LUN to a host and detach it."""
    groups = "protocols/san/igroups"
    of_host = f"svm.name=svm1&initiators.name={HOST_IQN}&fields=name,protocol,os_type"
    assert cinder.records(f"{groups}?{of_host}") == []
    body = {"name": "openstack-1", "protocol": "iscsi", "os_type": "linux"}
    cinder.send("POST", groups, body)
    group = cinder.one(f"{groups}/?name=openstack-1&fields=uuid")["uuid"]
    cinder.send("POST", f"{groups}/{group}/initiators", {"name": HOST_IQN})
    assert cinder.one(f"{groups}?{of_host}")["name"] == "openstack-1"
    maps = "protocols/san/lun-maps"
    body = {"lun.name": name, "igroup.name": "openstack-1"}
    map_ = cinder.send("POST", f"{maps}?return_records=true", body)["records"][0]
    assert map_["logical_unit_number"] == 0
    lifs = cinder.records("network/ip/interfaces?services=data_iscsi&fields=ip.address,enabled")
    assert [(lif["ip"]["address"], lif["enabled"]) for lif in lifs] == [
        ("10.10.1.1", True),
        ("10.10.2.1", True),
    ]
    assert cinder.one("protocols/san/iscsi/services?fields=target.name")["target"]["name"]
    map_ = cinder.one(f"{maps}?igroup.name=openstack-1&lun.name={name}&fields=lun.uuid,igroup.uuid")
    cinder.send("DELETE", f"{maps}/{map_['lun']['uuid']}/{map_['igroup']['uuid']}")


def of_nvme(cinder: Cinder, name: str) -> None:
    """Attach a namespace to a host and detach it."""
    subsystems, maps = "protocols/nvme/subsystems", "protocols/nvme/subsystem-maps"
    body = {"svm.name": "svm1", "name": "openstack-2", "os_type": "linux"}
    cinder.send("POST", subsystems, body | {"hosts": [{"nqn": HOST_NQN}]})
    body = {"namespace.name": name, "subsystem.name": "openstack-2"}
    map_ = cinder.send("POST", f"{maps}?return_records=true", body)["records"][0]
    assert map_["namespace"]["uuid"]
    record = cinder.one(f"{subsystems}?fields=target_nqn&name=openstack-2&svm.name=svm1")
    assert record["target_nqn"].startswith("nqn.")
    portals = "services=data_nvme_tcp&fields=ip.address&enabled=true"
    assert len(cinder.records(f"network/ip/interfaces?{portals}")) == 2
    of_host = f"svm.name=svm1&hosts.nqn={HOST_NQN}&fields=name,os_type&name=openstack-*"
    subsystem = cinder.one(f"{subsystems}?{of_host}")["uuid"]
    fields = "fields=subsystem.name,namespace.uuid,svm.name,subsystem.uuid"
    assert cinder.one(f"{maps}?namespace.name={name}&{fields}")["subsystem"]["uuid"] == subsystem
    cinder.send("DELETE", f"{subsystems}/{subsystem}/hosts/{HOST_NQN}")
