"""SNMP: whether the array speaks it, its users, and the receivers of traps."""

from __future__ import annotations

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.database.change import Owned
from sanstone.core.database.store import Base, Identified, Secret

COMMUNITY, USM, BOTH = "community", "usm", "both"
"""Kinds of users: a community of SNMPv2c, a user of SNMPv3, or one of each by the same name."""


class SnmpConfiguration(Owned, Identified, Base):
    """Whether the array answers, and whether it tells of events; at most one row."""

    __tablename__ = "snmp_configuration"
    kind = "support/snmp"

    enabled: Mapped[bool] = mapped_column(default=False)
    traps_enabled: Mapped[bool] = mapped_column(default=True)
    auth_traps_enabled: Mapped[bool] = mapped_column(default=False)


class SnmpUser(Owned, Identified, Base):
    """A user. The keys are '' where the user needs none, else of use to one engine alone
    (`security.snmp_keys`)."""

    __tablename__ = "snmp_user"
    kind = "support/snmp/users"

    engine_id: Mapped[str]
    name: Mapped[str] = mapped_column(unique=True)
    method: Mapped[str]
    authentication_protocol: Mapped[str]
    authentication_key: Mapped[str] = mapped_column(Secret, default="", nullable=True)
    privacy_protocol: Mapped[str]
    privacy_key: Mapped[str] = mapped_column(Secret, default="", nullable=True)
    comment: Mapped[str] = mapped_column(default="")

    @property
    def key(self) -> str:
        """Return the name."""
        return self.name

    @property
    def is_community(self) -> bool:
        """Return whether it is a community of SNMPv2c."""
        return self.method in (COMMUNITY, BOTH)

    @property
    def is_usm(self) -> bool:
        """Return whether it is a user of SNMPv3."""
        return self.method in (USM, BOTH)


class SnmpTraphost(Owned, Identified, Base):
    """A machine that receives traps: by the SNMPv3 user, or by a community without one."""

    __tablename__ = "snmp_traphost"
    kind = "support/snmp/traphosts"
    observed_as = kind, "uuid"

    host: Mapped[str] = mapped_column(unique=True)
    user_uuid: Mapped[str | None] = mapped_column(ForeignKey(SnmpUser.uuid))

    user: Mapped[SnmpUser | None] = relationship()

    @property
    def key(self) -> str:
        """Return the name or address."""
        return self.host
