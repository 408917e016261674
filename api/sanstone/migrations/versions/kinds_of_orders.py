"""Call the kind of a removal, and the action of an order about software, what they are."""

from alembic import op

revision = "2f7be4a0c951"
down_revision = "8c3e5f19d0b7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    for table, name in (("removal", "kind"), ("software_task", "action")):
        with op.batch_alter_table(table) as batch:
            batch.alter_column("what", new_column_name=name)
