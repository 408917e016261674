"""`storage/qos/policies`: limits of the throughput of LUNs, namespaces, volumes and SVMs.

The kernel keeps them (`kernel.storage.stack.quality_of_service`). `rules.storage.qos_limits`
computes an object's limits of a policy, `qos_assignment` decides who may have one. One with a
minimum is stored and cannot be assigned.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.database.store import Base
from sanstone.core.declaration.resource import (
    WRITE,
    Field,
    Getter,
    Reader,
    Resource,
    constant,
)
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text, Type, Uuid
from sanstone.model.policies import ADAPTIVE, FIXED, QosPolicy
from sanstone.resources.cluster.svm import svm_reference
from sanstone.rules.storage.qos_limits import check_kept

NAME_TAKEN, BOTH = "8454379", "8454389"
MINIMUM_ABOVE, ZERO, EXPECTED_ABOVE = "8454194", "8454273", "8454274"

FIXED_MEMBERS: dict[str, tuple[Type, str, Any]] = {
    "max_throughput_iops": (Integer(0, 2**31 - 1), "Most operations per second.", 0),
    "max_throughput_mbps": (Integer(0, 4194303), "Most megabytes (10^6 bytes) per second.", 0),
    "min_throughput_iops": (
        Integer(0, 2**31 - 1),
        "Operations per second at least; such a policy is kept, and cannot be assigned.",
        0,
    ),
    "min_throughput_mbps": (
        Integer(0, 4194303),
        "Megabytes per second at least; such a policy is kept, and cannot be assigned.",
        0,
    ),
    "capacity_shared": (
        Boolean(),
        "Whether all that have the policy share its limits; else each has them for itself.",
        False,
    ),
}
"""Members of a fixed policy: type, meaning, and the value shown if unset."""
_ALLOCATIONS = ("used_space", "allocated_space")
ADAPTIVE_MEMBERS: dict[str, tuple[Type, str, Any]] = {
    "expected_iops": (
        Integer(1, 2**31 - 1),
        "Operations per second for each TiB; expected, and not guaranteed.",
        None,
    ),
    "peak_iops": (Integer(1, 2**31 - 1), "Most operations per second for each TiB.", None),
    "absolute_min_iops": (
        Integer(0, 2**31 - 1),
        "What the smallest object may do per second; 75 where this is 0.",
        0,
    ),
    "expected_iops_allocation": (
        Choice(*_ALLOCATIONS),
        "Size that the expected ones are reckoned from.",
        "allocated_space",
    ),
    "peak_iops_allocation": (
        Choice(*_ALLOCATIONS),
        "Size that the peak ones are reckoned from.",
        "used_space",
    ),
    "block_size": (
        Choice("any", "4k", "8k", "16k", "32k", "64k", "128k"),
        "Size of an operation, by which bytes are limited too; operations of any size by default.",
        "any",
    ),
}
"""Members of an adaptive policy, which scales with the size of its object."""


def _users(session: Session) -> Counter[str]:
    """Return how many objects use each policy, by its UUID."""
    users: Counter[str] = Counter()
    for table in Base.metadata.sorted_tables:
        if "qos_policy_uuid" in table.c:
            policy = table.c.qos_policy_uuid
            counts = select(policy, func.count()).where(policy.is_not(None)).group_by(policy)
            users.update(dict(session.execute(counts).tuples().all()))
    return users


def _member(form: str, name: str, default: Any) -> Getter:
    def get(row: QosPolicy, _reader: Reader) -> Any:
        return row.members.get(name, default) if row.form == form else None

    return get


def _fields(form: str, members: dict[str, tuple[Type, str, Any]]) -> tuple[Field, ...]:
    return tuple(
        Field(f"{form}.{name}", kind, doc, access=WRITE, get=_member(form, name, default))
        for name, (kind, doc, default) in members.items()
    )


class QosPolicyResource(Resource[QosPolicy]):
    """QoS policies."""

    path = "storage/qos/policies"
    doc = "Quality of service policies limit what hosts do with LUNs, namespaces, volumes, SVMs."
    model = QosPolicy
    searched = ("name",)
    fields = (
        Field("uuid", Uuid(), "Identity of the policy."),
        Field(
            "name",
            Text(127, 1, r"[A-Za-z0-9_.-]+", "letters, digits, _ . -"),
            "Name within the SVM.",
            access=WRITE,
            required=True,
        ),
        svm_reference(),
        *_fields(FIXED, FIXED_MEMBERS),
        *_fields(ADAPTIVE, ADAPTIVE_MEMBERS),
        Field(
            "object_count",
            Integer(),
            "How many objects have it.",
            get=lambda row, reader: reader.once(_users)[row.uuid],
        ),
        Field(
            "policy_class",
            Choice("user_defined"),
            "Its origin.",
            get=constant("user_defined"),
        ),
        Field("scope", Choice("svm"), "Where it can be assigned.", get=constant("svm")),
    )

    def create(self, change: Change, values: dict[str, Any]) -> QosPolicy:
        """Add a policy."""
        svm, name = values["svm"], values["name"]
        _check_name(change.session, svm.uuid, name)
        by_form = _members_by_form(values)
        form = next(iter(by_form), FIXED)
        members = by_form.get(form, {})
        _check(form, members)
        row = QosPolicy(name=name, svm_uuid=svm.uuid, form=form, members=members)
        change.add(row)
        return row

    def update(self, change: Change, row: QosPolicy, values: dict[str, Any]) -> None:
        """Change the name and members; it keeps its form."""
        name = values.get("name", row.name)
        if name != row.name:
            _check_name(change.session, row.svm_uuid, name)
        by_form = _members_by_form(values)
        if by_form.keys() - {row.form}:
            text = f'Policy "{row.name}" is {row.form} and stays so.'
            raise errors.invalid(text, next(iter(by_form)), BOTH)
        members = row.members | by_form.get(row.form, {})
        _check(row.form, members)
        if members != row.members and _users(change.session)[row.uuid]:
            check_kept(change.session, name, row.form, members)
        row.name, row.members = name, members

    def delete(self, change: Change, row: QosPolicy, options: dict[str, Any]) -> None:
        """Delete a policy that is not in use."""
        if _users(change.session)[row.uuid]:
            raise errors.conflict(f'Policy "{row.name}" is assigned to objects.')
        change.delete(row)


def _check_name(session: Session, svm_uuid: str, name: str) -> None:
    if session.scalar(select(QosPolicy.uuid).filter_by(svm_uuid=svm_uuid, name=name)):
        text = f'A QoS policy named "{name}" already exists in the SVM.'
        raise errors.conflict(text, "name", NAME_TAKEN)


def _members_by_form(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the members in a request, by form. Raises ApiError for members of both forms."""
    by_form: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        form, _, name = path.partition(".")
        if name and form in (FIXED, ADAPTIVE):
            by_form.setdefault(form, {})[name] = value
    if len(by_form) > 1:
        raise errors.invalid("A policy is either fixed or adaptive.", ADAPTIVE, BOTH)
    return by_form


def _check(form: str, members: dict[str, Any]) -> None:
    """Raise ApiError when members contradict each other."""
    if form == ADAPTIVE:
        for name in ("expected_iops", "peak_iops"):
            if name not in members:
                raise errors.missing(f"adaptive.{name}", ZERO)
        if members["expected_iops"] > members["peak_iops"]:
            text = "The expected operations are more than those at the peak."
            raise errors.invalid(text, "adaptive.expected_iops", EXPECTED_ABOVE)
        return
    for unit in ("iops", "mbps"):
        most = members.get(f"max_throughput_{unit}", 0)
        if most and members.get(f"min_throughput_{unit}", 0) > most:
            text = "The least throughput is more than the most."
            raise errors.invalid(text, f"fixed.min_throughput_{unit}", MINIMUM_ABOVE)
