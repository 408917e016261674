"""Add until when a change must be confirmed."""

import sqlalchemy as sa
from alembic import op

revision = "c40d9e7b51fa"
down_revision = "d15c7a94e602"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("job") as table:
        table.add_column(sa.Column("confirm_within", sa.Integer(), nullable=True))
        table.add_column(sa.Column("confirm_until", sa.Float(), nullable=True))
