"""The array's state is lost: its aggregates bring back what it was, and hosts go on."""

from __future__ import annotations

from carried import wait_until_carried
from snapshot import served, steps_of_a_pass
from written import write

from lab.administrator import Administrator
from lab.initiator import Iscsi, Nvme
from lab.patience import eventually
from lab.station import Array

LOSE = "find /var/lib/sanstone -xdev -mindepth 1 -delete; sync --file-system /var/lib/sanstone"


def test_the_aggregates_bring_it_back(
    array: Array, admin: Administrator, iscsi: Iscsi, nvme: Nvme, disk: str, drive: str
) -> None:
    unharmed = [write(iscsi.host, device) for device in (disk, drive)]
    before, identity = served(array), admin.api.get("cluster", fields="**")
    # A damaged database that was replaced is told by the same name.
    told_before = _told(admin)
    wait_until_carried(array)

    array.run(LOSE)
    array.power_off_hard()
    array.boot()

    eventually(lambda: [path.state for path in iscsi.paths(disk)] == ["active ready"] * 2)
    eventually(lambda: [path.state for path in nvme.paths(drive)] == ["live optimized"] * 2)
    assert all(is_there() for is_there in unharmed)
    # By the certificate and the password that it had.
    after = admin.api.get("cluster", fields="**")
    assert all(after[name] == identity[name] for name in ("name", "uuid", "serial_number"))
    [told] = [event for event in _told(admin) if event not in told_before]
    assert "taken back from the aggregates" in told
    assert served(array) == before
    assert steps_of_a_pass(array) == ""


def _told(admin: Administrator) -> list[str]:
    """Return what was told of configurations that were taken back, each with its time."""
    asked = {"message__name": "configuration.restored", "fields": "time,log_message"}
    records = admin.api.get("support/ems/events", **asked)["records"]
    return [f"{event['time']} {event['log_message']}" for event in records]
