"""`support/contacts`: whom to call when the array needs a hand."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, MODIFY, Field, Resource
from sanstone.core.declaration.types import Text, Uuid
from sanstone.model.contacts import Contact


class ContactResource(Resource[Contact]):
    """Contacts."""

    path = Contact.kind
    doc = "Contacts are people to call when the array needs a hand."
    model = Contact
    order = ("name",)
    methods = frozenset({"GET", "POST", "PATCH", "DELETE"})
    fields = (
        Field("uuid", Uuid(), "Identity of the contact."),
        Field("name", Text(), "Name of the person.", access=CREATE, required=True, always=True),
        Field("phone", Text(), "Number to call.", access=CREATE | MODIFY, required=True),
    )

    def create(self, change: Change, values: dict[str, Any]) -> Contact:
        """Add a contact."""
        if change.session.scalar(select(Contact).filter_by(name=values["name"])):
            raise errors.conflict(f"{values['name']} is a contact already.", "name", errors.EXISTS)
        contact = Contact(name=values["name"], phone=values["phone"])
        change.add(contact)
        return contact

    def update(self, change: Change, row: Contact, values: dict[str, Any]) -> None:
        """Change the number."""
        if "phone" in values:
            row.phone = values["phone"]

    def delete(self, change: Change, row: Contact, options: dict[str, Any]) -> None:
        """Delete a contact."""
        change.delete(row)
