"""Add event destinations and retention of snapshots."""

import sqlalchemy as sa
from alembic import op

from sanstone.model import seeds

revision = "bc08dbce83c9"
down_revision = "5c1f0a7e93d4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "ems_destination",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("destination", sa.String(), nullable=False),
        sa.Column("filters", sa.JSON(), nullable=False),
        sa.Column("given_port", sa.Integer(), nullable=True),
        sa.Column("transport", sa.String(), nullable=False),
        sa.Column("message_format", sa.String(), nullable=False),
        sa.Column("timestamp", sa.String(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_ems_destination")),
        sa.UniqueConstraint("name", name=op.f("uq_ems_destination_name")),
    )
    op.create_table(
        "ems_filter",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_ems_filter")),
        sa.UniqueConstraint("name", name=op.f("uq_ems_filter_name")),
    )
    with op.batch_alter_table("snapshot_policy_copy", schema=None) as batch_op:
        batch_op.add_column(sa.Column("retention_period", sa.String(), nullable=True))

    seeds.seed_event_filters(None, op.get_bind())
