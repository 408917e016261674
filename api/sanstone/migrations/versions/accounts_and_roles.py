"""Add accounts of SVMs, roles, rules for passwords, keys and messages."""

import json

import sqlalchemy as sa
from alembic import op

revision = "73542e29ecb2"
down_revision = "e49ffe991c35"
branch_labels = None
depends_on = None

EVERY_APPLICATION = json.dumps(
    [
        {"application": name, "authentication_methods": ["password"]}
        for name in ("http", "ssh", "console")
    ]
)
"""The applications of accounts before each had its own."""


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "login_message",
        sa.Column("owner_uuid", sa.String(), nullable=False),
        sa.Column("banner", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("show_cluster_message", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("owner_uuid", name=op.f("pk_login_message")),
    )
    op.create_table(
        "password_rules",
        sa.Column("owner_uuid", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("minimum_length", sa.Integer(), nullable=False),
        sa.Column("letters_and_digits", sa.Boolean(), nullable=False),
        sa.Column("special", sa.Integer(), nullable=False),
        sa.Column("lowercase", sa.Integer(), nullable=False),
        sa.Column("uppercase", sa.Integer(), nullable=False),
        sa.Column("digits", sa.Integer(), nullable=False),
        sa.Column("expiry_days", sa.Integer(), nullable=False),
        sa.Column("initial_change", sa.Boolean(), nullable=False),
        sa.Column("remembered", sa.Integer(), nullable=False),
        sa.Column("change_delay_days", sa.Integer(), nullable=False),
        sa.Column("most_failures", sa.Integer(), nullable=False),
        sa.Column("lockout_days", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("owner_uuid", "role", name=op.f("pk_password_rules")),
    )
    op.create_table(
        "public_key",
        sa.Column("owner_uuid", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("public_key", sa.String(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("owner_uuid", "account", "index", name=op.f("pk_public_key")),
    )
    op.create_table(
        "role",
        sa.Column("owner_uuid", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("owner_uuid", "name", name=op.f("pk_role")),
    )
    op.create_table(
        "role_privilege",
        sa.Column("owner_uuid", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("access", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("owner_uuid", "role", "path", name=op.f("pk_role_privilege")),
    )
    with op.batch_alter_table("account", schema=None) as batch_op:
        batch_op.add_column(sa.Column("owner_uuid", sa.String(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("former", sa.JSON(), nullable=False, server_default="[]"))
        batch_op.add_column(
            sa.Column(
                "password_changed",
                sa.Float(),
                nullable=False,
                server_default=sa.text("(unixepoch())"),
            )
        )
        batch_op.add_column(
            sa.Column("must_change", sa.Boolean(), nullable=False, server_default="0")
        )
        batch_op.add_column(sa.Column("locked", sa.Boolean(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("comment", sa.String(), nullable=False, server_default=""))
        batch_op.add_column(
            sa.Column("applications", sa.JSON(), nullable=False, server_default=EVERY_APPLICATION)
        )
        batch_op.drop_constraint(batch_op.f("uq_account_name"), type_="unique")
        batch_op.create_unique_constraint(
            batch_op.f("uq_account_owner_uuid"), ["owner_uuid", "name"]
        )

    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.add_column(sa.Column("about_svm", sa.String(), nullable=False, server_default=""))
