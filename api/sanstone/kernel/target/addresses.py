"""Where hosts reach a target: an IP address with a port, or the world wide name of a port.

Each knows how nvmet takes it (`addr_adrfam`, `addr_traddr`, `addr_trsvcid`; the names of Fibre
Channel as nvme_fc_parse_traddr() in drivers/nvme/target/fc.c reads them).
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass


@dataclass(frozen=True)
class InternetAddress:
    """An IP address, without brackets, and a port."""

    ip: str
    port: int

    @property
    def family(self) -> str:
        """Return nvmet's family of the address: ipv4 or ipv6."""
        return f"ipv{ipaddress.ip_address(self.ip).version}"

    @property
    def transport_address(self) -> str:
        """Return nvmet's transport address."""
        return self.ip

    @property
    def service(self) -> str:
        """Return nvmet's transport service."""
        return str(self.port)


@dataclass(frozen=True)
class WorldWideName:
    """The names of a node and of its port (WWNN, WWPN), as 20:00:…."""

    node: str
    port: str

    @property
    def family(self) -> str:
        """Return nvmet's family of the address."""
        return "fc"

    @property
    def transport_address(self) -> str:
        """Return nvmet's transport address."""
        return f"nn-0x{self.node.replace(':', '')}:pn-0x{self.port.replace(':', '')}"

    @property
    def service(self) -> str:
        """Return nvmet's transport service."""
        return "none"


Address = InternetAddress | WorldWideName
