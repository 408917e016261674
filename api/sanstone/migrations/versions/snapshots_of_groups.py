"""Add the policies of consistency groups, and the two phases of their snapshots."""

import sqlalchemy as sa
from alembic import op

from sanstone.model.policies import NONE_UUID

revision = "e84b17c5d2a9"
down_revision = "6f3c1b9a7e48"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("consistency_group") as table:
        table.add_column(sa.Column("snapshot_policy_uuid", sa.String(36), nullable=True))
        table.create_index(
            op.f("ix_consistency_group_snapshot_policy_uuid"), ["snapshot_policy_uuid"]
        )
        table.create_foreign_key(
            op.f("fk_consistency_group_snapshot_policy_uuid_snapshot_policy"),
            "snapshot_policy",
            ["snapshot_policy_uuid"],
            ["uuid"],
        )
    with op.batch_alter_table("consistency_group_snapshot") as table:
        table.add_column(sa.Column("schedule_uuid", sa.String(), nullable=False, server_default=""))
        table.add_column(sa.Column("commit_by", sa.Float(), nullable=True))
    group = sa.table("consistency_group", sa.column("snapshot_policy_uuid"))
    op.execute(group.update().values(snapshot_policy_uuid=NONE_UUID))
