"""Have LIFs leave their home port: those of management when it is dead, others never."""

import sqlalchemy as sa
from alembic import op

revision = "fd27f72ee8e8"
down_revision = "6ddda7af1871"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("ip_interface") as table:
        table.add_column(sa.Column("home_port", sa.String(), server_default="", nullable=False))
        table.add_column(
            sa.Column("failover", sa.String(), server_default="home_port_only", nullable=False)
        )
        table.add_column(sa.Column("failed_over", sa.Boolean(), server_default="0", nullable=False))
    op.execute("UPDATE ip_interface SET home_port = port")
    op.execute("UPDATE ip_interface SET failover = 'broadcast_domain_only' WHERE svm_uuid IS NULL")
    with op.batch_alter_table("ip_interface") as table:
        for column in ("home_port", "failover", "failed_over"):
            table.alter_column(column, server_default=None)
