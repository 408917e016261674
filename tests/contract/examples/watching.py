"""Read-only resources: figures, jobs and events."""

from __future__ import annotations

from examples.example import Example
from examples.security import CLIENT_SERIAL

EXAMPLES = (
    Example("cluster/search"),
    Example("security/audit/messages"),
    Example("cluster/metrics"),
    Example("storage/luns/{lun.uuid}/metrics"),
    Example("storage/namespaces/{namespace.uuid}/metrics"),
    Example("storage/volumes/{volume.uuid}/metrics"),
    Example("storage/aggregates/{aggregate.uuid}/metrics"),
    Example("network/ethernet/ports/{uuid}/metrics"),
    Example("network/ip/interfaces/{interface.uuid}/metrics"),
    Example("protocols/san/iscsi/services/{svm.uuid}/metrics"),
    Example("protocols/san/fcp/services/{svm.uuid}/metrics"),
    Example("network/fc/ports/{uuid}/metrics"),
    Example("network/fc/interfaces/{interface.uuid}/metrics"),
    Example("protocols/nvme/services/{svm.uuid}/metrics"),
    Example("cluster/nodes/{node.uuid}/metrics"),
    Example("cluster/licensing/licenses"),
    Example("cluster/counter/tables"),
    Example("cluster/counter/tables/{counter_table.name}/rows"),
    Example("cluster/jobs"),
    Example("support/ems/events", changes=({"acknowledged.state": True},)),
    Example("support/ems/messages"),
    Example(
        "support/ems/filters",
        objects=(
            {
                "name": "grave",
                "rules": [
                    {
                        "index": 1,
                        "type": "exclude",
                        "message_criteria.name_pattern": "app.log.*",
                        "message_criteria.severities": "error,notice",
                        "message_criteria.snmp_trap_types": "*",
                    },
                    {"index": 2, "type": "include"},
                ],
            },
            {"name": "unused"},
        ),
        another={"name": "nothing"},
        exists_code="1",
        changes=({"rules": [{"type": "include", "message_criteria.severities": "alert"}]},),
    ),
    Example(
        "support/ems/filters/{filter.name}/rules",
        objects=(
            {
                "index": 1,
                "type": "include",
                "message_criteria.name_pattern": "disk.*",
                "message_criteria.severities": "alert",
                "message_criteria.snmp_trap_types": "*",
            },
        ),
        another={"type": "exclude", "message_criteria.name_pattern": "net.*"},
        exists_code="1",
        changes=(
            {
                "type": "exclude",
                "message_criteria.name_pattern": "*",
                "message_criteria.severities": "error",
            },
        ),
    ),
    Example(
        "support/ems/destinations",
        objects=(
            {
                "name": "logs",
                "type": "syslog",
                "destination": "192.0.2.7",
                "filters": [{"name": "important-events"}],
                "syslog.port": 10514,
                "syslog.transport": "tcp_encrypted",
                "syslog.format.message": "rfc_5424",
                "syslog.format.timestamp_override": "iso_8601_utc",
                "syslog.format.hostname_override": "no_override",
                "certificate.name": "client1",
                "certificate.serial_number": CLIENT_SERIAL,
                "certificate.ca": "a client",
            },
            {"name": "duty", "type": "email", "destination": "duty@example.org"},
            {"name": "hook", "type": "rest_api", "destination": "https://hooks.example.org/san"},
        ),
        another={"name": "more-logs", "type": "syslog", "destination": "logs.example"},
        exists_code="1",
        changes=(
            {
                "destination": "192.0.2.8",
                "filters": [{"name": "no-info-debug-events"}],
                "syslog.port": 514,
                "syslog.transport": "tcp_encrypted",
                "syslog.format.message": "legacy_netapp",
                "syslog.format.timestamp_override": "rfc_3164",
                "syslog.format.hostname_override": "no_override",
                "certificate.name": "client1",
                "certificate.serial_number": CLIENT_SERIAL,
                "certificate.ca": "a client",
            },
        ),
    ),
    Example(
        "support/snmp",
        changes=(
            {
                "enabled": True,
                "traps_enabled": True,
                "auth_traps_enabled": True,
                "contact": "storage@example.org",
                "location": "rack 1",
                "trigger_test_trap": False,
            },
        ),
        shown_otherwise={"trigger_test_trap": "an order is not shown"},
    ),
    Example(
        "support/snmp/users",
        objects=(
            {
                "name": "monitor",
                "authentication_method": "usm",
                "snmpv3.authentication_protocol": "sha2_256",
                "snmpv3.authentication_password": "a signing secret",
                "snmpv3.privacy_protocol": "aes128",
                "snmpv3.privacy_password": "a hiding secret",
                "comment": "draws curves",
            },
            {"name": "public"},
        ),
        another={"name": "private", "authentication_method": "community"},
        exists_code="1",
        changes=({"comment": "draws nothing"},),
    ),
    Example(
        "support/snmp/traphosts",
        objects=(
            {"host": "192.0.2.162", "user.name": "monitor"},
            {"host": "traps.example.org"},
        ),
        another={"host": "2001:db8::162"},
        exists_code="1",
    ),
    Example(
        "support/ems",
        changes=(
            {
                "mail_from": "array@example.org",
                "mail_server": "mail.example.org",
                "mail_server_encryption": "tls",
                "mail_server_port": 10465,
                "mail_server_user": "array",
                "mail_server_password": "a secret",
                "proxy_url": "http://proxy.example.org:3128",
                "proxy_user": "array",
                "proxy_password": "a secret",
                "pubsub_enabled": False,
            },
        ),
    ),
)
