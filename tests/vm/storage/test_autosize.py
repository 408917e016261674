"""A volume grows while a host writes: fio never fails, and the space it grows to stays its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from provisioned import ISCSI_PORTAL

from lab.administrator import GIB, MIB, Administrator, Record
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Host
from lab.workload import Workload

VOLUMES = "storage/volumes"
BEFORE, WRITTEN, MOST = 32 * MIB, 96 * MIB, 256 * MIB
THRESHOLD = 80
BLOCK = 16384


@dataclass(frozen=True)
class Growing:
    """A volume that grows with its use, with a guarantee, beside one that takes the rest.

    `growing` and `filling` are the devices that hosts see of a LUN in each.
    """

    admin: Administrator
    volume: Record
    growing: str
    filling: str

    def size(self) -> int:
        """Return the size of the volume that grows."""
        return int(self.admin.look_up(VOLUMES, self.volume)["size"])

    def event_count(self, name: str) -> int:
        """Return how many events of a kind there are of the volume."""
        query = {"message__name": name, "fields": "log_message"}
        events = self.admin.api.get("support/ems/events", **query)["records"]
        return sum('"vol_grown"' in event["log_message"] for event in events)


@pytest.fixture
def growing(admin: Administrator, iscsi: Iscsi) -> Iterator[Growing]:
    """A volume of 32 MiB that grows to 256 MiB, on an aggregate of its own."""
    small = Administrator(admin.api, aggregate="aggr_grown")
    with ExitStack() as undone:

        def add(path: str, record: Record, **options: str) -> Record:
            undone.callback(small.remove, path, record, **options)
            return record

        add("storage/aggregates", small.add_aggregate(2, "raid1"))
        volume = add(VOLUMES, small.add_volume("vol_grown", BEFORE, "volume"))
        autosize = {"mode": "grow", "maximum": MOST, "grow_threshold": THRESHOLD}
        small.change(VOLUMES, volume, {"autosize": autosize})
        other = add(VOLUMES, small.add_volume("vol_beside", GIB))
        mapped = {"allow_delete_while_mapped": "true"}
        igroup = add("protocols/san/igroups", small.add_igroup("grown", *iscsi.names), **mapped)
        luns = small.add_lun(volume, "lun", MOST), small.add_lun(other, "lun", 8 * GIB)
        for lun in luns:
            small.map_lun(lun, igroup)
        undone.callback(iscsi.log_out)
        iscsi.discover(ISCSI_PORTAL)
        iscsi.log_in()
        first, second = (iscsi.device(lun["serial_number"]) for lun in luns)
        yield Growing(small, volume, first, second)


def test_a_host_writes_on_and_its_volume_keeps_the_grown_space(
    growing: Growing, host: Host
) -> None:
    workload = Workload(host, "grown", growing.growing, WRITTEN, BLOCK)
    workload.start()
    eventually(lambda: growing.size() > BEFORE)
    workload.wait()
    eventually(lambda: growing.size() * THRESHOLD // 100 >= WRITTEN)
    assert growing.event_count("wafl.vol.autoSize.done") >= 1
    assert growing.event_count("wafl.vol.autoSize.fail") == 0

    filled = host.attempt(f"dd if=/dev/zero of={growing.filling} bs=1M oflag=direct")
    assert "No space left on device" in filled.err
    left = (growing.size() - WRITTEN) // MIB
    rest = f"seek={WRITTEN // MIB} count={left} oflag=direct conv=fsync"
    host.run(f"dd if=/dev/zero of={growing.growing} bs=1M {rest}")
    eventually(lambda: growing.event_count("wafl.vol.autoSize.fail") == 1)
    workload.reread()
