"""Logical blocks of 4,096 bytes on devices of 512, for kernels with an nvmet that cannot show them.

nvmet shows the logical block size of its device. The product's kernel has a setting for a larger
one (board/common/patches), with which hosts see the thin device itself. Other kernels get a
device of dm-crypt with a null cipher above it, which every kernel has. That costs each namespace
1.4 MiB of kernel memory and four threads, and data that is written is copied page by page.

Traps of dm-crypt (drivers/md/dm-crypt.c): `sector_size` counts bytes, and its length must be a
multiple; discards need `allow_discards`; without `no_*_workqueue` it uses two more threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sanstone.kernel import names
from sanstone.kernel.host import Host, Target
from sanstone.kernel.storage.mapped import SECTOR
from sanstone.kernel.storage.stack.layer import Below, Layer
from sanstone.kernel.target import nvmet

_CIPHER = "cipher_null-ecb"


@dataclass(frozen=True)
class BlockSize(Layer):
    """Shows logical blocks of `size` bytes; 4,096 is the largest that dm-crypt supports."""

    name: ClassVar[str] = names.BLOCKS
    size: int = 4096

    @property
    def unit(self) -> int:
        """Whole blocks."""
        return self.size

    def needed(self, host: Host) -> bool:
        """Return whether nvmet cannot show blocks of this size on devices of 512 bytes."""
        return self.size > SECTOR and not nvmet.has_block_size(host)

    def table(self, below: Below, size: int) -> list[Target]:
        """Return the table that maps the device below."""
        options = ["allow_discards", "no_read_workqueue", "no_write_workqueue"]
        # The live table leaves out defaults (crypt_status()), and is compared with this.
        if self.size != SECTOR:
            options.append(f"sector_size:{self.size}")
        arguments = f"{_CIPHER} - 0 {below.number} 0 {len(options)} {' '.join(options)}"
        return [Target(0, size // SECTOR, "crypt", arguments)]

    def holds(self, live: Sequence[Target]) -> bool:
        """Return whether a table encrypts with no cipher."""
        return all(t.kind == "crypt" and t.arguments.startswith(_CIPHER) for t in live)
