"""The service policies of LIFs, all built in: each transport says which of them offer it.

A policy offers services; a LIF offers the transports of its policy's services, those over RDMA only
where it is told to.
"""

from __future__ import annotations

from sanstone import protocols
from sanstone.model.network import Interface, IpInterface
from sanstone.protocols import PROTOCOLS, Protocol

DEFAULT_POLICY, MANAGEMENT_POLICY = "default-data-blocks", "default-management"
SNMP_SERVICE = "management_snmp_server"
_OF_DATA = {
    policy: ("data_core", *(p.service for p in PROTOCOLS if policy in p.policies))
    for policy in (DEFAULT_POLICY, *(name for p in PROTOCOLS for name in p.policies))
}
SERVICE_POLICIES = _OF_DATA | {
    "default-data-files": ("data_core",),
    MANAGEMENT_POLICY: (
        "management_core",
        "management_https",
        "management_ssh",
        SNMP_SERVICE,
    ),
}
"""By policy: the services that it offers."""


def services(interface: Interface) -> tuple[str, ...]:
    """Return what an interface offers: its data protocol, or the services of its policy.

    There are none for what is no policy.
    """
    if isinstance(interface, IpInterface):
        return SERVICE_POLICIES.get(interface.service_policy, ())
    return (interface.data_protocol,)


def of_policy(name: str, rdma: str) -> list[Protocol]:
    """Return the transports that LIFs of a policy offer with a kind of RDMA, '' for none."""
    return protocols.offered(SERVICE_POLICIES.get(name, ()), rdma)


def transports(interface: Interface) -> list[Protocol]:
    """Return the transports that an interface offers."""
    if isinstance(interface, IpInterface):
        return protocols.offered(services(interface), interface.rdma)
    offered = protocols.offered(services(interface), "")
    return [each for each in offered if bool(each.virtual_of) == interface.is_virtual]
