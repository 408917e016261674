"""`protocols/san/portsets/{portset.uuid}/interfaces`: the interfaces of one portset."""

from __future__ import annotations

from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Reference, Resource
from sanstone.model.san import Portset, PortsetInterface
from sanstone.resources.san.portset import (
    BOUND,
    TWICE,
    UNKNOWN_MEMBER,
    add_interfaces,
    check_interfaces,
    interface_fields,
    interface_of,
    touch_igroups,
)


class PortsetInterfaceResource(Resource[PortsetInterface]):
    """Interfaces of a portset."""

    path = "protocols/san/portsets/{portset.uuid}/interfaces"
    doc = "The interfaces of one portset."
    model = PortsetInterface
    keys = ("portset.uuid", "uuid")
    order = ("portset_uuid", "interface_uuid")
    methods = frozenset({"GET", "POST", "DELETE"})
    unknown_code = UNKNOWN_MEMBER
    fields = (Reference("portset", Portset, "The portset."), *interface_fields())

    def create(self, change: Change, values: dict[str, Any]) -> PortsetInterface:
        """Add an interface."""
        portset, lif = values["portset"], interface_of(values)
        check_interfaces(portset.svm_uuid, portset.protocol, [lif])
        if any(member.interface_uuid == lif.uuid for member in portset.members):
            text = f'Interface "{lif.name}" already exists in portset "{portset.name}".'
            raise errors.conflict(text, "ip", TWICE)
        add_interfaces(change, portset, [lif])
        return change.session.get_one(PortsetInterface, (portset.uuid, lif.uuid))

    def delete(self, change: Change, row: PortsetInterface, options: dict[str, Any]) -> None:
        """Remove an interface, but not the last one while igroups are bound."""
        portset = row.portset
        if portset.igroups and len(portset.members) == 1:
            text = f'"{row.interface.name}" is the last interface of a portset with igroups.'
            raise errors.conflict(text, code=BOUND)
        touch_igroups(change, portset)
        change.delete(row)
        change.session.expire(portset, ["members"])
