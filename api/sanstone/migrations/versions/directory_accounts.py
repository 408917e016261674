"""Let accounts be users and groups of a directory."""

import sqlalchemy as sa
from alembic import op

revision = "a4d90b7e2c15"
down_revision = "5b27d4c8e1f3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("account") as table:
        table.add_column(sa.Column("is_group", sa.Boolean(), nullable=False, server_default="0"))
    with op.batch_alter_table("account") as table:
        table.alter_column("is_group", server_default=None)
    op.create_table(
        "ldap_client",
        sa.Column("servers", sa.JSON(), nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("ldaps", sa.Boolean(), nullable=False),
        sa.Column("schema", sa.String(), nullable=False),
        sa.Column("base_dn", sa.String(), nullable=False),
        sa.Column("base_scope", sa.String(), nullable=False),
        sa.Column("user_dn", sa.String(), nullable=False),
        sa.Column("user_scope", sa.String(), nullable=False),
        sa.Column("group_dn", sa.String(), nullable=False),
        sa.Column("group_scope", sa.String(), nullable=False),
        sa.Column("bind_dn", sa.String(), nullable=False),
        sa.Column("bind_password", sa.String(), nullable=True),
        sa.Column("given_bind_level", sa.String(), nullable=False),
        sa.Column("query_timeout", sa.Integer(), nullable=False),
        sa.Column("skip_config_validation", sa.Boolean(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_ldap_client")),
    )
