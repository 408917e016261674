"""Volumes, and the objects in them."""

from __future__ import annotations

from examples.example import GIB, MIB, SVM1, Example

DEVICE = {"os_type": "linux", "space.size": 64 * MIB}
REDUCTIONS = ("compression", "compaction", "dedupe", "cross_volume_dedupe")
SWITCHED_OFF = ("analytics.state", "activity_tracking.state")
AUTODELETE = {
    f"space.snapshot.autodelete.{name}": value
    for name, value in {
        "enabled": True,
        "trigger": "volume",
        "commitment": "try",
        "delete_order": "oldest_first",
        "defer_delete": "prefix",
        "prefix": "own_",
        "target_free_space": 20,
    }.items()
}
NOT_THERE = ("encryption.enabled", "snapshot_locking_enabled", "granular_data")
THIN = "space.scsi_thin_provisioning_support_enabled"
EXAMPLES = (
    Example(
        "storage/qos/policies",
        objects=(
            {
                **SVM1,
                "name": "limit",
                "fixed.max_throughput_iops": 800,
                "fixed.max_throughput_mbps": 100,
                "fixed.min_throughput_iops": 10,
                "fixed.min_throughput_mbps": 1,
                "fixed.capacity_shared": True,
            },
            {
                **SVM1,
                "name": "scale",
                "adaptive.expected_iops": 100,
                "adaptive.peak_iops": 200,
                "adaptive.absolute_min_iops": 50,
                "adaptive.expected_iops_allocation": "used_space",
                "adaptive.peak_iops_allocation": "allocated_space",
                "adaptive.block_size": "4k",
            },
            {**SVM1, "name": "free"},
        ),
        another={**SVM1, "name": "limit9"},
        exists_code="8454379",
        changes=({"name": "renamed", "fixed.max_throughput_iops": 900},),
    ),
    Example(
        "storage/volumes",
        objects=(
            {
                **SVM1,
                "name": "vol1",
                "aggregates": [{"name": "aggr1"}],
                "size": GIB,
                "space.size": GIB,
                "guarantee.type": "volume",
                "state": "online",
                "comment": "the first",
                "space.snapshot.reserve_percent": 5,
                "language": "c.utf_8",
                "nas.path": "/vol1",
                "nas.export_policy.name": "nobody",
                "nas.security_style": "unix",
                "nas.unix_permissions": 711,
                "nas.uid": 5,
                "nas.gid": 6,
                "snapshot_policy.name": "default",
                "snapshot_directory_access_enabled": False,
                "access_time_enabled": False,
                "tiering.policy": "none",
                "tiering.min_cooling_days": 2,
                "files.maximum": 21251126,
                "space.full_threshold_percent": 97,
                "space.nearly_full_threshold_percent": 90,
                "space.large_size_enabled": True,
                "space.logical_space.enforcement": True,
                "space.logical_space.reporting": True,
                "efficiency.policy.name": "inline-only",
                "style": "flexvol",
                "type": "rw",
                "snaplock.type": "non_snaplock",
                **dict.fromkeys((f"efficiency.{name}" for name in REDUCTIONS), "none"),
                **dict.fromkeys(SWITCHED_OFF, "off"),
                **AUTODELETE,
                "space.mgmt_try_first": "snap_delete",
                "autosize.mode": "grow_shrink",
                "autosize.maximum": 3 * GIB,
                "autosize.minimum": GIB,
                "autosize.grow_threshold": 90,
                "autosize.shrink_threshold": 50,
                **dict.fromkeys(NOT_THERE, False),
            },
            {**SVM1, "name": "vol2", "aggregates": [{"name": "aggr2"}], "size": GIB},
            {"svm.name": "svm2", "name": "vol1", "size": GIB},
            {
                **SVM1,
                "name": "offline",
                "size": GIB,
                "state": "offline",
                "qos.policy.name": "free",
            },
            {
                **SVM1,
                "name": "clone",
                "clone.is_flexclone": True,
                "clone.parent_volume.name": "vol1",
                "clone.parent_svm.name": "svm1",
            },
        ),
        another={**SVM1, "name": "vol9", "size": 20 * MIB},
        exists_code="917526",
        changes=(
            {"name": "renamed", "size": 2 * GIB, "comment": "", "guarantee.type": "none"},
            {"space.size": GIB, "space.snapshot.reserve_percent": 0, "state": "offline"},
            {
                "autosize.mode": "off",
                "autosize.grow_threshold": 95,
                "autosize.shrink_threshold": 20,
            },
            {"state": "online", "tiering.policy": "auto", "nas.path": "/elsewhere"},
            {"snapshot_policy.name": "default-1weekly", "clone.split_initiated": False},
        ),
    ),
    Example(
        "storage/luns",
        objects=(
            {
                **SVM1,
                "name": "/vol/vol1/lun1",
                "location.volume.name": "vol1",
                "location.logical_unit": "lun1",
                **DEVICE,
                "space.guarantee.requested": True,
                "comment": "the first",
                "enabled": True,
                "qos_policy.name": "free",
                "attributes": [{"name": "com.example.fstype", "value": "ext4"}],
                "auto_delete": False,
                THIN: True,
            },
            {**SVM1, "location.volume.name": "vol1", "location.logical_unit": "lun2", **DEVICE},
            {"svm.name": "svm2", "name": "/vol/vol1/lun1", **DEVICE},
        ),
        another={**SVM1, "name": "/vol/vol1/lun9", **DEVICE},
        exists_code="5374242",
        changes=(
            {"name": "/vol/vol1/renamed", "comment": "", "enabled": False, THIN: False},
            {"location.volume.name": "vol1", "location.logical_unit": "moved"},
            {"space.size": 96 * MIB, "space.guarantee.requested": False},
        ),
    ),
    Example(
        "storage/namespaces",
        objects=(
            {
                **SVM1,
                "name": "/vol/vol1/ns1",
                "location.volume.name": "vol1",
                "location.namespace": "ns1",
                **DEVICE,
                "space.block_size": 512,
                "space.guarantee.requested": True,
                "comment": "the first",
                "enabled": True,
                "qos_policy.name": "free",
            },
            {**SVM1, "location.volume.name": "vol1", "location.namespace": "ns2", **DEVICE},
            {"svm.name": "svm2", "name": "/vol/vol1/ns1", **DEVICE},
        ),
        another={**SVM1, "name": "/vol/vol1/ns9", **DEVICE},
        exists_code="72089725",
        changes=(
            {"name": "/vol/vol1/renamed", "comment": "", "enabled": False},
            {"location.volume.name": "vol1", "location.namespace": "moved"},
            {"space.size": 96 * MIB, "space.guarantee.requested": False},
        ),
    ),
    Example(
        "storage/luns/{lun.uuid}/attributes",
        objects=({"name": "com.example.pool", "value": "gold"},),
        another={"name": "com.example.luks", "value": "false"},
        exists_code="5374932",
        changes=({"value": "silver"},),
    ),
)
