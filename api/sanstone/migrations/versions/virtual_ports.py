"""Add the ports of Fibre Channel interfaces that are virtual ports."""

import sqlalchemy as sa
from alembic import op

revision = "b7d41e90c3f2"
down_revision = "2e61f0c8d9a7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("fc_interface") as table:
        table.add_column(sa.Column("port_wwpn", sa.String(), nullable=False, server_default=""))
    with op.batch_alter_table("fc_interface") as table:
        table.alter_column("port_wwpn", server_default=None)
