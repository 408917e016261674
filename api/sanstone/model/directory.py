"""The directory that accounts of the array are looked for in."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Mapped, mapped_column

from sanstone.core.database.change import Owned
from sanstone.core.database.store import Base, Identified, Secret

ANONYMOUS, SIMPLE = "anonymous", "simple"
"""Ways to bind."""


class LdapClient(Owned, Identified, Base):
    """How the array asks its LDAP servers; at most one row.

    Distinguished names that are not set are ''; those of users and groups are the base then.
    `skip_config_validation` is that of the last request, and of no use afterwards.
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
    given_bind_level: Mapped[str] = mapped_column(default="")
    query_timeout: Mapped[int]
    skip_config_validation: Mapped[bool] = mapped_column(default=False)

    @property
    def min_bind_level(self) -> str:
        """Return how the array binds at least; unless given, as it is set to bind."""
        return self.given_bind_level or (SIMPLE if self.bind_dn else ANONYMOUS)
