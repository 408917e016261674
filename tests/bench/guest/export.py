"""Runs in the array: exports two thin devices over iSCSI and NVMe/TCP, as Sanstone would and plain.

    export.py ADDRESS PLAIN_ADDRESS INITIATOR HOST

The pool lies in memory. What is exported at ADDRESS goes through Sanstone's own drivers, so it has
the layers and settings that users get; at PLAIN_ADDRESS the same thin devices are served by the
same kernel targets with the kernel's own settings, made by bare writes. The reconciler must be
stopped; it takes this away when it starts again. Prints names as JSON.
"""

from __future__ import annotations

import json
import sys

from sanstone.kernel import names, plan
from sanstone.kernel.host import Host, Target
from sanstone.kernel.real import real_host
from sanstone.kernel.storage import dm
from sanstone.kernel.storage.layers.block_size import BlockSize
from sanstone.kernel.storage.layers.layer import SECTOR
from sanstone.kernel.target import configfs, fabrics, lio, nvmet
from sanstone.kernel.target.addresses import InternetAddress

TARGET = "iqn.2026-11.org.sanstone.lab:target"
PLAIN_TARGET = "iqn.2026-11.org.sanstone.lab:plain"
SUBSYSTEM = "nqn.2026-11.org.sanstone.lab:subsystem"
PLAIN_SUBSYSTEM = "nqn.2026-11.org.sanstone.lab:plain"
SERIAL = "5a5a5a5a5a5a"
MIB = 1 << 20
DISK = 128 * MIB
DATA, METADATA = ("/dev/ram0", "/dev/ram1", "/dev/ram2"), "/dev/ram3"
POOL = "bench-pool"
BLOCK_SIZE = 4096
CHUNK = 128
"""Sectors; 64 KiB."""
LUN = dm.ThinDevice("5a5a5a5a-0000-4000-8000-000000000001", POOL, 1, 160 * MIB)
NAMESPACE = dm.ThinDevice(
    "5a5a5a5a-0000-4000-8000-000000000002", POOL, 2, 160 * MIB, (BlockSize(BLOCK_SIZE),)
)


def make_devices(host: Host) -> None:
    """Make the pool and the two devices, with all of their blocks written."""
    sectors = DISK // SECTOR
    data = [Target(n * sectors, sectors, "linear", f"{disk} 0") for n, disk in enumerate(DATA)]
    activate(host, "bench-data", data)
    options = f"{METADATA} {number(host, 'bench-data')} {CHUNK} 0"
    activate(host, POOL, [Target(0, len(DATA) * sectors, "thin-pool", options)])
    for device in (LUN, NAMESPACE):
        dm.ensure_thin(host, POOL, device.thin_id)
        dm.ensure_device(host, device)
        # Blocks that were never written would be read from nowhere.
        for at in range(0, device.size, MIB):
            host.blocks.write(names.device_node(device.uuid), at, bytes(range(256)) * (MIB // 256))


def activate(host: Host, name: str, table: list[Target]) -> None:
    """Make a device-mapper device live."""
    host.mapper.create(name, "")
    host.mapper.load(name, table)
    host.mapper.resume(name)


def number(host: Host, name: str) -> str:
    """Return a device's number as tables name it."""
    state = host.mapper.state(name)
    assert state is not None
    return f"{state.device.major}:{state.device.minor}"


def export(host: Host, address: str, initiator: str, host_nqn: str) -> lio.Backstore:
    """Export both devices as Sanstone does; return the LUN's backstore."""
    backstore = lio.Backstore("bench", names.device_node(LUN.uuid), SERIAL)
    acl = fabrics.Acl(initiator, luns={0: 0})
    group = fabrics.PortalGroup(1, InternetAddress(address, 3260), {0: "bench"}, (acl,))
    node = names.device_node(NAMESPACE.uuid)
    block_size = BLOCK_SIZE if nvmet.has_block_size(host) else None
    namespace = nvmet.Namespace(1, node, NAMESPACE.uuid, "5a" * 16, block_size=block_size)
    port = nvmet.Port(1, InternetAddress(address, 4420))
    subsystem = nvmet.Subsystem(
        SUBSYSTEM, "5a5a5a5a", hosts=(host_nqn,), namespaces=(namespace,), ports=(1,)
    )
    for live, desired in (
        (lio.read(host), lio.render([backstore], [lio.ScsiTarget(TARGET, groups=(group,))])),
        (
            nvmet.read(host),
            nvmet.render([subsystem], [nvmet.AllowedHost(host_nqn)], [port]),
        ),
    ):
        failures = plan.apply(host, configfs.plan(live, desired))
        if failures:
            sys.exit("\n".join(map(str, failures)))
    return backstore


def export_plainly(host: Host, address: str, backstore: lio.Backstore, device: str) -> None:
    """Export the LUN's backstore and a device as an administrator does by hand."""
    files = host.files
    target = f"{lio.ROOT}/iscsi/{PLAIN_TARGET}"
    group = f"{target}/tpgt_1"
    for path in (target, group, f"{group}/lun/lun_0", f"{group}/np/{address}:3260"):
        files.mkdir(path)
    files.symlink(backstore.path, f"{group}/lun/lun_0/bench")
    for name, value in (
        ("authentication", "0"),
        ("generate_node_acls", "1"),
        ("demo_mode_write_protect", "0"),
    ):
        files.write(f"{group}/attrib/{name}", value)
    files.write(f"{group}/enable", "1")

    subsystem, port = f"{nvmet.ROOT}/subsystems/{PLAIN_SUBSYSTEM}", f"{nvmet.ROOT}/ports/2"
    namespace = f"{subsystem}/namespaces/1"
    for path in (subsystem, namespace, port):
        files.mkdir(path)
    for path, value in (
        (f"{subsystem}/attr_allow_any_host", "1"),
        (f"{namespace}/device_path", device),
        (f"{namespace}/enable", "1"),
        (f"{port}/addr_trtype", "tcp"),
        (f"{port}/addr_adrfam", "ipv4"),
        (f"{port}/addr_traddr", address),
        (f"{port}/addr_trsvcid", "4420"),
    ):
        files.write(path, value)
    files.symlink(subsystem, f"{port}/subsystems/{PLAIN_SUBSYSTEM}")


def block_device(host: Host, name: str) -> str:
    """Return the name in /sys/block of a device-mapper device."""
    return f"dm-{number(host, name).partition(':')[2]}"


def main(address: str, plain_address: str, initiator: str, host_nqn: str) -> None:
    """Make devices and exports."""
    host = real_host()
    make_devices(host)
    backstore = export(host, address, initiator, host_nqn)
    below = block_device(host, dm.stack(host, NAMESPACE.uuid)[-1])
    export_plainly(host, plain_address, backstore, f"/dev/{below}")
    devices = {
        "lun": block_device(host, names.device(LUN.uuid)),
        "namespace": block_device(host, names.device(NAMESPACE.uuid)),
        "below": below,
    }
    exports = {"target": TARGET, "subsystem": SUBSYSTEM, "devices": devices}
    exports |= {"plain target": PLAIN_TARGET, "plain subsystem": PLAIN_SUBSYSTEM}
    print(json.dumps(exports))


main(*sys.argv[1:])
