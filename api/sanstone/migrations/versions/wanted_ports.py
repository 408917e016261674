"""Add settings of ports, LAGs and VLANs."""

import sqlalchemy as sa
from alembic import op

revision = "d1cb8bbf0413"
down_revision = "b09db6fa6c50"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "ethernet_port",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("mtu", sa.Integer(), nullable=True),
        sa.Column("lag_mode", sa.String(), nullable=True),
        sa.Column("lag_policy", sa.String(), nullable=True),
        sa.Column("base_port", sa.String(), nullable=True),
        sa.Column("tag", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_ethernet_port")),
    )
    op.create_table(
        "lag_member",
        sa.Column("port", sa.String(), nullable=False),
        sa.Column("lag", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["lag"], ["ethernet_port.name"], name=op.f("fk_lag_member_lag_ethernet_port")
        ),
        sa.PrimaryKeyConstraint("port", name=op.f("pk_lag_member")),
    )
