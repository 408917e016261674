"""Events and their receivers: destinations, filters, SNMP."""

from __future__ import annotations

from sanstone.shell.place import Extra, Place, Verb

_GRAVE = {"acknowledged.state": "false", "message.severity": "emergency|alert|error"}


def _destination(word: str, kind: str, doc: str) -> Extra:
    """Return the parameter of a destination of events that tells its type, as in ONTAP."""
    return Extra(word, "text", doc, lambda value: {"type": kind, "destination": value})


PLACES = (
    Place(
        "support/ems/events",
        "event log",
        "event",
        keys=("node.name", "index"),
        names={
            "index": "seqnum",
            "message.name": "message-name",
            "message.severity": "severity",
            "log_message": "event",
            "object.path": "object-path",
            "object.key": "object",
            "acknowledged.state": "acknowledged",
            "acknowledged.user": "acknowledged-by",
            "acknowledged.time": "acknowledged-at",
        },
        columns=("time", "node.name", "message.severity", "message.name", "log_message"),
        aliases={"message.name": ("messagename",)},
        plain={"modify": ""},
        verbs=(
            Verb(
                "/system health alert show",
                "show",
                "Display what went wrong, and nobody has acknowledged",
                fixed=_GRAVE,
            ),
            Verb(
                "acknowledge",
                "modify",
                "Say that an event was seen",
                takes=(),
                fixed={"acknowledged.state": True},
            ),
        ),
    ),
    Place(
        "support/ems/messages",
        "event catalog",
        "kind of event",
        keys=("name",),
        names={"name": "message-name"},
        columns=("name", "severity", "corrective_action"),
    ),
    Place(
        "support/ems/destinations",
        "event notification destination",
        "destination",
        keys=("name",),
        names={
            "filters.name": "filters",
            "certificate.name": "certificate",
            "certificate.serial_number": "certificate-serial",
            "certificate.ca": "certificate-authority",
            "syslog.port": "syslog-port",
            "syslog.transport": "syslog-transport",
            "syslog.format.message": "syslog-message-format",
            "syslog.format.timestamp_override": "syslog-timestamp-format-override",
            "syslog.format.hostname_override": "syslog-hostname-format-override",
        },
        columns=("name", "type", "destination", "filters.name", "connectivity.state"),
        plain={"create": ""},
        verbs=(
            Verb(
                "/event notification create",
                "modify",
                "Tell destinations of the events that a filter lets through",
                takes=("filters.name",),
                required=("filters.name",),
                names={"name": "destinations", "filters.name": "filter-name"},
                adds="filters.name",
            ),
            Verb(
                "/event notification show",
                "show",
                "Display which events each destination receives",
                columns=("name", "filters.name"),
            ),
            Verb(
                "create",
                "create",
                "Create a destination: one of -syslog, -email and -rest-api-url",
                takes=(
                    "name",
                    "filters.name",
                    "certificate.name",
                    "certificate.serial_number",
                    "certificate.ca",
                    "syslog.port",
                    "syslog.transport",
                    "syslog.format.message",
                    "syslog.format.timestamp_override",
                    "syslog.format.hostname_override",
                ),
                extras=(
                    _destination("syslog", "syslog", "Host name or IP address of a syslog server"),
                    _destination("email", "email", "Mail address"),
                    _destination("rest-api-url", "rest_api", "URL of a web server"),
                ),
            ),
        ),
    ),
    Place(
        "support/ems",
        "event config",
        "configuration of events",
        names={"pubsub_enabled": "pubsub-enabled"},
    ),
    Place(
        "support/ems/filters",
        "event filter",
        "filter",
        keys=("name",),
        names={
            "name": "filter-name",
            "rules.index": "position",
            "rules.type": "type",
            "rules.message_criteria.name_pattern": "message-name",
            "rules.message_criteria.severities": "severity",
            "rules.message_criteria.snmp_trap_types": "snmp-trap-type",
        },
        columns=(
            "name",
            "rules.index",
            "rules.type",
            "rules.message_criteria.name_pattern",
            "rules.message_criteria.severities",
        ),
    ),
    Place(
        "support/ems/filters/{filter.name}/rules",
        "event filter rule",
        "rule of a filter",
        keys=("index",),
        names={
            "index": "position",
            "message_criteria.name_pattern": "message-name",
            "message_criteria.severities": "severity",
            "message_criteria.snmp_trap_types": "snmp-trap-type",
        },
        columns=(
            "../name",
            "index",
            "type",
            "message_criteria.name_pattern",
            "message_criteria.severities",
        ),
    ),
    Place(
        "support/snmp",
        "system snmp",
        "SNMP",
        verbs=(
            Verb(
                "test-trap",
                "modify",
                "Send a trap to all trap hosts now",
                takes=(),
                fixed={"trigger_test_trap": True},
            ),
        ),
    ),
    Place(
        "support/snmp/users",
        "system snmp user",
        "SNMP user",
        keys=("name",),
        names={
            "name": "user-name",
            "snmpv3.authentication_protocol": "authentication-protocol",
            "snmpv3.authentication_password": "authentication-password",
            "snmpv3.privacy_protocol": "privacy-protocol",
            "snmpv3.privacy_password": "privacy-password",
        },
        columns=(
            "name",
            "authentication_method",
            "snmpv3.authentication_protocol",
            "snmpv3.privacy_protocol",
            "comment",
        ),
        verbs=(
            Verb(
                "/system snmp community add",
                "create",
                "Let programs with a community read by SNMPv2c",
                takes=("name", "comment"),
                fixed={"authentication_method": "community"},
                names={"name": "community-name"},
            ),
            Verb(
                "/system snmp community show",
                "show",
                "Display communities",
                fixed={"authentication_method": "community"},
                names={"name": "community-name"},
                columns=("name", "comment"),
            ),
            Verb(
                "/system snmp community delete",
                "delete",
                "Delete a community",
                names={"name": "community-name"},
            ),
        ),
    ),
    Place(
        "support/snmp/traphosts",
        "system snmp traphost",
        "trap host",
        keys=("host",),
        names={"host": "peer-address", "user.name": "user"},
        columns=("host", "ip_address", "user.name"),
        plain={"create": "add"},
    ),
    Place("support/ems/application-logs", "event application-log", "message of a program"),
)
