"""What a module is called, and by what its objects are found: reviewed, one line a resource.

What of a name is ONTAP's is the singular of the resource's. An object is found by fields that
people know, not by its UUID.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Named:
    """The module of a resource.

    `identity` are the fields by which an object is found; all but those in `optional` must be
    given. `below` is the module of its parent.
    """

    module: str
    identity: tuple[str, ...] = ("svm", "name")
    optional: tuple[str, ...] = ()
    below: str = ""


NAMES = {
    "application/consistency-groups": Named("consistency_group"),
    "application/consistency-groups/{consistency_group.uuid}/snapshots": Named(
        "consistency_group_snapshot", ("name",), below="consistency_group"
    ),
    "cluster": Named("cluster", ()),
    "cluster/ntp/servers": Named("ntp_server", ("server",)),
    "cluster/schedules": Named("schedule", ("name",)),
    "cluster/web": Named("web_server", ()),
    "name-services/dns": Named("dns", ("svm",), ("svm",)),
    "security/authentication/cluster/ldap": Named("ldap", ()),
    "security/authentication/cluster/oidc": Named("oidc", ()),
    "network/ethernet/ports": Named("port", ("name",)),
    "network/fc/interfaces": Named("fc_interface"),
    "network/fc/wwpn-aliases": Named("wwpn_alias", ("svm", "alias")),
    "network/ip/interfaces": Named("ip_interface", ("svm", "name"), ("svm",)),
    "network/ip/routes": Named(
        "ip_route",
        ("svm", "destination.address", "destination.netmask", "gateway"),
        ("svm", "destination.address", "destination.netmask"),
    ),
    "network/ip/service-policies": Named("service_policy", ("svm", "name"), ("svm",)),
    "protocols/nvme/services": Named("nvme_service", ("svm",)),
    "protocols/nvme/subsystem-maps": Named("subsystem_map", ("svm", "subsystem", "namespace")),
    "protocols/nvme/subsystems": Named("subsystem"),
    "protocols/nvme/subsystems/{subsystem.uuid}/hosts": Named(
        "subsystem_host", ("nqn",), below="subsystem"
    ),
    "protocols/san/fcp/services": Named("fcp_service", ("svm",)),
    "protocols/san/igroups": Named("igroup"),
    "protocols/san/igroups/{igroup.uuid}/igroups": Named(
        "igroup_igroup", ("name",), below="igroup"
    ),
    "protocols/san/igroups/{igroup.uuid}/initiators": Named(
        "igroup_initiator", ("name",), below="igroup"
    ),
    "protocols/san/iscsi/credentials": Named("iscsi_credential", ("svm", "initiator")),
    "protocols/san/iscsi/isns": Named("iscsi_isns", ("svm",)),
    "protocols/san/iscsi/services": Named("iscsi_service", ("svm",)),
    "protocols/san/lun-maps": Named("lun_map", ("svm", "lun", "igroup")),
    "protocols/san/portsets": Named("portset"),
    "protocols/san/srp/services": Named("srp_service", ("svm",)),
    "security/accounts": Named("account", ("owner", "name"), ("owner",)),
    "security/authentication/publickeys": Named(
        "publickey", ("owner", "account.name", "index"), ("owner",)
    ),
    "security/certificates": Named("certificate", ("name",)),
    "security/login/messages": Named("login_message", ("svm",), ("svm",)),
    "security/login/totps": Named("totp_profile", ("owner", "account.name"), ("owner",)),
    "security/roles": Named("role", ("owner", "name"), ("owner",)),
    "security/roles/{owner.uuid}/{role.name}/privileges": Named(
        "role_privilege", ("path",), below="role"
    ),
    "storage/aggregates": Named("aggregate", ("name",)),
    "storage/disks": Named("disk", ("name",)),
    "storage/luns": Named("lun"),
    "storage/luns/{lun.uuid}/attributes": Named("lun_attribute", ("name",), below="lun"),
    "storage/namespaces": Named("namespace"),
    "storage/qos/policies": Named("qos_policy"),
    "storage/snapshot-policies": Named("snapshot_policy", ("svm", "name"), ("svm",)),
    "storage/snapshot-policies/{snapshot_policy.uuid}/schedules": Named(
        "snapshot_policy_schedule", ("schedule",), below="snapshot_policy"
    ),
    "storage/volumes": Named("volume"),
    "storage/volumes/{volume.uuid}/snapshots": Named("snapshot", ("name",), below="volume"),
    "support/bundles": Named("support_bundle", ("name",)),
    "support/ems": Named("ems_configuration", ()),
    "support/ems/destinations": Named("ems_destination", ("name",)),
    "support/ems/events": Named("ems_event", ("index",)),
    "support/ems/filters": Named("ems_filter", ("name",)),
    "support/snmp": Named("snmp", ()),
    "support/snmp/traphosts": Named("snmp_traphost", ("host",)),
    "support/snmp/users": Named("snmp_user", ("name",)),
    "svm/svms": Named("svm", ("name",)),
}

OTHERWISE: dict[str, dict[str, dict[str, str]]] = {
    "network/ip/routes": {"destination": {"destination.address": '"0.0.0.0"|"::"'}},
}
"""What objects are found by where an option is not given. An owner that is not is the array."""

RENAMED = {"security/login/messages": {"message": "motd"}}
"""Fields with names that Ansible wants for itself, and the options that set them."""

UNLIKE = {"security/certificates": ("expiry_time",)}
"""Fields that are shown otherwise than they are given, and set only once: a duration, a moment."""

LEFT_OUT = {
    "cluster/jobs": "a change of a job is an order",
    "cluster/nodes": "a change of a node is an order",
    "cluster/software": "an update is an order: `software_update` gives it, written by hand",
    "cluster/software/download": "as above: `software_package`",
    "cluster/software/packages": "as above: `software_package`",
    "private/cli/security/login/role/config": "ONTAP's command line, for its clients",
    "private/cli/storage/raid-options": "as above",
    "private/cli/system/timeout": "as above",
    "protocols/san/lun-maps/{lun.uuid}/{igroup.uuid}/reporting-nodes": "there is one node",
    "protocols/san/portsets/{portset.uuid}/interfaces": "`interfaces` of a portset",
    "support/ems/filters/{filter.name}/rules": "their numbers change: `rules` of a filter",
}

BY_HAND = ("disk_erase", "software_package", "software_update")
"""Modules that are not written of a declaration: orders, and what takes several requests."""

ON_HOSTS = ("host_iscsi", "host_multipath", "host_nvme")
"""Modules that run on hosts, and do not log in to the array."""

READ_ONLY = {
    "cluster/counter/tables": "counter_table",
    "cluster/jobs": "job",
    "cluster/licensing/licenses": "license",
    "cluster/nodes": "node",
    "cluster/sensors": "sensor",
    "cluster/software": "software",
    "network/ethernet/broadcast-domains": "broadcast_domain",
    "network/fc/fabrics": "fc_fabric",
    "network/fc/logins": "fc_login",
    "network/fc/ports": "fc_port",
    "network/ipspaces": "ipspace",
    "protocols/nvme/interfaces": "nvme_interface",
    "protocols/nvme/subsystem-controllers": "subsystem_controller",
    "protocols/san/hosts": "host",
    "protocols/san/iscsi/sessions": "iscsi_session",
    "protocols/san/paths": "path",
    "protocols/san/refused-initiators": "refused_initiator",
    "protocols/san/srp/sessions": "srp_session",
    "security/audit/messages": "audit_message",
    "storage/shelves": "shelf",
    "support/ems/messages": "ems_message",
}
"""Resources with an `_info` module alone, and its name."""

LISTS: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {
    "protocols/nvme/subsystems": {"hosts": ("hosts", ("nqn",))},
    "protocols/san/igroups": {
        "initiators": ("initiators", ("name",)),
        "igroups": ("igroups", ("name",)),
    },
    "protocols/san/portsets": {"interfaces": ("interfaces", ("ip", "fc"))},
    "security/roles": {"privileges": ("privileges", ("path",))},
    "storage/luns": {"attributes": ("attributes", ("name",))},
    "storage/snapshot-policies": {"copies": ("schedules", ("schedule",))},
}
"""Lists that are set with their object, and afterwards entry by entry below it: where, by what."""
