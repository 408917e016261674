"""The transports over which hosts reach their devices: one file each, found by itself.

A transport is facts, not code. What the drivers of the two kernel targets need to know of it, and
what a LIF must offer and an SVM allow for it to be served, stands in one `Protocol`; the target of
its family (`scsi` is LIO, `nvme` is nvmet) serves it with no case distinction by name. A new file
here with a constant `PROTOCOL` adds a transport:

    PROTOCOL = Protocol(name="nvme_rdma", family="nvme", kernel_name="rdma", …)

Ports: IANA gave 3260 to iSCSI, 4420 to NVMe over Fabrics I/O (TCP and RDMA alike) and 8009 to
NVMe/TCP discovery; a host without a configured port tries these. RoCE has a space of ports of its
own, so that TCP's and RDMA's stand side by side. iWARP is TCP: at a port and an address there is
one of them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Addressing = Literal["ip", "wwn", "gid"]
ROCE, IWARP = "roce", "iwarp"
"""Kinds of RDMA: over Converged Ethernet, version 2, which is over UDP; and over TCP (RFC 5040)."""


def addressing_of(initiator: str) -> Addressing:
    """Return the addressing for an initiator's name: IQN or EUI, WWPN, or SRP's 0x… identifier."""
    if initiator.startswith(("iqn.", "eui.")):
        return "ip"
    return "gid" if initiator.startswith("0x") else "wwn"


@dataclass(frozen=True)
class Protocol:
    """The facts of one transport.

    `addressing` says what its endpoints are, and how hosts call themselves there: IP addresses with
    a port, to which they log in by IQN or EUI; ports with world wide names (`wwn`); or ports of
    RDMA devices (`gid`), to which they log in by an identifier of 16 bytes, though they connect to
    an IP address. The layout of the target in configfs follows from it.

    `name` identifies it; `called` is its name in the REST API, where that is another, because hosts
    see no difference between drivers. `service` is what an interface that has it offers: a service
    of LIFs, or the data protocol of Fibre Channel interfaces. `policies` are the service policies
    that hold it, `allowed_by` is the SVM's switch (`<allowed_by>.allowed`).
    `kernel_name` is LIO's fabric or nvmet's `addr_trtype`. `port` is the port of I/O where hosts
    reach it at IP addresses, `discovery_port` that of discovery where it has one of its own,
    `announced` DNS-SD's type of service by which hosts find that, '' where they cannot.
    `modules` are the kernel modules that must be loaded before configfs takes its folders.

    `rdma` is by which kinds of RDMA it goes, if it does: LIFs offer it where they use
    one of these, by the same `service` as the transport over TCP where there is one. `beside` names
    the transport with endpoints that serve it too, where it has none of its own.

    `virtual_of` names the transport by which an adapter's own port is served, where this one is for
    the virtual ports (NPIV) at it.

    `drivers` are those of the adapters' ports by which it is served, as `kernel.network.fc` names
    them. The modules of such a transport are loaded with the first of these ports.

    For LIO alone: `connections` is what the kernel calls its connections, in lower case. Of a
    fabric of ports, `target_name` and `initiator_name` spell a port's name in configfs (`{name}` is
    20:00:…, `{digits}` its digits, `{base}` the name of the port that a virtual one is at, and
    `{node_digits}` the digits of its node's name), `has_enable` is whether portal groups have an
    `enable`, `fabric_attributes` are attributes of the fabric as a whole, and `group_attributes`
    those of its portal groups: name, the kernel's value at first, ours.
    """

    name: str
    family: Literal["scsi", "nvme"]
    service: str
    allowed_by: str
    kernel_name: str
    addressing: Addressing
    modules: tuple[str, ...]
    called: str = ""
    policies: tuple[str, ...] = ()
    drivers: tuple[str, ...] = ()
    port: int | None = None
    discovery_port: int | None = None
    announced: str = ""
    rdma: tuple[str, ...] = ()
    beside: str = ""
    virtual_of: str = ""
    connections: str = ""
    target_name: str = "{name}"
    initiator_name: str = "{name}"
    has_enable: bool = True
    fabric_attributes: tuple[tuple[str, str, str], ...] = ()
    group_attributes: tuple[tuple[str, str, str], ...] = ()

    @property
    def public_name(self) -> str:
        """Return its name in the REST API."""
        return self.called or self.name

    def admits(self, initiator: str) -> bool:
        """Return whether initiators of such a name reach LUNs over it."""
        return self.family == "scsi" and addressing_of(initiator) == self.addressing


def _discover() -> tuple[Protocol, ...]:
    modules = (
        importlib.import_module(f"{__name__}.{info.name}")
        for info in pkgutil.iter_modules(__path__)
    )
    return tuple(
        sorted((module.PROTOCOL for module in modules), key=lambda protocol: protocol.name)
    )


PROTOCOLS = _discover()


def named(name: str) -> Protocol | None:
    """Return the transport of a name, None where this release has none such."""
    return next((protocol for protocol in PROTOCOLS if protocol.name == name), None)


def offered(services: Collection[str], rdma: str) -> list[Protocol]:
    """Return the transports that some services offer, and those over a kind of RDMA, '' for none.

    What iWARP serves takes the place of what TCP would serve at the same port.
    """
    of_services = [each for each in PROTOCOLS if each.service in services]
    over_rdma = [each for each in of_services if rdma in each.rdma]
    taken = {each.port for each in over_rdma} if rdma == IWARP else set()
    return [
        each
        for each in of_services
        if each in over_rdma or not (each.rdma or (each.port and each.port in taken))
    ]


def served_by(drivers: Collection[str]) -> list[Protocol]:
    """Return the transports that are served by a port with these drivers."""
    return [protocol for protocol in PROTOCOLS if set(protocol.drivers) & set(drivers)]
