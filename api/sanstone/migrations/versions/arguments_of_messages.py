"""Add which parts of the messages of jobs others translate around."""

import sqlalchemy as sa
from alembic import op

revision = "8c3e5f19d0b7"
down_revision = "5b1d2c8e6f30"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    for table in ("job", "long_job", "software_task"):
        op.add_column(table, sa.Column("arguments", sa.JSON(), nullable=False, server_default="[]"))
