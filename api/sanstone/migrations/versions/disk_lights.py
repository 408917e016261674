"""Add until when a disk's locate light is to be on."""

import sqlalchemy as sa
from alembic import op

revision = "d15c7a94e602"
down_revision = "a3f60c8d2e17"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("disk", sa.Column("locate_until", sa.Float(), nullable=True))
