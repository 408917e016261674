"""`storage/namespaces`: block devices that NVMe hosts reach through subsystems."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError

from sanstone.core.resource import CREATE, Field, Reference
from sanstone.core.types import Integer, Text
from sanstone.model.nvme import Namespace, Subsystem
from sanstone.resources.storage.thin_copy import source_fields
from sanstone.resources.storage.thin_device import container_state, state
from sanstone.resources.storage.thin_device_fields import Codes, thin_device_fields
from sanstone.resources.storage.thin_device_resource import ThinDeviceResource


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
    searched = ("name", leaf, "comment")
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
