"""Runs in the array, for other programs here: a thin pool in memory, and its devices."""

from __future__ import annotations

from sanstone.kernel.host import Host, Target
from sanstone.kernel.storage.mapped import SECTOR

MIB = 1 << 20
DISK = 128 * MIB
DATA, METADATA = ("/dev/ram0", "/dev/ram1", "/dev/ram2"), "/dev/ram3"
NAME = "bench-pool"
SIZE = 160 * MIB
"""Bytes of a device in it; there is room for two."""
CHUNK = 128
"""Sectors; 64 KiB."""


def make(host: Host) -> None:
    """Make the pool, unless it is there."""
    if host.mapper.state(NAME):
        return
    sectors = DISK // SECTOR
    data = [Target(n * sectors, sectors, "linear", f"{disk} 0") for n, disk in enumerate(DATA)]
    activate(host, "bench-data", data)
    options = f"{METADATA} {number(host, 'bench-data')} {CHUNK} 0"
    activate(host, NAME, [Target(0, len(DATA) * sectors, "thin-pool", options)])


def write_all(host: Host, path: str, size: int) -> None:
    """Write all blocks of a device: those that never were would be read from nowhere."""
    for at in range(0, size, MIB):
        host.blocks.write(path, at, bytes(range(256)) * (MIB // 256))


def activate(host: Host, name: str, table: list[Target]) -> None:
    """Make a device-mapper device live, or give one that is live another table."""
    if host.mapper.state(name) is None:
        host.mapper.create(name, "")
    host.mapper.load(name, table)
    host.mapper.resume(name)


def number(host: Host, name: str) -> str:
    """Return a device's number as tables name it."""
    state = host.mapper.state(name)
    assert state is not None
    return f"{state.device.major}:{state.device.minor}"


def block_device(host: Host, name: str) -> str:
    """Return the name in /sys/block of a device-mapper device."""
    return f"dm-{number(host, name).partition(':')[2]}"
