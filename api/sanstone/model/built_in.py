"""Identities of the rows that every array has from the start.

They are derived from kind and name, so that they are the same on each array.
"""

from __future__ import annotations

import uuid

BUILT_IN_NAMES = uuid.UUID("5ab57000-0000-4000-8000-000000000000")


def built_in_uuid(kind: str, name: str) -> str:
    """Return the identity of a row that every array has from the start."""
    return str(uuid.uuid5(BUILT_IN_NAMES, f"{kind}/{name}"))
