"""Add the configuration's epoch, which begins past the newest job that stood for it."""

import sqlalchemy as sa
from alembic import op

revision = "b7d4190fe865"
down_revision = "e2a85f31c60d"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "configuration_epoch",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_configuration_epoch")),
    )
    # By one and no more: a copy that is newer than this database stays newer.
    op.execute(
        "INSERT INTO configuration_epoch (id, epoch) "
        "SELECT 1, seq + 1 FROM sqlite_sequence WHERE name = 'job' AND seq > 0"
    )
