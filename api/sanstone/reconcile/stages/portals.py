"""Portals: a LIF and a protocol that is served at its address."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass

from sanstone.model.network import IpInterface
from sanstone.protocols import PROTOCOLS, Protocol
from sanstone.reconcile.stages import network
from sanstone.reconcile.turn import Turn


@dataclass(frozen=True)
class Portal:
    """A LIF at which a protocol is served."""

    lif: IpInterface
    protocol: Protocol

    @property
    def family(self) -> str:
        """Return ipv4 or ipv6."""
        return f"ipv{ipaddress.ip_address(self.lif.address).version}"


def of_family(turn: Turn, family: str) -> Iterator[Portal]:
    """Return the portals of a family (`nvme`, `scsi`) at LIFs of running SVMs that allow it."""
    for lif in network.interfaces(turn):
        for protocol in PROTOCOLS:
            if (
                protocol.family == family
                and protocol.service in lif.services
                and lif.svm is not None
                and lif.svm.allows(protocol.allowed_by)
                and network.wants_address(lif)
            ):
                yield Portal(lif, protocol)
