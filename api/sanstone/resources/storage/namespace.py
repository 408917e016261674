"""`storage/namespaces`: block devices that NVMe hosts reach through subsystems."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError

from sanstone.core.declaration.resource import CREATE, Field, Reference
from sanstone.core.declaration.types import Size, Text
from sanstone.model.nvme import LUN_BLOCK, ONLY_BLOCK, USUAL_BLOCK, Namespace, Subsystem
from sanstone.model.san import Lun
from sanstone.resources.storage.device_codes import LUN, NAMESPACE
from sanstone.resources.storage.device_conversion import Conversion
from sanstone.resources.storage.thin_copy import source_fields
from sanstone.resources.storage.thin_device_fields import thin_device_fields
from sanstone.resources.storage.thin_device_resource import ThinDeviceResource
from sanstone.rules.storage.thin_devices import container_state, state


class BlockSize(Size):
    """The size in bytes of a logical block: 512 or 4096, `4KB` as ONTAP's shell writes it."""

    SIZES = (LUN_BLOCK, USUAL_BLOCK)

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
FROM_LUN = Conversion(
    *(Namespace, Lun, "lun", "namespace", "nvme", OS_TYPES, LUN),
    own=lambda sector_size: {"block_size": sector_size},
)


class NamespaceResource(ThinDeviceResource[Namespace]):
    """Namespaces."""

    path = "storage/namespaces"
    doc = "Namespaces are block devices in a volume that NVMe hosts reach through a subsystem."
    model = Namespace
    codes = NAMESPACE
    conversion = FROM_LUN
    leaf = "location.namespace"
    own = (("space.block_size", "block_size"),)
    by_os_type = {
        os_type: {"space.block_size": ONLY_BLOCK.get(os_type, USUAL_BLOCK)} for os_type in OS_TYPES
    }
    searched = ("name", leaf, "comment")
    fields = (
        *thin_device_fields(NAMESPACE, leaf, OS_TYPES, state, container_state),
        Field(
            "space.block_size",
            BlockSize(),
            "Logical block size in bytes; when not given, 512 for vmware, since its hosts use no "
            "other, and 4096 else. 512 needs disks of such sectors.",
            access=CREATE,
            attribute="block_size",
        ),
        *source_fields("clone"),
        *FROM_LUN.fields,
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
