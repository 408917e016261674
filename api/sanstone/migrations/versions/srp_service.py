"""Add the SRP services of SVMs, and whether an SVM may have one."""

import sqlalchemy as sa
from alembic import op

revision = "2e61f0c8d9a7"
down_revision = "c61f08d2b7e5"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "srp_service",
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_srp_service_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("svm_uuid", name=op.f("pk_srp_service")),
    )
    with op.batch_alter_table("svm") as table:
        table.add_column(sa.Column("srp_allowed", sa.Boolean(), nullable=False, server_default="1"))
    with op.batch_alter_table("svm") as table:
        table.alter_column("srp_allowed", server_default=None)
