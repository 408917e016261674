"""A desired LUN or namespace, as the stages of devices see it."""

from __future__ import annotations

from typing import NamedTuple

from sanstone.kernel import names
from sanstone.kernel.storage.stack import over_thin
from sanstone.reconcile import layers


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
    volume: str
    volume_state: str
    volume_size: int
    guarantee: str
    aggregate: str
    aggregate_name: str

    @property
    def owner(self) -> str:
        """Return `<kind>:<uuid>`."""
        return f"{self.kind}:{self.uuid}"

    @property
    def device(self) -> over_thin.ThinDevice:
        """Return the exported device."""
        pool = names.pool_device(self.aggregate)
        wanted = layers.of_export(self.block_size)
        return over_thin.ThinDevice(self.uuid, pool, self.thin_id, self.size, wanted)
