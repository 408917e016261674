"""The transports over which hosts reach their devices: one file each, found by itself.

A transport is facts, not code. What the drivers of the two kernel targets need to know of it, and
what a LIF must offer and an SVM allow for it to be served, stands in one `Protocol`; the target of
its family (`scsi` is LIO, `nvme` is nvmet) serves it with no case distinction by name. A new file
here with a constant `PROTOCOL` adds a transport:

    PROTOCOL = Protocol(name="nvme_rdma", family="nvme", kernel_name="rdma", …)

Ports: IANA gave 3260 to iSCSI, 4420 to NVMe over Fabrics I/O (TCP and RDMA alike) and 8009 to
NVMe/TCP discovery; a host told no port tries these. RDMA has a space of ports of its own, so that
TCP's and RDMA's stand side by side.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Protocol:
    """The facts of one transport.

    `addressing` says what its endpoints are: IP addresses with a port, to which hosts log in by IQN
    or EUI, or ports with world wide names. The layout of the target in configfs follows from it.

    `name` identifies it; `called` is its name in the REST API, where that is another, because hosts
    see no difference between drivers. `service` is what an interface that has it offers: a service
    of LIFs, or the data protocol of Fibre Channel interfaces. `policies` are the service policies
    that hold it, `allowed_by` is the SVM's switch (`<allowed_by>.allowed`).
    `kernel_name` is LIO's fabric or nvmet's `addr_trtype`. `port` is the port of I/O where hosts
    reach it at IP addresses, `discovery_port` that of discovery where it has one of its own,
    `announced` DNS-SD's type of service by which hosts find that, '' where they cannot.
    `modules` are the kernel modules that must be loaded before configfs takes its folders.

    `rdma` is whether it goes over RDMA: LIFs offer it where they are told to, by the same `service`
    as the transport over TCP. `beside` names the transport whose endpoints serve it too, where it
    has none of its own.

    `drivers` are those of the adapters' ports by which it is served, as `kernel.network.fc` names
    them. The modules of such a transport are loaded with the first of these ports.

    For LIO alone: `connections` is what the kernel calls its connections, in lower case. Of a
    fabric of ports,
    `target_name` and `initiator_name` spell a world wide name in configfs (`{name}` is 20:00:…,
    `{digits}` its 16 digits), `has_enable` is whether portal groups have an `enable`, and
    `group_attributes` are their attributes: name, the kernel's value in a new one, ours.
    """

    name: str
    family: Literal["scsi", "nvme"]
    service: str
    allowed_by: str
    kernel_name: str
    addressing: Literal["ip", "wwn"]
    modules: tuple[str, ...]
    called: str = ""
    policies: tuple[str, ...] = ()
    drivers: tuple[str, ...] = ()
    port: int | None = None
    discovery_port: int | None = None
    announced: str = ""
    rdma: bool = False
    beside: str = ""
    connections: str = ""
    target_name: str = "{name}"
    initiator_name: str = "{name}"
    has_enable: bool = True
    group_attributes: tuple[tuple[str, str, str], ...] = ()

    @property
    def public_name(self) -> str:
        """Return its name in the REST API."""
        return self.called or self.name

    def admits(self, initiator: str) -> bool:
        """Return whether initiators of such a name, an IQN, EUI or WWPN, reach LUNs over it."""
        is_iscsi_name = initiator.startswith(("iqn.", "eui."))
        return self.family == "scsi" and is_iscsi_name == (self.addressing == "ip")


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


def offered(services: Collection[str], *, rdma: bool) -> list[Protocol]:
    """Return the transports that some services offer, those over RDMA if that is wanted."""
    return [each for each in PROTOCOLS if each.service in services and (rdma or not each.rdma)]


def served_by(drivers: Collection[str]) -> list[Protocol]:
    """Return the transports that are served by a port with these drivers."""
    return [protocol for protocol in PROTOCOLS if set(protocol.drivers) & set(drivers)]
