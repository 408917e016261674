"""`storage/snapshot-policies`: schedules and retention of a volume's snapshots.

Each copy of a policy names a schedule and how many of its snapshots are kept; the oldest are
deleted when there are more and their retention period is over (see the reconciler's
`snapshot_schedules`). That period applies to every volume, since here a snapshot's expiry does not
require locking of the volume. ONTAP's built-in policies exist here too. A policy of an SVM is for
its volumes, one of the array for all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Items, Reference, Resource
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text, Uuid
from sanstone.model.cluster import Schedule
from sanstone.model.policies import SnapshotPolicy, SnapshotPolicyCopy
from sanstone.model.svm import Svm
from sanstone.model.volumes import ConsistencyGroup, Volume
from sanstone.resources.cluster.schedule import Interval
from sanstone.resources.cluster.svm import svm_reference

NAME_TAKEN, UNKNOWN_SCHEDULE, NO_COUNT = "1638527", "1638413", "1638407"
IN_USE, BUILT_IN_CODE, TWICE = "1638415", "1638431", "1638410"
NOT_IN_POLICY, TOO_MANY, BAD_PERIOD = "1638412", "1638451", "918253"
MOST_KEPT = 1023
NO_LABEL = "-"


def copy_fields() -> tuple[Field | Reference, ...]:
    """Return the fields of a copy, in its policy's list and in its own collection."""
    return (
        Reference(
            "schedule",
            Schedule,
            "The schedule.",
            access=CREATE,
            required=True,
            unknown_code=UNKNOWN_SCHEDULE,
            missing_code=UNKNOWN_SCHEDULE,
        ),
        Field(
            "count",
            Integer(1, MOST_KEPT),
            "Snapshots that are kept.",
            access=WRITE,
            required=True,
            missing_code=NO_COUNT,
        ),
        Field(
            "prefix",
            Text(64, 1, r"[A-Za-z0-9_.-]+", "letters, digits, _ . -"),
            "How their names begin; the schedule's name when not given.",
            access=CREATE,
        ),
        Field(
            "snapmirror_label",
            Text(31),
            "Label that they get.",
            access=WRITE,
            get=lambda row, _: row.snapmirror_label or NO_LABEL,
        ),
        Field(
            "retention_period",
            Interval(),
            "How long each snapshot cannot be deleted, in ISO 8601: P30D. While more than `count` "
            "are younger than that, they all stay. Forever (`infinite`) is refused.",
            access=WRITE,
            code=BAD_PERIOD,
        ),
    )


def add_copies(change: Change, policy: SnapshotPolicy, copies: Iterable[dict[str, Any]]) -> None:
    """Add copies that have been checked."""
    for item in copies:
        schedule = item["schedule"]
        change.add(
            SnapshotPolicyCopy(
                policy_uuid=policy.uuid,
                schedule_uuid=schedule.uuid,
                count=item["count"],
                prefix=item.get("prefix", schedule.name),
                snapmirror_label=label(item.get("snapmirror_label", "")),
                retention_period=item.get("retention_period"),
            )
        )
    change.session.expire(policy, ["copies"])


def label(requested: str) -> str:
    """Convert a label to the stored form; clients send `-` for none."""
    return "" if requested == NO_LABEL else requested


def check_total(kept: Iterable[int]) -> None:
    """Raise ApiError when a policy would keep more snapshots than a volume can have."""
    if sum(kept) > MOST_KEPT:
        text = f"A policy keeps at most {MOST_KEPT} snapshots."
        raise errors.invalid(text, "copies.count", TOO_MANY)


def policy_of(session: Session, svm: Svm, name: str) -> SnapshotPolicy | None:
    """Return the policy of this name for volumes of an SVM: its own before the array's."""
    rows = session.scalars(select(SnapshotPolicy).filter_by(name=name)).all()
    fitting = [row for row in rows if row.svm_uuid in (None, svm.uuid)]
    return max(fitting, key=lambda row: row.svm_uuid is not None, default=None)


class PolicyReference(Reference):
    """The policy of a volume or group: one of its SVM, or else of the array, by name."""

    def find(self, session: Session, identity: dict[str, str], values: dict[str, Any]) -> Any:
        """Return the policy that `identity` refers to. Raises ApiError."""
        svm: Svm | None = values.get("svm")
        policy = None
        if svm is not None and identity.keys() == {"name"}:
            policy = policy_of(session, svm, identity["name"])
        return policy or super().find(session, identity, values)


class SnapshotPolicyResource(Resource[SnapshotPolicy]):
    """Snapshot policies."""

    path = "storage/snapshot-policies"
    doc = "Snapshot policies say when snapshots of a volume are taken and how many are kept."
    model = SnapshotPolicy
    searched = ("name", "comment")
    fields = (
        Field("uuid", Uuid(), "Identity of the policy."),
        Field(
            "name",
            Text(256, 1, r"[A-Za-z0-9_.-]+", "letters, digits, _ . -"),
            "Name in the SVM, or in the array.",
            access=CREATE,
            required=True,
        ),
        svm_reference(required=False),
        Field(
            "scope",
            Choice("cluster", "svm"),
            "Whether the array or an SVM owns it.",
            get=lambda row, _: "svm" if row.svm_uuid else "cluster",
        ),
        Field("enabled", Boolean(), "Whether it is obeyed.", access=WRITE, default=True),
        Field("comment", Text(255), "Comment.", access=WRITE, default=""),
        Items(
            "copies",
            copy_fields(),
            "Its schedules, at most five.",
            access=CREATE,
            maximum=5,
            bare="schedule",
            shown_empty=True,
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> SnapshotPolicy:
        """Add a policy with its copies."""
        svm, name = values.get("svm"), values["name"]
        owner = svm.uuid if svm else None
        query = select(SnapshotPolicy.uuid).filter_by(name=name, svm_uuid=owner)
        if change.session.scalar(query):
            text = f'A snapshot policy named "{name}" already exists.'
            raise errors.conflict(text, "name", NAME_TAKEN)
        copies = values.get("copies", [])
        if len({item["schedule"].uuid for item in copies}) < len(copies):
            raise errors.invalid("A schedule is given twice.", "copies.schedule", TWICE)
        check_total(item["count"] for item in copies)
        plain = {name: values[name] for name in ("name", "enabled", "comment")}
        row = SnapshotPolicy(svm_uuid=owner, **plain)
        change.add(row)
        add_copies(change, row, copies)
        return row

    def update(self, change: Change, row: SnapshotPolicy, values: dict[str, Any]) -> None:
        """Change the comment, or whether it is enabled."""
        row.enabled = values.get("enabled", row.enabled)
        row.comment = values.get("comment", row.comment)

    def delete(self, change: Change, row: SnapshotPolicy, options: dict[str, Any]) -> None:
        """Delete a policy that no volume and no consistency group uses."""
        if row.built_in:
            raise errors.conflict(f'Policy "{row.name}" is built in.', code=BUILT_IN_CODE)
        for called, model in (("Volume", Volume), ("Consistency group", ConsistencyGroup)):
            used = select(model.name).filter_by(snapshot_policy_uuid=row.uuid)
            if name := change.session.scalar(used):
                raise errors.conflict(f'{called} "{name}" has policy "{row.name}".', code=IN_USE)
        for copy in list(row.copies):
            change.delete(copy)
        change.delete(row)
