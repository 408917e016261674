"""People who get messages about the array."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from sanstone.core.database.change import Owned
from sanstone.core.database.store import Base, Identified


class Contact(Owned, Identified, Base):
    """A person by name, and where a call reaches them."""

    __tablename__ = "contact"
    kind = "support/contacts"

    name: Mapped[str] = mapped_column(unique=True)
    phone: Mapped[str]
