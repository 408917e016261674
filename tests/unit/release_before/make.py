"""Writes this folder's files by the code of the release before: run it in a tree of that one.

    git worktree add ../before <its commit>
    cd ../before
    PYTHONPATH=api:tests:tests/unit output/venv/bin/python …/release_before/make.py …/release_before

The array has one of each thing at least that reaches the machine or that a client shows, hosts
wrote to it, a disk has failed, and its reconciler was killed with four jobs unfinished. Secrets are
made up.
"""

from __future__ import annotations

import dataclasses
import json
import re
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import scenarios
import simulator
from passwords import hashed_quickly
from scenarios import GIB, HOST_IQN, HOST_NQN, KEY, MIB
from simulator import Simulator, simulated

import sanstone
from fakes import FakeKernel
from sanstone import migrate
from sanstone.core import secrets
from sanstone.core.database import store
from sanstone.kernel.host import Host
from sanstone.resources.declared import RESOURCES

INSTALLED = "/usr/lib/python3/dist-packages/sanstone"
"""The folder of the code on an array; programs get paths in it."""
RAID_STEP = 3
"""A step of growing an aggregate: the new RAID group exists, and its old content is erased."""
CHUNK = 64 * 1024
GROUPS = "application/consistency-groups"
MIRROR = {"raid_type": "raid1", "raid_size": 2}
QUARTERLY = {"months": [1, 4, 7, 10], "days": [1], "hours": [0], "minutes": [0]}
DISKS = ("sdi", "sdj", "sdk", "sdl", "sdm")
"""Those that are plugged in besides the eight that each array has."""
CHANGING = re.compile(r"/(metrics|messages)$|^cluster/software")
"""Collections that depend on the time, on the API's own log and on the system's slots."""


class RecordedKernel(FakeKernel):
    """A kernel in memory that records its changes: `[door.method, options, argument …]`."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[list[Any]] = []
        names = [field.name for field in dataclasses.fields(Host)]
        doors: dict[str, Any] = {name: _Door(self, name) for name in names}
        self.host = Host(**doors)

    def add_disk(self, name: str) -> str:
        """Plug in an empty disk."""
        self.calls.append(["storage.add_disk", {}, name])
        return self.storage.add_disk(name)

    def fail_disk(self, name: str) -> None:
        """Have a disk fail."""
        self.storage.fail_disk(name)
        self.calls.append(["storage.fail_disk", {}, name])

    def write(self, offset: int, size: int) -> None:
        """Have hosts write to all LUNs and namespaces."""
        devices = {f"{d.major}:{d.minor}": d.name for d in self.mapper.devices()}
        for name in devices.values():
            for target in self.mapper.table(name):
                if target.kind == "thin":
                    number, thin_id = target.arguments.split()
                    pool = self.mapper.pool(devices[number])
                    assert pool is not None
                    pool.write(int(thin_id), size, offset)
                    arguments = [devices[number], int(thin_id), size, offset]
                    self.calls.append(["hosts.write", {}, *arguments])


class _Door:
    def __init__(self, kernel: RecordedKernel, name: str) -> None:
        self._kernel, self._name, self._door = kernel, name, getattr(kernel, name)

    def __getattr__(self, method: str) -> Any:
        real = getattr(self._door, method)
        if not callable(real):
            return real

        def call(*arguments: Any, **options: Any) -> Any:
            steps = len(self._kernel.interrupt.log)
            try:
                return real(*arguments, **options)
            finally:
                if len(self._kernel.interrupt.log) > steps:
                    name = f"{self._name}.{method}"
                    self._kernel.calls.append([name, options, *arguments])

        return call


def machine(array: Simulator) -> RecordedKernel:
    """Return the machine of the array."""
    assert isinstance(array.kernel, RecordedKernel)
    return array.kernel


def build(array: Simulator) -> None:
    """Have an array with one of each thing."""
    for disk in DISKS:
        machine(array).add_disk(disk)
    array.reconciler.rescan()
    array.settle()
    cluster(array)
    storage(array)
    network(array)
    scsi(array)
    nvme(array)
    copies(array)
    security(array)
    machine(array).fail_disk("sda")
    array.settle()
    array.measure()


def cluster(array: Simulator) -> None:
    """Give the array servers, events' destinations, schedules and policies."""
    scenarios.name_server(array)
    scenarios.time_server(array)
    array.do("PATCH", "cluster", {"contact": "storage@example.org", "location": "Room 5"})
    rules = [
        {"type": "exclude", "message_criteria": {"severities": "notice"}},
        {"type": "include", "message_criteria": {"name_pattern": "disk.*"}},
    ]
    array.make("support/ems/filters", {"name": "disks", "rules": rules})
    destination = {"name": "logs", "type": "syslog", "destination": "192.0.2.7"}
    array.make("support/ems/destinations", destination | {"filters": [{"name": "disks"}]})
    array.make("cluster/schedules", {"name": "quarterly", "cron": QUARTERLY})
    array.make("cluster/schedules", {"name": "often", "interval": "PT15M"})
    copies_ = [{"schedule": "quarterly", "count": 4, "retention_period": "P30D"}]
    array.make("storage/snapshot-policies", {"name": "archive", "copies": copies_})


def storage(array: Simulator) -> None:
    """Have an aggregate of two RAID groups, a mirror, SVMs and volumes."""
    dual_parity = {"disk_count": 8, "raid_type": "raid_dp", "raid_size": 4}
    for name, primary in (("aggr1", dual_parity), ("aggr2", {"disk_count": 2, **MIRROR})):
        array.make("storage/aggregates", {"name": name, "block_storage": {"primary": primary}})
    array.make("svm/svms", {"name": "svm1", "comment": "of the hosts", "aggregates": ["aggr1"]})
    array.make("svm/svms", {"name": "svm2"})
    volume(array, "vol1", comment="first", snapshot_policy="archive")
    volume(array, "vol2", guarantee={"type": "volume"}, space={"snapshot": {"reserve_percent": 10}})
    volume(array, "vol3", size=3 * GIB, aggregates=["aggr2"])
    volume(array, "vol1", svm="svm2")


def volume(array: Simulator, name: str, svm: str = "svm1", **more: Any) -> None:
    """Add a volume."""
    body = {"svm.name": svm, "name": name, "size": 2 * GIB, "aggregates": ["aggr1"]}
    array.make("storage/volumes", body | more)


def network(array: Simulator) -> None:
    """Have LIFs on ports, on a VLAN of a LAG and for management, and routes."""
    scenarios.management(array)
    array.do("POST", "network/ip/routes", {"gateway": "192.0.2.1"})
    scenarios.lag(array)
    scenarios.vlan(array)
    lif(array, "lif1", "e0a", "10.10.1.1", "default-data-iscsi")
    lif(array, "lif2", "e0b", "10.10.2.1", "default-data-blocks")
    lif(array, "lif3", "a0a-1092", "10.10.9.1", "default-data-nvme-tcp")
    lif(array, "lif4", "e0a", "2001:db8::4", "default-data-blocks", netmask="64")
    lif(array, "lif1", "e0b", "10.10.2.2", "default-data-blocks", svm="svm2")
    way = {"gateway": "10.10.1.254", "destination": {"address": "10.20.0.0", "netmask": "16"}}
    array.do("POST", "network/ip/routes", {"svm.name": "svm1", **way})
    array.do("POST", "network/ip/routes", {"svm.name": "svm2", "gateway": "10.10.2.254"})


def lif(
    array: Simulator,
    name: str,
    port: str,
    address: str,
    policy: str,
    *,
    svm: str = "svm1",
    netmask: str = "24",
) -> None:
    """Add a LIF."""
    body = {"ip": {"address": address, "netmask": netmask}, "location.home_port.name": port}
    body |= {"svm.name": svm, "name": name, "service_policy": policy}
    array.make("network/ip/interfaces", body)


def scsi(array: Simulator) -> None:
    """Have LUNs that are mapped through igroups in igroups, at portsets, with CHAP."""
    for svm in ("svm1", "svm2"):
        array.make("protocols/san/iscsi/services", {"svm.name": svm})
    free = {"svm.name": "svm1", "name": "free"}
    array.make("storage/qos/policies", free)
    lun(array, "vol1/lun1", comment="of host1", qos_policy={"name": "free"})
    lun(array, "vol1/lun2", space={"size": 96 * MIB}, os_type="vmware")
    lun(array, "vol2/lun1", space={"size": 64 * MIB, "guarantee": {"requested": True}})
    lun(array, "vol3/lun1", space={"size": 128 * MIB})
    lun(array, "vol3/unmapped", os_type="windows")
    lun(array, "vol1/lun1", svm="svm2")
    interfaces = [{"ip": {"name": "lif2"}}, {"ip": {"name": "lif4"}}]
    array.make("protocols/san/portsets", free | {"name": "ports1", "interfaces": interfaces})
    igroup(array, "group1", initiators=[HOST_IQN, f"{HOST_IQN}-2"])
    igroup(array, "group2", initiators=["eui.0123456789abcdef"], portset="ports1")
    igroup(array, "outer", igroups=["group1"])
    igroup(array, "other", svm="svm2", initiators=[HOST_IQN], comment="the same host")
    lun_map(array, "vol1/lun1", "group1", 0)
    lun_map(array, "vol1/lun2", "outer", 7)
    lun_map(array, "vol2/lun1", "group2", 0)
    lun_map(array, "vol3/lun1", "group2", 300)
    lun_map(array, "vol3/lun1", "group1", 1)
    lun_map(array, "vol1/lun1", "other", 0, svm="svm2")
    inbound = {"inbound": {"user": "host1", "password": "secret-of-host"}}
    both = inbound | {"outbound": {"user": "array", "password": "secret-of-array"}}
    chap = {"svm.name": "svm1", "authentication_type": "chap"}
    credentials = "protocols/san/iscsi/credentials"
    array.make(credentials, chap | {"initiator": HOST_IQN, "chap": both})
    svm2 = array.get("svm/svms?name=svm2")["records"][0]["uuid"]
    default = {"authentication_type": "chap", "chap": inbound}
    array.do("PATCH", f"{credentials}/{svm2}/default", default)
    change(array, "storage/luns", "/vol/vol3/lun1", {"enabled": False})


def lun(array: Simulator, path: str, svm: str = "svm1", **more: Any) -> None:
    """Add a LUN."""
    body = {"svm.name": svm, "name": f"/vol/{path}", "os_type": "linux", "space.size": 64 * MIB}
    if "space" in more:
        del body["space.size"]
    array.make("storage/luns", body | more)


def igroup(array: Simulator, name: str, svm: str = "svm1", **more: Any) -> None:
    """Add an igroup."""
    body = {"svm.name": svm, "name": name, "os_type": "linux", "protocol": "iscsi"}
    array.make("protocols/san/igroups", body | more)


def lun_map(array: Simulator, lun: str, igroup: str, number: int, svm: str = "svm1") -> None:
    """Map a LUN."""
    body = {"svm.name": svm, "lun.name": f"/vol/{lun}", "igroup.name": igroup}
    array.make("protocols/san/lun-maps", body | {"logical_unit_number": number})


def nvme(array: Simulator) -> None:
    """Have namespaces of both block sizes, and subsystems with hosts that show who they are."""
    array.make("protocols/nvme/services", {"svm.name": "svm1"})
    for path, block_size in (("vol1/ns1", 4096), ("vol2/ns1", 4096), ("vol3/ns1", 512)):
        space = {"size": 64 * MIB, "block_size": block_size}
        body = {"name": f"/vol/{path}", "os_type": "linux", "space": space}
        array.make("storage/namespaces", {"svm.name": "svm1", **body})
    keys = {"host_secret_key": KEY, "controller_secret_key": KEY, "hash_function": "sha_256"}
    hosts: list[Any] = [{"nqn": HOST_NQN, "dh_hmac_chap": keys}, {"nqn": f"{HOST_NQN}-2"}]
    for name, admitted in (("sub1", hosts), ("sub2", hosts[1:])):
        body = {"name": name, "os_type": "linux", "hosts": admitted}
        array.make("protocols/nvme/subsystems", {"svm.name": "svm1", **body})
    for path, name in (("vol1/ns1", "sub1"), ("vol3/ns1", "sub1"), ("vol2/ns1", "sub2")):
        body = {"svm.name": "svm1", "namespace.name": f"/vol/{path}", "subsystem.name": name}
        array.make("protocols/nvme/subsystem-maps", body)


def copies(array: Simulator) -> None:
    """Have hosts write; take snapshots, clone, and go back to one."""
    machine(array).write(0, 9 * CHUNK)
    snapshot(array, "vol1", "snap1")
    machine(array).write(4 * CHUNK, 3 * CHUNK)
    snapshot(array, "vol1", "snap2")
    array.make("storage/volumes", clone("vol4", "vol1", "snap1"))
    source = {"svm.name": "svm1", "name": "/vol/vol1/copy", "clone.source.name": "/vol/vol1/lun1"}
    array.make("storage/luns", source)
    lun_map(array, "vol1/copy", "group1", 2)
    snapshot(array, "vol3", "before")
    machine(array).write(20 * CHUNK, CHUNK)
    change(array, "storage/volumes", "vol3", {}, "?restore_to.snapshot.name=before")
    body = {"svm.name": "svm1", "name": "both"}
    group = array.make(GROUPS, body | {"volumes": [{"name": "vol1"}, {"name": "vol2"}]})
    array.make(f"{GROUPS}/{group['uuid']}/snapshots", {"name": "together"})


def clone(name: str, parent: str, snapshot: str) -> dict[str, Any]:
    """Return the body of a clone of a volume."""
    origin = {"parent_volume": {"name": parent}, "parent_snapshot": {"name": snapshot}}
    return {"svm.name": "svm1", "name": name, "clone": {"is_flexclone": True, **origin}}


def snapshot(array: Simulator, volume: str, name: str) -> None:
    """Take a snapshot."""
    uuid = array.get(f"storage/volumes?svm.name=svm1&name={volume}")["records"][0]["uuid"]
    array.make(f"storage/volumes/{uuid}/snapshots", {"name": name, "comment": f"of {volume}"})


def change(array: Simulator, path: str, name: str, body: dict[str, Any], options: str = "") -> None:
    """Change an object of svm1."""
    uuid = array.get(f"{path}?svm.name=svm1&name={name}")["records"][0]["uuid"]
    array.do("PATCH", f"{path}/{uuid}{options}", body)


def security(array: Simulator) -> None:
    """Have accounts of the array and of an SVM, a role and a key."""
    privileges = [{"path": "/api/storage/luns", "access": "all"}]
    array.make("security/roles", {"name": "luns", "privileges": privileges})
    web = {"application": "http", "authentication_methods": ["password"]}
    shell = {"application": "ssh", "authentication_methods": ["password", "publickey"]}
    for name, more in (
        ("joe", {"role": "luns", "applications": [web]}),
        ("ann", {"role": "admin", "applications": [web, shell], "comment": "an administrator"}),
        ("vsadmin", {"role": "vsadmin", "applications": [web], "owner": {"name": "svm1"}}),
    ):
        array.make("security/accounts", {"name": name, "password": "made up 1", **more})
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
    body = {"account.name": "ann", "public_key": key}
    array.make("security/authentication/publickeys", body)
    [message] = array.get("security/login/messages?scope=cluster")["records"]
    array.do("PATCH", f"security/login/messages/{message['uuid']}", {"banner": "Keep out"})


def interrupt(array: Simulator) -> None:
    """Kill the reconciler while it makes a RAID group, and before it begins with other jobs."""
    uuid = array.get("storage/aggregates?name=aggr2")["records"][0]["uuid"]
    more_disks = {"block_storage": {"primary": {"disk_count": 4}}}
    with array.killed(RAID_STEP, done=True):
        array.call("PATCH", f"storage/aggregates/{uuid}", more_disks)
    late = {"svm.name": "svm1", "name": "/vol/vol2/late", "os_type": "linux"}
    unmapped = array.get("storage/luns?name=/vol/vol3/unmapped")["records"][0]["uuid"]
    volume = array.get("storage/volumes?name=vol2")["records"][0]["uuid"]
    for method, path, body in (
        ("POST", "storage/luns", late | {"space.size": 64 * MIB}),
        ("DELETE", f"storage/luns/{unmapped}", {}),
        ("POST", f"storage/volumes/{volume}/snapshots", {"name": "late"}),
    ):
        with array.killed(1, done=False):
            array.call(method, path, body)


def answers(array: Simulator) -> dict[str, list[Any]]:
    """Return by path the records of every collection, each with all of its fields."""
    records: dict[str, list[Any]] = {}
    links = list[str]()
    for resource in sorted(RESOURCES, key=lambda resource: resource.path):
        parent, _, rest = resource.path.rpartition("}/")
        pattern = re.compile(re.sub(r"\{[^}]*\}?", "[^/]+", parent))
        above = [f"{link}/" for link in links if pattern.fullmatch(link)] if parent else [""]
        for path in (f"{link}{rest}" for link in above if not CHANGING.search(resource.path)):
            answer = array.get(f"{path}?fields=**")
            records[path] = answer.get("records", [answer])
            objects = [each["_links"]["self"] for each in records[path] if "_links" in each]
            links += [each["href"].removeprefix("/api/") for each in objects]
    return records


def encoded(value: Any) -> dict[str, Any]:
    """Return a value that JSON does not know, as `fakes.recorded` reads it."""
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return {"is": type(value).__name__, "with": vars(value)}


def write_down(array: Simulator, folder: Path) -> None:
    """Write the array's state to files."""
    with closing(sqlite3.connect(store.path())) as database:
        rows = "\n".join(database.iterdump())
    (folder / "database.sql").write_text(f"{rows}\n")
    (folder / "secret.key").write_text(f"{secrets.key_path().read_bytes().hex()}\n")
    calls = ",\n".join(json.dumps(call, default=encoded) for call in machine(array).calls)
    calls = calls.replace(str(Path(sanstone.__file__).parent), INSTALLED)
    (folder / "machine.json").write_text(f"[\n{calls}\n]\n")
    text = ",\n".join(
        f"{json.dumps(path)}: [{lines(records)}]" for path, records in answers(array).items()
    )
    (folder / "answers.json").write_text(f"{{\n{text}\n}}\n")


def lines(records: list[Any]) -> str:
    """Return records as JSON, one a line."""
    each = (json.dumps(record, sort_keys=True) for record in records)
    return "".join(f"\n {line}," for line in each).removesuffix(",")


def main(folder: Path) -> None:
    """Make everything anew."""
    with (
        tempfile.TemporaryDirectory() as state,
        pytest.MonkeyPatch.context() as patch,
        hashed_quickly(),
    ):
        patch.setattr(simulator, "FakeKernel", RecordedKernel)
        patch.setattr(store.Base.metadata, "create_all", migrate.upgrade)
        with simulated(Path(state)) as array:
            build(array)
            interrupt(array)
            write_down(array, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
