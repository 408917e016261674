"""`network/ip/interfaces`: logical interfaces (LIFs), the addresses at which an array is reached."""

from __future__ import annotations

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned
from sanstone.core.store import Base, Identified
from sanstone.resources.svm import Svm

SERVICE_POLICIES = {
    "default-data-blocks": ("data_core", "data_iscsi", "data_nvme_tcp"),
    "default-data-iscsi": ("data_core", "data_iscsi"),
    "default-data-nvme-tcp": ("data_core", "data_nvme_tcp"),
    "default-data-files": ("data_core",),
    "default-management": ("management_core", "management_https", "management_ssh"),
}


class IpInterface(Owned, Identified, Base):
    """A LIF. `number` (1…32767, never reused) makes its nvmet port id and its iSCSI portal group.

    nvmet port ids are 16 bits wide and a LIF needs two, 2 * number for I/O and 2 * number + 1 for
    discovery (drivers/nvme/target/configfs.c); an iSCSI portal group tag is 16 bits (RFC 7143).
    """

    __tablename__ = "ip_interface"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "network/ip/interfaces"

    name: Mapped[str]
    number: Mapped[int] = mapped_column(unique=True)
    svm_uuid: Mapped[str | None] = mapped_column(ForeignKey("svm.uuid"))
    address: Mapped[str] = mapped_column(unique=True)
    prefix_length: Mapped[int]
    port: Mapped[str]
    service_policy: Mapped[str]
    enabled: Mapped[bool] = mapped_column(default=True)
    svm: Mapped[Svm | None] = relationship()

    @property
    def services(self) -> tuple[str, ...]:
        """Return the services of the LIF's policy."""
        return SERVICE_POLICIES[self.service_policy]
