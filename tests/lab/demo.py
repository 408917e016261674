"""`make demo`: the main job of a storage array, end to end, on real parts only.

An array and a host boot in QEMU. Over REST the array gets an aggregate, an SVM with two paths for
each protocol, a LUN and a namespace. The host reaches both with its kernel's own initiators and
writes; then the array's power is cut. When it is back, the host's writes go on by themselves, and
every block that was ever acknowledged is read back, twice.

The machines are those of the rack `demo`: new each time, switched off at the end. When something
fails they stay as they are: `PYTHONPATH=tests python3 -m lab --rack demo exec array`.
"""

from __future__ import annotations

import time

from lab import dependencies, paths
from lab.administrator import DATA_LIFS, GIB, MIB, Administrator, Record
from lab.initiator import Iscsi, Nvme
from lab.station import Array, Host, Station
from lab.steps import Steps, table
from lab.workload import Report, Workload

RACK = "demo"
WRITTEN, BLOCK = 64 * MIB, 32 * 1024
BEFORE_THE_CUT = 12 * MIB


def main() -> None:
    """Run the demo; an exception is its failure."""
    steps = Steps()
    print("Sanstone: from empty disks to verified data, through a power cut.")
    with steps.step("Prepare: build stale images of the machines"):
        dependencies.install_missing()
        station = Station(paths.LAB / RACK)
        station.erase()
    array, host = station.array, station.host()
    with steps.step("Boot an array with eight disks, and a host beside it"):
        _boot(steps, array, host)
    lun, namespace = _provision(steps, Administrator(array.api), host)
    workloads = _connect(steps, array, host, lun, namespace)
    _write_through_power_cut(steps, array, workloads)
    reports = _verify(steps, workloads)
    with steps.step("Switch off"):
        station.rack.stop()
    steps.summary()
    print("\n" + _results(workloads, reports))


def _boot(steps: Steps, array: Array, host: Host) -> None:
    host.start()
    array.boot()
    host.wait()
    steps.tell(f"the array serves {array.url}")


def _provision(steps: Steps, admin: Administrator, host: Host) -> tuple[Record, Record]:
    """Build all that the host needs and return the LUN and the namespace."""
    with steps.step("REST: build a RAID 6 aggregate of the eight disks"):
        disks = _spare_disks(admin)
        for disk in disks:
            size = disk["usable_size"] / GIB
            steps.tell(f"disk {disk['name']}  {disk['serial_number']}  {size:.0f} GiB")
        admin.add_aggregate(len(disks))
        space = admin.api.get("storage/aggregates", fields="space,state")["records"][0]
        size = space["space"]["block_storage"]["size"] / GIB
        steps.tell(f"aggregate {admin.aggregate}: raid_dp, {size:.1f} GiB, {space['state']}")
    with steps.step("REST: make an SVM with four LIFs on two data networks"):
        admin.add_svm()
        admin.add_data_lifs()
        for name, (port, address) in DATA_LIFS.items():
            steps.tell(f"LIF {name}  {address}/24 on {port}")
    with steps.step("REST: make a LUN and a namespace, each in a volume, and map them"):
        lun = admin.add_lun(admin.add_volume("vol1"), "lun1", 3 * GIB)
        namespace = admin.add_namespace(admin.add_volume("vol2"), "ns1", 3 * GIB)
        iqn, nqn = Iscsi(host).name, Nvme(host).name
        admin.map_lun(lun, admin.add_igroup("hosts", iqn))
        admin.map_namespace(namespace, admin.add_subsystem("hosts_nvme", {"nqn": nqn}))
        steps.tell(f"{lun['name']}, serial number {lun['serial_number']}, for {iqn}")
        steps.tell(f"{namespace['name']}, UUID {namespace['uuid']}, for {nqn}")
    return lun, namespace


def _spare_disks(admin: Administrator) -> list[Record]:
    query = {"container_type": "spare", "fields": "serial_number,usable_size"}
    return list(admin.api.get("storage/disks", **query)["records"])


def _connect(
    steps: Steps, array: Array, host: Host, lun: Record, namespace: Record
) -> dict[str, Workload]:
    """Connect the host over all paths and return the workloads, by protocol."""
    iscsi, nvme = Iscsi(host), Nvme(host)
    with steps.step("Host: open-iscsi discovers and logs in; dm-multipath joins the paths"):
        for address, target in iscsi.discover(DATA_LIFS["iscsi_1"][1]):
            steps.tell(f"{address}  {target}")
        iscsi.log_in()
        disk = iscsi.device(lun["serial_number"])
        steps.tell(host.run(f"multipath -ll {disk}").rstrip())
    with steps.step("Host: nvme-cli discovers and connects; the kernel joins the paths"):
        for record in nvme.discover(DATA_LIFS["nvme_1"][1]):
            steps.tell(f"{record['traddr']}  {record['subtype']}  {record['subnqn']}")
        nvme.connect(DATA_LIFS["nvme_1"][1])
        drive = nvme.device(namespace["uuid"])
        steps.tell(host.run(f"nvme list-subsys $(realpath {drive})").rstrip())
    return {
        "iSCSI": Workload(host, "iscsi", disk, WRITTEN, BLOCK),
        "NVMe/TCP": Workload(host, "nvme", drive, WRITTEN, BLOCK),
    }


def _write_through_power_cut(steps: Steps, array: Array, workloads: dict[str, Workload]) -> None:
    with steps.step("Host: fio writes to both, synchronously, with checksums"):
        for workload in workloads.values():
            workload.start()
        for workload in workloads.values():
            workload.wait_until_written(BEFORE_THE_CUT)
        _tell_progress(steps, workloads)
    with steps.step("Cut the array's power while the writes run"):
        array.power_off_hard()
        cut = time.monotonic()
        _tell_progress(steps, workloads)
    with steps.step("Boot the array from its disks; nobody touches the host"):
        array.start()
        acknowledged = {name: workload.written() for name, workload in workloads.items()}
        for name, workload in workloads.items():
            workload.wait_until_written(acknowledged[name] + BLOCK)
            steps.tell(f"{name} writes again {time.monotonic() - cut:.0f} s after the cut")
        array.wait()


def _verify(steps: Steps, workloads: dict[str, Workload]) -> dict[str, Report]:
    reports = {}
    with steps.step("Host: fio ends its writes and reads back every block"):
        for name, workload in workloads.items():
            reports[name] = workload.wait()
            steps.tell(f"{name}: {reports[name].read_back // BLOCK} blocks are right")
    with steps.step("Host: a second fio reads all of them again from the array"):
        for name, workload in workloads.items():
            blocks = workload.reread().read_back // BLOCK
            steps.tell(f"{name}: {blocks} blocks are right")
    return reports


def _tell_progress(steps: Steps, workloads: dict[str, Workload]) -> None:
    for name, workload in workloads.items():
        steps.tell(f"{name}: {workload.written() / MIB:.1f} MiB acknowledged")


def _results(workloads: dict[str, Workload], reports: dict[str, Report]) -> str:
    rows = [
        (
            name,
            f"{reports[name].written / MIB:.0f} MiB",
            f"{reports[name].longest_wait:.0f} s",
            f"{reports[name].read_back // BLOCK} of {workload.size // BLOCK}",
        )
        for name, workload in workloads.items()
    ]
    return table(("protocol", "acknowledged", "longest wait for a write", "blocks right"), rows)


if __name__ == "__main__":
    main()
