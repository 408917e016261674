"""Trident's own controller makes volumes for claims, by iSCSI and by NVMe/TCP.

`TRIDENT` names its program, which nobody packs: `go build .` in its source makes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Served, aggregate, array, connection, svm
from netapp_ontap import resources
from published import IQN, LIFS, NQN, lifs, sizes
from python_client import GIB
from trident import Trident, running

__all__ = ["aggregate", "array", "connection", "lifs", "svm"]
PROGRAM = os.environ.get("TRIDENT", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="TRIDENT= names no program")


@pytest.fixture(params=["iscsi", "nvme"])
def kind(request: pytest.FixtureRequest) -> str:
    """The protocol."""
    return str(request.param)


@pytest.fixture
def trident(array: Served, lifs: None, kind: str, tmp_path: Path) -> Iterator[Trident]:
    """The controller, which knows the array, a host and a storage class."""
    with running(PROGRAM, tmp_path) as trident:
        trident.add_backend(array, "svm1", kind)
        trident.add_node()
        gold = {"version": "1", "name": "gold", "attributes": {"backendType": "ontap-san"}}
        trident.send("POST", "storageclass", gold)
        yield trident


def check_publication(kind: str, publication: dict[str, str]) -> None:
    """Check that the host gets the array's addresses, and the array the host's names."""
    if kind == "iscsi":
        [group] = resources.Igroup.get_collection(fields="initiators")
        assert [each.name for each in group.initiators] == [IQN]
        [mapped] = resources.LunMap.get_collection(fields="logical_unit_number,igroup")
        assert publication["iscsiIgroup"] == group.name
        assert publication["iscsiTargetPortalCount"] == "2"
        assert publication["iscsiLunNumber"] == str(mapped.logical_unit_number)
        assert {publication["p1"], publication["p2"]} == set(LIFS)
        assert publication["iscsiTargetIqn"].startswith("iqn.")
    else:
        [subsystem] = resources.NvmeSubsystem.get_collection(fields="target_nqn,hosts")
        assert [each.nqn for each in subsystem.hosts] == [NQN]
        [mapped] = resources.NvmeSubsystemMap.get_collection(fields="namespace")
        assert publication["nvmeSubsystemNqn"] == subsystem.target_nqn
        assert publication["nvmeNamespaceUUID"] == mapped.namespace.uuid
        assert set(publication["nvmeTargetIPs"].split(",")) == set(LIFS)


def test_life_of_a_claim(trident: Trident, kind: str) -> None:
    volume = trident.claim("pvc-1", GIB)
    assert sizes(kind) == [GIB]
    check_publication(kind, trident.publish(volume))
    assert trident.expand(volume, 2 * GIB) == 2 * GIB
    snapshot = trident.take_snapshot(volume, "snapshot-1")
    assert snapshot.ready_to_use
    back = trident.claim("pvc-2", 2 * GIB, snapshot={"snapshot_id": snapshot.snapshot_id})
    copy = trident.claim("pvc-3", 2 * GIB, volume={"volume_id": volume.volume_id})
    assert sizes(kind) == [2 * GIB] * 3
    trident.unpublish(volume)
    maps = resources.LunMap if kind == "iscsi" else resources.NvmeSubsystemMap
    assert list(maps.get_collection()) == []
    trident.delete(back)
    trident.delete(copy)
    trident.delete_snapshot(snapshot)
    trident.delete(volume)
    assert sizes(kind) == []
    assert list(resources.Volume.get_collection()) == []
