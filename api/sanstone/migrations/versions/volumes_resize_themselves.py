"""Have volumes resize themselves.

Until now the values of autosize were kept as they were set, and had no effect. Those that cannot
hold become the defaults: a maximum below the volume's size, a minimum above it, thresholds with
that of growth not above the other. Where the mode is on, maximum and minimum are fixed, as when it
is switched on.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "8c4f1e07d2b6"
down_revision = "6f2d90ab14c7"
branch_labels = None
depends_on = None

OFF, LARGEST = "off", 1 << 50
NUMBERS = ("maximum", "minimum", "grow_threshold", "shrink_threshold")


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("volume") as table:
        table.add_column(
            sa.Column("autosize_mode", sa.String(), server_default=OFF, nullable=False)
        )
        for name in NUMBERS:
            table.add_column(sa.Column(f"autosize_{name}", sa.Integer(), nullable=True))
    with op.batch_alter_table("volume") as table:
        table.alter_column("autosize_mode", server_default=None)
    volume = sa.table(
        "volume",
        *(sa.column("uuid", sa.String()), sa.column("size", sa.Integer())),
        *(sa.column("properties", sa.JSON()), sa.column("autosize_mode", sa.String())),
        *(sa.column(f"autosize_{name}", sa.Integer()) for name in NUMBERS),
    )
    connection = op.get_bind()
    rows = connection.execute(sa.select(volume.c.uuid, volume.c.size, volume.c.properties)).all()
    for uuid, size, properties in rows:
        kept = {name: value for name, value in properties.items() if not _is_autosize(name)}
        if kept != properties:
            values = {"properties": kept, **_values(size, properties)}
            connection.execute(sa.update(volume).where(volume.c.uuid == uuid).values(values))


def _is_autosize(name: str) -> bool:
    return name.startswith("autosize.")


def _values(size: int, properties: dict[str, Any]) -> dict[str, Any]:
    """Return the new columns of a volume."""
    mode = properties.get("autosize.mode", OFF)
    maximum, minimum, grow, shrink = (properties.get(f"autosize.{name}") for name in NUMBERS)
    if maximum is not None and not size <= maximum <= LARGEST:
        maximum = None
    if minimum is not None and not 0 < minimum <= size:
        minimum = None
    if grow is not None and grow <= (shrink or 0):
        grow = shrink = None
    if mode != OFF:
        maximum, minimum = maximum or min(LARGEST, size * 120 // 100), minimum or size
    numbers = zip(NUMBERS, (maximum, minimum, grow, shrink), strict=True)
    return {"autosize_mode": mode, **{f"autosize_{name}": value for name, value in numbers}}
