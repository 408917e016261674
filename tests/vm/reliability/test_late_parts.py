"""A disk and a port that are late at boot: they delay the objects that need them, nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from plugged import plug_in_disk, sparse_file

from lab.administrator import GIB, MIB, Administrator, Record
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Array, Station

SERIAL = "LAB-LATE"
LUNS, AGGREGATES = "storage/luns", "storage/aggregates"


@pytest.fixture
def late(admin: Administrator, array: Array, station: Station) -> Iterator[Record]:
    """A LUN on an aggregate of one disk, which a boot finds missing.

    Fixtures that map LUNs come after this one: a mapped LUN cannot be deleted.
    """
    file = sparse_file(station.rack.directory / "late.raw", GIB)
    plug_in_disk(array, file, SERIAL)
    spares = {"serial_number": SERIAL, "container_type": "spare"}
    eventually(lambda: bool(admin.api.get("storage/disks", **spares)["records"]))
    [disk] = admin.api.get("storage/disks", **spares)["records"]
    other = Administrator(admin.api, aggregate="aggr_late")
    aggregate = other.add_aggregate(1, "raid0", [disk["name"]])
    volume = other.add_volume("vol_late", GIB // 2)
    lun = other.add_lun(volume, "lun1", 64 * MIB)
    yield lun
    other.remove("storage/volumes", volume)
    other.remove(AGGREGATES, aggregate)


def events(admin: Administrator) -> str:
    return "\n".join(
        event["log_message"]
        for event in admin.api.get("support/ems/events", fields="log_message")["records"]
    )


def ready(iscsi: Iscsi, disk: str) -> list[str]:
    return [path.address for path in iscsi.paths(disk) if path.state == "active ready"]


def test_only_dependent_objects_are_delayed(
    array: Array, admin: Administrator, station: Station, iscsi: Iscsi, late: Record, disk: str
) -> None:
    admin.map_lun(late, {"name": "group1"})
    array.power_off_hard()
    array.start(unplugged=("e0b",))
    array.wait()

    iscsi.host.run(f"dd if={disk} of=/dev/null bs=1M count=4 iflag=direct")
    eventually(lambda: ready(iscsi, disk) == ["10.10.1.101"])
    eventually(lambda: bool(admin.look_up(LUNS, late)["status"]["state"] == "offline"))
    eventually(lambda: 'LIF "iscsi_2" is down' in events(admin))
    eventually(lambda: "aggr_late" in events(admin))

    array.plug("e0b", connected=True)
    plug_in_disk(array, station.rack.directory / "late.raw", SERIAL)
    eventually(lambda: bool(admin.look_up(LUNS, late)["status"]["state"] == "online"))
    eventually(lambda: [p.state for p in iscsi.paths(disk)] == ["active ready"] * 2)
    iscsi.host.run("iscsiadm --mode session --rescan")
    assert iscsi.device(late["serial_number"])
    eventually(lambda: 'Resolved: LIF "iscsi_2" is down' in events(admin))
