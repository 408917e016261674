"""Runs in the array: makes and maps LUNs and namespaces by bare calls, one after the other.

    bare.py COUNT UUID

Each is a thin volume and its device in the pool of the device UUID, and the writes to configfs that
export it to one host; all are gone afterwards. The reconciler must be stopped. Prints the median
seconds of a LUN and of a namespace.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable

from sanstone.kernel import names
from sanstone.kernel.host import Target
from sanstone.kernel.real import real_host

FIRST = 1 << 23
"""Numbers of thin devices, HBAs and LUNs that the product does not give out."""
SECTORS = 32768
CORE = "/sys/kernel/config/target/core"
TARGET = "/sys/kernel/config/target/iscsi/iqn.2026-11.org.sanstone.lab:bare"
GROUP = f"{TARGET}/tpgt_1"
ACL = f"{GROUP}/acls/iqn.2026-11.org.sanstone.lab:host"
SUBSYSTEM = "/sys/kernel/config/nvmet/subsystems/nqn.2026-11.org.sanstone.lab:bare"

host = real_host()
files, mapper = host.files, host.mapper


def make_device(pool: str, number: str, index: int) -> str:
    """Make a thin volume and its device; return its path."""
    name = f"bench-bare-{index}"
    mapper.message(pool, f"create_thin {FIRST + index}")
    device = mapper.create(name, name)
    mapper.load(name, [Target(0, SECTORS, "thin", f"{number} {FIRST + index}")])
    mapper.resume(name)
    return f"/dev/dm-{device.minor}"


def remove_device(pool: str, index: int) -> None:
    """Remove a device of `make_device`."""
    mapper.remove(f"bench-bare-{index}")
    mapper.message(pool, f"delete {FIRST + index}")


def export_lun(device: str, index: int) -> None:
    """Export a device as a LUN and map it."""
    hba = f"{CORE}/iblock_{FIRST + index}"
    files.mkdir(hba)
    files.mkdir(f"{hba}/bare")
    files.write(f"{hba}/bare/control", f"udev_path={device}")
    files.write(f"{hba}/bare/wwn/vpd_unit_serial", f"{FIRST + index:012x}")
    files.write(f"{hba}/bare/enable", "1")
    files.mkdir(f"{GROUP}/lun/lun_{index}")
    files.symlink(f"{hba}/bare", f"{GROUP}/lun/lun_{index}/bare")
    files.mkdir(f"{ACL}/lun_{index}")
    files.symlink(f"{GROUP}/lun/lun_{index}", f"{ACL}/lun_{index}/bare")


def remove_lun(index: int) -> None:
    """Undo `export_lun`."""
    hba = f"{CORE}/iblock_{FIRST + index}"
    files.unlink(f"{ACL}/lun_{index}/bare")
    files.rmdir(f"{ACL}/lun_{index}")
    files.unlink(f"{GROUP}/lun/lun_{index}/bare")
    files.rmdir(f"{GROUP}/lun/lun_{index}")
    files.rmdir(f"{hba}/bare")
    files.rmdir(hba)


def export_namespace(device: str, index: int) -> None:
    """Export a device as a namespace."""
    namespace = f"{SUBSYSTEM}/namespaces/{index + 1}"
    files.mkdir(namespace)
    files.write(f"{namespace}/device_path", device)
    files.write(f"{namespace}/enable", "1")


def remove_namespace(index: int) -> None:
    """Undo `export_namespace`."""
    namespace = f"{SUBSYSTEM}/namespaces/{index + 1}"
    files.write(f"{namespace}/enable", "0")
    files.rmdir(namespace)


def median(
    count: int,
    pool: str,
    number: str,
    export: Callable[[str, int], None],
    remove: Callable[[int], None],
) -> float:
    """Return the median seconds of making and exporting one."""
    seconds = []
    for index in range(count):
        started = time.perf_counter()
        export(make_device(pool, number, index), index)
        seconds.append(time.perf_counter() - started)
    for index in range(count):
        remove(index)
        remove_device(pool, index)
    return statistics.median(seconds)


def main(count: int, uuid: str) -> None:
    """Make them and print."""
    [target] = mapper.table(names.device(uuid))
    number = target.arguments.split()[0]
    [pool] = [d.name for d in mapper.devices() if f"{d.major}:{d.minor}" == number]
    items = (TARGET, GROUP, ACL, SUBSYSTEM)
    for item in items:
        files.mkdir(item)
    spent = {
        "LUN": median(count, pool, number, export_lun, remove_lun),
        "namespace": median(count, pool, number, export_namespace, remove_namespace),
    }
    for item in reversed(items):
        files.rmdir(item)
    print(json.dumps(spent))


main(int(sys.argv[1]), sys.argv[2])
