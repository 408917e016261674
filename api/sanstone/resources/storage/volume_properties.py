"""Properties of volumes that ONTAP's clients set or read and that have no effect here."""

from __future__ import annotations

from sanstone.core.declaration.resource import Field
from sanstone.core.declaration.types import (
    Boolean,
    Choice,
    Integer,
    Never,
    Size,
    Strings,
    Text,
    Timestamp,
)
from sanstone.resources.without_effect import fixed, kept, off

_POLICIES = ("none", "snapshot_only", "auto", "all")

KEPT = (
    kept("language", Text(32), "Character set of file names.", "c.utf_8"),
    kept("nas.path", Text(256), "Where file clients would mount it."),
    kept("nas.export_policy.name", Text(256), "Who might mount it.", "default"),
    kept("nas.security_style", Choice("unix", "ntfs", "mixed", "unified"), "Rights.", "unix"),
    kept("nas.unix_permissions", Integer(0, 7777), "Rights in octal digits.", 755),
    kept("nas.uid", Integer(0, 2**32 - 1), "Owner of the root directory.", 0),
    kept("nas.gid", Integer(0, 2**32 - 1), "Group of the root directory.", 0),
    kept("snapshot_directory_access_enabled", Boolean(), "Whether .snapshot is seen.", True),
    kept("access_time_enabled", Boolean(), "Whether reading sets a time.", True),
    kept(
        "tiering.policy",
        Choice(*_POLICIES, aliases={"snapshot-only": "snapshot_only"}),
        "Which data may move to an object store.",
        "none",
    ),
    kept("tiering.min_cooling_days", Integer(2, 183), "Days before data may move."),
    kept("files.maximum", Integer(), "Most files."),
    kept("space.full_threshold_percent", Integer(0, 100), "When it counts as full.", 98),
    kept("space.nearly_full_threshold_percent", Integer(0, 100), "As nearly full.", 95),
    kept("space.large_size_enabled", Boolean(), "Whether it may be very large.", False),
    kept("space.logical_space.enforcement", Boolean(), "How space is counted.", False),
    kept("space.logical_space.reporting", Boolean(), "How space is shown.", False),
    kept("efficiency.policy.name", Text(256), "When efficiency runs."),
)

OFF = (
    off("style", Choice("flexvol"), "Kind of volume.", "flexvol"),
    off("type", Choice("rw"), "Kind of volume.", "rw"),
    off("encryption.enabled", Never(), "Whether the array encrypts it."),
    off("snaplock.type", Choice("non_snaplock"), "Kind of retention.", "non_snaplock"),
    off("snapshot_locking_enabled", Never(), "Whether snapshots can be locked."),
    off("granular_data", Never(), "Whether it spreads over aggregates."),
    off("analytics.state", Choice("off"), "Whether files are analysed.", "off"),
    off("activity_tracking.state", Choice("off"), "Whether activity is tracked.", "off"),
    *(
        off(f"efficiency.{name}", Choice("none"), "Whether data is reduced.", "none")
        for name in ("compression", "compaction", "dedupe", "cross_volume_dedupe")
    ),
)

FIXED = (
    fixed("is_svm_root", Boolean(), "Whether it is the root of a name space of files.", False),
    fixed("is_object_store", Boolean(), "Whether it holds the buckets of S3.", False),
    fixed("snapmirror.is_protected", Boolean(), "Whether it is replicated.", False),
    fixed("snapmirror.destinations.is_cloud", Boolean(), "Whether to a cloud.", False),
    fixed("snapmirror.destinations.is_ontap", Boolean(), "Whether to an array.", False),
    fixed("is_constituent", Boolean(), "Whether it is part of a FlexGroup volume.", False),
    fixed("movement.state", Text(), "Absent: no volume moves to another aggregate."),
    fixed(
        "anti_ransomware.state", Choice("disabled"), "Whether attacks are looked for.", "disabled"
    ),
    fixed("anti_ransomware.dry_run_start_time", Timestamp(), "Absent: attacks are not looked for."),
    fixed("anti_ransomware.attack_probability", Choice("none"), "What was found.", "none"),
    fixed("error_state.is_inconsistent", Boolean(), "Whether it is damaged.", False),
    Field(
        "efficiency.volume_path",
        Text(),
        "By what clients look for it: /vol/<name>.",
        get=lambda row, _: f"/vol/{row.name}",
    ),
    fixed("efficiency.state", Choice("disabled"), "Whether data is reduced.", "disabled"),
    fixed(
        "clone.split_estimate", Size(), "Bytes that it would take to split it off; absent: none."
    ),
    fixed(
        "clone.split_complete_percent",
        Integer(),
        "Absent: a clone is split off at once.",
    ),
    fixed("tiering.object_tags", Strings(), "Tags of objects."),
)
