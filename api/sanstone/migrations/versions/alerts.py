"""Say which object an event is about, and who has acknowledged it."""

import sqlalchemy as sa
from alembic import op

revision = "2b7f4c81d930"
down_revision = "b7d4190fe865"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("event") as table:
        table.add_column(sa.Column("owner", sa.String(), nullable=False, server_default=""))
        table.add_column(
            sa.Column("acknowledged_by", sa.String(), nullable=False, server_default="")
        )
        table.add_column(sa.Column("acknowledged_time", sa.Float(), nullable=True))
    with op.batch_alter_table("event") as table:
        for column in ("owner", "acknowledged_by"):
            table.alter_column(column, server_default=None)
