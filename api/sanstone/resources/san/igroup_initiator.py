"""`protocols/san/igroups/{igroup.uuid}/initiators`: the members of one igroup."""

from __future__ import annotations

from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Reference, Resource
from sanstone.model.san import Igroup, IgroupInitiator
from sanstone.resources.san.igroup import (
    ALLOW_WHILE_MAPPED,
    EITHER,
    check_initiators,
    check_mapped,
    initiator_fields,
    named_initiator,
)
from sanstone.rules.san.igroup_nesting import check_gain


class IgroupInitiatorResource(Resource[IgroupInitiator]):
    """Initiators of an igroup."""

    path = "protocols/san/igroups/{igroup.uuid}/initiators"
    doc = "The initiators of one igroup."
    model = IgroupInitiator
    keys = ("igroup.uuid", "name")
    order = ("igroup_uuid", "name")
    searched = ("name", "comment")
    options = (ALLOW_WHILE_MAPPED,)
    fields = (Reference("igroup", Igroup, "The igroup."), *initiator_fields())

    def create(self, change: Change, values: dict[str, Any]) -> IgroupInitiator:
        """Add an initiator, which sees the igroup's LUNs from then on."""
        igroup = values["igroup"]
        name = named_initiator(change.session, igroup.svm_uuid, values["name"])
        if igroup.children:
            text = f'Igroup "{igroup.name}" holds igroups, so it can hold no initiators.'
            raise errors.conflict(text, "name", EITHER)
        check_initiators(igroup.protocol, [name], {member.name for member in igroup.initiators})
        check_gain(change.session, igroup.svm_uuid, {name}, igroup.uuid)
        initiator = IgroupInitiator(igroup_uuid=igroup.uuid, name=name, comment=values["comment"])
        change.add(initiator)
        change.session.expire(igroup, ["initiators"])
        return initiator

    def update(self, change: Change, row: IgroupInitiator, values: dict[str, Any]) -> None:
        """Change the comment."""
        row.comment = values.get("comment", row.comment)

    def delete(self, change: Change, row: IgroupInitiator, options: dict[str, Any]) -> None:
        """Remove an initiator from the igroup; it loses the igroup's LUNs."""
        check_mapped(change, row.igroup, f'Initiator "{row.name}"', options)
        change.delete(row)
