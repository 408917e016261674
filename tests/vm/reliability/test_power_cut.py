"""A power cut while hosts write loses nothing acknowledged; the array comes back the same."""

from __future__ import annotations

import pytest
from snapshot import served, steps_of_a_pass

from lab.administrator import MIB, Administrator, Record
from lab.initiator import Iscsi, Nvme
from lab.patience import eventually
from lab.station import Array, Host
from lab.workload import Workload

KEY = "0xabc123"
WRITTEN, BLOCK = 32 * MIB, 32 * 1024


@pytest.fixture
def other_disk(admin: Administrator, iscsi: Iscsi, lun: Record, disk: str) -> str:
    """A path of the host's to a second LUN."""
    path = f"{lun['name'].rpartition('/')[0]}/lun2"
    body = {"svm.name": admin.svm, "name": path, "os_type": "linux", "space.size": 64 * MIB}
    [second] = admin.api.post("storage/luns", body, return_records="true")["records"]
    admin.map_lun(second, {"name": "group1"})
    iscsi.host.run("iscsiadm --mode session --rescan")
    sd = iscsi.path_devices(iscsi.device(second["serial_number"]))[0]
    return f"/dev/{sd}"


def reserve(host: Host, path: str) -> None:
    """Make a reservation that is to outlive power cuts (APTPL)."""
    change = f"sg_persist --out --no-inquiry {path}"
    host.run(
        f"{change} --register --param-sark={KEY} --param-aptpl && "
        f"{change} --reserve --param-rk={KEY} --prout-type=5"
    )


def reservation(host: Host, path: str) -> str:
    """Return who holds which reservation."""
    show = "sg_persist --in --no-inquiry"
    return host.run(f"{show} --read-keys {path}; {show} --read-reservation {path}")


def test_nothing_is_lost(
    array: Array, host: Host, iscsi: Iscsi, nvme: Nvme, disk: str, drive: str, other_disk: str
) -> None:
    workloads = [
        Workload(host, "iscsi", disk, WRITTEN, BLOCK),
        Workload(host, "nvme", drive, WRITTEN, BLOCK),
    ]
    for workload in workloads:
        workload.start()
    for workload in workloads:
        workload.wait_until_written(WRITTEN // 8)
    reserve(host, other_disk)
    held, before = reservation(host, other_disk), served(array)
    assert KEY.removeprefix("0x") in held
    array.power_off_hard()
    array.boot()

    for workload in workloads:
        workload.wait()
        workload.reread()
    eventually(lambda: [path.state for path in iscsi.paths(disk)] == ["active ready"] * 2)
    eventually(lambda: [path.state for path in nvme.paths(drive)] == ["live optimized"] * 2)
    assert reservation(host, other_disk) == held
    assert served(array) == before
    assert steps_of_a_pass(array) == ""
