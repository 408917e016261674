"""Add retention of snapshots."""

import sqlalchemy as sa
from alembic import op

revision = "70240896f19c"
down_revision = "5c1f0a7e93d4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("snapshot_policy_copy", schema=None) as batch_op:
        batch_op.add_column(sa.Column("retention_period", sa.String(), nullable=True))
