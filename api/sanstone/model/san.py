"""LUNs, and their access by hosts: igroups, portsets, services, CHAP."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ForeignKey, UniqueConstraint, or_, select
from sqlalchemy import text as expression
from sqlalchemy.orm import Mapped, foreign, mapped_column, relationship

from sanstone.core import names
from sanstone.core.database.change import RESERVATIONS, Change, Owned, Removal
from sanstone.core.database.store import Base, Identified, Secret
from sanstone.core.observed import leave_uncounted
from sanstone.model.host_groups import DeviceMap, HostGroup
from sanstone.model.network import FcInterface, Interface, IpInterface
from sanstone.model.svm import ProtocolService, Svm
from sanstone.model.volumes import ThinDevice


class Lun(ThinDevice, Base):
    """A LUN; `serial_number` is what hosts see in VPD page 0x80.

    `unmap` lets hosts return unused blocks (LIO's emulate_tpu). `number` is its LUN in every portal
    group of its target; hosts see the map's number instead.
    """

    __tablename__ = "lun"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "storage/luns"
    listed_in = "luns"

    serial_number: Mapped[str] = mapped_column(unique=True, default=names.lun_serial)
    number: Mapped[int] = mapped_column(
        unique=True, default=expression("(SELECT coalesce(max(number), 0) + 1 FROM lun)")
    )
    unmap: Mapped[bool] = mapped_column(default=True)
    maps: Mapped[list[LunMap]] = relationship(back_populates="lun")
    attributes: Mapped[list[LunAttribute]] = relationship(
        back_populates="lun", order_by="LunAttribute.name"
    )

    @property
    def mappings(self) -> Sequence[LunMap]:
        """Return the rows that map the LUN."""
        return self.maps

    def bound_to_kind(self, sector_size: int) -> str:
        """Return the property that no namespace can have."""
        return "attributes" if self.attributes else ""

    def shed(self, change: Change, heir: str) -> None:
        """Delete the attributes, and order the removal of the saved reservations."""
        self._delete_attributes(change)
        order = {"kind": RESERVATIONS, "owner": heir, "data": {"serial": self.serial_number}}
        change.add(Removal(node_uuid=self.node_uuid, **order))

    def release(self, change: Change) -> None:
        """Delete the row with its attributes, and order the destruction of its thin device."""
        self._delete_attributes(change)
        super().release(change)

    def _delete_attributes(self, change: Change) -> None:
        for attribute in list(self.attributes):
            change.delete(attribute)

    def leftover(self) -> Removal:
        """Return the removal of the thin device and of the saved reservations."""
        removal = super().leftover()
        removal.data = removal.data | {"serial": self.serial_number}
        return removal


leave_uncounted(Lun.kind, "used")


class LunAttribute(Owned, Base):
    """A text that a client keeps with a LUN."""

    __tablename__ = "lun_attribute"
    kind = Lun.kind
    is_part = True

    lun_uuid: Mapped[str] = mapped_column(ForeignKey("lun.uuid"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]
    lun: Mapped[Lun] = relationship(back_populates="attributes")

    @property
    def key(self) -> str:
        """Return the LUN's key: the LUN is the owner of its attributes."""
        return self.lun_uuid


class IgroupNesting(Owned, Base):
    """An igroup (`child_uuid`) in another."""

    __tablename__ = "igroup_nesting"
    kind = "protocols/san/igroups"
    is_part = True

    igroup_uuid: Mapped[str] = mapped_column(ForeignKey("igroup.uuid"), primary_key=True)
    child_uuid: Mapped[str] = mapped_column(ForeignKey("igroup.uuid"), primary_key=True)
    igroup: Mapped[Igroup] = relationship(foreign_keys=[igroup_uuid])
    child: Mapped[Igroup] = relationship(foreign_keys=[child_uuid], lazy="joined", innerjoin=True)

    @property
    def key(self) -> str:
        """Return the key of the outer igroup."""
        return self.igroup_uuid


class Igroup(HostGroup, Base):
    """An initiator group; `protocol` is iscsi, fcp, srp or mixed."""

    __tablename__ = "igroup"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "protocols/san/igroups"
    hosts_in = "initiators"

    protocol: Mapped[str] = mapped_column(default="mixed")
    portset_uuid: Mapped[str | None] = mapped_column(ForeignKey("portset.uuid"), index=True)
    portset: Mapped[Portset | None] = relationship(back_populates="igroups")
    initiators: Mapped[list[IgroupInitiator]] = relationship(
        back_populates="igroup", order_by="IgroupInitiator.name"
    )
    maps: Mapped[list[LunMap]] = relationship(back_populates="igroup")
    children: Mapped[list[Igroup]] = relationship(
        secondary=IgroupNesting.__table__,
        primaryjoin=lambda: Igroup.uuid == IgroupNesting.igroup_uuid,
        secondaryjoin=lambda: Igroup.uuid == IgroupNesting.child_uuid,
        viewonly=True,
        order_by=lambda: Igroup.name,
    )
    parents: Mapped[list[Igroup]] = relationship(
        secondary=IgroupNesting.__table__,
        primaryjoin=lambda: Igroup.uuid == IgroupNesting.child_uuid,
        secondaryjoin=lambda: Igroup.uuid == IgroupNesting.igroup_uuid,
        viewonly=True,
        order_by=lambda: Igroup.name,
    )

    @property
    def members(self) -> list[IgroupInitiator]:
        """Return its initiators and those of the igroups in it."""
        below = (member for child in self.children for member in child.members)
        return [*self.initiators, *below]

    def dissolve(self, change: Change) -> None:
        """Delete the igroup with its maps and initiators; igroups in it stay."""
        nested = or_(IgroupNesting.igroup_uuid == self.uuid, IgroupNesting.child_uuid == self.uuid)
        for nesting in change.session.scalars(select(IgroupNesting).where(nested)).all():
            change.delete(nesting)
        super().dissolve(change)


class IgroupInitiator(Owned, Base):
    """An initiator of an igroup."""

    __tablename__ = "igroup_initiator"
    kind = "protocols/san/igroups"
    is_part = True

    igroup_uuid: Mapped[str] = mapped_column(ForeignKey("igroup.uuid"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    comment: Mapped[str] = mapped_column(default="")
    igroup: Mapped[Igroup] = relationship(back_populates="initiators")

    @property
    def key(self) -> str:
        """Return the igroup's key: plan steps name the igroup as the owner of its initiators."""
        return self.igroup_uuid


class LunMap(DeviceMap, Base):
    """A LUN mapped to an igroup under `logical_unit_number` (0…4095)."""

    __tablename__ = "lun_map"
    __table_args__ = (UniqueConstraint("igroup_uuid", "logical_unit_number"),)
    kind = "protocols/san/lun-maps"
    device_name, group_name, number_name = "lun", "igroup", "logical_unit_number"
    keyed_by = ("device_uuid", "group_uuid")

    lun_uuid: Mapped[str] = mapped_column(ForeignKey("lun.uuid"), primary_key=True)
    igroup_uuid: Mapped[str] = mapped_column(ForeignKey("igroup.uuid"), primary_key=True)
    logical_unit_number: Mapped[int]
    lun: Mapped[Lun] = relationship(back_populates="maps", lazy="joined", innerjoin=True)
    igroup: Mapped[Igroup] = relationship(back_populates="maps")


class Portset(Owned, Identified, Base):
    """A set of LIFs of an SVM; `protocol` is iscsi, fcp, srp or mixed."""

    __tablename__ = "portset"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "protocols/san/portsets"

    name: Mapped[str]
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    protocol: Mapped[str] = mapped_column(default="mixed")
    svm: Mapped[Svm] = relationship()
    members: Mapped[list[PortsetInterface]] = relationship(
        back_populates="portset", order_by="PortsetInterface.interface_uuid"
    )
    igroups: Mapped[list[Igroup]] = relationship(back_populates="portset")


class PortsetInterface(Owned, Base):
    """An interface in a portset: a LIF or a Fibre Channel interface, by its UUID."""

    __tablename__ = "portset_interface"
    kind = Portset.kind
    is_part = True

    portset_uuid: Mapped[str] = mapped_column(ForeignKey("portset.uuid"), primary_key=True)
    interface_uuid: Mapped[str] = mapped_column(primary_key=True)
    portset: Mapped[Portset] = relationship(back_populates="members")
    ip: Mapped[IpInterface | None] = relationship(
        primaryjoin=lambda: foreign(PortsetInterface.interface_uuid) == IpInterface.uuid,
        lazy="joined",
        viewonly=True,
    )
    fc: Mapped[FcInterface | None] = relationship(
        primaryjoin=lambda: foreign(PortsetInterface.interface_uuid) == FcInterface.uuid,
        lazy="joined",
        viewonly=True,
    )

    @property
    def interface(self) -> Interface:
        """Return the interface."""
        interface = self.ip or self.fc
        assert interface is not None, "an interface in a portset is not deleted"
        return interface

    @property
    def key(self) -> str:
        """Return the portset's key: plan steps name the portset as the owner of its members."""
        return self.portset_uuid


DEFAULT_CREDENTIAL = "default"
"""In the place of an initiator: the credential of each that has none of its own."""


class IscsiCredential(Owned, Base):
    """Authentication of one initiator, or of all others when `initiator` is `default`.

    `authentication_type` is none, chap or deny. Inbound authenticates the initiator, outbound the
    target.
    """

    __tablename__ = "iscsi_credential"
    kind = "protocols/san/iscsi/credentials"

    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    initiator: Mapped[str] = mapped_column(primary_key=True)
    authentication_type: Mapped[str] = mapped_column(default="none")
    inbound_user: Mapped[str] = mapped_column(default="")
    inbound_password: Mapped[str | None] = mapped_column(Secret)
    outbound_user: Mapped[str] = mapped_column(default="")
    outbound_password: Mapped[str | None] = mapped_column(Secret)
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return `<svm uuid>/<initiator>`."""
        return f"{self.svm_uuid}/{self.initiator}"


class IscsiService(ProtocolService, Base):
    """The iSCSI service of an SVM; `target_name` is the target's IQN."""

    __tablename__ = "iscsi_service"
    kind = "protocols/san/iscsi/services"
    protocol = "iscsi"

    target_name: Mapped[str] = mapped_column(unique=True)
    target_alias: Mapped[str] = mapped_column(default="")

    @property
    def target(self) -> str:
        """Return the IQN."""
        return self.target_name


class IsnsRegistration(Owned, Base):
    """At which iSNS server an SVM's iSCSI target is registered, while `enabled`."""

    __tablename__ = "isns_registration"
    kind = "protocols/san/iscsi/isns"

    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    address: Mapped[str]
    enabled: Mapped[bool] = mapped_column(default=True)
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return the SVM's UUID."""
        return self.svm_uuid


leave_uncounted(IsnsRegistration.kind, "until")


class FcpService(ProtocolService, Base):
    """The Fibre Channel service of an SVM."""

    __tablename__ = "fcp_service"
    kind = "protocols/san/fcp/services"
    protocol = "fcp"


class SrpService(ProtocolService, Base):
    """The SRP service of an SVM."""

    __tablename__ = "srp_service"
    kind = "protocols/san/srp/services"
    protocol = "srp"


class WwpnAlias(Owned, Base):
    """A name for an initiator's WWPN, by which igroups of the SVM may be given it."""

    __tablename__ = "wwpn_alias"
    kind = "network/fc/wwpn-aliases"

    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    alias: Mapped[str] = mapped_column(primary_key=True)
    wwpn: Mapped[str]
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return `<svm uuid>/<alias>`."""
        return f"{self.svm_uuid}/{self.alias}"
