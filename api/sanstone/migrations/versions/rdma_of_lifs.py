"""Say of each LIF whether it serves transports over RDMA."""

import sqlalchemy as sa
from alembic import op

revision = "5d80c2f6e41b"
down_revision = "5d0c9b37e6f2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("ip_interface") as table:
        table.add_column(sa.Column("roce", sa.Boolean(), nullable=False, server_default="0"))
    with op.batch_alter_table("ip_interface") as table:
        table.alter_column("roce", server_default=None)
