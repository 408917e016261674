"""Support bundles."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy.orm import Mapped, mapped_column

from sanstone.core.database.change import Owned
from sanstone.core.database.store import Base, Identified

CREATING, AVAILABLE = "creating", "available"
BUNDLE_CREATION = "support.bundle"
"""The kind of long jobs that make them."""
LARGEST = 64 << 20
"""Bytes of a bundle's file."""


class SupportBundle(Owned, Identified, Base):
    """One bundle. `size` is in bytes, of the file; `missing` are parts, each with its reason."""

    __tablename__ = "support_bundle"
    kind = "support/bundles"

    name: Mapped[str] = mapped_column(unique=True)
    state: Mapped[str] = mapped_column(default=CREATING)
    size: Mapped[int | None]
    missing: Mapped[list[Any] | None]
    create_time: Mapped[float] = mapped_column(default=time.time)
