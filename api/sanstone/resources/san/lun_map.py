"""`protocols/san/lun-maps`: the LUNs that igroups see, and their numbers.

An initiator sees the maps of all igroups that it is in through one target: what that requires of a
new map is in `igroup_nesting`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, Field, Items, Reference, Resource
from sanstone.core.declaration.types import Choice, Integer, Text, Uuid
from sanstone.model.nodes import this_node
from sanstone.model.san import Igroup, Lun, LunMap
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.san.igroup import OS_TYPES, PROTOCOLS
from sanstone.rules.cluster import node_memory
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


class LunMapResource(Resource[LunMap]):
    """LUN maps."""

    path = "protocols/san/lun-maps"
    doc = "LUN maps show a LUN to the initiators of an igroup under a number."
    model = LunMap
    keys = ("lun.uuid", "igroup.uuid")
    order = ("lun_uuid", "igroup_uuid")
    methods = frozenset({"GET", "POST", "DELETE"})
    unknown_code = UNKNOWN_MAP
    fields = (
        svm_reference(required=False, always=True),
        Reference(
            "lun",
            Lun,
            "The LUN.",
            access=CREATE,
            required=True,
            scope=("svm",),
            always=True,
            unknown_code=UNKNOWN_LUN,
            missing_code=NO_LUN,
        ),
        Reference(
            "igroup",
            Igroup,
            "The igroup.",
            access=CREATE,
            required=True,
            scope=("svm",),
            always=True,
            unknown_code=UNKNOWN_IGROUP,
            missing_code=NO_IGROUP,
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

    def select(self) -> Select[Any]:
        """Load the maps with their igroups; their LUNs are always loaded."""
        return select(LunMap).options(joinedload(LunMap.igroup))

    def create(self, change: Change, values: dict[str, Any]) -> LunMap:
        """Map a LUN to an igroup of the same SVM."""
        lun, igroup, session = values["lun"], values["igroup"], change.session
        svm = values.get("svm")
        if igroup.svm_uuid != lun.svm_uuid or (svm and svm.uuid != lun.svm_uuid):
            text = f'LUN "{lun.name}" and igroup "{igroup.name}" must be in the same SVM.'
            raise errors.invalid(text, "igroup", UNKNOWN_IGROUP)
        if session.get(LunMap, (lun.uuid, igroup.uuid)):
            text = f'LUN "{lun.name}" is already mapped to igroup "{igroup.name}".'
            raise errors.conflict(text, "lun", MAPPED_ALREADY)
        node_memory.require(session)
        entry = LunMap(
            lun_uuid=lun.uuid,
            igroup_uuid=igroup.uuid,
            svm_uuid=lun.svm_uuid,
            logical_unit_number=_number(session, lun, igroup, values.get("logical_unit_number")),
        )
        change.add(entry)
        return entry

    def delete(self, change: Change, row: LunMap, options: dict[str, Any]) -> None:
        """Unmap the LUN; hosts lose it at once."""
        row.unmap(change)


def _number(session: Session, lun: Lun, igroup: Igroup, requested: int | None) -> int:
    """Return the number for a new map. Raises ApiError when none is available."""
    numbers, luns = _seen_elsewhere(session, igroup)
    if lun.uuid in luns:
        text = f'An initiator of igroup "{igroup.name}" sees LUN "{lun.name}" already.'
        raise errors.conflict(text, "igroup", MAPPED_ALREADY)
    own = select(LunMap.logical_unit_number).where(LunMap.igroup_uuid == igroup.uuid)
    taken = numbers | set(session.scalars(own))
    free = (number for number in range(LARGEST_NUMBER + 1) if number not in taken)
    number = next(free, None) if requested is None else requested
    if number is None:
        text = f'Igroup "{igroup.name}" has no LUN number left in 0 to {LARGEST_NUMBER}.'
        raise errors.conflict(text, "logical_unit_number")
    if number in taken:
        text = f'LUN number {number} is in use for an initiator of igroup "{igroup.name}".'
        raise errors.conflict(text, "logical_unit_number")
    return number
