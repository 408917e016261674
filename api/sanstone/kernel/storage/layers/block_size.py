"""Logical blocks of 4,096 bytes on devices of 512.

nvmet shows the logical block size of its device and has no setting for another. Two targets of
device-mapper raise it. Measured in User-mode Linux on a thin device, for each device above it:

| target | kernel memory | threads | data that is written |
| --- | --- | --- | --- |
| ebs | 163 KiB | 2 | passed on |
| crypt, null cipher | 1.4 MiB | 4 | copied, page by page |

So ebs is used if the kernel has it. Debian's kernels do not, but every kernel has crypt. A live
device keeps its target until its next activation, when no host uses it.

Traps of dm-ebs (drivers/md/dm-ebs-target.c, Linux 6.12):

* It passes I/O on, uncopied, only where that is aligned to the *underlying* block size and the
  emulated one differs; everything else goes through a dm-bufio cache by one thread. Without an
  argument the underlying size is that of the device below, which on disks of 4 KiB is the emulated
  one. So it is always set to 512 bytes: then all I/O that the block layer admits, whole blocks of 4
  KiB, is passed on, flush, FUA and discard too, and the cache stays empty, except for one buffer of
  512 bytes.
* Each I/O drops its range from that empty cache, under a mutex of the device.
* It reports a physical block smaller than the logical one, so each table causes two warnings in the
  log. The product's kernel has a patch (board/common/patches/linux).

Traps of dm-crypt (drivers/md/dm-crypt.c): `sector_size` counts bytes, and its length must be a
multiple; discards need `allow_discards`; without `no_*_workqueue` it uses two more threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sanstone.kernel.host import Host, MappedDevice, Target
from sanstone.kernel.storage.layers.layer import SECTOR

EMULATED, ENCRYPTED = "ebs", "crypt"


@dataclass(frozen=True)
class BlockSize:
    """Shows logical blocks of `size` bytes; 4,096 is the largest that both targets support."""

    name: ClassVar[str] = "blocks"
    size: int = 4096

    @property
    def unit(self) -> int:
        """The device's size must be a multiple of so many bytes."""
        return self.size

    def table(
        self, host: Host, below: MappedDevice, sectors: int, live: Sequence[Target]
    ) -> list[Target]:
        """Return the table, for the device's current target or else the cheaper one."""
        number = f"{below.major}:{below.minor}"
        if self._kind(host, live) == EMULATED:
            return [Target(0, sectors, EMULATED, f"{number} 0 {self.size // SECTOR} 1")]
        arguments = (
            f"cipher_null-ecb - 0 {number} 0 4 allow_discards "
            f"no_read_workqueue no_write_workqueue sector_size:{self.size}"
        )
        return [Target(0, sectors, ENCRYPTED, arguments)]

    def _kind(self, host: Host, live: Sequence[Target]) -> str:
        for target in live:
            if target.kind in (EMULATED, ENCRYPTED):
                return target.kind
        return EMULATED if host.mapper.offers(EMULATED) else ENCRYPTED
