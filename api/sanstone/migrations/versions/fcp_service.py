"""Add the Fibre Channel services of SVMs."""

import sqlalchemy as sa
from alembic import op

revision = "5c1f0a7e93d4"
down_revision = "d1cb8bbf0413"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "fcp_service",
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_fcp_service_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("svm_uuid", name=op.f("pk_fcp_service")),
    )
