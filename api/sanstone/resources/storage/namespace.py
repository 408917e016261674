"""`storage/namespaces`: block devices that NVMe hosts reach through subsystems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from marshmallow import ValidationError
from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.resource import CREATE, Field, Reference
from sanstone.core.store import Base
from sanstone.core.types import Integer, Text
from sanstone.resources.cluster.svm import Svm
from sanstone.resources.nvme.subsystem import Subsystem
from sanstone.resources.storage.qos_policy import QosPolicy
from sanstone.resources.storage.thin_copy import source_fields
from sanstone.resources.storage.thin_device import ThinDevice, container_state, state
from sanstone.resources.storage.thin_device_fields import Codes, thin_device_fields
from sanstone.resources.storage.thin_device_resource import ThinDeviceResource
from sanstone.resources.storage.volume import Volume

if TYPE_CHECKING:
    from sanstone.resources.nvme.subsystem_map import SubsystemMap


class Namespace(ThinDevice, Base):
    """A namespace; `block_size` in bytes is the logical block that hosts see."""

    __tablename__ = "namespace"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "storage/namespaces"

    block_size: Mapped[int] = mapped_column(default=4096)
    volume: Mapped[Volume] = relationship(back_populates="namespaces")
    svm: Mapped[Svm] = relationship()
    qos_policy: Mapped[QosPolicy | None] = relationship()
    map: Mapped[SubsystemMap | None] = relationship(back_populates="namespace")

    @property
    def mappings(self) -> Sequence[SubsystemMap]:
        """Return the row that lets hosts see the namespace, if there is one."""
        return [self.map] if self.map else []


class BlockSize(Integer):
    """The size in bytes of a logical block: 512 or 4096."""

    SIZES = (512, 4096)

    def __init__(self) -> None:
        super().__init__(min(self.SIZES), max(self.SIZES))
        self.good = self.SIZES
        self.bad = (*self.bad, 1024)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> int:
        size = super()._deserialize(value, attr, data, **kw)
        if size not in self.SIZES:
            raise ValidationError("This must be 512 or 4096.")
        return size


OS_TYPES = ("aix", "hyper_v", "linux", "vmware", "windows", "xen")
CODES = Codes(
    taken="72089725",
    rename_taken="72089725",
    bad_name="72089732",
    no_name="72090013",
    no_volume="72090014",
    mismatch="72090014",
    required="72090013",
    too_small="72089723",
    too_large="72089724",
    bad_size="72089723",
    shrink="72090038",
    mapped="72089796",
    source_by_name="72090007",
    source_by_uuid="72090006",
    not_with_source="72090012",
)


class NamespaceResource(ThinDeviceResource[Namespace]):
    """Namespaces."""

    path = "storage/namespaces"
    doc = "Namespaces are block devices in a volume that NVMe hosts reach through a subsystem."
    model = Namespace
    codes = CODES
    leaf = "location.namespace"
    own = (("space.block_size", "block_size"),)
    fields = (
        *thin_device_fields(CODES, leaf, OS_TYPES, state, container_state),
        Field(
            "space.block_size",
            BlockSize(),
            "Logical block size in bytes; 4096 when not given.",
            access=CREATE,
            attribute="block_size",
        ),
        *source_fields("clone"),
        Reference(
            "subsystem_map.subsystem",
            Subsystem,
            "The subsystem that it is mapped to.",
            get=lambda row, _: row.map.subsystem if row.map else None,
            costly=True,
        ),
        Field(
            "subsystem_map.nsid",
            Text(9, 9),
            "Its id there.",
            get=lambda row, _: row.map.shown_nsid if row.map else None,
            costly=True,
        ),
        Field(
            "subsystem_map.anagrpid",
            Text(9, 9),
            "Its ANA group there.",
            get=lambda row, _: row.map.shown_ana_group if row.map else None,
            costly=True,
        ),
    )
