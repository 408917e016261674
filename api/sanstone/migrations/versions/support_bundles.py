"""Add support bundles."""

import sqlalchemy as sa
from alembic import op

revision = "5b1d2c8e6f30"
down_revision = "7d21f0a4c6e9"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "support_bundle",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=True),
        sa.Column("missing", sa.JSON(), nullable=True),
        sa.Column("create_time", sa.Float(), nullable=False),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name="pk_support_bundle"),
        sa.UniqueConstraint("name", name="uq_support_bundle_name"),
    )
