"""Add service policies that somebody makes."""

import sqlalchemy as sa
from alembic import op

revision = "6ddda7af1871"
down_revision = "a7d03f5c91e6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "service_policy",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=True),
        sa.Column("services", sa.JSON(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_service_policy_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_service_policy")),
        sa.UniqueConstraint("svm_uuid", "name", name=op.f("uq_service_policy_svm_uuid")),
    )
    with op.batch_alter_table("ip_interface") as table:
        table.add_column(sa.Column("custom_policy_uuid", sa.String(length=36), nullable=True))
        table.create_foreign_key(
            op.f("fk_ip_interface_custom_policy_uuid_service_policy"),
            "service_policy",
            ["custom_policy_uuid"],
            ["uuid"],
        )
