"""The calls of NetApp's Trident over the life of a volume, and its checks of the answers.

Nobody packs Trident itself: `make orchestrators` runs it where it is. Its requests, their order
and its checks are those of the real one, recorded on the wire: forms are kept as they are, empty
`fields=`, hyphens and colons in paths included.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from conftest import PASSWORD, USER, Served

GIB = 1024**3
IQN = "iqn.1994-05.com.redhat:node1"
NQN = "nqn.2014-08.org.nvmexpress:uuid:node1"
NAS = {"export_policy": {"name": "default"}, "security_style": "unix", "unix_permissions": 777}
MEDIA_TYPES = ("application/hal+json", "application/json")


class Trident:
    """Sends requests as Trident does, and makes its checks of every answer."""

    def __init__(self, array: Served) -> None:
        self.base = f"https://{array.host}:{array.port}"
        self.session = requests.Session()
        self.session.auth = (USER, PASSWORD)
        self.session.verify = False
        self.session.trust_env = False
        self.session.headers["Accept"] = "application/hal+json"
        self.session.headers["X-Dot-Client-App"] = "trident-netapp"

    def send(self, method: str, path: str, body: Any, status: int) -> dict[str, Any]:
        """Return the JSON object of an answer of the status that Trident requires."""
        answer = self.session.request(method, f"{self.base}/api/{path}", json=body, timeout=90)
        shown = f"{method} {path}: {answer.status_code} {answer.text}"
        assert answer.headers["Content-Type"].partition(";")[0] in MEDIA_TYPES, shown
        assert answer.status_code == status, shown
        if method == "POST" and status in (201, 202) and "application-logs" not in path:
            assert answer.headers["Location"].startswith("/api/"), shown
        content: dict[str, Any] = answer.json()
        return content

    def get(self, path: str) -> dict[str, Any]:
        """Read something."""
        return self.send("GET", path, None, 200)

    def records(self, path: str) -> list[dict[str, Any]]:
        """Read a collection."""
        answer = self.get(path)
        assert answer["num_records"] == len(answer["records"])
        records: list[dict[str, Any]] = answer["records"]
        return records

    def one(self, path: str) -> dict[str, Any]:
        """Read a collection that must have exactly one object."""
        [record] = self.records(path)
        return record

    def make(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Create an object at once; Trident fails unless the answer has exactly one record."""
        answer = self.send("POST", f"{path}?return_records=true", body, 201)
        assert answer["num_records"] == 1
        [record] = answer["records"]
        return dict(record)

    def job(self, method: str, path: str, body: Any = None, state: str = "success") -> None:
        """Send a change that Trident takes only as a job."""
        started = self.send(method, path, body, 202)["job"]
        assert started["_links"]["self"]["href"] == f"/api/cluster/jobs/{started['uuid']}"
        job = f"cluster/jobs/{started['uuid']}"
        assert self.get(f"{job}?fields=state")["state"] == state
        assert self.get(f"{job}?fields=**")["state"] == state


@pytest.fixture(scope="module")
def trident(array: Served) -> Iterator[Trident]:
    """Trident, and an SVM for it with both protocols at two LIFs."""
    it = Trident(array)
    primary = {"disk_count": 6, "raid_type": "raid_dp"}
    it.job("POST", "storage/aggregates", {"name": "aggr1", "block_storage": {"primary": primary}})
    services = {"iscsi": {"enabled": True}, "nvme": {"enabled": True}}
    it.job("POST", "svm/svms", {"name": "svm1", "aggregates": [{"name": "aggr1"}], **services})
    for number, port in ((1, "e0a"), (2, "e0b")):
        address = {"address": f"10.10.{number}.1", "netmask": "24"}
        body = {"name": f"lif{number}", "svm": {"name": "svm1"}, "ip": address}
        location = {"location": {"home_port": {"name": port}}}
        it.make("network/ip/interfaces", body | location)
    yield it
    it.session.close()


@pytest.fixture(scope="module")
def svm(trident: Trident) -> str:
    """The UUID of the SVM, found as Trident finds it."""
    return str(trident.one("svm/svms?fields=&name=svm1")["uuid"])


def test_start(trident: Trident, svm: str) -> None:
    version = trident.get("cluster?fields=**")["version"]
    assert (version["generation"], version["major"]) >= (9, 15)
    personality = trident.get(
        "cluster?fields=san_optimized,disaggregated&ignore_unknown_fields=true"
    )
    assert (personality["san_optimized"], personality["disaggregated"]) == (False, False)
    assert trident.one("svm/svms?fields=&name=*")["uuid"] == svm
    assert trident.one("cluster/nodes?fields=serial_number&name=*")["serial_number"]
    for service in ("data_iscsi", "data_nvme_tcp"):
        query = f"fields=ip.address,state&services={service}&svm.uuid={svm}"
        lifs = trident.records(f"network/ip/interfaces?{query}")
        assert [lif["state"] for lif in lifs] == ["up", "up"]
    assert trident.records(f"network/fc/interfaces?fields=wwpn,state&svm.uuid={svm}") == []
    assert trident.records(f"svm/peers?fields=peer.svm.name&svm.uuid={svm}") == []
    assert trident.get(f"svm/svms/{svm}")["aggregates"][0]["name"] == "aggr1"
    media = trident.one("storage/aggregates?fields=block_storage.primary.disk_type&name=*")
    assert media["block_storage"]["primary"]["disk_type"]
    credential = trident.one(
        "protocols/san/iscsi/credentials?fields=svm.name,chap.inbound.user,chap.outbound.user,"
        f"initiator,authentication_type&initiator=default&return_records=true&svm.uuid={svm}"
    )
    assert credential["authentication_type"] == "none"
    heartbeat = {
        "computer_name": "node1",
        "event_source": "Sanstone's tests",
        "event_id": 0,
        "category": "heartbeat",
        "event_description": "alive",
        "app_version": "26.06",
        "severity": "informational",
        "autosupport_required": False,
    }
    trident.send("POST", "support/ems/application-logs?return_records=true", heartbeat, 201)
    assert trident.records(f"protocols/san/igroups?fields=&name=*&svm.uuid={svm}") == []


def test_logins_are_changed_before_there_are_luns(trident: Trident, svm: str) -> None:
    assert trident.records(f"storage/luns?fields=&name=*&svm.uuid={svm}") == []
    credentials = "protocols/san/iscsi/credentials"
    users = {
        "inbound": {"user": "node", "password": "secret of node"},
        "outbound": {"user": "array", "password": "secret of array"},
    }
    body = {"authentication_type": "CHAP", "chap": users}
    trident.send("PATCH", f"{credentials}/{svm}/default", body, 200)
    query = f"fields=authentication_type,chap.inbound.user&initiator=default&svm.uuid={svm}"
    service = trident.one(f"{credentials}?{query}")
    assert (service["authentication_type"], service["chap"]["inbound"]["user"]) == ("chap", "node")
    trident.send("PATCH", f"{credentials}/{svm}/default", {"authentication_type": "none"}, 200)


def volume_of(trident: Trident, svm: str, name: str) -> str:
    """Create a volume as Trident does and return its UUID."""
    find = f"storage/volumes?fields=&name={name}&style=flexvol&svm.uuid={svm}"
    assert trident.records(find) == []
    space = "space.footprint,space.block_storage.size,space.block_storage.used"
    assert trident.one(f"storage/aggregates?fields={space}&name=aggr1")["space"]["block_storage"]
    body = {
        "name": name,
        "size": GIB + GIB // 10,
        "aggregates": [{"name": "aggr1"}],
        "guarantee": {"type": "none"},
        "snapshot_policy": {"name": "none"},
        "space": {"snapshot": {"reserve_percent": 0}},
        "nas": NAS,
        "style": "flexvol",
        "state": "online",
        "svm": {"uuid": svm},
        "tiering": {"policy": "none"},
        "comment": '{"provisioning":{"storageDriverName":"ontap-san"}}',
        "encryption": {"enabled": False},
    }
    trident.job("POST", "storage/volumes", body)
    volume = trident.one(
        "storage/volumes?fields=type,size,comment,aggregates,nas,guarantee,snapshot_policy,"
        "snapshot_directory_access_enabled,space.snapshot.used,space.snapshot.reserve_percent,"
        f"nas.export_policy.name,autosize.mode&name={name}&style=flexvol&svm.uuid={svm}"
    )
    assert (volume["type"], volume["comment"]) == ("rw", body["comment"])
    return str(volume["uuid"])


def delete_volume(trident: Trident, name: str, uuid: str) -> None:
    """Delete a volume as Trident does."""
    lists = "snapmirror/relationships?fields=source.path,destination.path"
    for query in ("&list_destinations_only=true", ""):
        assert trident.records(f"{lists}{query}&source.path=svm1:{name}") == []
    trident.job("DELETE", f"storage/volumes/{uuid}?force=false")


def test_life_of_a_lun(trident: Trident, svm: str) -> None:
    volume = volume_of(trident, svm, "trident_pvc_1")
    path = "/vol/trident_pvc_1/lun0"
    body = {
        "name": path,
        "os_type": "linux",
        "space": {
            "size": GIB,
            "guarantee": {"requested": False},
            "scsi_thin_provisioning_support_enabled": True,
        },
        "svm": {"uuid": svm},
        "qos_policy": {},
    }
    trident.make("storage/luns", body)
    lun = trident.one(
        "storage/luns?fields=lun_maps.igroup.name,lun_maps.logical_unit_number,space.size,comment,"
        "qos_policy.name,status.mapped,location.volume.name,create_time,enabled,serial_number,"
        f"status.state,os_type&name={path}&svm.uuid={svm}"
    )
    assert (len(lun["serial_number"]), lun["status"]["mapped"]) == (12, False)
    attributes = f"storage/luns/{lun['uuid']}/attributes"
    for name, value in (("fstype", "ext4"), ("formatOptions", "-E x"), ("LUKS", "false")):
        item = {"name": f"com.netapp.ndvp.{name}", "value": value}
        trident.send("POST", attributes, item, 201)
    trident.send("PATCH", f"{attributes}/com.netapp.ndvp.LUKS", {"value": "true"}, 200)
    record = trident.one(f"storage/luns?fields=attributes.name,attributes.value&name={path}")
    values = {item["name"]: item["value"] for item in record["attributes"]}
    assert values["com.netapp.ndvp.LUKS"] == "true"
    publish_lun(trident, svm, path, lun["uuid"])
    snapshots = f"storage/volumes/{volume}/snapshots"
    assert trident.records(f"{snapshots}?fields=name,create_time&name=s1&svm.uuid={svm}") == []
    trident.job("POST", snapshots, {"name": "s1", "svm": {"uuid": svm}})
    snapshot = trident.one(f"{snapshots}?fields=name,create_time&name=s1&svm.uuid={svm}")
    assert snapshot["create_time"]
    clone = clone_volume(trident, svm, volume)
    trident.job("DELETE", f"storage/volumes/{clone}?force=false")
    trident.job("PATCH", f"storage/volumes/{volume}?restore_to.snapshot.name=s1", {})
    trident.job("PATCH", f"storage/volumes/{volume}", {"size": 2 * GIB})
    uuid = lun["uuid"]
    trident.send("PATCH", f"storage/luns/{uuid}", {"space": {"size": GIB + GIB // 2}}, 200)
    unpublish_lun(trident, svm, path, uuid)
    trident.job("DELETE", f"{snapshots}/{snapshot['uuid']}")
    delete_volume(trident, "trident_pvc_1", volume)
    assert trident.records(f"storage/luns?fields=&name={path}&svm.uuid={svm}") == []


def publish_lun(trident: Trident, svm: str, path: str, lun: str) -> None:
    """Show a LUN to a node."""
    group = "node1-12345678"
    assert trident.records(f"protocols/san/igroups?fields=&name={group}&svm.uuid={svm}") == []
    body = {"name": group, "os_type": "linux", "protocol": "iscsi", "svm": {"uuid": svm}}
    igroup = trident.make("protocols/san/igroups", body)
    assert igroup["name"] == group
    service = trident.one(
        "protocols/san/iscsi/services?fields=target.name,enabled&return_records=true"
        f"&svm.uuid={svm}"
    )
    alone = trident.get(f"protocols/san/iscsi/services/{svm}?fields=target.name")
    assert alone["target"] == service["target"]
    assert service["enabled"]
    assert service["target"]["name"].startswith("iqn.")
    groups = f"protocols/san/igroups?fields=initiators.name&name={group}&svm.uuid={svm}"
    assert "initiators" not in trident.one(groups)
    trident.send("POST", f"protocols/san/igroups/{igroup['uuid']}/initiators", {"name": IQN}, 201)
    again = {"name": IQN}
    path_of_members = f"protocols/san/igroups/{igroup['uuid']}/initiators"
    assert trident.send("POST", path_of_members, again, 409)["error"]["code"] == "5374035"
    query = f"protocols/san/lun-maps?fields=svm,lun,igroup,logical-unit-number&lun.name={path}"
    assert trident.records(query) == []
    body = {"igroup": {"name": group}, "lun": {"name": path, "uuid": lun}, "svm": {"uuid": svm}}
    mapped = trident.make("protocols/san/lun-maps", body)
    assert mapped["logical_unit_number"] == 0
    numbers = f"storage/luns?fields=lun_maps.logical_unit_number&name={path}&svm.uuid={svm}"
    assert trident.one(numbers)["lun_maps"][0]["logical_unit_number"] == 0
    keys = f"{lun}/{igroup['uuid']}"
    nodes = trident.records(f"protocols/san/lun-maps/{keys}/reporting-nodes")
    query = f"network/ip/interfaces?fields=location.node.name,ip.address&svm.uuid={svm}"
    where = {lif["location"]["node"]["name"] for lif in trident.records(query)}
    assert where == {node["name"] for node in nodes}


def unpublish_lun(trident: Trident, svm: str, path: str, lun: str) -> None:
    """Hide it again, and delete the igroup that is empty then."""
    maps = f"protocols/san/lun-maps?fields=svm,lun,igroup,logical-unit-number&lun.name={path}"
    group = trident.one(maps)["igroup"]
    trident.send("DELETE", f"protocols/san/lun-maps/{lun}/{group['uuid']}", None, 200)
    others = f"protocols/san/lun-maps?fields=&igroup.name={group['name']}&lun.name=*"
    assert trident.records(others) == []
    trident.send("DELETE", f"protocols/san/igroups/{group['uuid']}", None, 200)
    answer = trident.send("DELETE", f"protocols/san/igroups/{group['uuid']}", None, 404)
    assert answer["error"]["code"] in ("4", "5374852")


def clone_volume(trident: Trident, svm: str, parent: str) -> str:
    """Clone the volume of a mapped LUN; the parent's snapshot is busy then."""
    source = {"name": "trident_pvc_1"}
    origin = {"is_flexclone": True, "parent_volume": source, "parent_snapshot": {"name": "s1"}}
    body = {"clone": origin, "name": "trident_pvc_2", "svm": {"uuid": svm}}
    trident.job("POST", "storage/volumes?return_records=true", body)
    clone = trident.one(f"storage/volumes?fields=state&name=trident_pvc_2&svm.uuid={svm}")
    assert clone["state"] == "online"
    trident.job("PATCH", f"storage/volumes/{clone['uuid']}", {"comment": "a clone"})
    lun = trident.one(
        f"storage/luns?fields=status.mapped,serial_number&name=/vol/trident_pvc_2/lun0"
        f"&svm.uuid={svm}"
    )
    assert lun["status"]["mapped"] is False
    snapshots = f"storage/volumes/{parent}/snapshots"
    snapshot = trident.one(f"{snapshots}?name=s1")["uuid"]
    busy = trident.send("DELETE", f"{snapshots}/{snapshot}", None, 409)
    assert busy["error"]["code"] == "1638555"
    clones = "clone.parent_volume.name=trident_pvc_1&clone.parent_snapshot.name=s1"
    assert trident.one(f"storage/volumes?{clones}&svm.uuid={svm}")["name"] == "trident_pvc_2"
    split = {"clone": {"split_initiated": True}}
    trident.job("PATCH", f"storage/volumes/{clone['uuid']}", split)
    assert trident.records(f"storage/volumes?{clones}&svm.uuid={svm}") == []
    return str(clone["uuid"])


def test_life_of_a_lun_in_a_shared_volume(trident: Trident, svm: str) -> None:
    volume = volume_of(trident, svm, "shared")
    body = {"os_type": "linux", "space": {"size": GIB}, "svm": {"uuid": svm}}
    trident.make("storage/luns", {"name": "/vol/shared/lun1", **body})
    snapshots = f"storage/volumes/{volume}/snapshots"
    trident.job("POST", snapshots, {"name": "s1", "svm": {"uuid": svm}})
    source = {"source": {"name": "/vol/shared/.snapshot/s1/lun1"}}
    copy = {"name": "/vol/shared/copy", "clone": source, "space": {}, "qos_policy": {}}
    clone = trident.make("storage/luns", copy | {"svm": {"uuid": svm}})
    renamed = {"name": "/vol/shared/renamed"}
    trident.send("PATCH", f"storage/luns/{clone['uuid']}", renamed, 200)
    for lun in trident.records(f"storage/luns?fields=name&name=/vol/shared/*&svm.uuid={svm}"):
        trident.send("DELETE", f"storage/luns/{lun['uuid']}", None, 200)
    delete_volume(trident, "shared", volume)


def test_life_of_a_namespace(trident: Trident, svm: str) -> None:
    volume = volume_of(trident, svm, "trident_pvc_3")
    path = "/vol/trident_pvc_3/namespace0"
    comment = json.dumps({"nsAttribute": {"LUKS": "false", "com.netapp.ndvp.fstype": "ext4"}})
    body = {
        "name": path,
        "os_type": "linux",
        "space": {"size": GIB, "block_size": 4096},
        "comment": comment,
        "svm": {"uuid": svm},
    }
    trident.make("storage/namespaces", body)
    namespace = trident.one(
        "storage/namespaces?fields=os_type,location.volume.name,space.size,space.block_size,"
        f"status.state,comment&name={path}&svm.uuid={svm}"
    )
    assert (namespace["comment"], namespace["status"]["state"]) == (comment, "online")
    find = f"protocols/nvme/subsystems?fields=target_nqn&name=node1&svm.uuid={svm}"
    assert trident.records(find) == []
    body = {"name": "node1", "os_type": "linux", "comment": "a node", "svm": {"uuid": svm}}
    subsystem = trident.make("protocols/nvme/subsystems", body)
    assert (subsystem["name"], bool(subsystem["target_nqn"])) == ("node1", True)
    hosts = f"protocols/nvme/subsystems/{subsystem['uuid']}/hosts"
    assert trident.records(hosts) == []
    trident.send("POST", hosts, {"nqn": NQN}, 201)
    maps = f"protocols/nvme/subsystem-maps?subsystem.uuid={subsystem['uuid']}"
    assert trident.records(maps) == []
    body = {
        "namespace": {"uuid": namespace["uuid"]},
        "subsystem": {"uuid": subsystem["uuid"]},
        "svm": {"uuid": svm},
    }
    trident.send("POST", "protocols/nvme/subsystem-maps", body, 201)
    assert trident.one(maps)["namespace"]["uuid"] == namespace["uuid"]
    size = {"space": {"size": 2 * GIB}}
    trident.job("PATCH", f"storage/volumes/{volume}", {"size": 3 * GIB})
    trident.send("PATCH", f"storage/namespaces/{namespace['uuid']}", size, 200)
    trident.send("DELETE", f"{hosts}/{NQN}", None, 200)
    keys = f"{subsystem['uuid']}/{namespace['uuid']}"
    trident.send("DELETE", f"protocols/nvme/subsystem-maps/{keys}", None, 200)
    path = f"protocols/nvme/subsystems/{subsystem['uuid']}?allow_delete_with_hosts=true"
    trident.send("DELETE", path, None, 200)
    delete_volume(trident, "trident_pvc_3", volume)


def test_group_snapshots(trident: Trident, svm: str) -> None:
    volumes = {name: volume_of(trident, svm, name) for name in ("group_1", "group_2")}
    add = {"provisioning_options": {"action": "add"}}
    body = {"name": "group", "volumes": [{"name": name, **add} for name in volumes]}
    groups = "application/consistency-groups"
    trident.job("POST", groups, {"svm": {"name": "svm1"}, **body})
    group = trident.one(f"{groups}?name=group&svm.name=svm1")["uuid"]
    trident.job("POST", f"{groups}/{group}/snapshots", {"name": "together"})
    for uuid in volumes.values():
        assert trident.one(f"storage/volumes/{uuid}/snapshots?name=together")
    trident.job("DELETE", f"{groups}/{group}")
    for name, uuid in volumes.items():
        assert trident.one(f"storage/volumes/{uuid}/snapshots?name=together")
        delete_volume(trident, name, uuid)


def test_purging_a_missing_volume(trident: Trident) -> None:
    queue = "private/cli/volume/recovery-queue?vserver=svm1&volume=trident_pvc_1*"
    assert trident.records(queue) == []
