"""Add the owners that were not served before an update."""

import sqlalchemy as sa
from alembic import op

revision = "9e1b6c27d4f0"
down_revision = "4d7a9c02e8b1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("software_task", schema=None) as batch_op:
        batch_op.add_column(sa.Column("lacking", sa.JSON(), nullable=True))
