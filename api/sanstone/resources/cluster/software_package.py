"""`cluster/software/packages`: update packages that lie on the array, by the release in them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import PACKAGE, Change
from sanstone.core.declaration.resource import Field, Items, Resource, seen
from sanstone.core.declaration.types import Strings, Text, Timestamp
from sanstone.core.observed import Observed, shown
from sanstone.model.observations import SOFTWARE_PACKAGES
from sanstone.rules.cluster import software_task

NO_PACKAGE, UPDATE_RUNS = "10551325", "10551347"


def is_stored(session: Session, version: str) -> bool:
    """Return whether the package of a release lies on the array."""
    return (
        session.scalar(select(Observed.key).where(shown(SOFTWARE_PACKAGES)).filter_by(key=version))
        is not None
    )


class SoftwarePackageResource(Resource[Observed]):
    """Packages."""

    path = SOFTWARE_PACKAGES
    doc = "Packages of releases that were downloaded; `cluster/software` installs one."
    model = Observed
    keys = ("version",)
    order = ("key",)
    asynchronous = True
    methods = frozenset({"GET", "DELETE"})
    unknown_code = NO_PACKAGE
    fields = (
        Field("version", Text(64), "Release in the package.", attribute="key"),
        Field("create_time", Timestamp(), "When it was downloaded.", get=seen("create_time")),
        Items(
            "changes",
            (
                Field("version", Text(64), "Release.", get=lambda each, _: each["version"]),
                Field("date", Text(10), "Its day: 2026-11-30.", get=lambda each, _: each["date"]),
                Field("changes", Strings(), "One each.", get=lambda each, _: each["changes"]),
            ),
            "What the releases after the one that runs changed, up to this one, newest first.",
            get=seen("changes"),
        ),
    )

    def select(self) -> Select[Any]:
        """Return the statement that yields the packages."""
        return select(Observed).where(shown(SOFTWARE_PACKAGES))

    def delete(self, change: Change, row: Observed, options: dict[str, Any]) -> None:
        """Have the file removed, unless it is in use."""
        for task in software_task.unfinished(change.session):
            if task.version == row.key:
                text = f'Package "{row.key}" is in use: its {task.action} is in progress.'
                raise errors.conflict(text, "version", UPDATE_RUNS)
        owner = f"{SOFTWARE_PACKAGES}:{row.key}"
        change.remove(PACKAGE, owner, version=row.key)
        change.touch(owner)
