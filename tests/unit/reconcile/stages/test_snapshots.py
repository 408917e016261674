"""Snapshots, going back to them, and clones, on the machine."""

from __future__ import annotations

from typing import Any

import pytest
from machine_state import pools
from scenarios import chain, fabric, lun, lun_map, san
from simulator import Simulator

from sanstone.core import jobs
from sanstone.kernel.host import HostError

VOLUMES, LUNS = "storage/volumes", "storage/luns"
MAPPED = "allow_delete_while_mapped=true"
MIB = 1024**2


def snapshots(array: Simulator, volume: str = "vol1") -> str:
    return f"{VOLUMES}/{array.uuid_of(VOLUMES, volume)}/snapshots"


def restore(array: Simulator, name: str) -> None:
    volume = array.uuid_of(VOLUMES, "vol1")
    array.do("PATCH", f"{VOLUMES}/{volume}?restore_to.snapshot.name={name}", {})


def fill(array: Simulator, device: str, size: int) -> None:
    """Let a host write; the number of bytes identifies the content of a volume."""
    [target] = [t for t in array.kernel.mapper.table(f"sanstone-{device}") if t.kind == "thin"]
    [pool] = pools(array.kernel).values()
    pool.write(int(target.arguments.split()[1]), size)


def used_bytes(array: Simulator, path: str) -> int:
    array.reconciler.verify_all()
    array.settle()
    record = array.get(f"{LUNS}/{array.uuid_of(LUNS, path)}?fields=space.used")
    return int(record["space"]["used"])


@pytest.mark.parametrize("layers", [0, 1])
def test_all_volumes_are_captured_at_one_moment(array: Simulator, layers: int) -> None:
    if layers:
        array.kernel.boot_linux()
    chain(fabric, lun)(array)
    first = len(array.kernel.interrupt.log)
    array.do("POST", snapshots(array), {"name": "snap1"})
    steps = [s.split()[1] for s in array.kernel.interrupt.log[first:] if s.startswith("dm ")]
    # Of Linux alone, a namespace of 4 KiB blocks is a device and a layer above it.
    devices = 2 + layers
    assert steps == ["suspend"] * devices + ["message"] * 2 + ["resume"] * devices


def test_a_snapshot_is_valid_once_it_is_taken(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain(fabric, lun)(array)
    monkeypatch.setattr(jobs, "wake", lambda: None)
    array.call("POST", f"{snapshots(array)}?return_timeout=0", {"name": "snap1"})

    def state() -> str:
        [record] = array.get(f"{snapshots(array)}?fields=state")["records"]
        return str(record["state"])

    assert state() == "unknown"
    array.settle()
    assert state() == "valid"


def test_hosts_go_on_when_it_cannot_be_taken(array: Simulator) -> None:
    chain(fabric, lun)(array)
    array.kernel.fail_when(lambda step: "create_snap" in step, HostError("refused"))
    response = array.call("POST", snapshots(array), {"name": "snap1"})
    job = array.get(f"cluster/jobs/{response.get_json()['job']['uuid']}")
    assert (job["state"], job["error"]["message"]) == ("failure", "refused")
    array.kernel.interrupt.clear()
    assert array.get(snapshots(array))["records"] == []
    states = [array.kernel.mapper.state(d.name) for d in array.kernel.mapper.devices()]
    assert not any(state and state.suspended for state in states)


def test_a_volume_goes_back_under_its_maps(array: Simulator) -> None:
    san(array)
    before = array.get(f"{LUNS}?fields=**")["records"][0]
    fill(array, before["uuid"], 2 * MIB)
    array.do("POST", snapshots(array), {"name": "snap1"})
    fill(array, before["uuid"], 9 * MIB)
    assert used_bytes(array, "/vol/vol1/lun1") == 9 * MIB
    path = f"{LUNS}/{before['uuid']}"
    array.do("PATCH", path, {"name": "/vol/vol1/renamed", "space.size": 96 * MIB})
    restore(array, "snap1")
    assert used_bytes(array, "/vol/vol1/lun1") == 2 * MIB
    after = array.get(f"{path}?fields=**")
    for name in ("name", "serial_number", "lun_maps"):
        assert after[name] == before[name]
    assert after["space"]["size"] == 64 * MIB
    [pool] = pools(array.kernel).values()
    assert len(pool.volumes) == 2, "what the LUN held before is still in the pool"
    restore(array, "snap1")
    assert used_bytes(array, "/vol/vol1/lun1") == 2 * MIB


def test_going_back_reverts_which_luns_there_are(array: Simulator) -> None:
    san(array)
    old = array.get(f"{LUNS}?fields=serial_number,space")["records"][0]
    array.do("POST", snapshots(array), {"name": "snap1"})
    array.do("DELETE", f"{LUNS}/{old['uuid']}?allow_delete_while_mapped=true")
    lun(array)
    lun_map(array)
    restore(array, "snap1")
    [back] = array.get(f"{LUNS}?fields=serial_number,space,status.mapped")["records"]
    assert (back["uuid"], back["serial_number"]) == (old["uuid"], old["serial_number"])
    assert back["status"]["mapped"] is False
    assert array.get("protocols/san/lun-maps")["records"] == []


def test_a_clone_is_busy_with_its_snapshot_until_it_is_split(array: Simulator) -> None:
    san(array)
    fill(array, array.uuid_of(LUNS, "/vol/vol1/lun1"), 3 * MIB)
    array.do("POST", snapshots(array), {"name": "snap1"})
    parents = {"parent_volume": {"name": "vol1"}, "parent_snapshot": {"name": "snap1"}}
    clone: dict[str, Any] = {"is_flexclone": True, **parents}
    array.do("POST", VOLUMES, {"svm.name": "svm1", "name": "vol2", "clone": clone})
    assert used_bytes(array, "/vol/vol2/lun1") == 3 * MIB
    luns = array.get(f"{LUNS}?fields=serial_number,status.mapped&order_by=name")["records"]
    assert [record["status"]["mapped"] for record in luns] == [True, False]
    assert len({record["serial_number"] for record in luns}) == 2
    snapshot = f"{snapshots(array)}/{array.uuid_of(snapshots(array), 'snap1')}"
    parent = f"{VOLUMES}/{array.uuid_of(VOLUMES, 'vol1')}"
    for path in (snapshot, parent):
        response = array.call("DELETE", path)
        assert response.status_code == 409
    volume = array.get(f"{VOLUMES}/{array.uuid_of(VOLUMES, 'vol2')}")
    assert volume["clone"]["parent_snapshot"]["name"] == "snap1"
    array.do("PATCH", f"{VOLUMES}/{volume['uuid']}", {"clone": {"split_initiated": True}})
    array.do("DELETE", snapshot)
    assert used_bytes(array, "/vol/vol2/lun1") == 3 * MIB


@pytest.mark.parametrize("source", ["/vol/vol1/lun1", "/vol/vol1/.snapshot/snap1/lun1"])
def test_a_lun_is_cloned(array: Simulator, source: str) -> None:
    san(array)
    fill(array, array.uuid_of(LUNS, "/vol/vol1/lun1"), 3 * MIB)
    array.do("POST", snapshots(array), {"name": "snap1"})
    body = {"svm.name": "svm1", "name": "/vol/vol1/clone", "clone": {"source": {"name": source}}}
    array.do("POST", LUNS, body | {"space": {}, "qos_policy": {}})
    assert used_bytes(array, "/vol/vol1/clone") == 3 * MIB
    record = array.get(f"{LUNS}/{array.uuid_of(LUNS, '/vol/vol1/clone')}")
    assert (record["os_type"], record["space"]["size"]) == ("linux", 64 * MIB)
    array.do("DELETE", f"{LUNS}/{array.uuid_of(LUNS, '/vol/vol1/lun1')}?{MAPPED}")
    assert used_bytes(array, "/vol/vol1/clone") == 3 * MIB


def test_settings_that_a_clone_cannot_have_are_refused(array: Simulator) -> None:
    san(array)
    body = {"svm.name": "svm1", "name": "/vol/vol1/clone", "clone.source.name": "/vol/vol1/lun1"}
    for more, code in (
        ({"space.size": MIB}, "5374883"),
        ({"os_type": "linux"}, "5374883"),
        ({"clone.source.name": "/vol/vol1/none"}, "5374876"),
        ({"clone.source.name": "/vol/vol1/.snapshot/none/lun1"}, "5374876"),
    ):
        response = array.call("POST", LUNS, body | more)
        assert response.get_json()["error"]["code"] == code
