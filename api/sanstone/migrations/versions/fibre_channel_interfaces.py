"""Add Fibre Channel interfaces with their endpoints, and let portsets hold them."""

import sqlalchemy as sa
from alembic import op

revision = "b84d5c17e0f3"
down_revision = "5d80c2f6e41b"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "fc_interface",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("node_uuid", sa.String(), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("wwpn", sa.String(), nullable=False),
        sa.Column("data_protocol", sa.String(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_fc_interface_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_fc_interface")),
        sa.UniqueConstraint("svm_uuid", "name", name=op.f("uq_fc_interface_svm_uuid")),
        sa.UniqueConstraint("wwpn", "data_protocol", name=op.f("uq_fc_interface_wwpn")),
    )
    op.create_table(
        "fc_endpoint",
        sa.Column("node_uuid", sa.String(), nullable=False),
        sa.Column("family", sa.String(), nullable=False),
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("protocol", sa.String(), nullable=False),
        sa.Column("interface_uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["interface_uuid"],
            ["fc_interface.uuid"],
            name=op.f("fk_fc_endpoint_interface_uuid_fc_interface"),
        ),
        sa.PrimaryKeyConstraint("node_uuid", "family", "id", name=op.f("pk_fc_endpoint")),
        sa.UniqueConstraint(
            "interface_uuid", "protocol", name=op.f("uq_fc_endpoint_interface_uuid")
        ),
    )
    op.create_table(
        "wwpn_alias",
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("alias", sa.String(), nullable=False),
        sa.Column("wwpn", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_wwpn_alias_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("svm_uuid", "alias", name=op.f("pk_wwpn_alias")),
    )
    with op.batch_alter_table("portset_interface") as batch:
        batch.drop_constraint(
            "fk_portset_interface_interface_uuid_ip_interface", type_="foreignkey"
        )
