"""`network/ip/service-policies`: the services of LIFs, by built-in and created policies.

A LIF offers the services of its policy. So a change of a policy is one of all LIFs that have it:
hosts lose the services that are no longer offered at each, and reach new ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Reader, Resource
from sanstone.core.declaration.types import Boolean, Choice, ListOf, Text, Uuid
from sanstone.model.network import IpInterface, ServicePolicy
from sanstone.model.svm import Svm
from sanstone.resources.cluster.svm import WITH_SVM, svm_reference
from sanstone.resources.network.ipspace import ipspace_fields
from sanstone.rules.network import endpoints, rdma_of_lifs
from sanstone.rules.network.ports import IPSPACE
from sanstone.rules.network.rdma_of_lifs import LifSettings
from sanstone.rules.network.service_policies import (
    MANAGEMENT_SERVICES,
    RESERVED,
    SERVICES,
    BuiltInPolicy,
    Policy,
    policies,
    services,
)

SYSTEM_DELETED, IN_USE, SYSTEM_RENAMED, SYSTEM_CHANGED = (
    "53281927",
    "53281928",
    "53281930",
    "53281911",
)
RESERVED_NAME, UNKNOWN_SERVICE, SERVICE_OF_SVMS = "53281931", "53281932", "53281934"


class _SvmPolicies:
    """Deletes the policies of an SVM with it."""

    table = ServicePolicy.__tablename__

    def created(self, change: Change, svm: Svm) -> None:
        """Leave an SVM with the built-in policies."""

    def deleted(self, change: Change, svm: Svm) -> None:
        """Delete the SVM's policies, which no LIF has any more."""
        mine = select(ServicePolicy).filter_by(svm_uuid=svm.uuid)
        for row in change.session.scalars(mine).all():
            change.delete(row)


WITH_SVM.append(_SvmPolicies())


class IpServicePolicyResource(Resource[Policy]):
    """Service policies of LIFs."""

    path = ServicePolicy.kind
    doc = (
        "Service policies list the services of network interfaces. Those with names that begin "
        f"with {RESERVED} are built in, and stay as they are."
    )
    model = ServicePolicy
    confirmable = True
    fields = (
        Field("uuid", Uuid(), "Identity of the policy."),
        Field(
            "name",
            Text(128, 1, r"[A-Za-z0-9_.-]+", "letters, digits, _ . -"),
            "Name within the SVM.",
            access=WRITE,
            required=True,
        ),
        svm_reference(required=False),
        Field(
            "scope",
            Choice("svm", "cluster"),
            "Whether it is for interfaces of an SVM or of the array's management; follows from "
            "svm.",
            access=CREATE,
            get=lambda row, _: "svm" if row.svm else "cluster",
        ),
        Field(
            "services",
            ListOf(Choice(*SERVICES), len(SERVICES)),
            f"What interfaces with it serve, of: {', '.join(SERVICES)}. data_core and "
            "management_core open nothing by themselves.",
            access=WRITE,
            default=[],
            code=UNKNOWN_SERVICE,
        ),
        Field(
            "ipspace.name",
            Choice(IPSPACE),
            "IPspace; there is one.",
            access=CREATE,
            get=ipspace_fields()[0].get,
        ),
        ipspace_fields()[1],
        Field(
            "is_built_in",
            Boolean(),
            "Whether it came with the array.",
            get=lambda row, _: isinstance(row, BuiltInPolicy),
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Policy]:
        """Return each SVM's policies, and those of the array's management."""
        return policies(reader.session, None, *reader.session.scalars(select(Svm)))

    def create(self, change: Change, values: dict[str, Any]) -> ServicePolicy:
        """Add a policy."""
        svm = values.get("svm")
        scope = "svm" if svm else "cluster"
        if values.get("scope", scope) != scope:
            raise errors.invalid(f"With this svm the scope is {scope}.", "scope")
        _check_name(change.session, svm, values["name"])
        _check_services(svm, values["services"])
        row = ServicePolicy(
            name=values["name"],
            svm_uuid=svm.uuid if svm else None,
            services=values["services"],
        )
        change.add(row)
        return row

    def update(self, change: Change, row: Policy, values: dict[str, Any]) -> None:
        """Change a policy, and what the LIFs that have it serve."""
        name, offered = values.get("name", row.name), values.get("services", list(row.services))
        is_renamed, is_changed = name != row.name, offered != list(row.services)
        if isinstance(row, BuiltInPolicy):
            if is_renamed or is_changed:
                text = f'Service policy "{row.name}" is built in and stays as it is.'
                code = SYSTEM_RENAMED if is_renamed else SYSTEM_CHANGED
                raise errors.conflict(text, "name" if is_renamed else "services", code)
            return
        if is_renamed:
            _check_name(change.session, row.svm, name)
        if is_changed:
            _check_services(row.svm, offered)
            _check_lifs(change.session, row, offered)
        row.name, row.services = name, offered
        change.session.flush()
        if is_changed:
            for lif in row.interfaces:
                endpoints.ensure(change.session, lif, lif.endpoints)
                change.touch(lif.owner)

    def delete(self, change: Change, row: Policy, options: dict[str, Any]) -> None:
        """Delete a policy that no LIF has."""
        if isinstance(row, BuiltInPolicy):
            text = f'Service policy "{row.name}" is built in and cannot be deleted.'
            raise errors.conflict(text, "", SYSTEM_DELETED)
        if row.interfaces:
            lifs = ", ".join(lif.name for lif in row.interfaces)
            text = f'Service policy "{row.name}" is the one of {lifs}; give them another first.'
            raise errors.conflict(text, "", IN_USE)
        change.delete(row)


def _check_name(session: Session, svm: Svm | None, name: str) -> None:
    """Raise ApiError when a policy cannot have a name."""
    if name.startswith(RESERVED):
        text = f"Names of service policies that begin with {RESERVED} are those of built-in ones."
        raise errors.invalid(text, "name", RESERVED_NAME)
    if name in {policy.name for policy in policies(session, svm)}:
        text = f'A service policy named "{name}" already exists.'
        raise errors.conflict(text, "name", errors.EXISTS)


def _check_services(svm: Svm | None, offered: Sequence[str]) -> None:
    """Raise ApiError when a policy of the array's management is to offer an SVM's services."""
    others = [service for service in offered if service not in MANAGEMENT_SERVICES]
    if svm is None and others:
        text = (
            f"A policy of the array's management cannot offer {', '.join(others)}; name the SVM "
            f"that serves that."
        )
        raise errors.invalid(text, "services", SERVICE_OF_SVMS)


def _check_lifs(session: Session, row: ServicePolicy, offered: Sequence[str]) -> None:
    """Raise ApiError when a LIF that has a policy could not offer the wanted services."""

    def services_of(lif: IpInterface) -> Sequence[str]:
        return offered if lif.custom_policy_uuid == row.uuid else services(lif)

    for lif in row.interfaces:
        of_lif = LifSettings(row.name, offered, lif.rdma, lif.port)
        rdma_of_lifs.check(session, of_lif, lif.uuid, "services", "services", services_of)
