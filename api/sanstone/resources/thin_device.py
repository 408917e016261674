"""What a LUN and a namespace have in common: a path in a volume and a thin device in its pool.

The id of the thin device is taken from the aggregate's counter in the transaction that makes the
row, before the pool is told of it, and never used again. Destroying goes through a `Removal`,
since an absent row must never be a reason to destroy data.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from sqlalchemy import ForeignKey, select
from sqlalchemy.orm import Mapped, Session, declared_attr, mapped_column

from sanstone.core import errors, names
from sanstone.core.change import Change, Owned, Removal
from sanstone.core.resource import WRITE, Field, Node, Reader, Reference, Resource, constant
from sanstone.core.store import Identified
from sanstone.core.types import TIB, Boolean, Choice, Size, Text

if TYPE_CHECKING:
    from sanstone.resources.svm import Svm
    from sanstone.resources.volume import Volume


class ThinDevice(Owned, Identified):
    """Mixin of Lun and Namespace. `name` is the whole path, `size` in bytes."""

    name: Mapped[str]
    os_type: Mapped[str]
    size: Mapped[int]
    thin_id: Mapped[int]
    comment: Mapped[str] = mapped_column(default="")
    enabled: Mapped[bool] = mapped_column(default=True)
    reserved: Mapped[bool] = mapped_column(default=False)
    create_time: Mapped[float] = mapped_column(default=time.time)

    if TYPE_CHECKING:
        volume: Mapped[Volume]
        svm: Mapped[Svm]

    @declared_attr
    def volume_uuid(cls) -> Mapped[str]:
        """The volume that holds the device."""
        return mapped_column(ForeignKey("volume.uuid"), index=True)

    @declared_attr
    def svm_uuid(cls) -> Mapped[str]:
        """The SVM of that volume; here too, so that a path is unique within it."""
        return mapped_column(ForeignKey("svm.uuid"))

    @property
    def base_name(self) -> str:
        """Return the last part of the path."""
        return self.name.rpartition("/")[2]

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


def next_thin_id(volume: Volume) -> int:
    """Take the next thin id of the volume's aggregate (24 bits: kernel thin-provisioning.rst)."""
    aggregate = volume.aggregate
    aggregate.next_thin_id += 1
    return aggregate.next_thin_id - 1


def path_taken(session: Session, svm_uuid: str, path: str) -> bool:
    """Return whether a LUN or a namespace of the SVM has this path; both share one name space."""
    kinds: list[Any] = ThinDevice.__subclasses__()
    return any(
        session.scalar(select(kind.uuid).filter_by(svm_uuid=svm_uuid, name=path)) for kind in kinds
    )


@dataclass(frozen=True)
class Codes:
    """ONTAP's error codes, which differ between LUNs and namespaces for the same mistakes."""

    taken: str
    no_volume: str
    too_small: str
    too_large: str
    shrink: str
    mapped: str


Device = TypeVar("Device", bound=ThinDevice)
LARGEST = 128 * TIB


class ThinDeviceResource(Resource[Device]):
    """Base of the LUN and the namespace resource: paths, sizes and life of a thin device."""

    codes: ClassVar[Codes]
    options = (
        Field(
            "allow_delete_while_mapped",
            Boolean(),
            "Whether a mapped object may be deleted, its maps with it.",
            default=False,
        ),
    )


def state(row: ThinDevice, reader: Reader) -> str:
    """Return online, or offline when it is switched off or cannot be served."""
    well = row.enabled and row.volume.state == "online" and not reader.fault(row.kind, row.key)
    return "online" if well else "offline"
