"""`storage/luns`: block devices that SCSI initiators reach through igroups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy import text as expression
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core import errors, names
from sanstone.core.change import Change, Owned, Removal
from sanstone.core.resource import CREATE, WRITE, Field, Items, Reference, constant
from sanstone.core.store import Base
from sanstone.core.types import Boolean, Choice, Integer, Never, Text
from sanstone.resources.cluster.svm import Svm
from sanstone.resources.san.igroup import Igroup
from sanstone.resources.storage.qos_policy import QosPolicy
from sanstone.resources.storage.thin_copy import source_fields
from sanstone.resources.storage.thin_device import ThinDevice, container_state, state
from sanstone.resources.storage.thin_device_fields import Codes, thin_device_fields
from sanstone.resources.storage.thin_device_resource import ThinDeviceResource
from sanstone.resources.storage.volume import Volume
from sanstone.resources.without_effect import fixed, off

if TYPE_CHECKING:
    from sanstone.resources.san.lun_map import LunMap


UNKNOWN_ATTRIBUTE, ATTRIBUTE_TWICE = "5374931", "5374932"


class Lun(ThinDevice, Base):
    """A LUN; `serial_number` is what hosts see in VPD page 0x80.

    `unmap` lets hosts return blocks that they no longer use (LIO's emulate_tpu).
    `number` is its place in every portal group of its target; what hosts see is the map's number.
    """

    __tablename__ = "lun"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "storage/luns"

    serial_number: Mapped[str] = mapped_column(unique=True, default=names.lun_serial)
    number: Mapped[int] = mapped_column(
        unique=True, default=expression("(SELECT coalesce(max(number), 0) + 1 FROM lun)")
    )
    unmap: Mapped[bool] = mapped_column(default=True)
    volume: Mapped[Volume] = relationship(back_populates="luns")
    svm: Mapped[Svm] = relationship()
    qos_policy: Mapped[QosPolicy | None] = relationship()
    maps: Mapped[list[LunMap]] = relationship(back_populates="lun")
    attributes: Mapped[list[LunAttribute]] = relationship(
        back_populates="lun", order_by="LunAttribute.name"
    )

    @property
    def mappings(self) -> Sequence[LunMap]:
        """Return the rows that let hosts see the LUN."""
        return self.maps

    def release(self, change: Change) -> None:
        """Delete the row with its attributes, and have its thin device destroyed."""
        for attribute in list(self.attributes):
            change.delete(attribute)
        super().release(change)

    def leftover(self) -> Removal:
        """Return the removal of the thin device and of the reservations that were saved."""
        removal = super().leftover()
        removal.data = removal.data | {"serial": self.serial_number}
        return removal


class LunAttribute(Owned, Base):
    """A text that a client keeps with a LUN."""

    __tablename__ = "lun_attribute"
    kind = Lun.kind

    lun_uuid: Mapped[str] = mapped_column(ForeignKey("lun.uuid"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]
    lun: Mapped[Lun] = relationship(back_populates="attributes")

    @property
    def key(self) -> str:
        """Return the LUN's key: the LUN is the owner of its attributes."""
        return self.lun_uuid


def attribute_fields() -> tuple[Field, Field]:
    """Return the fields of an attribute, in its LUN's list and in its own collection."""
    return (
        Field("name", Text(4091, 1), "Name of the attribute.", access=CREATE, required=True),
        Field("value", Text(4091, 1), "Its value.", access=WRITE, required=True),
    )


OS_TYPES = (
    "aix",
    "hpux",
    "hyper_v",
    "linux",
    "netware",
    "openvms",
    "solaris",
    "solaris_efi",
    "vmware",
    "windows",
    "windows_2008",
    "windows_gpt",
    "xen",
)
CODES = Codes(
    taken="5374242",
    rename_taken="1254196",
    bad_name="5374127",
    no_name="5374862",
    no_volume="5374859",
    mismatch="5374858",
    required="5374884",
    too_small="5374124",
    too_large="5374125",
    bad_size="5374130",
    shrink="5374892",
    mapped="1254197",
    source_by_name="5374876",
    source_by_uuid="5374875",
    not_with_source="5374883",
    same_size="1254226",
)
THIN_PROVISIONING = "space.scsi_thin_provisioning_support_enabled"


class LunResource(ThinDeviceResource[Lun]):
    """LUNs."""

    path = "storage/luns"
    doc = "LUNs are block devices in a volume that SCSI initiators reach once mapped to an igroup."
    model = Lun
    codes = CODES
    leaf = "location.logical_unit"
    own = ((THIN_PROVISIONING, "unmap"),)
    fields = (
        *thin_device_fields(CODES, leaf, OS_TYPES, state, container_state),
        Field(
            THIN_PROVISIONING,
            Boolean(),
            "Whether hosts may return blocks that they no longer use.",
            access=WRITE,
            attribute="unmap",
        ),
        Items(
            "attributes",
            attribute_fields(),
            "Texts that clients keep with it.",
            access=CREATE,
            costly=True,
        ),
        *source_fields("clone"),
        *source_fields("copy", CREATE),
        fixed("location.qtree.name", Text(), "Absent: volumes have no qtrees."),
        fixed(
            "movement.progress.state", Text(), "Absent: a LUN is moved as soon as it is asked for."
        ),
        fixed("vvol.is_bound", Boolean(), "Whether it is bound as a vVol.", False),
        off("auto_delete", Never(), "Whether it goes when space is short."),
        Field("class", Choice("regular"), "Kind of LUN.", get=constant("regular")),
        Field("serial_number", Text(12, 12), "What hosts see in VPD page 0x80."),
        Field(
            "serial_number_hex",
            Text(24),
            "The serial number's bytes in hexadecimal.",
            get=lambda row, _: row.serial_number.encode().hex(),
        ),
        Items(
            "lun_maps",
            (
                Reference("igroup", Igroup, "The igroup."),
                Field("logical_unit_number", Integer(0, 4095), "Number under which it is seen."),
            ),
            "The maps of the LUN.",
            attribute="maps",
            costly=True,
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> Lun:
        """Add a LUN with its first attributes."""
        given = values.get("attributes", ())
        names = [item["name"] for item in given]
        if len(set(names)) < len(names):
            text = "An attribute is given twice."
            raise errors.invalid(text, "attributes", ATTRIBUTE_TWICE)
        lun = super().create(change, values)
        for item in given:
            change.add(LunAttribute(lun_uuid=lun.uuid, **item))
        return lun
