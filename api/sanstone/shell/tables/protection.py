"""Snapshots, their policies and schedules, and QoS limits."""

from __future__ import annotations

from sanstone.shell.place import Place, Verb
from sanstone.shell.tables.throughput import shown_throughput, throughput

_LABEL = {"snapmirror_label": "snapmirror-label"}
_CRON = {"name": "name"}
_POLICY = "/volume snapshot policy"
_KEPT = {"count": "count", "retention_period": "retention-period"} | _LABEL
_MOST = "Most operations, bytes or both per second, INF for no limit."
_LEAST = "Operations, bytes or both per second at least."
_BY_SIZE = (("IOPS/TB", 1), ("IOPS/GB", 1024), ("IOPS", 1))
_ADAPTIVE = {
    f"adaptive.{name}": name.replace("_", "-")
    for name in (
        "expected_iops",
        "peak_iops",
        "absolute_min_iops",
        "expected_iops_allocation",
        "peak_iops_allocation",
        "block_size",
    )
}
_UNITS = {
    "adaptive.expected_iops": _BY_SIZE,
    "adaptive.peak_iops": _BY_SIZE,
    "adaptive.absolute_min_iops": (("IOPS", 1),),
}
_ALLOCATIONS = ("adaptive.expected_iops_allocation", "adaptive.peak_iops_allocation")
_GROUP = {"name": "policy-group", "object_count": "num-workloads", "policy_class": "class"}

PLACES = (
    Place(
        "storage/volumes/{volume.uuid}/snapshots",
        "volume snapshot",
        "snapshot",
        keys=("name",),
        names={"name": "snapshot"} | _LABEL,
        columns=("../svm.name", "../name", "name", "state", "create_time", "size"),
        rename=("rename", "new-name"),
    ),
    Place(
        "storage/snapshot-policies",
        "volume snapshot policy",
        "snapshot policy",
        keys=("svm.name", "name"),
        names={
            "name": "policy",
            "copies.schedule.name": "schedule",
            "copies.schedule.uuid": "schedule-uuid",
            "copies.count": "count",
            "copies.prefix": "prefix",
            "copies.snapmirror_label": "snapmirror-label",
            "copies.retention_period": "retention-period",
        },
        columns=("svm.name", "name", "enabled", "copies.schedule.name", "copies.count"),
        numbered={"copies": 5},
    ),
    Place(
        "storage/snapshot-policies/{snapshot_policy.uuid}/schedules",
        "volume snapshot policy schedule",
        "schedule of a policy",
        keys=("schedule.name",),
        names=_LABEL | {"retention_period": "retention-period"},
        columns=("../svm.name", "../name", "schedule.name", "count", "prefix"),
        asks_programs=False,
        verbs=(
            Verb(f"{_POLICY} add-schedule", "create", "Add a schedule to a policy"),
            Verb(
                f"{_POLICY} modify-schedule",
                "modify",
                "Modify how many snapshots a schedule keeps",
                names={name: f"new{word}" for name, word in _KEPT.items()},
            ),
            Verb(f"{_POLICY} remove-schedule", "delete", "Remove a schedule from a policy"),
        ),
    ),
    Place(
        "application/consistency-groups",
        "consistency-group",
        "consistency group",
        keys=("svm.name", "name"),
        names={"name": "consistency-group", "volumes.name": "volumes"},
        columns=("svm.name", "name", "state", "volumes.name"),
        rename=("rename", "new-name"),
    ),
    Place(
        "application/consistency-groups/{consistency_group.uuid}/snapshots",
        "consistency-group snapshot",
        "snapshot of a consistency group",
        keys=("name",),
        names={"name": "snapshot"} | _LABEL,
        columns=("../svm.name", "../name", "name", "consistency_type", "create_time"),
    ),
    Place(
        "cluster/schedules",
        "job schedule",
        "schedule",
        keys=("name",),
        names={
            "name": "schedule",
            "cron.minutes": "minute",
            "cron.hours": "hour",
            "cron.days": "day",
            "cron.months": "month",
            "cron.weekdays": "dayofweek",
        },
        asks_programs=False,
        verbs=(
            Verb("cron create", "create", "Create a schedule by the clock", names=_CRON),
            Verb("cron show", "show", "Display schedules by the clock", names=_CRON),
            Verb("cron modify", "modify", "Modify a schedule by the clock", names=_CRON),
            Verb("cron delete", "delete", "Delete a schedule by the clock", names=_CRON),
        ),
    ),
    Place(
        "storage/qos/policies",
        "qos policy-group",
        "QoS policy group",
        keys=("svm.name", "name"),
        names={
            **_GROUP,
            "fixed.max_throughput_iops": "max-iops",
            "fixed.max_throughput_mbps": "max-mbps",
            "fixed.min_throughput_iops": "min-iops",
            "fixed.min_throughput_mbps": "min-mbps",
            "fixed.capacity_shared": "is-shared",
            **_ADAPTIVE,
        },
        units=_UNITS,
        dashes=_ALLOCATIONS,
        columns=(
            "svm.name",
            "name",
            "policy_class",
            "object_count",
            "fixed.max_throughput_iops",
            "fixed.max_throughput_mbps",
        ),
        also=(throughput("max", _MOST), throughput("min", _LEAST)),
        derived=(shown_throughput("max", "INF", _MOST), shown_throughput("min", "0", _LEAST)),
        rename=("rename", "new-name"),
        optional=("svm.name",),
        asks_programs=False,
    ),
    Place(
        "storage/qos/policies",
        "qos adaptive-policy-group",
        "adaptive QoS policy group",
        only={"fixed.capacity_shared": "null"},
        hidden=("fixed.",),
        keys=("svm.name", "name"),
        names={**_GROUP, **_ADAPTIVE},
        units=_UNITS,
        dashes=_ALLOCATIONS,
        required=("adaptive.expected_iops", "adaptive.peak_iops"),
        columns=(
            "svm.name",
            "name",
            "object_count",
            "adaptive.expected_iops",
            "adaptive.peak_iops",
            "adaptive.absolute_min_iops",
            "adaptive.block_size",
        ),
        rename=("rename", "new-name"),
        optional=("svm.name",),
        asks_programs=False,
    ),
)
