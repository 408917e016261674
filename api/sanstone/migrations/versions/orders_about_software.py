"""Let long jobs do orders about software.

An order that is open is taken over: the reconciler orders a long job for it.
"""

import sqlalchemy as sa
from alembic import op

revision = "c27e0d81f5a6"
down_revision = "5392341ed704"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("long_job", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("binding", sa.Boolean(), nullable=False, server_default=sa.true())
        )
    # How far an update is was observed by the reconciler.
    op.execute("DELETE FROM observed WHERE kind = 'cluster/software'")
