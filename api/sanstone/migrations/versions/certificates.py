"""Add certificates."""

import sqlalchemy as sa
from alembic import op

import sanstone.core.database.store

revision = "1dfcb8e582c8"
down_revision = "73542e29ecb2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "certificate",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("common_name", sa.String(), nullable=False),
        sa.Column("ca", sa.String(), nullable=False),
        sa.Column("serial_number", sa.String(), nullable=False),
        sa.Column("expiry_time", sa.Float(), nullable=False),
        sa.Column("subject_key_identifier", sa.String(), nullable=False),
        sa.Column("authority_key_identifier", sa.String(), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("hash_function", sa.String(), nullable=False),
        sa.Column("key_size", sa.Integer(), nullable=False),
        sa.Column("public_certificate", sa.String(), nullable=False),
        sa.Column("intermediates", sa.String(), nullable=False),
        sa.Column("private_key", sanstone.core.database.store.Secret(), nullable=True),
        sa.Column("served", sa.Boolean(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_certificate")),
        sa.UniqueConstraint("name", name=op.f("uq_certificate_name")),
    )
