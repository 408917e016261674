"""`svm/svms`: storage virtual machines, tenants that own volumes, LIFs, igroups, subsystems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.database.store import Base
from sanstone.core.declaration.resource import (
    CREATE,
    MODIFY,
    WRITE,
    Field,
    Reader,
    Reference,
    References,
    Resource,
    constant,
)
from sanstone.core.declaration.types import (
    Boolean,
    Choice,
    Integer,
    Never,
    Size,
    Text,
    Timestamp,
    Uuid,
)
from sanstone.model.aggregates import Aggregate
from sanstone.model.svm import Svm, SvmAggregate
from sanstone.resources.without_effect import kept, kept_values, off
from sanstone.rules.cluster.numbers import take_number
from sanstone.rules.san.services import SERVICE_TABLES

NAME_TAKEN, UNKNOWN, NOT_GIVEN, NOT_ALLOWED = "13434908", "2621462", "2621707", "2621507"
PROTOCOLS = ("iscsi", "nvme", "fcp", "srp")


class WithSvm(Protocol):
    """A hook of another resource, for rows that are created and deleted with each SVM."""

    table: str

    def created(self, change: Change, svm: Svm) -> None:
        """Add the rows of a new SVM."""

    def deleted(self, change: Change, svm: Svm) -> None:
        """Delete the rows of an SVM that is being deleted."""


WITH_SVM: list[WithSvm] = []


SERVICES: dict[str, Callable[[Change, Svm], Any]] = {}
"""The function that creates a service, by protocol family, for a new SVM that enables it."""

KEPT = (
    kept("language", Text(32), "Character set of file names.", "c.utf_8"),
    kept("snapshot_policy.name", Text(256), "Policy of automatic snapshots.", "none"),
    kept(
        "max_volumes", Text(16, 1, r"unlimited|[0-9]+"), "Most volumes; not enforced.", "unlimited"
    ),
    kept("storage.limit", Size(), "Most bytes of all volumes; not enforced.", 0),
    kept("storage.limit_threshold_alert", Integer(0, 100), "When to warn.", 90),
)
OFF = (
    off("ipspace.name", Choice("Default"), "Space of addresses.", "Default"),
    off("auto_enable_analytics", Never(), "Whether files are analysed."),
    off("auto_enable_activity_tracking", Never(), "Whether activity is tracked."),
    off(
        "anti_ransomware_default_volume_state",
        Choice("disabled"),
        "Whether files are watched.",
        "disabled",
    ),
    *(
        off(f"{name}.{part}", Never(), f"Whether the SVM serves {name}.")
        for name in ("nfs", "cifs", "s3", "ndmp")
        for part in ("allowed", "enabled")
    ),
)


def _enabled(name: str) -> Callable[[Svm, Reader], bool]:
    """Return a getter of whether the SVM has a service of a protocol and it is enabled."""

    def enabled(session: Session) -> set[str]:
        service = SERVICE_TABLES[name]
        return set(session.scalars(select(service.svm_uuid).where(service.enabled)))

    return lambda row, reader: row.uuid in reader.once(enabled)


def _protocol_fields(name: str) -> tuple[Field, Field]:
    return (
        Field(
            f"{name}.allowed",
            Boolean(),
            f"Whether the SVM may serve {name}.",
            access=WRITE,
            default=True,
        ),
        Field(
            f"{name}.enabled",
            Boolean(),
            f"Whether its {name} service is enabled; true creates one with the SVM.",
            access=CREATE,
            get=_enabled(name),
        ),
    )


class SvmResource(Resource[Svm]):
    """SVMs."""

    path = "svm/svms"
    doc = "Storage virtual machines own volumes, network interfaces, igroups and subsystems."
    model = Svm
    asynchronous = True
    searched = ("name", "comment")
    fields = (
        Field("uuid", Uuid(), "Identity of the SVM."),
        Field(
            "name",
            Text(47, 1, r"[A-Za-z_][A-Za-z0-9_.-]*", "a letter or _, then letters, digits, _ . -"),
            "Name of the SVM, unique in the array.",
            access=WRITE,
            required=True,
            code="2621519",
        ),
        Field("state", Choice("running", "stopped"), "Whether it serves.", access=MODIFY),
        Field(
            "subtype",
            Choice("default"),
            "Kind of SVM.",
            access=CREATE,
            get=constant("default"),
        ),
        Field("comment", Text(255), "Comment.", access=WRITE, default=""),
        References(
            "aggregates",
            Aggregate,
            "Aggregates among which one is chosen for a volume that names none.",
            access=WRITE,
        ),
        *(field for name in PROTOCOLS for field in _protocol_fields(name)),
        *KEPT,
        *OFF,
        Field("create_time", Timestamp(), "When the SVM was created."),
    )

    def create(self, change: Change, values: dict[str, Any]) -> Svm:
        """Add an SVM; it starts running, with the requested services."""
        _check_name(change, values["name"])
        services = [name for name in PROTOCOLS if values.get(f"{name}.enabled")]
        _check_services(services, values)
        svm = Svm(
            name=values["name"],
            comment=values["comment"],
            number=take_number(change.session),
            state="running",
            properties=kept_values(KEPT, values),
            **{f"{name}_allowed": values[f"{name}.allowed"] for name in PROTOCOLS},
        )
        change.add(svm)
        _assign(change, svm, values.get("aggregates", []))
        for hook in WITH_SVM:
            hook.created(change, svm)
        for name in services:
            SERVICES[name](change, svm)
        return svm

    def update(self, change: Change, row: Svm, values: dict[str, Any]) -> None:
        """Change an SVM; stopping it removes its targets but keeps their configuration."""
        if "name" in values and values["name"] != row.name:
            _check_name(change, values["name"])
        for name in PROTOCOLS:
            if f"{name}.allowed" in values:
                setattr(row, f"{name}_allowed", values[f"{name}.allowed"])
        for name in ("name", "comment", "state"):
            if name in values:
                setattr(row, name, values[name])
        row.properties = row.properties | kept_values(KEPT, values)
        if "aggregates" in values:
            for assigned in list(row.assigned):
                change.delete(assigned)
            _assign(change, row, values["aggregates"])

    def delete(self, change: Change, row: Svm, options: dict[str, Any]) -> None:
        """Delete an SVM that owns nothing."""
        holder = _first_owned(change, row)
        if holder:
            text = f'SVM "{row.name}" still owns {holder}; delete what it owns first.'
            raise errors.conflict(text)
        for assigned in list(row.assigned):
            change.delete(assigned)
        for hook in WITH_SVM:
            hook.deleted(change, row)
        change.delete(row)


def svm_reference(
    *, required: bool = True, missing_code: str = NOT_GIVEN, always: bool = False
) -> Reference:
    """Return the field `svm` of an object that an SVM owns."""
    return Reference(
        "svm",
        Svm,
        "The SVM that owns it.",
        access=CREATE,
        required=required,
        always=always,
        unknown_code=UNKNOWN,
        missing_code=missing_code,
    )


def require_allowed(svm: Svm, protocol: str) -> None:
    """Raise ApiError when the SVM may not use a protocol family."""
    if not svm.allows(protocol):
        text = f'SVM "{svm.name}" is not allowed to serve {protocol}.'
        raise errors.invalid(text, "svm", NOT_ALLOWED)


def _check_name(change: Change, name: str) -> None:
    if change.session.scalar(select(Svm.uuid).filter_by(name=name)):
        raise errors.conflict(f'An SVM named "{name}" already exists.', "name", NAME_TAKEN)


def _check_services(services: list[str], values: dict[str, Any]) -> None:
    for name in services:
        if not values[f"{name}.allowed"]:
            text = f"The SVM cannot serve {name}."
            raise errors.invalid(text, f"{name}.enabled", NOT_ALLOWED)


def _assign(change: Change, svm: Svm, aggregates: list[Aggregate]) -> None:
    for uuid in dict.fromkeys(aggregate.uuid for aggregate in aggregates):
        change.add(SvmAggregate(svm_uuid=svm.uuid, aggregate_uuid=uuid))
    change.session.expire(svm, ["assigned"])


def _first_owned(change: Change, svm: Svm) -> str:
    """Return a kind of object that still refers to the SVM, '' for none."""
    ends_with_it = {SvmAggregate.__tablename__, *(hook.table for hook in WITH_SVM)}
    for table in Base.metadata.sorted_tables:
        if "svm_uuid" in table.c and table.name not in ends_with_it:
            query = select(func.count()).select_from(table).where(table.c.svm_uuid == svm.uuid)
            if change.session.scalar(query):
                return f"objects of the kind {table.name}"
    return ""
