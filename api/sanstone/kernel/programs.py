"""The programs that each of our processes runs. It asks for them at its start (`Commands.require`),
so that an image that lacks one says so at its first boot, and not when the program is needed.
"""

from __future__ import annotations

RECONCILER = (
    "blkdiscard",
    "ipmitool",
    "journalctl",
    "keyctl",
    "lsblk",
    "lvm",
    "mdadm",
    "modprobe",
    "nft",
    "rdma",
    "sanstone-snapshot-blocks",
    "smartctl",
    "sqlite3",
    "systemctl",
    "udevadm",
    "wipefs",
)
"""`sanstone-reconciler`, and the long jobs that it starts."""

SLOTS = ("blkid", "busctl", "mdadm", "mount", "rauc", "systemctl", "umount")
"""Programs for a system disk: `sanstone-slots`, which asks for all, and updates."""

INSTALLER = (
    *("blockdev", "lsblk", "lvm", "mdadm", "mkfs.ext4", "mkfs.vfat", "mount", "sfdisk"),
    *("systemctl", "udevadm", "umount", "wipefs"),
)
"""`sanstone-install` and `sanstone-rescue`, on the live system."""
