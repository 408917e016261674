"""`protocols/san/lun-maps`: the LUNs that igroups see, and their numbers.

An initiator sees the maps of all igroups that it is in through one target: what that requires of a
new map is in `igroup_nesting`.
"""

from __future__ import annotations

from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.declaration.resource import CREATE, Field, Items
from sanstone.core.declaration.types import Choice, Integer, Text, Uuid
from sanstone.model.nodes import this_node
from sanstone.model.san import Igroup, Lun, LunMap
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.san.device_map import DeviceMapResource, mapped_object
from sanstone.resources.san.igroup import OS_TYPES, PROTOCOLS
from sanstone.rules.cluster.node import node_fields
from sanstone.rules.san import igroup_nesting

MAPPED_ALREADY, UNKNOWN_MAP = "1254207", "5374922"
UNKNOWN_LUN, UNKNOWN_IGROUP, NO_LUN, NO_IGROUP = "1254201", "5374878", "5374901", "5374902"
LARGEST_NUMBER = 4095


def _seen_elsewhere(session: Session, igroup: Igroup) -> tuple[set[int], set[str]]:
    """Return the numbers and the LUNs that the igroup's initiators see through other igroups."""
    nestings = igroup_nesting.Nestings(session)
    names = igroup_nesting.initiators(session, nestings.below([igroup.uuid]))
    holding = igroup_nesting.holding(session, igroup.svm_uuid, names)
    other_igroups = nestings.above(each for igroups in holding.values() for each in igroups)
    pairs = igroup_nesting.maps(session, other_igroups - {igroup.uuid})
    return {number for number, _ in pairs}, {lun for _, lun in pairs}


class LunMapResource(DeviceMapResource[LunMap]):
    """LUN maps."""

    path = "protocols/san/lun-maps"
    doc = "LUN maps show a LUN to the initiators of an igroup under a number."
    model = LunMap
    keys = ("lun.uuid", "igroup.uuid")
    order = ("lun_uuid", "igroup_uuid")
    called, numbers = 'LUN "{}"', range(LARGEST_NUMBER + 1)
    unknown_code, other_svm, mapped_already = UNKNOWN_MAP, UNKNOWN_IGROUP, MAPPED_ALREADY
    fields = (
        svm_reference(required=False, always=True),
        mapped_object("lun", Lun, "The LUN.", unknown_code=UNKNOWN_LUN, missing_code=NO_LUN),
        mapped_object(
            *("igroup", Igroup, "The igroup."), unknown_code=UNKNOWN_IGROUP, missing_code=NO_IGROUP
        ),
        Field(
            "logical_unit_number",
            Integer(0, LARGEST_NUMBER),
            "Number under which initiators see the LUN; the lowest free one when not given.",
            access=CREATE,
            always=True,
        ),
        *node_fields("lun.node"),
        Field(
            "igroup.os_type",
            Choice(*OS_TYPES),
            "System of the igroup's hosts.",
            get=lambda row, _: row.igroup.os_type,
        ),
        Field(
            "igroup.protocol",
            Choice(*PROTOCOLS),
            "Which kinds of initiators the igroup takes.",
            get=lambda row, _: row.igroup.protocol,
        ),
        Items(
            "reporting_nodes",
            (
                Field("name", Text(64), "Name of the node."),
                Field("uuid", Uuid(), "Identity of the node."),
            ),
            "Nodes through which the LUN is seen.",
            get=lambda _row, reader: [this_node(reader.session)],
            costly=True,
        ),
    )

    def check(self, session: Session, device: Lun, group: Igroup) -> set[int]:
        """Raise ApiError when an initiator of the igroup sees the LUN already."""
        if session.get(LunMap, (device.uuid, group.uuid)):
            raise self.mapped(device, group)
        numbers, luns = _seen_elsewhere(session, group)
        if device.uuid in luns:
            text = f'An initiator of igroup "{group.name}" sees LUN "{device.name}" already.'
            raise errors.conflict(text, "igroup", MAPPED_ALREADY)
        return numbers

    def unavailable(self, group: Igroup, number: int | None) -> errors.ApiError:
        """Return the error for a LUN number that the igroup's initiators see, or for none left."""
        text = f'Igroup "{group.name}" has no LUN number left in 0 to {LARGEST_NUMBER}.'
        if number is not None:
            text = f'LUN number {number} is in use for an initiator of igroup "{group.name}".'
        return errors.conflict(text, "logical_unit_number")
