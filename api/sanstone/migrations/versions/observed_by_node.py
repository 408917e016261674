"""Say of each observed row which node it is of."""

import sqlalchemy as sa
from alembic import op

revision = "e2a85f31c60d"
down_revision = "6c1d0e94b7a2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    node = op.get_bind().scalar(sa.text("SELECT node_uuid FROM cluster")) or ""
    with op.batch_alter_table("observed", recreate="always") as batch:
        batch.add_column(sa.Column("node_uuid", sa.String(), nullable=False, server_default=node))
        batch.drop_constraint("pk_observed", type_="primary")
        batch.create_primary_key("pk_observed", ["kind", "key", "node_uuid"])
    with op.batch_alter_table("observed") as batch:
        batch.alter_column("node_uuid", server_default=None)
