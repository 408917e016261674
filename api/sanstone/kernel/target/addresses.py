"""Addresses of endpoints: an IP address with a port number, or the name of a port.

Those of NVMe render themselves as nvmet takes them (`addr_adrfam`, `addr_traddr`, `addr_trsvcid`;
names of Fibre Channel as nvme_fc_parse_traddr() in drivers/nvme/target/fc.c parses them).
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass


@dataclass(frozen=True)
class InternetAddress:
    """An IP address, without brackets, and a port number."""

    ip: str
    port: int

    @property
    def family(self) -> str:
        """Return the address family (`addr_adrfam`): ipv4 or ipv6."""
        return f"ipv{ipaddress.ip_address(self.ip).version}"

    @property
    def transport_address(self) -> str:
        """Return the transport address (`addr_traddr`)."""
        return self.ip

    @property
    def service(self) -> str:
        """Return the transport service identifier (`addr_trsvcid`)."""
        return str(self.port)


@dataclass(frozen=True)
class WorldWideName:
    """The world wide names of a node and of its port (WWNN, WWPN), as 20:00:….

    Of a virtual port (NPIV) `base` is the name of the port that it is at.
    """

    node: str
    port: str
    base: str = ""

    @property
    def family(self) -> str:
        """Return the address family (`addr_adrfam`)."""
        return "fc"

    @property
    def transport_address(self) -> str:
        """Return the transport address (`addr_traddr`)."""
        return f"nn-0x{self.node.replace(':', '')}:pn-0x{self.port.replace(':', '')}"

    @property
    def service(self) -> str:
        """Return the transport service identifier (`addr_trsvcid`)."""
        return "none"


@dataclass(frozen=True)
class RdmaPortName:
    """The first address (GID) of a port of an RDMA device, as fe80:0000:…, 32 digits."""

    port: str


NvmeAddress = InternetAddress | WorldWideName
Address = NvmeAddress | RdmaPortName
