"""Statistics of a host's I/O: counted by the array's kernel, not by the API."""

from __future__ import annotations

from typing import Any

import pytest

from lab.administrator import MIB, Administrator, Record
from lab.patience import eventually
from lab.station import Host

WRITTEN, READ = 16 * MIB, 8 * MIB


def statistics(admin: Administrator, path: str) -> dict[str, Any]:
    """Return an object's totals, with 0 for counters that are not there yet."""
    totals = admin.api.get(path, fields="statistics").get("statistics", {})
    return {
        f"{what}.{part}": totals.get(f"{what}_raw", {}).get(part, 0)
        for what in ("iops", "throughput", "latency")
        for part in ("read", "write")
    }


def received(admin: Administrator) -> int:
    """Return the bytes that came to the LIFs for iSCSI."""
    records = admin.api.get("network/ip/interfaces", name="iscsi_*", fields="statistics")
    raw = [each.get("statistics", {}).get("throughput_raw", {}) for each in records["records"]]
    assert len(raw) == 2
    return sum(each.get("read", 0) for each in raw)


@pytest.fixture
def worked(host: Host, disk: str) -> None:
    """A host that has written and read, a MiB at a time."""
    host.run(f"dd if=/dev/urandom of={disk} bs=1M count={WRITTEN // MIB} oflag=direct")
    host.run(f"dd if={disk} of=/dev/null bs=1M count={READ // MIB} iflag=direct")


@pytest.mark.usefixtures("worked")
def test_work_is_counted_wherever_it_passes(admin: Administrator, lun: Record) -> None:
    [volume] = admin.api.get("storage/volumes", name="vol_lun", fields="svm,aggregates")["records"]
    of_lun = f"storage/luns/{lun['uuid']}"

    def counted() -> bool:
        totals = statistics(admin, of_lun)
        return bool(totals["throughput.write"] >= WRITTEN and totals["throughput.read"] >= READ)

    eventually(counted)
    totals = statistics(admin, of_lun)
    # The host splits I/O that is longer than a command may be, and reads the disk's labels besides.
    assert WRITTEN <= totals["throughput.write"] < 2 * WRITTEN
    assert totals["iops.write"] >= WRITTEN // MIB
    assert totals["iops.read"] >= READ // MIB
    assert totals["latency.write"] > 0
    assert totals["latency.read"] > 0
    for above in (
        f"storage/volumes/{volume['uuid']}",
        f"storage/aggregates/{volume['aggregates'][0]['uuid']}",
        f"protocols/san/iscsi/services/{volume['svm']['uuid']}",
        "cluster",
    ):
        sums = statistics(admin, above)
        assert all(sums[name] >= value for name, value in totals.items()), (above, sums, totals)
    eventually(lambda: received(admin) >= WRITTEN)


def test_processors_are_counted(admin: Administrator) -> None:
    [node] = admin.api.get("cluster/nodes", fields="statistics,metric")["records"]
    raw, base = (node["statistics"][f"processor_utilization_{end}"] for end in ("raw", "base"))
    assert 0 < raw <= base
    assert 0 <= node["metric"]["processor_utilization"] <= 100
