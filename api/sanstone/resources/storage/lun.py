"""`storage/luns`: block devices that SCSI initiators reach through igroups."""

from __future__ import annotations

from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Items, Reference, constant
from sanstone.core.declaration.types import Boolean, Choice, Integer, Never, Text
from sanstone.model.nvme import Namespace
from sanstone.model.san import Igroup, Lun, LunAttribute
from sanstone.resources.storage.device_codes import LUN, NAMESPACE
from sanstone.resources.storage.device_conversion import Conversion
from sanstone.resources.storage.thin_copy import source_fields
from sanstone.resources.storage.thin_device_fields import thin_device_fields
from sanstone.resources.storage.thin_device_resource import ThinDeviceResource
from sanstone.resources.without_effect import fixed, off
from sanstone.rules.storage.thin_devices import container_state, state

UNKNOWN_ATTRIBUTE, ATTRIBUTE_TWICE = "5374931", "5374932"


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
THIN_PROVISIONING = "space.scsi_thin_provisioning_support_enabled"
FROM_NAMESPACE = Conversion(Lun, Namespace, "namespace", "LUN", "scsi", OS_TYPES, NAMESPACE)


class LunResource(ThinDeviceResource[Lun]):
    """LUNs."""

    path = "storage/luns"
    doc = "LUNs are block devices in a volume that SCSI initiators reach once mapped to an igroup."
    model = Lun
    codes = LUN
    conversion = FROM_NAMESPACE
    leaf = "location.logical_unit"
    own = ((THIN_PROVISIONING, "unmap"),)
    searched = ("name", leaf, "serial_number", "comment")
    fields = (
        *thin_device_fields(LUN, leaf, OS_TYPES, state, container_state),
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
        *FROM_NAMESPACE.fields,
        fixed("movement.progress.state", Text(), "Absent: a LUN moves at once."),
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
        attributes = values.get("attributes", ())
        names = [item["name"] for item in attributes]
        if len(set(names)) < len(names):
            text = "An attribute is given twice."
            raise errors.invalid(text, "attributes", ATTRIBUTE_TWICE)
        lun = super().create(change, values)
        for item in attributes:
            change.add(LunAttribute(lun_uuid=lun.uuid, **item))
        return lun
