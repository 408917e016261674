"""Add the iSNS servers at which iSCSI targets are registered."""

import sqlalchemy as sa
from alembic import op

revision = "c61f08d2b7e5"
down_revision = "b7d40e9a2c63"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "isns_registration",
        sa.Column("svm_uuid", sa.String(), sa.ForeignKey("svm.uuid"), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("svm_uuid"),
    )
