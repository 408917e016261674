"""Let accounts ask for a code besides."""

import sqlalchemy as sa
from alembic import op

revision = "d15e80c4b7a2"
down_revision = "a4d90b7e2c15"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "totp",
        sa.Column("owner_uuid", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("secret_key", sa.String(), nullable=True),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("last_step", sa.Integer(), nullable=False),
        sa.Column("emergency_codes", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("owner_uuid", "account", name=op.f("pk_totp")),
    )
