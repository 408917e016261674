"""`protocols/san/igroups/{igroup.uuid}/igroups`: the igroups that are directly in one igroup."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, Field, Reference, Resource
from sanstone.core.declaration.types import Text, Uuid
from sanstone.model.san import Igroup, IgroupNesting
from sanstone.resources.san.igroup import (
    ALLOW_WHILE_MAPPED,
    EITHER,
    ITSELF,
    UNKNOWN_CHILD,
    check_child,
    check_mapped,
)
from sanstone.rules.san.igroup_nesting import Nestings, check_gain, initiators


class IgroupChildResource(Resource[IgroupNesting]):
    """Igroups in an igroup."""

    path = "protocols/san/igroups/{igroup.uuid}/igroups"
    doc = "The igroups that are directly in one igroup."
    model = IgroupNesting
    keys = ("igroup.uuid", "uuid")
    order = ("igroup_uuid", "child_uuid")
    methods = frozenset({"GET", "POST", "DELETE"})
    options = (ALLOW_WHILE_MAPPED,)
    fields = (
        Reference("igroup", Igroup, "The igroup that holds it."),
        Field(
            "uuid",
            Uuid(),
            "Identity of the igroup in it.",
            access=CREATE,
            attribute="child_uuid",
        ),
        Field(
            "name",
            Text(96, 1),
            "Its name.",
            access=CREATE,
            get=lambda row, _: row.child.name,
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> IgroupNesting:
        """Add an igroup to another; its initiators see the other's LUNs from then on."""
        igroup, session = values["igroup"], change.session
        identity = {key: values[key] for key in ("name", "uuid") if key in values}
        if not identity:
            raise errors.missing("name", UNKNOWN_CHILD)
        child = session.scalars(
            select(Igroup).filter_by(svm_uuid=igroup.svm_uuid, **identity)
        ).one_or_none()
        if child is None:
            shown = " ".join(identity.values())
            raise errors.unknown_reference(f'igroup "{shown}"', "name", UNKNOWN_CHILD)
        check_child(igroup, child)
        if igroup.initiators:
            text = f'Igroup "{igroup.name}" holds initiators, so it can hold no igroups.'
            raise errors.conflict(text, "name", EITHER)
        nestings = Nestings(session)
        if igroup.uuid in nestings.below([child.uuid]):
            text = f'Igroup "{child.name}" is igroup "{igroup.name}", or holds it.'
            raise errors.conflict(text, "name", ITSELF)
        if child in igroup.children:
            text = f'Igroup "{child.name}" already exists in igroup "{igroup.name}".'
            raise errors.conflict(text, "name", errors.EXISTS)
        names = initiators(session, nestings.below([child.uuid]))
        check_gain(session, igroup.svm_uuid, names, igroup.uuid)
        nesting = IgroupNesting(igroup_uuid=igroup.uuid, child_uuid=child.uuid)
        change.add(nesting)
        session.expire(igroup, ["children"])
        session.expire(child, ["parents"])
        return nesting

    def delete(self, change: Change, row: IgroupNesting, options: dict[str, Any]) -> None:
        """Remove an igroup; its initiators lose the other's LUNs."""
        check_mapped(change, row.igroup, f'Igroup "{row.child.name}"', options)
        change.delete(row)
