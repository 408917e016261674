"""A desired LUN or namespace, as the stages of devices see it."""

from __future__ import annotations

from typing import NamedTuple

from sanstone.kernel import names
from sanstone.kernel.storage.stack import over_thin
from sanstone.kernel.storage.stack.quality_of_service import Group
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
    node: str
    """The node that owns the aggregate."""
    home: str
    """The node that is home to it."""
    qos_policy: str | None
    """Its own, by UUID; those of its volume and SVM hold for it, too (`reconcile.limits`)."""
    volume_qos_policy: str | None
    svm: str

    @property
    def owner(self) -> str:
        """Return `<kind>:<uuid>`."""
        return f"{self.kind}:{self.uuid}"

    @property
    def on_standby(self) -> over_thin.ThinDevice:
        """Return the device that is exported by who stands by: nobody does I/O, nothing limits."""
        return over_thin.ThinDevice(
            self.uuid, "", 0, self.size, layers.of_export(self.block_size, ())
        )

    def device(self, groups: tuple[Group, ...] = ()) -> over_thin.ThinDevice:
        """Return the exported device; `groups` are those that limit it."""
        pool = names.pool_device(self.aggregate)
        desired_layers = layers.of_export(self.block_size, groups)
        return over_thin.ThinDevice(self.uuid, pool, self.thin_id, self.size, desired_layers)
