"""Say of each LIF by which kind of RDMA it serves transports, if it does."""

import sqlalchemy as sa
from alembic import op

revision = "7c1e5ab04d93"
down_revision = "b7d41e90c3f2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("ip_interface") as table:
        table.add_column(sa.Column("rdma", sa.String(), nullable=False, server_default=""))
    op.execute("UPDATE ip_interface SET rdma = 'roce' WHERE roce")
    with op.batch_alter_table("ip_interface") as table:
        table.alter_column("rdma", server_default=None)
        table.drop_column("roce")
