"""Add nodes: the array's one machine, until now in the array's row."""

import sqlalchemy as sa
from alembic import op

revision = "8d21c6f0b54e"
down_revision = "c5a90e7d13f8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "node",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("serial_number", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_node")),
        sa.UniqueConstraint("name", name=op.f("uq_node_name")),
        sa.UniqueConstraint("number", name=op.f("uq_node_number")),
    )
    op.execute(
        "INSERT INTO node (number, name, serial_number, address, state, uuid) "
        "SELECT 1, name || '-01', '', '', 'up', node_uuid FROM cluster"
    )
    with op.batch_alter_table("cluster") as batch:
        batch.drop_column("node_uuid")
