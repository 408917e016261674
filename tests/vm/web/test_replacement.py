"""A disk fails while a host uses its data, and is replaced in the browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import Browser
from plugged import plug_in_disk, sparse_file, unplug_disk
from provisioned import log_in

from lab.administrator import GIB, MIB, Administrator, Record
from lab.health import Inspector
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Array, Host, Station

AGGREGATES, DISKS = "storage/aggregates", "storage/disks"
OPTION = "private/cli/storage/raid-options/raid.reconstruct.auto.enable"
AGGREGATE = "aggr_mirror"
SERIAL = "LAB-FAILING"


def spares(admin: Administrator, serial: str) -> list[Record]:
    query = {"container_type": "spare", "state": "present", "serial_number": serial}
    return list(admin.api.get(DISKS, **query, fields="path")["records"])


@pytest.fixture
def failing(
    admin: Administrator, array: Array, station: Station, inspector: Inspector
) -> Iterator[Record]:
    """A disk of the test's own, which may fail. It is pulled at the end.

    No spare takes its place meanwhile, however long the browser takes.
    """
    admin.api.patch(OPTION, {"value": "off"})
    plug_in_disk(array, sparse_file(station.rack.directory / "failing.raw", GIB), SERIAL)
    eventually(lambda: bool(spares(admin, SERIAL)))
    yield spares(admin, SERIAL)[0]
    unplug_disk(array, SERIAL, inspector)
    admin.api.patch(OPTION, {"value": "on"})


@pytest.fixture
def aggregate(admin: Administrator, failing: Record) -> Iterator[Record]:
    """An aggregate that mirrors this disk to another one; both are in sync."""
    names = [failing["name"], spares(admin, "LAB-DISK-*")[0]["name"]]
    aggregate = Administrator(admin.api, aggregate=AGGREGATE).add_aggregate(2, "raid1", names)
    eventually(lambda: is_whole(admin, aggregate))
    yield aggregate
    admin.remove(AGGREGATES, aggregate)


@pytest.fixture
def lun(admin: Administrator, aggregate: Record, iscsi: Iscsi) -> Iterator[Record]:
    """A LUN on this aggregate that the host is shown."""
    volume = Administrator(admin.api, aggregate=AGGREGATE).add_volume("vol_mirror", GIB // 2)
    lun = admin.add_lun(volume, "lun1", 64 * MIB)
    igroup = admin.add_igroup("group_mirror", iscsi.name)
    admin.map_lun(lun, igroup)
    yield lun
    iscsi.log_out()
    admin.remove("protocols/san/igroups", igroup, allow_delete_while_mapped="true")
    admin.remove("storage/volumes", volume)


def is_whole(admin: Administrator, aggregate: Record) -> bool:
    """Return whether all disks of the RAID group are in sync."""
    [group] = admin.look_up(AGGREGATES, aggregate)["block_storage"]["raid_groups"]
    return not group["missing_disks"] and "resync_percent" not in group


def write(host: Host, device: str, *, seek: int) -> None:
    """Write 4 MiB of noise at so many MiB, and remember them on the host."""
    host.run(
        f"dd if=/dev/urandom of=/run/written.{seek} bs=1M count=4 status=none\n"
        f"dd if=/run/written.{seek} of={device} bs=1M seek={seek} oflag=direct status=none"
    )


def holds(host: Host, device: str, *, skip: int) -> None:
    """Assert that the device holds the data written at so many MiB."""
    read = f"dd if={device} bs=1M count=4 skip={skip} iflag=direct status=none"
    host.run(f"{read} | cmp - /run/written.{skip}")


def test_a_disk_that_failed_is_replaced_and_the_lun_keeps_its_data(
    admin: Administrator,
    array: Array,
    aggregate: Record,
    browser: Browser,
    failing: Record,
    host: Host,
    iscsi: Iscsi,
    lun: Record,
) -> None:
    device = log_in(iscsi, lun)
    write(host, device, seek=0)
    page = {"aggregate": f"{AGGREGATES}/{aggregate['uuid']}", "disk": failing["name"]}
    group = f"/sys/block/md_sanstone-{aggregate['uuid'][:8]}-0/md"

    def fail() -> None:
        """Have md give the disk up, as it does after a write that failed.

        It is not pulled, since User-mode Linux lets no disk go that is in use.
        """
        name = failing["path"].removeprefix("/dev/")
        array.run(f"echo faulty > {group}/dev-{name}/state")

    browser.do("degrade", **page, once_shown=fail)
    write(host, device, seek=8)
    result = browser.do("replace", **page)
    members = admin.api.get(DISKS, **{"aggregates.uuid": aggregate["uuid"]})["records"]
    assert result["spare"] in {member["name"] for member in members}
    assert is_whole(admin, aggregate)
    for place in (0, 8):
        holds(host, device, skip=place)
    array.run(f"echo check > {group}/sync_action")
    eventually(lambda: array.run(f"cat {group}/sync_action").strip() == "idle")
    assert array.run(f"cat {group}/mismatch_cnt").strip() == "0"
