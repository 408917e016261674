"""Have spare disks replace others."""

import sqlalchemy as sa
from alembic import op

revision = "41b01ff49766"
down_revision = "94efb620166e"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("cluster") as table:
        table.add_column(
            sa.Column("min_spare_count", sa.Integer(), server_default="1", nullable=False)
        )
        table.add_column(
            sa.Column("replaces_failed", sa.Boolean(), server_default="1", nullable=False)
        )
        table.add_column(
            sa.Column("copies_failing", sa.Boolean(), server_default="1", nullable=False)
        )
    with op.batch_alter_table("cluster") as table:
        table.alter_column("min_spare_count", server_default=None)
        table.alter_column("replaces_failed", server_default=None)
        table.alter_column("copies_failing", server_default=None)
    with op.batch_alter_table("disk") as table:
        table.add_column(sa.Column("failure", sa.String(), server_default="", nullable=False))
    with op.batch_alter_table("disk") as table:
        table.alter_column("failure", server_default=None)
