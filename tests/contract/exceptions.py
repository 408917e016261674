"""The one place where a rule of the contract tests is broken, each time with its reason."""

from __future__ import annotations

_NO_CLONES = "there are no clones, policies or tags; the name is there for clients that ask for it"

NEVER_SHOWN: dict[str, dict[str, str]] = {
    "cluster/jobs": {"error.target": "what the machine refuses is no field of the request"},
    "cluster/nodes": {"cluster_interfaces.ip.address": "the array has one node"},
    "network/ethernet/ports": {"speed": "the fake's ports do not tell"},
    "storage/aggregates": {
        "block_storage.raid_groups.resync_percent": "the fake's disks clear themselves: no resync"
    },
    "storage/volumes": {
        "clone.parent_volume.name": _NO_CLONES,
        "clone.parent_volume.uuid": _NO_CLONES,
        "clone.parent_snapshot.name": _NO_CLONES,
        "tiering.object_tags": _NO_CLONES,
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
    "protocols/san/igroups/{igroup.uuid}/igroups": {"uuid": "the example gives the name instead"},
}
"""Fields that can be set and that no example sets."""

DELETED_WITH: dict[str, str] = {
    "protocols/nvme/subsystems": "?allow_delete_with_hosts=true",
    "protocols/san/igroups/{igroup.uuid}/initiators": "?allow_delete_while_mapped=true",
}
"""Options without which an example may not be deleted: it has hosts, or LUNs are mapped."""
