"""Queries of Harvest's poller, as recorded, and the parts of answers that it reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from simulator import Simulator, simulated

GIB = 1024**3
READ_BY = "ignore_unknown_fields=true&max_records=500&return_records=true"
FIGURES = (
    "statistics.iops_raw.read,statistics.latency_raw.read,statistics.throughput_raw.read,"
    "statistics.status,statistics.timestamp"
)


@pytest.fixture(scope="module")
def array(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    """An array with a LUN."""
    with simulated(tmp_path_factory.mktemp("array")) as simulator:
        primary = {"disk_count": 6, "raid_type": "raid_dp"}
        simulator.make(
            "storage/aggregates", {"name": "aggr1", "block_storage": {"primary": primary}}
        )
        simulator.make("svm/svms", {"name": "svm1"})
        simulator.make("storage/volumes", {"svm.name": "svm1", "name": "vol1", "size": GIB})
        lun = {"svm.name": "svm1", "name": "/vol/vol1/lun1", "os_type": "linux"}
        simulator.make("storage/luns", lun | {"space.size": GIB // 2})
        yield simulator


def one(array: Simulator, path: str) -> dict[str, Any]:
    """Return the only record of an answer."""
    [record] = array.get(f"{path}&{READ_BY}")["records"]
    return dict(record)


def test_measurements_have_a_time(array: Simulator) -> None:
    for path in ("storage/volumes", "storage/luns", "storage/aggregates"):
        fields = f"fields=name,{FIGURES},statistics.nfs_ops_raw.access.count"
        assert one(array, f'{path}?{fields}&statistics.timestamp=!"-"')["statistics"]["timestamp"]


def test_a_volume_is_no_part_of_another(array: Simulator) -> None:
    fields = f"fields=name,{FIGURES},style,svm.name"
    assert one(array, f"storage/volumes?{fields}&style=!flexgroup")["style"] == "flexvol"
    parts = f'storage/volumes?{fields}&is_constituent=true&statistics.timestamp=!"-"&{READ_BY}'
    assert array.get(parts)["records"] == []


def test_objects_that_the_array_lacks_are_empty_lists(array: Simulator) -> None:
    fields = (
        "anti_ransomware.dry_run_start_time,anti_ransomware.state,clone.parent_snapshot.name,"
        "clone.split_estimate,is_object_store,name,snapmirror.destinations.is_cloud,"
        "snapmirror.destinations.is_ontap,snapmirror.is_protected,svm.name"
    )
    volume = one(array, f"storage/volumes?fields={fields}&is_constituent=false")
    assert (volume["is_object_store"], volume["snapmirror"]["is_protected"]) == (False, False)
    for query in (
        "storage/volumes?fields=uuid,name,movement.state,svm&movement.state=cutover_wait|failed",
        "storage/volumes?anti_ransomware.attack_probability=low|moderate|high",
        "storage/disks?fields=aggregates.name,protection_mode&protection_mode=!data|full",
        "support/ems/events?fields=message&message.severity=emergency&time=>1795683850",
    ):
        records = array.get(f"{query}&max_records=500&return_records=true")["records"]
        assert all("protection_mode" not in each for each in records)
        assert query.startswith("storage/disks") == bool(records)


def test_a_volume_has_its_space_by_the_command_line(array: Simulator) -> None:
    fields = "available,is_constituent,percent_used,size,total,used,volume,vserver"
    volume = one(array, f"private/cli/volume?fields={fields}&is_constituent=*")
    assert (volume["total"], volume["used"] + volume["available"]) == (GIB, GIB)
