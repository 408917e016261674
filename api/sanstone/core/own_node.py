"""Which of the array's nodes this machine is.

The database is that of all nodes, so it cannot say. `sanstone-setup` keeps the answer in a file.
"""

from __future__ import annotations

from sqlalchemy import BindParameter, String, bindparam

from sanstone.core import places


def uuid() -> str:
    """Return the UUID of this machine's node."""
    return places.node_identity().read_text().strip()


def parameter() -> BindParameter[str]:
    """Return the UUID for a statement, which may be kept: it is read when the statement runs."""
    return bindparam("own_node", callable_=uuid, type_=String())
