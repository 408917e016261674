"""Add long jobs."""

import sqlalchemy as sa
from alembic import op

revision = "5392341ed704"
down_revision = "9e1b6c27d4f0"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "long_job",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("percent", sa.Integer(), nullable=True),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("cancelable", sa.Boolean(), nullable=False),
        sa.Column("cancel", sa.Boolean(), nullable=False),
        sa.Column("start_time", sa.Float(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_long_job")),
    )
