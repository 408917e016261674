"""Have snapshots go by themselves.

Until now the values of autodelete were kept as they were set, and it could not be switched on.
"""

import sqlalchemy as sa
from alembic import op

revision = "d27b95f3e0a4"
down_revision = "8c4f1e07d2b6"
branch_labels = None
depends_on = None

DEFAULTS = {
    "autodelete_enabled": False,
    "autodelete_trigger": "volume",
    "autodelete_target_free_space": 20,
    "autodelete_delete_order": "oldest_first",
    "autodelete_defer_delete": "user_created",
    "autodelete_commitment": "try",
    "autodelete_prefix": "",
    "space_mgmt_try_first": "volume_grow",
}
KINDS = {bool: sa.Boolean, int: sa.Integer, str: sa.String}
FIELD = "space.snapshot.autodelete."


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("volume") as table:
        for name, default in DEFAULTS.items():
            kind = KINDS[type(default)]()
            table.add_column(
                sa.Column(name, kind, server_default=sa.literal(default, kind), nullable=False)
            )
    with op.batch_alter_table("volume") as table:
        for name in DEFAULTS:
            table.alter_column(name, server_default=None)
    columns = [sa.column(name, KINDS[type(default)]()) for name, default in DEFAULTS.items()]
    kept = sa.column("uuid", sa.String()), sa.column("properties", sa.JSON())
    volume = sa.table("volume", *kept, *columns)
    connection = op.get_bind()
    for uuid, before in connection.execute(sa.select(*kept).select_from(volume)).all():
        given = {name: value for name, value in before.items() if name.startswith(FIELD)}
        if given:
            properties = {name: value for name, value in before.items() if name not in given}
            values = {f"autodelete_{name.removeprefix(FIELD)}": v for name, v in given.items()}
            known = {name: value for name, value in values.items() if name in DEFAULTS}
            statement = sa.update(volume).where(volume.c.uuid == uuid)
            connection.execute(statement.values(properties=properties, **known))
