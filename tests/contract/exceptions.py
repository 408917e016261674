"""All exceptions to the rules of the contract tests, each with its reason."""

from __future__ import annotations

_NO_CLONES = "there are no clones, policies or tags; the name is there for clients that ask for it"
_SCRUBBED = tuple(f"scrub.{name}" for name in ("percent", "last_time", "last_mismatches"))
_AGGREGATE_ORDERS = (
    *("scrub.action", "forced_start.name"),
    "block_storage.primary.raid_group",
)
_NO_FILES = "there are no files; the name is there for clients that ask for it"
_NO_COMMANDS = "privileges are about paths, not commands; the name is there for clients that ask"
_NOT_KNOWN = "the array does not know; the name is there for clients that ask for it"
_NO_TAGS = "there are no tags; the name is there for clients that ask for it"
_QUEUES = ("io_queue.count", "io_queue.depth")
_SIMULATED = tuple(
    f"block_storage.primary.simulated_raid_groups.{name}"
    for name in (
        *("name", "is_partition", "usable_size", "data_disk_count", "parity_disk_count"),
        *("existing_data_disk_count", "existing_parity_disk_count"),
        *("added_data_disk_count", "added_parity_disk_count"),
    )
)
_SOURCE = "where the content came from is not kept; the name is there to be sent"
_FROM_ELSEWHERE = dict.fromkeys(
    (
        *("clone.source.name", "clone.source.uuid", "copy.source.name", "copy.source.uuid"),
        *("copy.source.svm.name", "copy.source.svm.uuid"),
        *("convert.namespace.name", "convert.namespace.uuid"),
    ),
    _SOURCE,
)
_FROM_ANOTHER = dict.fromkeys(
    ("clone.source.name", "clone.source.uuid", "convert.lun.name", "convert.lun.uuid"), _SOURCE
)

CHANGED_BY_QUERY = {
    "application/consistency-groups/{consistency_group.uuid}/snapshots": (
        "whether one is committed is said by the parameter action"
    ),
    "cluster/jobs": "what a job shall do is said by the parameter action",
    "cluster/nodes": "what the node shall do is said by the parameter action",
}
"""Resources whose PATCH has no body."""

NEVER_SHOWN: dict[str, dict[str, str]] = {
    "application/consistency-groups": {
        **dict.fromkeys(
            (f"{kind}.provisioning_options.action" for kind in ("volumes", "luns", "namespaces")),
            "it says what to do, not what there is",
        ),
        **dict.fromkeys(
            (
                *(
                    f"{kind}.{name}"
                    for kind in ("luns", "namespaces")
                    for name in ("name", "uuid", "space.size", "os_type", "comment")
                ),
                *("luns.lun_maps.igroup.name", "luns.lun_maps.igroup.uuid"),
                "luns.lun_maps.logical_unit_number",
                *("namespaces.space.block_size", "namespaces.subsystem_map.subsystem.name"),
                "namespaces.subsystem_map.subsystem.uuid",
            ),
            "nothing is in the volume of the group",
        ),
    },
    "application/consistency-groups/{consistency_group.uuid}/snapshots": {
        "commit_by": "the snapshot is taken in one phase",
        **dict.fromkeys(
            (f"{kind}.{name}" for kind in ("luns", "namespaces") for name in ("name", "uuid")),
            "nothing is in the volume of the group",
        ),
    },
    "cluster/changes": dict.fromkeys(
        (
            "reset",
            *(f"records.{name}" for name in ("index", "kind", "key", "svm.uuid", "deleted")),
        ),
        "it takes the parameter after",
    ),
    "cluster/counter/tables/{counter_table.name}/rows": {
        "counters.labels": "the counters of the first table have one value each"
    },
    "cluster/jobs": {
        "error.target": "what the machine refuses is no field of the request",
        "confirm_until": "no change is to be confirmed",
        "confirm_left": "no change is to be confirmed",
    },
    "cluster/overview": dict.fromkeys(
        (f"faults.some.{name}" for name in ("kind", "key", "message")),
        "all that is furnished is as desired",
    ),
    "cluster/nodes": dict.fromkeys(
        ("cluster_interfaces.ip.address", "ha.partners.name", "ha.partners.uuid"),
        "the array has one node",
    ),
    "cluster/ntp/servers": {"key.id": "there are no keys; the name exists for queries"},
    "cluster/setup": {"next": "the furnished array is set up"},
    "cluster/software": {
        "action": "it says what to do, not what there is",
        "pending_version": "no update is in progress",
    },
    "cluster/software/download": dict.fromkeys(
        ("url", "username", "then_update"), "it says what to do, not what there is"
    ),
    "network/ethernet/ports": {
        "flowcontrol_admin": _NOT_KNOWN,
        "speed": "the fake's ports do not tell",
    },
    "network/ip/interfaces": {"subnet.name": "addresses are given, not taken from a subnet"},
    "protocols/san/portsets": dict.fromkeys(
        ("interfaces.fc.name", "interfaces.fc.uuid"), "the portsets of the examples hold LIFs"
    ),
    "security/roles": {"privileges.query": _NO_COMMANDS},
    "security/roles/{owner.uuid}/{role.name}/privileges": {"query": _NO_COMMANDS},
    "security/audit/messages": {"svm.name": "no account of an SVM sent a request"},
    "security/login/messages": {
        "banner": "an array begins without",
        "message": "an array begins without",
    },
    "protocols/nvme/subsystem-controllers": dict.fromkeys((*_QUEUES, "host.id"), _NOT_KNOWN),
    "protocols/nvme/subsystems": dict.fromkeys(
        (
            *("io_queue.default.count", "io_queue.default.depth"),
            *(f"hosts.{name}" for name in _QUEUES),
        ),
        _NOT_KNOWN,
    ),
    "protocols/nvme/subsystems/{subsystem.uuid}/hosts": dict.fromkeys(_QUEUES, _NOT_KNOWN),
    "protocols/san/hosts": {"since": "the hosts have lost no path"},
    "protocols/san/iscsi/credentials": dict.fromkeys(
        ("initiator_address.ranges.start", "initiator_address.ranges.end"),
        "the kernel does not tell initiators apart by address; the name exists for queries",
    ),
    "protocols/san/iscsi/sessions": dict.fromkeys(
        ("connections.initiator_address.port", "connections.authentication_type"), _NOT_KNOWN
    ),
    "protocols/san/iscsi/isns": dict.fromkeys(
        ("last_registration_time", "message"), "no server got a request"
    ),
    "protocols/san/paths": dict.fromkeys(
        ("mtu", "interface.mtu"), "no port of a LIF has a large MTU"
    ),
    "security/certificates": {"svm.name": "certificates are the array's"},
    "storage/aggregates": {
        "inode_attributes.files_used": _NO_FILES,
        "snapshot.files_used": _NO_FILES,
        **dict.fromkeys(
            ("recommendation.spares_left", *_SIMULATED),
            "of recommendations and simulations alone",
        ),
        **dict.fromkeys(
            ("block_storage.degraded_since", "block_storage.raid_groups.degraded_since"),
            "no disk has failed",
        ),
        **dict.fromkeys(
            ("block_storage.raid_groups.resync_percent", "block_storage.raid_groups.seconds_left"),
            "the fake's disks clear themselves: no resync",
        ),
        **dict.fromkeys(_SCRUBBED, "none is scrubbed as the examples leave them"),
        **dict.fromkeys(_AGGREGATE_ORDERS, "an order, which is never shown"),
    },
    "storage/luns": _FROM_ELSEWHERE
    | {
        "location.qtree.name": _NO_FILES,
        "movement.progress.state": "a LUN moves at once on request",
    },
    "storage/namespaces": _FROM_ANOTHER | {"location.qtree.name": _NO_FILES},
    "storage/disks": {
        "protection_mode": "the array does not use disks' own encryption",
        **dict.fromkeys(
            ("erase.content", "erase.method", "sanitize.action"), "an order, which is never shown"
        ),
        **dict.fromkeys(
            ("sanitize.methods", "sanitize.state", "sanitize.percent"),
            "no disk of the fake can sanitize itself unless a test says so",
        ),
        "outage.reason.message": "no disk has failed",
    },
    "storage/volumes": {
        "anti_ransomware.dry_run_start_time": "attacks are not looked for",
        "clone.split_estimate": "a clone is split off at once on request",
        "movement.state": "no volume moves",
        "clone.split_complete_percent": "a clone is split off at once on request",
        "tiering.object_tags": _NO_TAGS,
    },
    "support/ems": dict.fromkeys(
        ("mail_server_user", "proxy_url", "proxy_user"),
        "neither a login nor a proxy is set until somebody does",
    ),
    "support/snmp": {"trigger_test_trap": "an order, which is never shown"},
    "support/ems/destinations": {
        "connectivity.errors.message.message": "no destination gets events here",
    },
    "support/ems/events": {
        "parameters.name": "no event has parameters yet",
        "parameters.value": "no event has parameters yet",
    },
}
"""Fields that no object of the furnished array shows."""

NOT_SENT_BACK: dict[str, dict[str, str]] = {
    "storage/luns": {"space.size": "ONTAP refuses the size that a LUN has (1254226)"},
}
"""Fields that cannot be sent back in PATCH as GET shows them."""

NOT_IN_AN_EXAMPLE: dict[str, dict[str, str]] = {
    "cluster/software": {"action": "it is always refused"},
    "protocols/san/igroups/{igroup.uuid}/igroups": {"uuid": "the example gives the name instead"},
    "protocols/san/portsets/{portset.uuid}/interfaces": {"fc": "the example gives a LIF instead"},
    "storage/aggregates": dict.fromkeys(_AGGREGATE_ORDERS, "what they order makes no sense of it"),
    "storage/disks": dict.fromkeys(
        ("erase.content", "erase.method", "sanitize.action"),
        "the first disk is in an aggregate, so it is refused",
    ),
    "storage/luns": _FROM_ELSEWHERE,
    "storage/namespaces": _FROM_ANOTHER,
    "storage/volumes": {"clone.parent_snapshot.name": "the example has one taken for it"},
    "svm/svms": {"qos_policy": "LUNs of the example have policies of their own"},
}
"""Fields that can be set and that no example sets."""

DELETED_WITH: dict[str, str] = {
    "protocols/nvme/subsystems": "?allow_delete_with_hosts=true",
    "protocols/san/igroups/{igroup.uuid}/initiators": "?allow_delete_while_mapped=true",
}
"""Options without which an example may not be deleted: it has hosts, or LUNs are mapped."""

ALONE: dict[str, str] = {
    "security/authentication/cluster/ldap": "the array has one directory at most",
    "security/authentication/cluster/oidc": "the array has one identity provider at most",
}
"""Resources where another object can be created only after the example's is deleted."""

MOVES_UP: dict[str, str] = {
    "support/ems/filters/{filter.name}/rules": "the key is a place; the next rule moves up to it",
}
"""Resources where another object may take the path of a deleted one."""
