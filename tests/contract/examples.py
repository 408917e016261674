"""One reviewed table: valid objects of every resource, on one array with all of them in it.

`objects` are created in the order of this table, so that what an example refers to is there;
`another` could be created too, and is what bad requests are made of; `changes` are valid PATCHes of
the first object, each on its own. `shown_otherwise` names fields that do not come back as they were
sent, with the reason. `below` is the number of the object that a collection is below. Names are
dotted; tests send them nested as well.

A resource that nobody can create has an entry as well, so that this file is complete; what fills it
stands in `furnish` (see `furnished_array`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]
MIB, GIB = 1024**2, 1024**3

SVM1 = {"svm.name": "svm1"}
DEVICE = {"os_type": "linux", "space.size": 64 * MIB}
HOST_IQN, OTHER_IQN = "iqn.1994-05.com.example:host1", "iqn.1994-05.com.example:host2"
WWPN = "20:00:00:50:56:00:00:01"
HOST_NQN = "nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5"
OTHER_NQN = "nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f6"
KEY = "DHHC-1:00:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:"
PRIMARY = "block_storage.primary"
REDUCTIONS = ("compression", "compaction", "dedupe", "cross_volume_dedupe")
SWITCHED_OFF = ("autosize.mode", "analytics.state", "activity_tracking.state")
NOT_THERE = ("encryption.enabled", "snapshot_locking_enabled", "granular_data")
FILE_SERVICES = ("nfs", "cifs", "s3", "ndmp")
THIN = "space.scsi_thin_provisioning_support_enabled"


def _node(name: str) -> Body:
    return {f"{name}.name": "array-01", f"{name}.uuid": "11111111-2222-4333-8444-555555555555"}


def _lif(name: str, address: str, netmask: str | int) -> Body:
    return {"name": name, "ip.address": address, "ip.netmask": netmask}


@dataclass(frozen=True)
class Example:
    """Valid objects of one resource, and ONTAP's code for creating the first one again."""

    path: str
    objects: tuple[Body, ...] = ()
    another: Body = field(default_factory=dict)
    taken: str = ""
    changes: tuple[Body, ...] = ()
    shown_otherwise: dict[str, str] = field(default_factory=dict)
    below: int = 0


EXAMPLES = (
    Example("storage/disks"),
    Example("network/ethernet/ports"),
    Example(
        "cluster",
        changes=(
            {"name": "renamed", "contact": "storage@example.org"},
            {"location": "Room 1", "timezone.name": "Europe/Berlin"},
        ),
    ),
    Example("cluster/nodes"),
    Example(
        "storage/aggregates",
        objects=(
            {
                "name": "aggr1",
                **_node("node"),
                f"{PRIMARY}.disk_count": 4,
                f"{PRIMARY}.raid_type": "raid_dp",
                f"{PRIMARY}.raid_size": 4,
                f"{PRIMARY}.disk_class": "solid_state",
                "block_storage.mirror.enabled": False,
                "data_encryption.software_encryption_enabled": False,
                "snaplock_type": "non_snaplock",
            },
            {
                "name": "aggr2",
                f"{PRIMARY}.raid_type": "raid1",
                f"{PRIMARY}.disks": [{"name": "1.0.5"}, {"name": "1.0.6"}],
            },
        ),
        another={"name": "aggr3", f"{PRIMARY}.disk_count": 2, f"{PRIMARY}.raid_type": "raid1"},
        taken="786439",
        changes=(
            {"name": "renamed", f"{PRIMARY}.raid_type": "raid_dp", f"{PRIMARY}.raid_size": 8},
            {f"{PRIMARY}.disk_count": 4},
            {f"{PRIMARY}.disks": [{"name": f"1.0.{number}"} for number in (1, 2, 3, 4)]},
        ),
    ),
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
            {"name": "svm4", "nvme.enabled": True},
        ),
        another={"name": "svm9", "nvme.allowed": False},
        taken="13434908",
        changes=(
            {"name": "renamed", "comment": "", "state": "stopped"},
            {"state": "running", "aggregates": [{"name": "aggr2"}, {"name": "aggr1"}]},
            {"iscsi.allowed": False, "nvme.allowed": False, "fcp.allowed": True},
        ),
    ),
    Example("network/ip/service-policies"),
    Example(
        "network/ip/interfaces",
        objects=(
            {
                **SVM1,
                **_lif("lif1", "10.10.1.1", "24"),
                "scope": "svm",
                "enabled": True,
                "service_policy.name": "default-data-blocks",
                "location.home_port.name": "e0a",
                **_node("location.home_node"),
                **_node("location.home_port.node"),
                "location.auto_revert": True,
                "location.broadcast_domain.name": "Default",
            },
            {
                **SVM1,
                **_lif("lif2", "10.10.2.1", "255.255.255.0"),
                "location.broadcast_domain.name": "Default",
            },
            {"svm.name": "svm2", **_lif("lif1", "fd00::1", 64), "location.home_port.name": "e0c"},
            {
                **_lif("management", "192.168.9.9", "24"),
                "scope": "cluster",
                "ipspace.name": "Default",
                "location.home_port.name": "e0M",
            },
            {**SVM1, **_lif("lif3", "10.10.1.3", "24"), "location.home_port.name": "e0a"},
        ),
        another={**SVM1, **_lif("lif9", "10.10.1.9", "24"), "location.home_port.name": "e0b"},
        taken="1966140",
        changes=(
            {
                "location.port.name": "e0a",
                **_node("location.home_port.node"),
                **_node("location.node"),
                **_node("location.port.node"),
            },
            {"name": "renamed", "service_policy.name": "default-data-iscsi", "enabled": False},
            {"ip.address": "10.10.1.77", "ip.netmask": "28", "location.auto_revert": False},
            {"location.home_port.name": "e0d", **_node("location.home_node")},
        ),
    ),
    Example(
        "network/ip/routes",
        objects=(
            {**SVM1, "gateway": "10.10.1.254"},
            {
                **SVM1,
                "destination.address": "10.20.0.0",
                "destination.netmask": "16",
                "gateway": "10.10.2.254",
                "metric": 30,
            },
            {"gateway": "192.168.9.1", "destination.address": "172.16.0.0/12"},
        ),
        another={
            **SVM1,
            "destination.address": "10.30.0.0",
            "destination.netmask": "16",
            "gateway": "10.10.1.254",
        },
        taken="1966345",
        shown_otherwise={"destination.address": "the prefix length in it is shown on its own"},
    ),
    Example(
        "protocols/san/iscsi/services",
        objects=(
            {
                **SVM1,
                "enabled": True,
                "target.name": "iqn.2001-04.com.example:target1",
                "target.alias": "the first",
            },
        ),
        another={"svm.name": "svm3", "enabled": False},
        taken="5374077",
        changes=(
            {"enabled": False, "target.alias": "another"},
            {"enabled": True, "target.name": "iqn.2001-04.com.example:target1"},
        ),
    ),
    Example(
        "protocols/nvme/services",
        objects=({**SVM1, "enabled": True}, {"svm.name": "svm2", "enabled": False}),
        another={"svm.name": "svm3", "enabled": False},
        taken="72089650",
        changes=({"enabled": False},),
    ),
    Example("protocols/nvme/interfaces"),
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
        taken="1",
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
                    }
                ],
            },
        ),
        another={"name": "policy9", "copies": [{"schedule": {"name": "often"}, "count": 1}]},
        taken="1638527",
        changes=({"enabled": True, "comment": ""},),
    ),
    Example(
        "storage/snapshot-policies/{snapshot_policy.uuid}/schedules",
        objects=(
            {"schedule": {"name": "often"}, "count": 2, "prefix": "o", "snapmirror_label": "x"},
        ),
        another={"schedule": {"name": "seldom"}, "count": 2},
        taken="1638412",
        changes=({"count": 4, "snapmirror_label": "y"},),
    ),
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
        taken="8454379",
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
                "qos.policy.name": "free",
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
                **dict.fromkeys(NOT_THERE, False),
            },
            {**SVM1, "name": "vol2", "aggregates": [{"name": "aggr2"}], "size": GIB},
            {"svm.name": "svm2", "name": "vol1", "size": GIB},
            {**SVM1, "name": "offline", "size": GIB, "state": "offline"},
            {
                **SVM1,
                "name": "clone",
                "clone.is_flexclone": True,
                "clone.parent_volume.name": "vol1",
                "clone.parent_svm.name": "svm1",
            },
        ),
        another={**SVM1, "name": "vol9", "size": 20 * MIB},
        taken="917526",
        changes=(
            {"name": "renamed", "size": 2 * GIB, "comment": "", "guarantee.type": "none"},
            {"space.size": GIB, "space.snapshot.reserve_percent": 0, "state": "offline"},
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
        taken="5374242",
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
        taken="72089725",
        changes=(
            {"name": "/vol/vol1/renamed", "comment": "", "enabled": False},
            {"location.volume.name": "vol1", "location.namespace": "moved"},
            {"space.size": 96 * MIB, "space.guarantee.requested": False},
        ),
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
        taken="525059",
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
            },
        ),
        another={**SVM1, "name": "group9", "volumes": [{"name": "clone"}]},
        taken="53411860",
        changes=(
            {"name": "renamed", "volumes": [{"name": "clone"}]},
            {"volumes": [{"name": "clone", "provisioning_options.action": "remove"}]},
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
            },
        ),
        another={"name": "later"},
        taken="53411921",
    ),
    Example(
        "storage/luns/{lun.uuid}/attributes",
        objects=({"name": "com.example.pool", "value": "gold"},),
        another={"name": "com.example.luks", "value": "false"},
        taken="5374932",
        changes=({"value": "silver"},),
    ),
    Example(
        "protocols/san/portsets",
        objects=(
            {
                **SVM1,
                "name": "ports1",
                "protocol": "iscsi",
                "interfaces": [{"ip": {"name": "lif1"}}],
            },
            {**SVM1, "name": "ports2"},
        ),
        another={**SVM1, "name": "ports9", "protocol": "mixed"},
        taken="1254259",
        changes=({"name": "renamed"},),
    ),
    Example(
        "protocols/san/portsets/{portset.uuid}/interfaces",
        objects=({"ip": {"name": "lif2"}},),
        another={"ip": {"name": "lif3"}},
        taken="5374915",
    ),
    Example(
        "protocols/san/igroups",
        objects=(
            {
                **SVM1,
                "name": "group1",
                "os_type": "linux",
                "protocol": "iscsi",
                "comment": "the first",
                "delete_on_unmap": False,
                "portset.name": "ports1",
                "initiators": [{"name": HOST_IQN, "comment": "a host"}],
            },
            {**SVM1, "name": "group2", "os_type": "windows", "protocol": "mixed"},
            {"svm.name": "svm2", "name": "elsewhere", "os_type": "linux"},
            {**SVM1, "name": "fabric", "os_type": "linux", "protocol": "fcp"},
            {**SVM1, "name": "inner", "os_type": "linux", "protocol": "fcp"},
            {**SVM1, "name": "inmost", "os_type": "linux", "protocol": "fcp"},
            {
                **SVM1,
                "name": "outer",
                "os_type": "linux",
                "protocol": "fcp",
                "igroups": [{"name": "inner"}],
            },
        ),
        another={**SVM1, "name": "group9", "os_type": "linux", "initiators": [{"name": OTHER_IQN}]},
        taken="5374023",
        changes=(
            {"name": "renamed", "os_type": "vmware", "comment": "", "delete_on_unmap": True},
            {"portset.name": "ports1"},
        ),
    ),
    Example(
        "protocols/san/igroups/{igroup.uuid}/igroups",
        objects=({"name": "inmost"},),
        another={"name": "fabric"},
        taken="1",
        below=6,
    ),
    Example(
        "protocols/san/igroups/{igroup.uuid}/initiators",
        objects=({"name": "eui.0123456789abcdef", "comment": "a host"},),
        another={"name": OTHER_IQN},
        taken="5374035",
        changes=({"comment": "changed"},),
    ),
    Example(
        "protocols/nvme/subsystems",
        objects=(
            {
                **SVM1,
                "name": "sub1",
                "os_type": "linux",
                "comment": "the first",
                "delete_on_unmap": True,
                "hosts": [
                    {
                        "nqn": HOST_NQN,
                        "priority": "high",
                        "dh_hmac_chap.hash_function": "sha_512",
                        "dh_hmac_chap.group_size": "3072_bit",
                        "dh_hmac_chap.host_secret_key": KEY,
                        "dh_hmac_chap.controller_secret_key": KEY,
                    }
                ],
            },
            {**SVM1, "name": "sub2", "os_type": "vmware"},
            {"svm.name": "svm2", "name": "far", "os_type": "linux"},
        ),
        another={**SVM1, "name": "sub9", "os_type": "linux", "hosts": [{"nqn": OTHER_NQN}]},
        taken="72090025",
        changes=({"comment": "", "delete_on_unmap": False},),
    ),
    Example(
        "protocols/nvme/subsystems/{subsystem.uuid}/hosts",
        objects=(
            {
                "nqn": f"{HOST_NQN}-2",
                "priority": "regular",
                "dh_hmac_chap.hash_function": "sha_256",
                "dh_hmac_chap.group_size": "none",
                "dh_hmac_chap.host_secret_key": KEY,
                "dh_hmac_chap.controller_secret_key": KEY,
            },
        ),
        another={"nqn": OTHER_NQN},
        taken="72089705",
    ),
    Example(
        "protocols/san/lun-maps",
        objects=(
            {
                **SVM1,
                "lun.name": "/vol/vol1/lun1",
                "igroup.name": "group1",
                "logical_unit_number": 7,
            },
        ),
        another={**SVM1, "lun.name": "/vol/vol1/lun2", "igroup.name": "group1"},
        taken="1254207",
    ),
    Example("protocols/san/lun-maps/{lun.uuid}/{igroup.uuid}/reporting-nodes"),
    Example(
        "protocols/nvme/subsystem-maps",
        objects=({**SVM1, "namespace.name": "/vol/vol1/ns1", "subsystem.name": "sub1"},),
        another={**SVM1, "namespace.name": "/vol/vol1/ns2", "subsystem.name": "sub1"},
        taken="72089790",
    ),
    Example(
        "protocols/san/iscsi/credentials",
        objects=(
            {
                **SVM1,
                "initiator": HOST_IQN,
                "authentication_type": "chap",
                "chap.inbound.user": "host1",
                "chap.inbound.password": "secret of host",
                "chap.outbound.user": "array",
                "chap.outbound.password": "secret of array",
            },
            {**SVM1, "initiator": OTHER_IQN, "authentication_type": "deny"},
        ),
        another={**SVM1, "initiator": "eui.0123456789abcdef", "authentication_type": "none"},
        taken="5374142",
        changes=(
            {
                "authentication_type": "chap",
                "chap.inbound.user": "renamed",
                "chap.inbound.password": "another secret",
            },
            {"chap.outbound.user": "renamed", "chap.outbound.password": "yet another"},
            {"authentication_type": "none"},
        ),
    ),
    Example("protocols/san/iscsi/sessions"),
    Example("protocols/nvme/subsystem-controllers"),
    Example("cluster/jobs"),
    Example("support/ems/events"),
)
BY_PATH = {example.path: example for example in EXAMPLES}


def item_of(path: str, name: str) -> dict[str, Any]:
    """Return an entry of the list `name` out of the examples of a resource, {} for none."""
    lists = (body[name] for body in BY_PATH[path].objects if isinstance(body.get(name), list))
    return next((entries[0] for entries in lists), {})
