"""A degraded mirror of system disks is an event."""

from __future__ import annotations

from simulator import Simulator
from system_disk import SystemDisk

from fakes.files import Text

EVENTS = "support/ems/events?fields=message.name,log_message&message.name=system.mirror*"


def event_names(array: Simulator) -> list[str]:
    """Return the names of the events, the oldest first."""
    records = sorted(array.get(EVENTS)["records"], key=lambda record: int(record["index"]))
    return [record["message"]["name"] for record in records]


def test_a_system_disk_that_is_lost_and_comes_back(array: Simulator) -> None:
    SystemDisk(array.kernel, ("vda", "vdb"))
    array.settle()
    assert event_names(array) == []
    array.kernel.files.place("/sys/block/md17/md/degraded", Text("1\n"))
    array.settle()
    array.settle()
    assert event_names(array) == ["system.mirror.degraded"]
    assert "(sanstone-state)" in array.get(EVENTS)["records"][0]["log_message"]
    array.kernel.files.place("/sys/block/md17/md/degraded", Text("0\n"))
    array.settle()
    assert event_names(array) == ["system.mirror.degraded", "system.mirror.degraded.resolved"]


def test_a_disk_that_was_never_bootable(array: Simulator) -> None:
    SystemDisk(array.kernel, ("vda", "vdb"))
    array.kernel.blocks.place("/dev/vdb", bytes(512))
    array.settle()
    assert event_names(array) == ["system.mirror.unbootable"]
    assert "No boot loader is on /dev/vdb" in array.get(EVENTS)["records"][0]["log_message"]
    array.kernel.blocks.place("/dev/vdb", b"\xeb\x63\x90".ljust(512, b"\0"))
    array.settle()
    assert event_names(array) == ["system.mirror.unbootable", "system.mirror.unbootable.resolved"]


def test_one_system_disk_is_no_mirror(array: Simulator) -> None:
    SystemDisk(array.kernel, ("vda",))
    array.settle()
    assert event_names(array) == []
