"""Add whether an SVM's discovery of NVMe is announced by multicast DNS."""

import sqlalchemy as sa
from alembic import op

revision = "b7d40e9a2c63"
down_revision = "b84d5c17e0f3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column(
        "nvme_service",
        sa.Column(
            "mdns_service_discovery_enabled", sa.Boolean(), nullable=False, server_default="1"
        ),
    )
