"""The configuration is damaged while hosts are served: it is taken back, and they go on."""

from __future__ import annotations

from carried import wait_until_carried
from snapshot import served, steps_of_a_pass
from written import write

from lab.administrator import Administrator
from lab.api import Refused
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Array

FILE = "/var/lib/sanstone/database/sanstone.db"
# All pages but the first, which names the file's format. Pages that SQLite has in its log, or in
# the memory of a process, are read undamaged.
DAMAGE = f"""
pages=$(($(stat --format %s {FILE}) / 4096))
dd if=/dev/urandom of={FILE} bs=4096 seek=1 count=$((pages - 1)) conv=notrunc status=none
"""


def is_reported(admin: Administrator) -> bool:
    """Return whether an event says that the array took its configuration back; it is away
    meanwhile."""
    query = {"message__name": "configuration.restored", "fields": "log_message"}
    try:
        events = admin.api.get("support/ems/events", **query)["records"]
    except (Refused, OSError):
        return False
    return any("since it is damaged" in event["log_message"] for event in events)


def change(admin: Administrator) -> None:
    """Change the configuration, so that damaged pages are read; that may be refused."""
    try:
        admin.api.patch("cluster", {"contact": "somebody"})
    except (Refused, OSError):
        return


def test_hosts_go_on_while_it_is_taken_back(
    array: Array, admin: Administrator, iscsi: Iscsi, disk: str
) -> None:
    is_there = write(iscsi.host, disk)
    before = served(array)
    wait_until_carried(array)
    array.run(DAMAGE)
    change(admin)
    eventually(lambda: is_reported(admin))
    assert [path.state for path in iscsi.paths(disk)] == ["active ready"] * 2
    assert is_there()
    assert served(array) == before
    assert steps_of_a_pass(array) == ""
    array.run("ls /var/lib/sanstone/sanstone.db.damaged-*")
