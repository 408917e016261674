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
    told = {"message__name": "configuration.restored", "fields": "log_message"}
    events = [
        event["log_message"] for event in admin.api.get("support/ems/events", **told)["records"]
    ]
    # A damaged database that was replaced before is told by the same name.
    assert sum("taken back from the aggregates" in event for event in events) == 1
    assert served(array) == before
    assert steps_of_a_pass(array) == ""
