"""`network/ip/service-policies`: what a LIF may serve. The policies are built in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from sanstone.core.declaration.resource import Field, Reader, Reference, Resource, constant
from sanstone.core.declaration.types import Boolean, Choice, Strings, Text, Uuid
from sanstone.model.network import IpInterface
from sanstone.model.svm import Svm
from sanstone.resources.network.ip_interface import policy_names, policy_uuid
from sanstone.resources.network.ipspace import ipspace_fields
from sanstone.rules.network.service_policies import SERVICE_POLICIES


@dataclass(frozen=True)
class ServicePolicy:
    """A built-in policy of an SVM, or of the array's management when `svm` is None."""

    svm: Svm | None
    name: str

    @property
    def uuid(self) -> str:
        """Return the identity of the policy."""
        return policy_uuid(self.svm.uuid if self.svm else None, self.name)


class IpServicePolicyResource(Resource[ServicePolicy]):
    """Service policies of LIFs."""

    path = "network/ip/service-policies"
    doc = "Service policies say what network interfaces serve; all are built in."
    model = IpInterface
    methods = frozenset({"GET"})
    refusal = (
        "Service policies are built in: none can be made, changed or deleted. There are: "
        + "; ".join(f"{name} ({', '.join(served)})" for name, served in SERVICE_POLICIES.items())
        + "."
    )
    fields = (
        Field("uuid", Uuid(), "Identity of the policy."),
        Field("name", Text(), "Name of the policy."),
        Reference("svm", Svm, "The SVM whose interfaces may have it."),
        Field(
            "scope",
            Choice("svm", "cluster"),
            "Whether it is an SVM's or the array's.",
            get=lambda row, _: "svm" if row.svm else "cluster",
        ),
        Field(
            "services",
            Strings(),
            "What is served.",
            get=lambda row, _: list(SERVICE_POLICIES[row.name]),
        ),
        *ipspace_fields(),
        Field("is_built_in", Boolean(), "All are.", get=constant(True)),
    )

    def rows(self, reader: Reader) -> Sequence[ServicePolicy]:
        """Return each SVM's policies, and the one of the array's management."""
        svms = reader.session.scalars(select(Svm)).all()
        return [
            ServicePolicy(svm, name)
            for svm in (None, *svms)
            for name in policy_names(svm.uuid if svm else None)
        ]
