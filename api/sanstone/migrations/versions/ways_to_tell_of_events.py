"""Tell of events by mail and to web servers too."""

import sqlalchemy as sa
from alembic import op

revision = "3e9a6f10c7d4"
down_revision = "7c1e5ab04d93"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("ems_destination") as table:
        table.add_column(sa.Column("type", sa.String(), nullable=False, server_default="syslog"))
        table.add_column(sa.Column("certificate_uuid", sa.String(length=36), nullable=True))
        table.create_foreign_key(
            op.f("fk_ems_destination_certificate_uuid_certificate"),
            "certificate",
            ["certificate_uuid"],
            ["uuid"],
        )
    with op.batch_alter_table("ems_destination") as table:
        table.alter_column("type", server_default=None)
    op.create_table(
        "ems_configuration",
        sa.Column("mail_from", sa.String(), nullable=False),
        sa.Column("mail_server", sa.String(), nullable=False),
        sa.Column("given_mail_port", sa.Integer(), nullable=True),
        sa.Column("given_mail_encryption", sa.String(), nullable=False),
        sa.Column("mail_user", sa.String(), nullable=False),
        sa.Column("mail_password", sa.String(), nullable=True),
        sa.Column("proxy_url", sa.String(), nullable=False),
        sa.Column("proxy_user", sa.String(), nullable=False),
        sa.Column("proxy_password", sa.String(), nullable=True),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_ems_configuration")),
    )
