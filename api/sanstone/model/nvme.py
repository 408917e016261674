"""Namespaces, and the subsystems through which hosts reach them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core import names
from sanstone.core.database.change import Owned
from sanstone.core.database.store import Base, Secret
from sanstone.core.observed import leave_uncounted
from sanstone.model.host_groups import DeviceMap, HostGroup
from sanstone.model.svm import ProtocolService
from sanstone.model.volumes import ThinDevice

LUN_BLOCK = 512
"""The bytes of a LUN's logical block, and the fewest of a namespace's, unless a sector of the
aggregate is larger."""
USUAL_BLOCK = 4096
"""The bytes of a namespace's logical block unless another size is given or needed."""
ONLY_BLOCK = {"vmware": LUN_BLOCK}
"""By os_type: the bytes of the only logical block that its hosts can use: ESXi's are of 512 bytes.

So ONTAP's namespaces have them by default, too (`space.block_size` in its REST reference).
"""


class Namespace(ThinDevice, Base):
    """A namespace; `block_size` in bytes is the logical block that hosts see."""

    __tablename__ = "namespace"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "storage/namespaces"
    listed_in = "namespaces"

    block_size: Mapped[int] = mapped_column(default=USUAL_BLOCK)
    map: Mapped[SubsystemMap | None] = relationship(back_populates="namespace")

    @property
    def mappings(self) -> Sequence[SubsystemMap]:
        """Return the row that maps the namespace, if there is one."""
        return [self.map] if self.map else []

    def bound_to_kind(self, sector_size: int) -> str:
        """Return the property that no LUN can have: hosts would look for partitions elsewhere."""
        return "" if self.block_size == sector_size else f"blocks of {self.block_size} bytes"


leave_uncounted(Namespace.kind, "used")


class Subsystem(HostGroup, Base):
    """An NVMe subsystem; `serial_number` has 20 characters, `target_nqn` never changes."""

    __tablename__ = "subsystem"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "protocols/nvme/subsystems"
    observed_below = ("protocols/nvme/subsystem-controllers",)
    hosts_in = "hosts"

    serial_number: Mapped[str] = mapped_column(unique=True, default=names.subsystem_serial)
    target_nqn: Mapped[str] = mapped_column(unique=True)
    hosts: Mapped[list[SubsystemHost]] = relationship(
        back_populates="subsystem", order_by="SubsystemHost.nqn"
    )
    maps: Mapped[list[SubsystemMap]] = relationship(
        back_populates="subsystem", order_by="SubsystemMap.nsid"
    )


class SubsystemHost(Owned, Base):
    """A host allowed to connect, with its DH-HMAC-CHAP secrets and its TLS key ('' for none).

    A host with a TLS key is let in by TLS alone. The key is for this subsystem, so a host may have
    others elsewhere, or none.

    `priority` is stored for clients; nvmet gives every host as many queues as it requests.
    """

    __tablename__ = "subsystem_host"
    kind = "protocols/nvme/subsystems"
    is_part = True

    subsystem_uuid: Mapped[str] = mapped_column(ForeignKey("subsystem.uuid"), primary_key=True)
    nqn: Mapped[str] = mapped_column(primary_key=True)
    host_secret: Mapped[str | None] = mapped_column(Secret)
    controller_secret: Mapped[str | None] = mapped_column(Secret)
    hash_function: Mapped[str] = mapped_column(default="sha_256")
    group_size: Mapped[str] = mapped_column(default="none")
    priority: Mapped[str] = mapped_column(default="regular")
    tls_psk: Mapped[str | None] = mapped_column(Secret)
    subsystem: Mapped[Subsystem] = relationship(back_populates="hosts")

    @property
    def key(self) -> str:
        """Return the subsystem's key: plan steps name the subsystem as the owner of its hosts."""
        return self.subsystem_uuid

    @property
    def keys(self) -> Keys:
        """Return the host's secrets and how they are used."""
        return Keys(
            self.host_secret or "",
            self.controller_secret or "",
            self.hash_function,
            self.group_size,
        )

    @property
    def tls_key_type(self) -> str:
        """Return where its TLS key comes from: none, or configured by an administrator."""
        return "configured" if self.tls_psk else "none"

    @property
    def mode(self) -> str:
        """Return the sides that authenticate: none, the host, or both."""
        if not self.host_secret:
            return "none"
        return "bidirectional" if self.controller_secret else "unidirectional"


class Keys(NamedTuple):
    """DH-HMAC-CHAP of a host: columns of `SubsystemHost`."""

    host_secret: str
    controller_secret: str
    hash_function: str
    group_size: str


class SubsystemMap(DeviceMap, Base):
    """A namespace in a subsystem; one namespace is in at most one (ONTAP's rule and ours).

    `ana_group` is the number of the node that is home to its aggregate, so that hosts find it in
    the same group whichever node owns that.
    """

    __tablename__ = "subsystem_map"
    __table_args__ = (UniqueConstraint("subsystem_uuid", "nsid"),)
    kind = "protocols/nvme/subsystem-maps"
    device_name, group_name, number_name = "namespace", "subsystem", "nsid"
    keyed_by = ("group_uuid", "device_uuid")

    namespace_uuid: Mapped[str] = mapped_column(ForeignKey("namespace.uuid"), primary_key=True)
    subsystem_uuid: Mapped[str] = mapped_column(ForeignKey("subsystem.uuid"), index=True)
    nsid: Mapped[int]
    ana_group: Mapped[int]
    namespace: Mapped[Namespace] = relationship(back_populates="map", lazy="joined", innerjoin=True)
    subsystem: Mapped[Subsystem] = relationship(back_populates="maps")

    @property
    def shown_nsid(self) -> str:
        """Return the namespace id as ONTAP shows it, eight hexadecimal digits and an h."""
        return f"{self.nsid:08x}h"

    @property
    def shown_ana_group(self) -> str:
        """Return the ANA group id, likewise."""
        return f"{self.ana_group:08x}h"


class NvmeService(ProtocolService, Base):
    """The NVMe service of an SVM, and whether hosts find its LIFs by multicast DNS."""

    __tablename__ = "nvme_service"
    kind = "protocols/nvme/services"
    protocol = "nvme"

    mdns_service_discovery_enabled: Mapped[bool] = mapped_column(default=True)
