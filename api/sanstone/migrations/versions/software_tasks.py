"""Add software tasks."""

import sqlalchemy as sa
from alembic import op

import sanstone.core.database.store

revision = "08fe367fbc5d"
down_revision = "bc08dbce83c9"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "software_task",
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("from_version", sa.String(), nullable=False),
        sa.Column("slot", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("username", sa.String(), nullable=False),
        sa.Column("password", sanstone.core.database.store.Secret(), nullable=True),
        sa.Column("then_update", sa.Boolean(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("code", sa.Integer(), nullable=False),
        sa.Column("start_time", sa.Float(), nullable=False),
        sa.Column("end_time", sa.Float(), nullable=True),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_software_task")),
    )
