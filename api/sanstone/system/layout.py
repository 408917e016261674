"""The partitions of a system disk.

A GUID partition table with the same seven partitions on every system disk; GRUB and the initramfs
know them by number, people and tools by name:

    1  sanstone-bios      GRUB's core image for a BIOS
    2  sanstone-esp       FAT: GRUB for UEFI, its menu, and `grubenv` with the state of the slots
    3  sanstone-boot-a    for GRUB, of slot A: kernel, initramfs, `boot.cfg` with the root hash
    4  sanstone-boot-b
    5  sanstone-system-a  the system of slot A: squashfs, and behind it its dm-verity hash tree
    6  sanstone-system-b
    7  sanstone-state     ext4, labelled `sanstone-state`: all that the array keeps

On two disks, 3 to 7 are RAID 1 with metadata 1.0, which lies at the end: a member reads like the
plain file system, so that GRUB needs no support of RAID. 1 and 2 are separate on each disk, and a
change of `grubenv` is written to all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from sanstone.kernel.host import Host

MIB = 1 << 20


@dataclass(frozen=True)
class Partition:
    """One partition. `size` is in bytes, 0 for the rest; `type` is a GUID (UEFI 2.10, 5.3.3)."""

    number: int
    name: str
    size: int
    type: str

    @property
    def mirrored(self) -> bool:
        """Whether two system disks hold it as RAID 1."""
        return self.number >= BOOT["a"].number


_LINUX = "0fc63daf-8483-4772-8e79-3d69d8477de4"
BIOS = Partition(1, "sanstone-bios", MIB, "21686148-6449-6e6f-744e-656564454649")
ESP = Partition(2, "sanstone-esp", 64 * MIB, "c12a7328-f81f-11d2-ba4b-00a0c93ec93b")
BOOT = {
    "a": Partition(3, "sanstone-boot-a", 128 * MIB, _LINUX),
    "b": Partition(4, "sanstone-boot-b", 128 * MIB, _LINUX),
}
SYSTEM = {
    "a": Partition(5, "sanstone-system-a", 1024 * MIB, _LINUX),
    "b": Partition(6, "sanstone-system-b", 1024 * MIB, _LINUX),
}
STATE = Partition(7, "sanstone-state", 0, _LINUX)
BOOT_CODE = 440
"""Bytes at the beginning of a disk that a BIOS runs; the rest belongs to the partition table."""
STATE_LABEL = "sanstone-state"
"""Label of the file system; `var-lib-sanstone.mount` looks for it."""
PARTITIONS = (BIOS, ESP, BOOT["a"], BOOT["b"], SYSTEM["a"], SYSTEM["b"], STATE)
SMALLEST_STATE = 2048 * MIB
SMALLEST_DISK = sum(partition.size for partition in PARTITIONS) + SMALLEST_STATE + 4 * MIB
"""Bytes; 4 MiB for both partition tables and alignment."""


def is_bootable(host: Host, disk: str) -> bool:
    """Return whether a system disk has boot code, its last part. Raises FileError.

    UEFI does not run this code, but every disk gets it (`install.boot`).
    """
    return any(host.blocks.read(disk, 0, BOOT_CODE))
