"""`storage/snapshot-policies/{snapshot_policy.uuid}/schedules`: the copies of one policy."""

from __future__ import annotations

from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Reference, Resource
from sanstone.model.policies import SnapshotPolicy, SnapshotPolicyCopy
from sanstone.resources.storage.snapshot_policy import (
    NOT_IN_POLICY,
    TWICE,
    add_copies,
    check_total,
    copy_fields,
    label,
)


class SnapshotPolicyScheduleResource(Resource[SnapshotPolicyCopy]):
    """Schedules of a snapshot policy."""

    path = "storage/snapshot-policies/{snapshot_policy.uuid}/schedules"
    doc = "The schedules of one snapshot policy, and how many snapshots each keeps."
    model = SnapshotPolicyCopy
    keys = ("snapshot_policy.uuid", "schedule.uuid")
    order = ("policy_uuid", "schedule_uuid")
    unknown_code = NOT_IN_POLICY
    fields = (
        Reference("snapshot_policy", SnapshotPolicy, "The policy.", attribute="policy"),
        *copy_fields(),
    )

    def create(self, change: Change, values: dict[str, Any]) -> SnapshotPolicyCopy:
        """Add a schedule."""
        policy, schedule = values["snapshot_policy"], values["schedule"]
        if any(copy.schedule_uuid == schedule.uuid for copy in policy.copies):
            text = f'Schedule "{schedule.name}" already exists in policy "{policy.name}".'
            raise errors.conflict(text, "schedule", TWICE)
        check_total([values["count"], *(copy.count for copy in policy.copies)])
        add_copies(change, policy, [values])
        return change.session.get_one(SnapshotPolicyCopy, (policy.uuid, schedule.uuid))

    def update(self, change: Change, row: SnapshotPolicyCopy, values: dict[str, Any]) -> None:
        """Change how many are kept, or the label and the retention of new ones."""
        count = values.get("count", row.count)
        check_total([count, *(copy.count for copy in row.policy.copies if copy is not row)])
        row.count = count
        row.snapmirror_label = label(values.get("snapmirror_label", row.snapmirror_label))
        row.retention_period = values.get("retention_period", row.retention_period)

    def delete(self, change: Change, row: SnapshotPolicyCopy, options: dict[str, Any]) -> None:
        """Remove a schedule; its snapshots stay."""
        change.delete(row)
