"""A desired LUN or namespace, as the stages of devices see it."""

from __future__ import annotations

from typing import NamedTuple

from sanstone.kernel import names
from sanstone.kernel.storage import dm
from sanstone.kernel.storage.layers.block_size import BlockSize
from sanstone.kernel.storage.layers.layer import SECTOR


class Export(NamedTuple):
    """A desired LUN or namespace as plain columns, because there may be thousands."""

    kind: str
    uuid: str
    name: str
    size: int
    thin_id: int
    source_thin_id: int | None
    source_device: str
    block_size: int
    enabled: bool
    volume_state: str
    aggregate: str
    aggregate_name: str

    @property
    def owner(self) -> str:
        """Return `<kind>:<uuid>`."""
        return f"{self.kind}:{self.uuid}"

    @property
    def device(self) -> dm.ThinDevice:
        """Return the exported device."""
        pool = names.pool_device(self.aggregate)
        layers = () if self.block_size == SECTOR else (BlockSize(self.block_size),)
        return dm.ThinDevice(self.uuid, pool, self.thin_id, self.size, layers)
