"""Snapshots, their schedules and policies, and consistency groups."""

from __future__ import annotations

from examples.example import SVM1, Example
from examples.storage import DEVICE

EXAMPLES = (
    Example(
        "cluster/schedules",
        objects=(
            {
                "name": "nightly",
                "cron.minutes": [0, 30],
                "cron.hours": [3],
                "cron.days": [1, 15],
                "cron.months": [2],
                "cron.weekdays": [0, 6],
            },
            {"name": "often", "interval": "PT7M30S"},
            {"name": "seldom", "interval": "P1D"},
        ),
        another={"name": "never", "interval": "P99D"},
        exists_code="1",
        changes=({"name": "renamed", "cron.minutes": [5]},),
    ),
    Example(
        "storage/snapshot-policies",
        objects=(
            {
                **SVM1,
                "name": "policy1",
                "enabled": False,
                "comment": "the first",
                "copies": [
                    {
                        "schedule": {"name": "nightly"},
                        "count": 3,
                        "prefix": "night",
                        "snapmirror_label": "daily",
                        "retention_period": "P1D",
                    }
                ],
            },
        ),
        another={"name": "policy9", "copies": [{"schedule": {"name": "often"}, "count": 1}]},
        exists_code="1638527",
        changes=({"enabled": True, "comment": ""},),
    ),
    Example(
        "storage/snapshot-policies/{snapshot_policy.uuid}/schedules",
        objects=(
            {
                "schedule": {"name": "often"},
                "count": 2,
                "prefix": "o",
                "snapmirror_label": "x",
                "retention_period": "PT5M",
            },
        ),
        another={"schedule": {"name": "seldom"}, "count": 2},
        exists_code="1638410",
        changes=({"count": 4, "snapmirror_label": "y", "retention_period": "P2D"},),
    ),
    Example(
        "storage/volumes/{volume.uuid}/snapshots",
        objects=(
            {
                **SVM1,
                "name": "snap1",
                "comment": "the first",
                "snapmirror_label": "daily",
                "expiry_time": "2020-01-02T03:04:05+00:00",
            },
        ),
        another={"name": "snap9"},
        exists_code="525059",
        changes=(
            {
                "name": "renamed",
                "comment": "",
                "snapmirror_label": "weekly",
                "expiry_time": "2021-01-02T03:04:05+00:00",
            },
        ),
    ),
    Example(
        "application/consistency-groups",
        objects=(
            {
                **SVM1,
                "name": "group1",
                "volumes": [{"name": "vol2", "provisioning_options.action": "add"}],
                "snapshot_policy.name": "default",
            },
        ),
        another={**SVM1, "name": "group9", "volumes": [{"name": "clone"}]},
        exists_code="53411860",
        changes=(
            {"name": "renamed", "volumes": [{"name": "clone"}]},
            {"volumes": [{"name": "clone", "provisioning_options.action": "remove"}]},
            {
                "luns": [
                    {
                        "name": "/vol/vol2/log",
                        **DEVICE,
                        "comment": "of the group",
                        "provisioning_options.action": "create",
                        "lun_maps": [{"igroup": {"name": "group1"}, "logical_unit_number": 9}],
                    }
                ]
            },
            {
                "namespaces": [
                    {
                        "name": "/vol/vol2/data",
                        **DEVICE,
                        "subsystem_map.subsystem.name": "sub1",
                    }
                ]
            },
        ),
    ),
    Example(
        "application/consistency-groups/{consistency_group.uuid}/snapshots",
        objects=(
            {
                "name": "together",
                "comment": "the first",
                "consistency_type": "application",
                "snapmirror_label": "daily",
                "write_fence": True,
            },
        ),
        another={"name": "later"},
        exists_code="53411921",
    ),
)
