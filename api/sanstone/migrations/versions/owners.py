"""Add the nodes that are home to aggregates and interfaces, and the owners of aggregates."""

import sqlalchemy as sa
from alembic import op

from sanstone.migrations.unfinished_jobs import Part, rewrite

revision = "f30b97c4a6d2"
down_revision = "8d21c6f0b54e"
branch_labels = None
depends_on = None

COLUMNS = {
    "aggregate": ("home_node_uuid", "node_uuid"),
    "ip_interface": ("home_node_uuid",),
    "fc_interface": ("home_node_uuid",),
}


def upgrade() -> None:
    """Go to this revision."""
    connection = op.get_bind()
    node = connection.scalar(sa.text("SELECT uuid FROM node")) or ""
    for table, columns in COLUMNS.items():
        with op.batch_alter_table(table) as batch:
            for name in columns:
                batch.add_column(sa.Column(name, sa.String(), nullable=False, server_default=node))
        with op.batch_alter_table(table) as batch:
            for name in columns:
                batch.alter_column(name, server_default=None)
    _mend_unfinished_jobs(connection, node)


def _mend_unfinished_jobs(connection: sa.Connection, node: str) -> None:
    """Have jobs bring back what they deleted on the one node that there was."""

    def new(part: Part) -> list[Part]:
        if part["action"] == "insert":
            part["values"] |= dict.fromkeys(COLUMNS.get(part["table"], ()), node)
        return [part]

    rewrite(connection, new)
