"""Runs in the array: exports two thin devices over iSCSI and NVMe/TCP, as Sanstone would and plain.

    export.py ADDRESS PLAIN_ADDRESS INITIATOR HOST

The pool lies in memory. Exports at ADDRESS go through Sanstone's own drivers, so they have the
layers and settings that users get; at PLAIN_ADDRESS the same thin devices are served by the same
kernel targets with the kernel's own settings, set by bare writes. The reconciler must be
stopped; it takes this away when it starts again. Prints names as JSON.
"""

from __future__ import annotations

import json
import sys

from bench.guest import memory_pool
from sanstone.kernel import names, plan
from sanstone.kernel.host import Host
from sanstone.kernel.real import real_host
from sanstone.kernel.storage import thin
from sanstone.kernel.storage.stack import over_thin
from sanstone.kernel.storage.stack.block_size import BlockSize
from sanstone.kernel.target import configfs, fabrics, lio, nvmet
from sanstone.kernel.target.addresses import InternetAddress

TARGET = "iqn.2026-11.org.sanstone.lab:target"
PLAIN_TARGET = "iqn.2026-11.org.sanstone.lab:plain"
SUBSYSTEM = "nqn.2026-11.org.sanstone.lab:subsystem"
PLAIN_SUBSYSTEM = "nqn.2026-11.org.sanstone.lab:plain"
SERIAL = "5a5a5a5a5a5a"
BLOCK_SIZE = 4096
LUN = over_thin.ThinDevice(
    "5a5a5a5a-0000-4000-8000-000000000001", memory_pool.NAME, 1, memory_pool.SIZE
)
NAMESPACE = over_thin.ThinDevice(
    "5a5a5a5a-0000-4000-8000-000000000002",
    memory_pool.NAME,
    2,
    memory_pool.SIZE,
    (BlockSize(BLOCK_SIZE),),
)


def make_devices(host: Host) -> None:
    """Make the pool and the two devices, with all of their blocks written."""
    memory_pool.make(host)
    for device in (LUN, NAMESPACE):
        thin.ensure_thin(host, memory_pool.NAME, device.thin_id)
        over_thin.ensure(host, device)
        memory_pool.write_all(host, names.device_node(device.uuid), device.size)


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


def main(address: str, plain_address: str, initiator: str, host_nqn: str) -> None:
    """Make devices and exports."""
    host = real_host()
    make_devices(host)
    backstore = export(host, address, initiator, host_nqn)
    below = memory_pool.block_device(host, over_thin.live_names(host, NAMESPACE.uuid)[-1])
    export_plainly(host, plain_address, backstore, f"/dev/{below}")
    devices = {
        "lun": memory_pool.block_device(host, names.device(LUN.uuid)),
        "namespace": memory_pool.block_device(host, names.device(NAMESPACE.uuid)),
        "below": below,
    }
    exports = {"target": TARGET, "subsystem": SUBSYSTEM, "devices": devices}
    exports |= {"plain target": PLAIN_TARGET, "plain subsystem": PLAIN_SUBSYSTEM}
    print(json.dumps(exports))


main(*sys.argv[1:])
