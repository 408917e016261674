"""`storage/luns/{lun.uuid}/attributes`: texts that clients store with a LUN, without effect."""

from __future__ import annotations

from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Reference, Resource
from sanstone.model.san import Lun, LunAttribute
from sanstone.resources.storage.lun import ATTRIBUTE_TWICE, UNKNOWN_ATTRIBUTE, attribute_fields


class LunAttributeResource(Resource[LunAttribute]):
    """Attributes of a LUN."""

    path = "storage/luns/{lun.uuid}/attributes"
    doc = "Texts that clients keep with a LUN."
    model = LunAttribute
    keys = ("lun.uuid", "name")
    slashed = frozenset({"name"})
    order = ("lun_uuid", "name")
    unknown_code = UNKNOWN_ATTRIBUTE
    fields = (Reference("lun", Lun, "The LUN."), *attribute_fields())

    def create(self, change: Change, values: dict[str, Any]) -> LunAttribute:
        """Add an attribute."""
        lun, name = values["lun"], values["name"]
        if change.session.get(LunAttribute, (lun.uuid, name)):
            text = f'Attribute "{name}" of LUN "{lun.name}" already exists.'
            raise errors.conflict(text, "name", ATTRIBUTE_TWICE)
        attribute = LunAttribute(lun_uuid=lun.uuid, name=name, value=values["value"])
        change.add(attribute)
        return attribute

    def update(self, change: Change, row: LunAttribute, values: dict[str, Any]) -> None:
        """Change the value."""
        row.value = values.get("value", row.value)

    def delete(self, change: Change, row: LunAttribute, options: dict[str, Any]) -> None:
        """Delete an attribute."""
        change.delete(row)
