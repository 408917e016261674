"""Add time servers and name servers."""

import sqlalchemy as sa
from alembic import op

revision = "4d7a9c02e8b1"
down_revision = "08fe367fbc5d"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "ntp_server",
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_ntp_server")),
        sa.UniqueConstraint("server", name=op.f("uq_ntp_server_server")),
    )
    with op.batch_alter_table("cluster", schema=None) as batch_op:
        for name in ("name_servers", "dns_domains"):
            batch_op.add_column(sa.Column(name, sa.JSON(), nullable=False, server_default="[]"))
