"""The array's state is lost: its aggregates bring it back, and hosts go on."""

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
    # The event of a damaged database that was replaced has the same name.
    messages_before = _messages(admin)
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
    [message] = [event for event in _messages(admin) if event not in messages_before]
    assert "taken back from the aggregates" in message
    assert served(array) == before
    assert steps_of_a_pass(array) == ""


def _messages(admin: Administrator) -> list[str]:
    """Return the events of configurations that were taken back, each with its time."""
    query = {"message__name": "configuration.restored", "fields": "time,log_message"}
    records = admin.api.get("support/ems/events", **query)["records"]
    return [f"{event['time']} {event['log_message']}" for event in records]
