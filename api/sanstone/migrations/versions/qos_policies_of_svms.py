"""Have QoS policies of SVMs."""

import sqlalchemy as sa
from alembic import op

revision = "94efb620166e"
down_revision = "fd27f72ee8e8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "svm_qos_policy",
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("qos_policy_uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["qos_policy_uuid"],
            ["qos_policy.uuid"],
            name=op.f("fk_svm_qos_policy_qos_policy_uuid_qos_policy"),
        ),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_svm_qos_policy_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("svm_uuid", name=op.f("pk_svm_qos_policy")),
    )
    with op.batch_alter_table("svm_qos_policy") as table:
        table.create_index(
            table.f("ix_svm_qos_policy_qos_policy_uuid"), ["qos_policy_uuid"], unique=False
        )
