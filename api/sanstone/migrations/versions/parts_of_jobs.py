"""Record the node of a long job, the node of an event's condition, and nodes' parts of jobs."""

import sqlalchemy as sa
from alembic import op

revision = "4e9ad7310c58"
down_revision = "f30b97c4a6d2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    node = op.get_bind().scalar(sa.text("SELECT uuid FROM node")) or ""
    # A new table in the place of the old one would number jobs anew.
    op.add_column("job", sa.Column("done", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("event", sa.Column("node_uuid", sa.String(), nullable=False, server_default=""))
    about = sa.text("UPDATE event SET node_uuid = :node WHERE condition != ''")
    op.get_bind().execute(about, {"node": node})
    with op.batch_alter_table("long_job") as batch:
        batch.add_column(sa.Column("node_uuid", sa.String(), nullable=False, server_default=node))
    with op.batch_alter_table("long_job") as batch:
        batch.alter_column("node_uuid", server_default=None)
    op.create_table(
        "due",
        sa.Column("node_uuid", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("node_uuid", "owner", name=op.f("pk_due")),
    )
