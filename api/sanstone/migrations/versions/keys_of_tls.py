"""Keep the TLS keys of NVMe hosts."""

import sqlalchemy as sa
from alembic import op

revision = "5d0c9b37e6f2"
down_revision = "2f7be4a0c951"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("subsystem_host") as batch:
        batch.add_column(sa.Column("tls_psk", sa.String(), nullable=True))
