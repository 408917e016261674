"""What a LUN and a namespace have in common: a path in a volume and a thin device in its pool.

The id of the thin device is taken from the aggregate's counter in the transaction that makes the
row, before the pool is told of it, and never used again. Destroying goes through a `Removal`,
since an absent row must never be a reason to destroy data.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from sanstone.core import errors
from sanstone.core.change import Change, Owned, Removal
from sanstone.core.resource import Reader
from sanstone.core.store import Identified
from sanstone.resources.storage import aggregate as aggregates
from sanstone.resources.storage.volume import Volume

if TYPE_CHECKING:
    from sanstone.resources.cluster.svm import Svm
    from sanstone.resources.storage.qos_policy import QosPolicy

THIN_IDS = 2**24
"""Ids of a pool's devices have 24 bits (kernel: device-mapper/thin-provisioning.rst)."""


class ThinDevice(Owned, Identified):
    """Mixin of Lun and Namespace. `name` is the whole path, `size` in bytes.

    A thin device that begins as a copy of another says of which: `source_thin_id` is that one's id,
    and `source_device` the UUID of the device that shows it to hosts, '' if none does.
    """

    name: Mapped[str]
    os_type: Mapped[str]
    size: Mapped[int]
    thin_id: Mapped[int]
    source_thin_id: Mapped[int | None]
    source_device: Mapped[str] = mapped_column(default="")
    comment: Mapped[str] = mapped_column(default="")
    enabled: Mapped[bool] = mapped_column(default=True)
    reserved: Mapped[bool] = mapped_column(default=False)
    create_time: Mapped[float] = mapped_column(default=time.time)

    if TYPE_CHECKING:
        volume: Mapped[Volume]
        svm: Mapped[Svm]
        qos_policy: Mapped[QosPolicy | None]

    @declared_attr
    def volume_uuid(cls) -> Mapped[str]:
        """The volume that holds the device."""
        return mapped_column(ForeignKey("volume.uuid"), index=True)

    @declared_attr
    def svm_uuid(cls) -> Mapped[str]:
        """The SVM of that volume; here too, so that a path is unique within it."""
        return mapped_column(ForeignKey("svm.uuid"))

    @declared_attr
    def qos_policy_uuid(cls) -> Mapped[str | None]:
        """Its quality of service policy."""
        return mapped_column(ForeignKey("qos_policy.uuid"), index=True)

    @property
    def base_name(self) -> str:
        """Return the last part of the path."""
        return self.name.rpartition("/")[2]

    @property
    def mappings(self) -> Sequence[Any]:
        """Return the rows that let hosts see the device."""
        raise NotImplementedError

    def hide(self, change: Change) -> None:
        """Hide the device from all hosts."""
        for mapping in list(self.mappings):
            mapping.unmap(change)

    def release(self, change: Change) -> None:
        """Delete the row and have its thin device destroyed."""
        removal = self.leftover()
        change.remove(removal.what, removal.owner, **removal.data)
        change.delete(self)

    def leftover(self) -> Removal:
        """Return the removal of the thin device."""
        aggregate = self.volume.aggregate_uuid
        data = {"uuid": self.uuid, "aggregate": aggregate, "thin_id": self.thin_id}
        return Removal(what="thin", owner=self.owner, data=data)

    def leftover_of(self, written: dict[str, Any]) -> Removal | None:
        """Return the removal of content that was to take the place of what it holds."""
        if "thin_id" not in written:
            return None
        data = {"aggregate": self.volume.aggregate_uuid, "thin_id": written["thin_id"]}
        return Removal(what="content", owner=self.owner, data=data)


def container_state(row: ThinDevice, reader: Reader) -> str:
    """Return online, or which of aggregate and volume is offline."""
    if aggregates.state(row.volume.aggregate, reader) != "online":
        return "aggregate_offline"
    return "online" if row.volume.state == "online" else "volume_offline"


def state(row: ThinDevice, reader: Reader) -> str:
    """Return online, or offline when it is switched off or cannot be served."""
    well = container_state(row, reader) == "online" and not reader.fault(row.kind, row.key)
    return "online" if row.enabled and well else "offline"


def next_thin_id(volume: Volume) -> int:
    """Take the next thin id of the volume's aggregate. Raises ApiError when all are used up."""
    aggregate = volume.aggregate
    if aggregate.next_thin_id >= THIN_IDS:
        text = f'Aggregate "{aggregate.name}" has used up its {THIN_IDS - 1} device ids.'
        raise errors.conflict(text, "location.volume")
    aggregate.next_thin_id += 1
    return aggregate.next_thin_id - 1
