"""Ports as they shall be, interfaces with their endpoints, and routes.

There are two kinds of interfaces: a LIF is an IP address on an Ethernet port, a Fibre Channel
interface is a port of an adapter. Both have endpoints.
"""

from __future__ import annotations

import ipaddress
from typing import Any, cast

from sqlalchemy import JSON, ColumnElement, ForeignKey, UniqueConstraint
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.database.change import Owned
from sanstone.core.database.store import Base, Identified
from sanstone.model.observations import FC_LOGINS, SRP_SESSIONS
from sanstone.model.svm import Svm


class EthernetPort(Owned, Base):
    """The desired state of a port. `mtu` in bytes; None takes that of the port below, or `MTU`.

    Of a LAG `lag_mode` and `lag_policy` are ONTAP's words, of a VLAN `tag` is 1…4094.
    """

    __tablename__ = "ethernet_port"
    kind = "network/ethernet/ports"

    name: Mapped[str] = mapped_column(primary_key=True)
    type: Mapped[str]
    enabled: Mapped[bool] = mapped_column(default=True)
    mtu: Mapped[int | None]
    lag_mode: Mapped[str | None]
    lag_policy: Mapped[str | None]
    base_port: Mapped[str | None]
    tag: Mapped[int | None]
    members: Mapped[list[LagMember]] = relationship(order_by="LagMember.port")

    @property
    def key(self) -> str:
        """Return the name, under which the port is observed too."""
        return self.name

    @property
    def member_names(self) -> tuple[str, ...]:
        """Return the names of a LAG's members."""
        return tuple(member.port for member in self.members)


class LagMember(Owned, Base):
    """A port that is in a LAG."""

    __tablename__ = "lag_member"
    kind = EthernetPort.kind
    is_part = True

    port: Mapped[str] = mapped_column(primary_key=True)
    lag: Mapped[str] = mapped_column(ForeignKey("ethernet_port.name"))

    @property
    def key(self) -> str:
        """Return the LAG's key: plan steps name the LAG as the owner of its members."""
        return self.lag


HOME_PORT_ONLY = "home_port_only"
"""The failover policy of a LIF that stays at its port."""


class ServicePolicy(Owned, Identified, Base):
    """A service policy that a user created: the services of LIFs that have it.

    Without an SVM it is for LIFs of the array's management. Those that are built in have no rows.
    """

    __tablename__ = "service_policy"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "network/ip/service-policies"

    name: Mapped[str]
    svm_uuid: Mapped[str | None] = mapped_column(ForeignKey("svm.uuid"))
    services: Mapped[list[str]] = mapped_column(JSON, default=list)
    svm: Mapped[Svm | None] = relationship()
    interfaces: Mapped[list[IpInterface]] = relationship(
        order_by="IpInterface.name", viewonly=True, back_populates="custom_policy"
    )


def _port_of(context: DefaultExecutionContext) -> str:
    """Return the port of a LIF that is added.

    So is one at home that a job of a release brings back in which all were.
    """
    values = context.current_parameters
    assert values is not None, "only a row that is written needs a default"
    return str(values["port"])


class IpInterface(Owned, Identified, Base):
    """A LIF; one without an SVM serves management.

    It is on the node `node_uuid` and its `port` now, and at home on `home_node_uuid` and
    `home_port`. `failover` tells where it may go when its port is dead, in ONTAP's words (see
    `rules/network/failover.py`). Where it `failed_over` it goes home by itself if it has
    `auto_revert`; where somebody moved it, it stays.

    `service_policy` names a policy that is built in; '' where it has a `custom_policy`.

    `rdma` is the kind of RDMA over which it serves transports too: "roce", "iwarp", or '' for none.
    """

    __tablename__ = "ip_interface"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "network/ip/interfaces"
    observed_below = (SRP_SESSIONS,)

    name: Mapped[str]
    home_node_uuid: Mapped[str]
    node_uuid: Mapped[str]
    svm_uuid: Mapped[str | None] = mapped_column(ForeignKey("svm.uuid"))
    address: Mapped[str] = mapped_column(unique=True)
    prefix_length: Mapped[int]
    home_port: Mapped[str] = mapped_column(default=_port_of)
    port: Mapped[str]
    failover: Mapped[str] = mapped_column(default=HOME_PORT_ONLY)
    failed_over: Mapped[bool] = mapped_column(default=False)
    service_policy: Mapped[str]
    custom_policy_uuid: Mapped[str | None] = mapped_column(ForeignKey("service_policy.uuid"))
    enabled: Mapped[bool] = mapped_column(default=True)
    auto_revert: Mapped[bool] = mapped_column(default=True)
    rdma: Mapped[str] = mapped_column(default="")
    svm: Mapped[Svm | None] = relationship()
    custom_policy: Mapped[ServicePolicy | None] = relationship(
        lazy="joined", back_populates="interfaces"
    )
    endpoints: Mapped[list[IpEndpoint]] = relationship(
        order_by="IpEndpoint.id", viewonly=True, back_populates="interface"
    )

    @classmethod
    def owning_node(cls, row: Any) -> ColumnElement[str]:
        """Return the node that it is on."""
        return cast(ColumnElement[str], row.node_uuid)

    @property
    def is_home(self) -> bool:
        """Return whether it is at its home port."""
        return self.port == self.home_port

    @property
    def policy_name(self) -> str:
        """Return the name of its service policy."""
        return self.custom_policy.name if self.custom_policy else self.service_policy


FCP, FC_NVME = "fcp", "fc_nvme"
"""Data protocols of Fibre Channel interfaces."""


class FcInterface(Owned, Identified, Base):
    """A Fibre Channel interface: a port of an adapter that serves an SVM by one data protocol.

    `wwpn` is the world wide name that hosts see, 20:00:…: the port's own, or that of a virtual port
    (NPIV). Then `port_wwpn` is the name of the port that it is at, else ''. `data_protocol` is fcp
    or fc_nvme. It is on the node `node_uuid`, its home.
    """

    __tablename__ = "fc_interface"
    __table_args__ = (
        UniqueConstraint("svm_uuid", "name"),
        UniqueConstraint("wwpn", "data_protocol"),
    )
    kind = "network/fc/interfaces"
    observed_below = (FC_LOGINS,)

    name: Mapped[str]
    home_node_uuid: Mapped[str]
    node_uuid: Mapped[str]
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    wwpn: Mapped[str]
    port_wwpn: Mapped[str] = mapped_column(default="")
    data_protocol: Mapped[str]
    comment: Mapped[str] = mapped_column(default="")
    enabled: Mapped[bool] = mapped_column(default=True)
    svm: Mapped[Svm] = relationship()
    endpoints: Mapped[list[FcEndpoint]] = relationship(
        order_by="FcEndpoint.id", viewonly=True, back_populates="interface"
    )

    @classmethod
    def owning_node(cls, row: Any) -> ColumnElement[str]:
        """Return the node that it is on."""
        return cast(ColumnElement[str], row.node_uuid)

    @property
    def is_virtual(self) -> bool:
        """Return whether it is a virtual port."""
        return bool(self.port_wwpn)

    @property
    def port(self) -> str:
        """Return the name of the adapter's port that it is, or is at."""
        return self.port_wwpn or self.wwpn


Interface = IpInterface | FcInterface


class Endpoint(Owned):
    """Where hosts reach a transport (`protocol`) on a node: an interface, at the transport's port.

    `id` is what the kernel's target for the transport's `family` knows it by, and hosts see it: the
    port id of nvmet; in LIO the tag of the portal group and the relative target port identifier. It
    is unique there and never reused; all three are 16 bits wide (drivers/nvme/target/configfs.c,
    RFC 7143, 4.4.1; core_tpg_rtpi_store() in drivers/target).
    """

    is_part = True

    node_uuid: Mapped[str] = mapped_column(primary_key=True)
    family: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    protocol: Mapped[str]
    interface_uuid: Mapped[str]

    @property
    def key(self) -> str:
        """Return the interface's key: plan steps name that as the owner of its endpoints."""
        return self.interface_uuid


class IpEndpoint(Endpoint, Base):
    """An endpoint of a LIF.

    Up to release 0.1.0 all endpoints of a LIF had the same id, so that one of each family may have
    it.
    """

    __tablename__ = "endpoint"
    __table_args__ = (UniqueConstraint("interface_uuid", "protocol"),)
    kind = IpInterface.kind

    # A job of a release without endpoints that is taken back deletes the LIF alone.
    interface_uuid: Mapped[str] = mapped_column(ForeignKey("ip_interface.uuid", ondelete="CASCADE"))
    interface: Mapped[IpInterface] = relationship(back_populates="endpoints")


class FcEndpoint(Endpoint, Base):
    """An endpoint of a Fibre Channel interface."""

    __tablename__ = "fc_endpoint"
    __table_args__ = (UniqueConstraint("interface_uuid", "protocol"),)
    kind = FcInterface.kind

    interface_uuid: Mapped[str] = mapped_column(ForeignKey("fc_interface.uuid"))
    interface: Mapped[FcInterface] = relationship(back_populates="endpoints")


AnyEndpoint = IpEndpoint | FcEndpoint


class IpRoute(Owned, Identified, Base):
    """A route: destination network `address`/`prefix_length` over `gateway`."""

    __tablename__ = "ip_route"
    kind = "network/ip/routes"

    svm_uuid: Mapped[str | None] = mapped_column(ForeignKey("svm.uuid"))
    address: Mapped[str]
    prefix_length: Mapped[int]
    gateway: Mapped[str]
    metric: Mapped[int] = mapped_column(default=20)
    svm: Mapped[Svm | None] = relationship()

    @property
    def family(self) -> str:
        """Return ipv4 or ipv6."""
        return f"ipv{ipaddress.ip_address(self.gateway).version}"
