"""Have aggregates be scrubbed, and started although they are dirty and degraded."""

import sqlalchemy as sa
from alembic import op

revision = "6f2d90ab14c7"
down_revision = "41b01ff49766"
branch_labels = None
depends_on = None

WEEKLY = "ee90024b-53f4-5e67-8e99-8eb03320fec8"


def upgrade() -> None:
    """Go to this revision."""
    added = (
        sa.Column("scrub_schedule_uuid", sa.String(), nullable=False, server_default=WEEKLY),
        sa.Column("scrub_action", sa.String(), nullable=False, server_default=""),
        sa.Column("scrub_orders", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("forced_starts", sa.Integer(), nullable=False, server_default="0"),
    )
    with op.batch_alter_table("aggregate") as batch:
        for column in added:
            batch.add_column(column)
    with op.batch_alter_table("aggregate") as batch:
        for column in added:
            batch.alter_column(column.name, server_default=None)
