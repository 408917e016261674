"""The chosen disks, partitioned according to `sanstone.system.layout`, and mirrored if two.

A mirror is named after its partition (`system-a`), its kernel device too (`md_system-a`), so that
one that an installation left running is recognised and stopped before anything else is looked at.
Two disks of different size are mirrored up to the end of the smaller one.

Disks that can clear ranges at once do so when a mirror is created; others are copied in the
background, even across the next boot. The mirror can be used meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sanstone.kernel import names
from sanstone.kernel.host import Host
from sanstone.kernel.storage import block
from sanstone.kernel.storage.md import CONFIGURATION
from sanstone.system import layout
from sanstone.system.layout import MIB, Partition

_PREFIX = "sanstone-"


def mirror_name(partition: Partition) -> str:
    """Return the md name of a partition's mirror."""
    return partition.name.removeprefix(_PREFIX)


MIRRORS = tuple(mirror_name(p) for p in layout.PARTITIONS if p.mirrored)


@dataclass(frozen=True)
class Targets:
    """The paths of one or two partitioned disks."""

    disks: tuple[str, ...]

    def on(self, partition: Partition) -> tuple[str, ...]:
        """Return the paths of a partition, one on each disk."""
        return tuple(partition_path(disk, partition) for disk in self.disks)

    def device(self, partition: Partition) -> str:
        """Return the path of a partition's device: its mirror, if there is one."""
        paths = self.on(partition)
        return f"/dev/md_{mirror_name(partition)}" if len(paths) == 2 else paths[0]


def partition_path(disk: str, partition: Partition) -> str:
    """Return the path of a disk's partition: sda7, nvme0n1p7."""
    return f"{disk}{'p' if disk[-1].isdigit() else ''}{partition.number}"


def make(host: Host, disks: Sequence[str]) -> Targets:
    """Erase, partition and mirror one or two disks. Raises HostError."""
    targets = Targets(tuple(disks))
    for disk in disks:
        divide(host, disk)
    if len(disks) == 2:
        for partition in layout.PARTITIONS:
            if partition.mirrored:
                host.commands.run(_mirror(host, targets, partition))
    return targets


def divide(host: Host, disk: str) -> None:
    """Erase and partition a disk, which no BIOS boots then. Raises HostError."""
    # sfdisk does not erase the code in the first sector.
    host.blocks.write(disk, 0, bytes(layout.BOOT_CODE))
    # The kernel keeps the old table while anything has a partition open, as udev does for a
    # moment after each change.
    host.commands.run(["udevadm", "settle"])
    argv = ["sfdisk", "--quiet", "--lock", "--wipe=always", "--wipe-partitions=always", disk]
    host.commands.run(argv, stdin=script())
    host.commands.run(["udevadm", "settle"])


def script() -> str:
    """Return the input of sfdisk(8): the partitions, aligned by its own rules."""
    lines = ["label: gpt"]
    for partition in layout.PARTITIONS:
        size = f"size={partition.size // MIB}MiB, " if partition.size else ""
        lines.append(f'{size}type={partition.type}, name="{partition.name}"')
    return "\n".join(lines) + "\n"


def _mirror(host: Host, targets: Targets, partition: Partition) -> list[str]:
    name = mirror_name(partition)
    argv = ["mdadm", "--create", f"/dev/md/{name}", CONFIGURATION, "--run", "--metadata=1.0"]
    argv += [f"--homehost={names.HOME_HOST}", f"--name={name}"]
    argv += ["--level=1", "--raid-devices=2", "--bitmap=internal"]
    if all(block.zeroes_itself(host, disk) for disk in targets.disks):
        argv.append("--write-zeroes")
    return [*argv, *targets.on(partition)]


def assemble(host: Host, partition: Partition, members: Sequence[str], *options: str) -> str:
    """Start a partition's mirror with these members, even if one is missing; return its device.

    `options` are mdadm's. Raises CommandError.
    """
    name = mirror_name(partition)
    argv = ["mdadm", "--assemble", f"/dev/md/{name}", CONFIGURATION, "--run", *options, *members]
    host.commands.run(argv)
    return f"/dev/md_{name}"


def stop_mirrors(host: Host) -> None:
    """Stop the mirrors of system disks. Raises CommandError while anything uses one."""
    running = set(host.files.listdir("/sys/block"))
    for name in MIRRORS:
        if f"md_{name}" in running:
            host.commands.run(["mdadm", "--stop", f"/dev/md_{name}"])
