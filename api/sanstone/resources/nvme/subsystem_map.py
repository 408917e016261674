"""`protocols/nvme/subsystem-maps`: the namespaces of subsystems, and their ids.

A namespace is in at most one subsystem (ONTAP's rule). Its `os_type` may differ from the
subsystem's, but its blocks must be such as the subsystem's hosts can use. Its id is the lowest free
one of the subsystem; nvmet enables 1,024 namespaces of a subsystem and refuses more
(NVMET_MAX_NAMESPACES, drivers/nvme/target/nvmet.h), so there are as many ids.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Field
from sanstone.core.declaration.types import Text
from sanstone.model.nodes import Node
from sanstone.model.nvme import ONLY_BLOCK, Namespace, Subsystem, SubsystemMap
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.san.device_map import DeviceMapResource, mapped_object

MAPPED_ALREADY, NOT_MAPPED, OTHER_SVM = "72089790", "72090019", "72090020"
UNKNOWN_NAMESPACE, UNKNOWN_SUBSYSTEM = "72090006", "72090021"
MOST_NAMESPACES = 1024


class SubsystemMapResource(DeviceMapResource[SubsystemMap]):
    """Subsystem maps."""

    path = "protocols/nvme/subsystem-maps"
    doc = "Subsystem maps show a namespace to the hosts of a subsystem."
    model = SubsystemMap
    keys = ("subsystem.uuid", "namespace.uuid")
    order = ("subsystem_uuid", "nsid")
    called, numbers = '"{}"', range(1, MOST_NAMESPACES + 1)
    unknown_code, other_svm, mapped_already = NOT_MAPPED, OTHER_SVM, MAPPED_ALREADY
    fields = (
        svm_reference(required=False, always=True),
        mapped_object(
            *("subsystem", Subsystem, "The subsystem."),
            unknown_code=UNKNOWN_SUBSYSTEM,
            mismatch_code=OTHER_SVM,
        ),
        mapped_object("namespace", Namespace, "The namespace.", unknown_code=UNKNOWN_NAMESPACE),
        Field("nsid", Text(9, 9), "Namespace id.", attribute="shown_nsid", always=True),
        Field("anagrpid", Text(9, 9), "ANA group.", attribute="shown_ana_group", always=True),
    )

    def create(self, change: Change, values: dict[str, Any]) -> SubsystemMap:
        """Map a namespace to a subsystem of the same SVM."""
        row = super().create(change, values)
        change.session.expire(values["namespace"], ["map"])
        return row

    def check(self, session: Session, device: Namespace, group: Subsystem) -> set[int]:
        """Raise ApiError when the namespace is mapped, or has blocks that hosts cannot use."""
        if device.map:
            raise self.mapped(device, device.map.subsystem)
        only = ONLY_BLOCK.get(group.os_type, device.block_size)
        if device.block_size != only:
            text = (
                f'Hosts of subsystem "{group.name}" ({group.os_type}) use blocks of {only} '
                f'bytes alone; "{device.name}" has blocks of {device.block_size}.'
            )
            raise errors.conflict(text, "namespace")
        return set()

    def unavailable(self, group: Subsystem, number: int | None) -> errors.ApiError:
        """Return the error for a subsystem that has all namespaces that it can have."""
        text = (
            f'Subsystem "{group.name}" has {MOST_NAMESPACES} namespaces, the most there '
            "can be; map this one to another subsystem."
        )
        return errors.conflict(text, "subsystem")

    def own(self, session: Session, device: Namespace) -> dict[str, Any]:
        """Return the ANA group: that of the node which is home to the namespace's aggregate."""
        node = session.get_one(Node, device.volume.aggregate.home_node_uuid)
        return {"ana_group": node.number}
