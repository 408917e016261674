"""Nothing more is taken on when the node's memory gets short."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import GIB, NODE_UUID, Array

from sanstone.rules.cluster.node_memory import ENOUGH, FLOOR, PER_OBJECT, is_short

LUNS, NAMESPACES, VOLUMES = "storage/luns", "storage/namespaces", "storage/volumes"
SVM = {"svm.name": "svm1"}
LUN = {"os_type": "linux", "space.size": GIB, **SVM}


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with a LUN, a namespace, an igroup, a subsystem, and a snapshot of all."""
    api.disks(4)
    api.aggregate()
    api.svm(nvme={"enabled": True})
    volume = api.volume()
    api.lun()
    api.namespace()
    api.make("protocols/san/igroups", {"name": "group", "os_type": "linux", **SVM})
    api.make("protocols/nvme/subsystems", {"name": "system", "os_type": "linux", **SVM})
    api.make(f"{VOLUMES}/{volume['uuid']}/snapshots", {"name": "s1"})
    return api


def leave(array: Array, room: int) -> None:
    """Let memory for as many objects be left above the floor."""
    array.observe("cluster/nodes", NODE_UUID, memory_available=FLOOR + room * PER_OBJECT)


def lun(number: int) -> dict[str, Any]:
    return {"name": f"/vol/vol1/new{number}", **LUN}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (LUNS, lun(1)),
        (LUNS, {"name": "/vol/vol1/new", "clone.source.name": "/vol/vol1/lun1", **SVM}),
        (NAMESPACES, {"name": "/vol/vol1/new", **LUN}),
        (VOLUMES, {"name": "new", "clone.parent_volume.name": "vol1", **SVM}),
        ("protocols/san/lun-maps", {"lun.name": "/vol/vol1/lun1", "igroup.name": "group", **SVM}),
        (
            "protocols/nvme/subsystem-maps",
            {"namespace.name": "/vol/vol1/ns1", "subsystem.name": "system", **SVM},
        ),
    ],
)
def test_objects_for_hosts_are_refused_when_memory_is_short(
    array: Array, path: str, body: dict[str, Any]
) -> None:
    leave(array, 0)
    error = array.refuse("POST", path, "8", body)["message"]
    lacking = 2 * PER_OBJECT if path == VOLUMES else PER_OBJECT
    assert f"short of memory: {FLOOR} bytes are left, {lacking} too few" in error
    assert "Delete LUNs" in error
    leave(array, 2)
    array.make(path, body)


def test_all_objects_of_a_request_count(array: Array) -> None:
    leave(array, 3)
    array.refuse("POST", LUNS, "8", {"records": [lun(n) for n in range(4)]})
    assert array.call("POST", LUNS, {"records": [lun(n) for n in range(3)]}).status_code == 201


def test_requests_that_take_no_memory_are_allowed(array: Array) -> None:
    (volume,) = array.records(VOLUMES)
    leave(array, -100)
    array.make(f"{VOLUMES}/{volume['uuid']}/snapshots", {"name": "s2"})
    array.patch(f"{LUNS}?name=*", {"comment": "changed"})
    back = f"{VOLUMES}/{volume['uuid']}?restore_to.snapshot.name=s1"
    array.patch(back, {})
    array.delete(f"{LUNS}?name=*")
    array.refuse("PATCH", back, "8", {})


@pytest.mark.parametrize(
    ("free", "before", "short"),
    [
        (FLOOR, False, False),
        (FLOOR - 1, False, True),
        (FLOOR, True, True),
        (ENOUGH - 1, True, True),
        (ENOUGH, True, False),
    ],
)
def test_a_shortage_lasts_until_there_is_clearly_more(free: int, before: bool, short: bool) -> None:
    assert is_short(free, before) is short
