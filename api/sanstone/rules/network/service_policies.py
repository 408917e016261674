"""The service policies of LIFs: built-in ones, and those of users.

A policy offers services; a LIF offers the transports of its policy's services, those over RDMA only
where that is switched on. Each transport says which of the built-in policies offer it.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone import protocols
from sanstone.model.network import Interface, IpInterface, ServicePolicy
from sanstone.model.svm import Svm
from sanstone.protocols import PROTOCOLS, Protocol

DEFAULT_POLICY, MANAGEMENT_POLICY = "default-data-blocks", "default-management"
RESERVED = "default-"
"""The prefix of built-in policies' names, and of no other's, as in ONTAP."""
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
"""By built-in policy: the services that it offers."""
MANAGEMENT_SERVICES = SERVICE_POLICIES[MANAGEMENT_POLICY]
"""The services that LIFs of the array's management may offer; those of SVMs may offer all."""
SERVICES = tuple(dict.fromkeys(each for offered in SERVICE_POLICIES.values() for each in offered))
"""All services of LIFs."""


@dataclass(frozen=True)
class BuiltInPolicy:
    """A built-in policy of an SVM, or of the array's management when `svm` is None."""

    svm: Svm | None
    name: str

    @property
    def uuid(self) -> str:
        """Return the identity of the policy."""
        return built_in_uuid(self.svm.uuid if self.svm else None, self.name)

    @property
    def services(self) -> Sequence[str]:
        """Return the services that it offers."""
        return SERVICE_POLICIES[self.name]


Policy = BuiltInPolicy | ServicePolicy


def built_in_uuid(svm_uuid: str | None, name: str) -> str:
    """Return the identity of a built-in policy, which follows from its SVM and its name."""
    return str(uuid.uuid5(uuid.UUID(svm_uuid) if svm_uuid else uuid.NAMESPACE_OID, name))


def policies(session: Session, *owners: Svm | None) -> list[Policy]:
    """Return the policies that LIFs of SVMs, or of the array's management for None, may have."""
    own: dict[str | None, list[Policy]] = defaultdict(list)
    for policy in session.scalars(select(ServicePolicy).order_by(ServicePolicy.name)):
        own[policy.svm_uuid].append(policy)
    all_policies: list[Policy] = []
    for svm in owners:
        names = tuple(SERVICE_POLICIES) if svm else (MANAGEMENT_POLICY,)
        all_policies += [BuiltInPolicy(svm, name) for name in names]
        all_policies += own[svm.uuid if svm else None]
    return all_policies


def services(interface: Interface) -> Sequence[str]:
    """Return the services of an interface: its data protocol, or those of its policy.

    There are none without a policy.
    """
    if isinstance(interface, IpInterface):
        if interface.custom_policy:
            return interface.custom_policy.services
        return SERVICE_POLICIES.get(interface.service_policy, ())
    return (interface.data_protocol,)


def transports(interface: Interface) -> list[Protocol]:
    """Return the transports that an interface offers."""
    if isinstance(interface, IpInterface):
        return protocols.offered(services(interface), interface.rdma)
    offered = protocols.offered(services(interface), "")
    return [each for each in offered if bool(each.virtual_of) == interface.is_virtual]
