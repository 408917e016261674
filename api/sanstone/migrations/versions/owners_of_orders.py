"""Say of each order to destroy data which node carries it out."""

import sqlalchemy as sa
from alembic import op

from sanstone.migrations.unfinished_jobs import Part, rewrite

revision = "a7d03f5c91e6"
down_revision = "b25c61e8f094"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    connection = op.get_bind()
    node = connection.scalar(sa.text("SELECT uuid FROM node")) or ""
    with op.batch_alter_table("removal") as batch:
        batch.add_column(sa.Column("node_uuid", sa.String(), nullable=False, server_default=node))
    with op.batch_alter_table("removal") as batch:
        batch.alter_column("node_uuid", server_default=None)
    _mend_unfinished_jobs(connection, node)


def _mend_unfinished_jobs(connection: sa.Connection, node: str) -> None:
    """Have jobs bring orders back that they withdrew, on the one node that there was."""

    def new(part: Part) -> list[Part]:
        if (part["table"], part["action"]) == ("removal", "insert"):
            part["values"]["node_uuid"] = node
        return [part]

    rewrite(connection, new)
