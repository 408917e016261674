"""The array itself: disks, ports, aggregates and SVMs."""

from __future__ import annotations

from installed import URL

from examples.example import GIB, Example, node
from sanstone import __version__

PRIMARY = "block_storage.primary"
FILE_SERVICES = ("nfs", "cifs", "s3", "ndmp")
EXAMPLES = (
    Example(
        "storage/disks",
        changes=(
            {"location_led": "on"},
            {"location_led": "off", "outage.persistently_failed": False},
        ),
    ),
    Example(
        "private/cli/storage/raid-options",
        changes=({"value": "off"}, {"value": "on"}),
    ),
    Example("storage/shelves"),
    Example(
        "cluster",
        changes=(
            {"name": "renamed", "contact": "storage@example.org"},
            {"location": "Room 1", "timezone.name": "Europe/Berlin"},
            {"name_servers": ["192.0.2.53", "2001:db8::53"], "dns_domains": ["san.example.org"]},
        ),
    ),
    Example(
        "name-services/dns",
        objects=(
            {
                "svm.name": "array",
                "scope": "cluster",
                "domains": ["san.example.org", "example.org"],
                "servers": ["192.0.2.53", "2001:db8::53"],
                "skip_config_validation": True,
            },
        ),
        another={"svm.name": "svm1", "domains": ["example.org"], "servers": ["192.0.2.54"]},
        exists_code="1",
        changes=({"servers": ["192.0.2.54"]}, {"domains": ["example.org"]}),
    ),
    Example(
        "cluster/ntp/servers",
        objects=(
            {"server": "ntp.example.org", "version": "auto", "authentication_enabled": False},
            {"server": "2001:db8::7b"},
        ),
        another={"server": "192.0.2.123"},
        exists_code="1",
        changes=({"version": "auto", "authentication_enabled": False},),
    ),
    Example("cluster/changes"),
    Example("cluster/overview"),
    Example("cluster/setup"),
    Example("cluster/nodes"),
    Example("cluster/sensors"),
    Example("private/cli/system/node/task"),
    Example("cluster/software", changes=({"version": __version__},)),
    Example("cluster/software/images"),
    Example("cluster/software/packages"),
    Example("cluster/software/history"),
    Example(
        "support/bundles",
        objects=({"name": "case-4711"}, {"name": "case-4712"}),
        another={"name": "case-4713"},
        exists_code="1",
    ),
    Example(
        "cluster/software/download",
        objects=(
            {
                "url": URL.format("2.0"),
                "username": "joe",
                "password": "a secret",
                "then_update": False,
            },
        ),
        another={"url": URL.format("3.0")},
        exists_code="18408",
        shown_otherwise=dict.fromkeys(
            ("url", "username", "then_update"), "the request is not shown, only its progress"
        ),
    ),
    Example(
        "storage/aggregates",
        objects=(
            {
                "name": "aggr1",
                **node("node"),
                f"{PRIMARY}.disk_count": 4,
                f"{PRIMARY}.raid_type": "raid_dp",
                f"{PRIMARY}.raid_size": 4,
                f"{PRIMARY}.disk_class": "solid_state",
                "block_storage.mirror.enabled": False,
                "data_encryption.software_encryption_enabled": False,
                "snaplock_type": "non_snaplock",
                "scrub.schedule.name": "daily",
            },
            {
                "name": "aggr2",
                f"{PRIMARY}.raid_type": "raid1",
                f"{PRIMARY}.disks": [{"name": "1.0.5"}, {"name": "1.0.6"}],
            },
        ),
        another={"name": "aggr3", f"{PRIMARY}.disk_count": 2, f"{PRIMARY}.raid_type": "raid1"},
        exists_code="786439",
        changes=(
            {"name": "renamed", f"{PRIMARY}.raid_type": "raid_dp", f"{PRIMARY}.raid_size": 8},
            {f"{PRIMARY}.disk_count": 4},
            {f"{PRIMARY}.disks": [{"name": f"1.0.{number}"} for number in (1, 2, 3, 4)]},
            {"scrub.schedule.name": "monthly"},
        ),
    ),
    Example("storage/aggregates/{aggregate.uuid}/plexes"),
    Example(
        "svm/svms",
        objects=(
            {
                "name": "svm1",
                "comment": "the first",
                "subtype": "default",
                "aggregates": [{"name": "aggr1"}],
                "iscsi.allowed": True,
                "nvme.allowed": True,
                "fcp.allowed": False,
                "fcp.enabled": False,
                "srp.allowed": False,
                "language": "c.utf_8",
                "snapshot_policy.name": "default",
                "max_volumes": "100",
                "storage.limit": 100 * GIB,
                "storage.limit_threshold_alert": 80,
                "ipspace.name": "Default",
                "auto_enable_analytics": False,
                "auto_enable_activity_tracking": False,
                "anti_ransomware_default_volume_state": "disabled",
                **{f"{name}.allowed": False for name in FILE_SERVICES},
                **{f"{name}.enabled": False for name in FILE_SERVICES},
            },
            {"name": "svm2", "iscsi.enabled": True, "nvme.enabled": False},
            {"name": "svm3", "iscsi.allowed": True},
            {"name": "svm4", "nvme.enabled": True, "srp.enabled": False},
        ),
        another={"name": "svm9", "nvme.allowed": False},
        exists_code="13434908",
        changes=(
            {"name": "renamed", "comment": "", "state": "stopped"},
            {"state": "running", "aggregates": [{"name": "aggr2"}, {"name": "aggr1"}]},
            {"iscsi.allowed": False, "nvme.allowed": False, "fcp.allowed": True},
        ),
    ),
)
