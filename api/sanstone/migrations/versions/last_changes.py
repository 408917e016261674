"""Add the last change of each owner. It begins with the first change after the update."""

import sqlalchemy as sa
from alembic import op

revision = "a3f60c8d2e17"
down_revision = "2b7f4c81d930"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "change_counter",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("counter", sa.Integer(), nullable=False),
        sa.Column("floor", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_change_counter")),
    )
    op.create_table(
        "last_change",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("about_svm", sa.String(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=True),
        sa.PrimaryKeyConstraint("kind", "key", name=op.f("pk_last_change")),
    )
    op.create_index("ix_last_change_index", "last_change", ["index"])
