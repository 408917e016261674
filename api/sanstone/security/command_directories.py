"""The meaning of the shell's command directories, for roles of ONTAP's older kind.

Such a role names directories (`lun`, `volume snapshot`) in place of paths of the API. Here each
stands for the paths that its commands ask. A directory is missing where these would lead further
than its commands: `cluster identity` asks /api/cluster, below which are nodes and jobs. What a
command asks besides, such as the volume that `volume snapshot restore` changes, needs a privilege
of its own.
"""

from __future__ import annotations

DEFAULT = "DEFAULT"
"""All that no other directory of the role is about."""
_PATHS: dict[str, tuple[str, ...]] = {
    "consistency-group": ("application/consistency-groups",),
    "consistency-group snapshot": ("application/consistency-groups/*/snapshots",),
    "event": ("support/ems",),
    "event application-log": ("support/ems/application-logs",),
    "event catalog": ("support/ems/messages",),
    "event filter": ("support/ems/filters",),
    "event filter rule": ("support/ems/filters/*/rules",),
    "event log": ("support/ems/events",),
    "event notification destination": ("support/ems/destinations",),
    "job": ("cluster/jobs",),
    "job schedule": ("cluster/schedules",),
    "lun": ("storage/luns",),
    "lun attribute": ("storage/luns/*/attributes",),
    "lun igroup": ("protocols/san/igroups",),
    "lun igroup child": ("protocols/san/igroups/*/igroups",),
    "lun igroup initiator": ("protocols/san/igroups/*/initiators",),
    "lun mapping": ("protocols/san/lun-maps",),
    "lun mapping reporting-nodes": ("protocols/san/lun-maps/*/*/reporting-nodes",),
    "lun portset": ("protocols/san/portsets",),
    "lun portset port": ("protocols/san/portsets/*/interfaces",),
    "network fcp": ("network/fc/fabrics",),
    "network fcp adapter": ("network/fc/ports",),
    "network fcp topology": ("network/fc/fabrics/*/switches",),
    "network fcp zone": ("network/fc/fabrics/*/zones",),
    "network interface": ("network/ip/interfaces",),
    "network interface service-policy": ("network/ip/service-policies",),
    "network ipspace": ("network/ipspaces",),
    "network port": ("network/ethernet/ports",),
    "network port broadcast-domain": ("network/ethernet/broadcast-domains",),
    "network route": ("network/ip/routes",),
    "qos policy-group": ("storage/qos/policies",),
    "storage aggregate": ("storage/aggregates",),
    "storage aggregate plex": ("storage/aggregates/*/plexes",),
    "storage disk": ("storage/disks",),
    "storage raid-options": ("private/cli/storage/raid-options",),
    "storage shelf": ("storage/shelves",),
    "system image": ("cluster/software/images",),
    "system license": ("cluster/licensing/licenses",),
    "system node": ("cluster/nodes",),
    "system node environment sensors": ("cluster/sensors",),
    "system node task": ("private/cli/system/node/task",),
    "system services web": ("cluster/web",),
    "system snmp": ("support/snmp",),
    "system snmp traphost": ("support/snmp/traphosts",),
    "system snmp user": ("support/snmp/users",),
    "system support-bundle": ("support/bundles",),
    "system timeout": ("private/cli/system/timeout",),
    "volume": ("storage/volumes",),
    "volume snapshot": ("storage/volumes/*/snapshots",),
    "volume snapshot policy": ("storage/snapshot-policies",),
    "volume snapshot policy schedule": ("storage/snapshot-policies/*/schedules",),
    "vserver": ("svm/svms",),
    "vserver fcp": ("protocols/san/fcp/services",),
    "vserver fcp initiator": ("network/fc/logins",),
    "vserver fcp interface": ("network/fc/interfaces",),
    "vserver fcp wwpn-alias": ("network/fc/wwpn-aliases",),
    "vserver host": ("protocols/san/hosts",),
    "vserver host path": ("protocols/san/paths",),
    "vserver host refused": ("protocols/san/refused-initiators",),
    "vserver iscsi": ("protocols/san/iscsi/services",),
    "vserver iscsi isns": ("protocols/san/iscsi/isns",),
    "vserver iscsi security": ("protocols/san/iscsi/credentials",),
    "vserver iscsi session": ("protocols/san/iscsi/sessions",),
    "vserver nvme": ("protocols/nvme/interfaces", "protocols/nvme/services"),
    "vserver nvme namespace": ("storage/namespaces",),
    "vserver nvme subsystem": ("protocols/nvme/subsystems",),
    "vserver nvme subsystem controller": ("protocols/nvme/subsystem-controllers",),
    "vserver nvme subsystem host": ("protocols/nvme/subsystems/*/hosts",),
    "vserver nvme subsystem map": ("protocols/nvme/subsystem-maps",),
    "vserver services name-service dns": ("name-services/dns",),
    "vserver services name-service ldap client": ("security/authentication/cluster/ldap",),
    "vserver srp": ("protocols/san/srp/services",),
    "vserver srp initiator": ("protocols/san/srp/sessions",),
}
"""The paths of a directory's own commands."""


def paths(directory: str) -> tuple[str, ...]:
    """Return the paths of a directory and all below it, () where none can be named so."""
    if directory == DEFAULT:
        return ("/api",)
    own = (
        own for name, own in _PATHS.items() if name == directory or name.startswith(f"{directory} ")
    )
    return tuple(f"/api/{path}" for each in own for path in each)
