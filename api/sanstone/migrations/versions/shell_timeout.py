"""Add how long a shell stays without any key."""

import sqlalchemy as sa
from alembic import op

revision = "c5a90e7d13f8"
down_revision = "e84b17c5d2a9"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column(
        "cluster", sa.Column("shell_timeout", sa.Integer(), nullable=False, server_default="30")
    )
