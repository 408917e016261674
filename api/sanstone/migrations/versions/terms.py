"""Add the term of the configuration's epoch."""

import sqlalchemy as sa
from alembic import op

revision = "b25c61e8f094"
down_revision = "4e9ad7310c58"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("configuration_epoch") as batch:
        batch.add_column(sa.Column("term", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("configuration_epoch") as batch:
        batch.alter_column("term", server_default=None)
