"""Orders to download, validate and install software."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy.orm import Mapped, mapped_column

from sanstone.core.database.change import Owned
from sanstone.core.database.store import Base, Identified, Secret

DOWNLOAD, VALIDATE, UPDATE = "download", "validate", "update"
QUEUED, RUNNING, REBOOTING, SUCCESS, FAILURE = (
    "queued",
    "running",
    "rebooting",
    "success",
    "failure",
)
OPEN = (QUEUED, RUNNING)
"""States of unfinished tasks; REBOOTING is for the next boot to judge."""
UPLOADED = "upload:"
"""In the place of a URL: the package was uploaded (`core.places.uploaded_package`)."""


class SoftwareTask(Owned, Identified, Base):
    """One order. `slot` is the one that an update writes, `code` 0 or that of `message`;
    `arguments` are parts of that as they stand in it.

    `lacking` are the owners that were not served before an update, None for not known.
    """

    __tablename__ = "software_task"
    kind = "cluster/software"
    lasting = True

    action: Mapped[str]
    state: Mapped[str] = mapped_column(default=QUEUED)
    version: Mapped[str] = mapped_column(default="")
    from_version: Mapped[str] = mapped_column(default="")
    slot: Mapped[str] = mapped_column(default="")
    lacking: Mapped[list[Any] | None]
    url: Mapped[str] = mapped_column(default="")
    username: Mapped[str] = mapped_column(default="")
    password: Mapped[str] = mapped_column(Secret, default="", nullable=True)
    then_update: Mapped[bool] = mapped_column(default=False)
    message: Mapped[str] = mapped_column(default="")
    arguments: Mapped[list[Any]] = mapped_column(default=list)
    code: Mapped[int] = mapped_column(default=0)
    start_time: Mapped[float] = mapped_column(default=time.time)
    end_time: Mapped[float | None]
