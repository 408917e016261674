"""Add whether the array generated an account's password."""

import sqlalchemy as sa
from alembic import op

revision = "7d21f0a4c6e9"
down_revision = "c40d9e7b51fa"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision. Of the passwords that are there nobody knows it any more."""
    with op.batch_alter_table("account", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("generated", sa.Boolean(), nullable=False, server_default="0")
        )
