"""The directory that accounts of the array are looked for in."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Mapped, mapped_column

from sanstone.core.change import Owned
from sanstone.core.store import Base, Identified, Secret


class LdapClient(Owned, Identified, Base):
    """How the array asks its LDAP servers; at most one row.

    Distinguished names are '' for what is not set; those of users and groups are the base then.
    """

    __tablename__ = "ldap_client"
    kind = "security/authentication/cluster/ldap"

    servers: Mapped[list[Any]] = mapped_column(default=list)
    port: Mapped[int]
    ldaps: Mapped[bool]
    schema: Mapped[str]
    base_dn: Mapped[str]
    base_scope: Mapped[str]
    user_dn: Mapped[str] = mapped_column(default="")
    user_scope: Mapped[str]
    group_dn: Mapped[str] = mapped_column(default="")
    group_scope: Mapped[str]
    bind_dn: Mapped[str] = mapped_column(default="")
    bind_password: Mapped[str] = mapped_column(Secret, default="", nullable=True)
    query_timeout: Mapped[int]
