"""Add endpoints, with the ids that hosts know: until now the number of their LIF; its node."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

from sanstone.migrations.unfinished_jobs import Part, rewrite

revision = "6c1d0e94b7a2"
down_revision = "c27e0d81f5a6"
branch_labels = None
depends_on = None

OFFERED = {
    "default-data-blocks": (("scsi", "iscsi"), ("nvme", "nvme_tcp")),
    "default-data-iscsi": (("scsi", "iscsi"),),
    "default-data-nvme-tcp": (("nvme", "nvme_tcp"),),
}
"""By service policy: family and name of the transports that LIFs have served."""


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "endpoint",
        sa.Column("node_uuid", sa.String(), nullable=False),
        sa.Column("family", sa.String(), nullable=False),
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("protocol", sa.String(), nullable=False),
        sa.Column("interface_uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["interface_uuid"],
            ["ip_interface.uuid"],
            name=op.f("fk_endpoint_interface_uuid_ip_interface"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("node_uuid", "family", "id", name=op.f("pk_endpoint")),
        sa.UniqueConstraint("interface_uuid", "protocol", name=op.f("uq_endpoint_interface_uuid")),
    )
    connection = op.get_bind()
    node = connection.scalar(sa.text("SELECT node_uuid FROM cluster")) or ""
    lifs = connection.execute(sa.text("SELECT uuid, number, service_policy FROM ip_interface"))
    for lif in lifs.mappings().all():
        for row in _endpoints(node, lif):
            connection.execute(
                sa.text(
                    "INSERT INTO endpoint (node_uuid, family, id, protocol, interface_uuid) "
                    "VALUES (:node_uuid, :family, :id, :protocol, :interface_uuid)"
                ),
                row,
            )
    _mend_unfinished_jobs(connection, node)
    with op.batch_alter_table("ip_interface") as batch:
        batch.drop_constraint("uq_ip_interface_number", type_="unique")
        batch.drop_column("number")
        batch.add_column(sa.Column("node_uuid", sa.String(), nullable=False, server_default=node))
    with op.batch_alter_table("ip_interface") as batch:
        batch.alter_column("node_uuid", server_default=None)


def _endpoints(node: str, lif: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """Return the endpoints of a LIF, given by its columns."""
    return [
        {
            "node_uuid": node,
            "family": family,
            "id": lif["number"],
            "protocol": protocol,
            "interface_uuid": lif["uuid"],
        }
        for family, protocol in OFFERED.get(lif["service_policy"], ())
    ]


def _mend_unfinished_jobs(connection: sa.Connection, node: str) -> None:
    """Have jobs that deleted a LIF bring it back with its endpoints, where they are taken back."""

    def new(part: Part) -> list[Part]:
        if (part["table"], part["action"]) != ("ip_interface", "insert"):
            return [part]
        endpoints = [_insertion(row) for row in _endpoints(node, part["values"])]
        del part["values"]["number"]
        part["values"]["node_uuid"] = node
        # The row that was deleted last comes back first.
        return [*endpoints, part]

    rewrite(connection, new)


def _insertion(row: dict[str, Any]) -> dict[str, Any]:
    key = {name: row[name] for name in ("node_uuid", "family", "id")}
    return {"action": "insert", "table": "endpoint", "key": key, "values": row, "written": {}}
