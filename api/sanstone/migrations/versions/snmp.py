"""Speak SNMP."""

import sqlalchemy as sa
from alembic import op

revision = "5b27d4c8e1f3"
down_revision = "3e9a6f10c7d4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "snmp_configuration",
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("traps_enabled", sa.Boolean(), nullable=False),
        sa.Column("auth_traps_enabled", sa.Boolean(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_snmp_configuration")),
    )
    op.create_table(
        "snmp_user",
        sa.Column("engine_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("authentication_protocol", sa.String(), nullable=False),
        sa.Column("authentication_key", sa.String(), nullable=True),
        sa.Column("privacy_protocol", sa.String(), nullable=False),
        sa.Column("privacy_key", sa.String(), nullable=True),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_snmp_user")),
        sa.UniqueConstraint("name", name=op.f("uq_snmp_user_name")),
    )
    op.create_table(
        "snmp_traphost",
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("user_uuid", sa.String(length=36), nullable=True),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_uuid"],
            ["snmp_user.uuid"],
            name=op.f("fk_snmp_traphost_user_uuid_snmp_user"),
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_snmp_traphost")),
        sa.UniqueConstraint("host", name=op.f("uq_snmp_traphost_host")),
    )
