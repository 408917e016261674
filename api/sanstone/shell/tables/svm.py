"""SVMs, which ONTAP's shell calls Vservers."""

from __future__ import annotations

from typing import Any

from sanstone.shell.place import Extra, Place, Verb

PROTOCOLS = ("iscsi", "nvme", "fcp", "srp")
_SERVICES = {
    "data-core": (),
    "data-iscsi": ("iscsi",),
    "data-nvme-tcp": ("nvme",),
    "data-fcp": ("fcp",),
    "data-nvme-fcp": ("nvme",),
    "data-srp": ("srp",),
}


def _allowed(names: list[str], value: bool) -> dict[str, Any]:
    return {f"{name}.allowed": value for name in names}


def _of_services(services: list[str]) -> dict[str, Any]:
    """Return the protocols that an SVM with these data services may serve: no others."""
    named = {name for service in services for name in _SERVICES[service]}
    return {f"{name}.allowed": name in named for name in PROTOCOLS}


def _protocols(doc: str, value: bool) -> Extra:
    return Extra(
        "protocols",
        "choice",
        doc,
        lambda names: _allowed(names, value),
        required=True,
        many=True,
        choices=PROTOCOLS,
    )


PLACES = (
    Place(
        "name-services/dns",
        "vserver services name-service dns",
        "DNS configuration",
        keys=("svm.name",),
        names={"servers": "name-servers"},
        columns=("svm.name", "domains", "servers"),
    ),
    Place(
        "security/authentication/cluster/ldap",
        "vserver services name-service ldap client",
        "LDAP client",
        names={
            "servers": "ldap-servers",
            "port": "tcp-port",
            "bind_password": "bind-password",
            "min_bind_level": "min-bind-level",
            "session_security": "session-security",
            "referral_enabled": "referral-enabled",
        },
    ),
    Place(
        "svm/svms",
        "vserver",
        "Vserver",
        keys=("name",),
        names={
            "name": "vserver",
            "state": "admin-state",
            "aggregates.name": "aggr-list",
            "aggregates.uuid": "aggr-list-uuid",
            "snapshot_policy.name": "snapshot-policy",
            "qos_policy.name": "qos-policy-group",
            "max_volumes": "max-volumes",
            "storage.limit": "storage-limit",
            "storage.limit_threshold_alert": "storage-limit-threshold-alert",
            "ipspace.name": "ipspace",
        },
        columns=("name", "subtype", "state", "iscsi.enabled", "nvme.enabled", "aggregates.name"),
        also=(
            Extra(
                "data-services",
                "choice",
                "What the Vserver may serve; all where none is named.",
                _of_services,
                many=True,
                choices=tuple(_SERVICES),
            ),
        ),
        created="[Job $job] Job succeeded:\nVserver creation completed.",
        verbs=(
            Verb(
                "show-protocols",
                "show",
                "Display what Vservers may serve",
                columns=("name", "iscsi.allowed", "nvme.allowed", "fcp.allowed"),
            ),
            Verb(
                "add-protocols",
                "modify",
                "Allow a Vserver more protocols",
                takes=(),
                extras=(_protocols("Protocols to be allowed.", True),),
            ),
            Verb(
                "remove-protocols",
                "modify",
                "Allow a Vserver fewer protocols",
                takes=(),
                extras=(_protocols("Protocols to be allowed no more.", False),),
                asks='Hosts of Vserver "$vserver" will lose what they reach through $protocols. '
                "Do you want to continue?",
            ),
            Verb(
                "start",
                "modify",
                "Start a Vserver",
                takes=(),
                fixed={"state": "running"},
                says="[Job $job] Job succeeded: DONE",
            ),
            Verb(
                "stop",
                "modify",
                "Stop a Vserver; hosts lose what it serves",
                takes=(),
                fixed={"state": "stopped"},
                asks='Hosts will lose access to all that Vserver "$vserver" serves. '
                "Do you want to continue?",
                says="[Job $job] Job succeeded: DONE",
            ),
        ),
    ),
)
