"""`cluster/software/download`: fetching an update package from a web server, and how that goes."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, Field, Reader, Resource, constant
from sanstone.core.declaration.types import Boolean, Choice, Integer, Password, Text
from sanstone.model.software import DOWNLOAD, FAILURE, OPEN, SUCCESS, UPLOADED, SoftwareTask
from sanstone.resources.cluster.software import require_idle
from sanstone.resources.cluster.software_image import require_slots
from sanstone.resources.cluster.software_package import is_stored
from sanstone.rules.cluster import software_task
from sanstone.rules.destinations import PackageUrl

SAME_NAME = "18408"
_STATES = {SUCCESS: "success", FAILURE: "failure"}


def _latest(reader: Reader) -> SoftwareTask | None:
    return software_task.latest(reader.session, DOWNLOAD)


class SoftwareDownloadResource(Resource[SoftwareTask]):
    """The download of a package."""

    path = "cluster/software/download"
    doc = "Fetches a package from a web server; GET tells how the last one went."
    model = SoftwareTask
    keys = ()
    order = ()
    single = True
    asynchronous = True
    methods = frozenset({"GET", "POST"})
    fields = (
        Field(
            "url",
            PackageUrl(),
            "Where the package is: on another machine, by http or https, as all that it is "
            "redirected to.",
            access=CREATE,
            required=True,
            get=constant(None),
        ),
        Field("username", Text(255), "Login there.", access=CREATE, get=constant(None)),
        Field("password", Password(), "Password there.", access=CREATE, secret=True),
        Field(
            "then_update",
            Boolean(),
            "Whether to install it as soon as it is there; that reboots the array.",
            access=CREATE,
            default=False,
            get=constant(None),
        ),
        Field(
            "state",
            Choice("not_started", "running", "success", "failure"),
            "How it goes.",
            get=lambda row, _: (
                "running" if row.state in OPEN else _STATES.get(row.state, row.state)
            ),
        ),
        Field(
            "message",
            Text(),
            "The same in words.",
            get=lambda row, _: row.message or "No package was downloaded yet.",
        ),
        Field("code", Integer(), "0, or the error's code."),
    )

    def rows(self, reader: Reader) -> Sequence[SoftwareTask]:
        """Return the last download, or that there was none."""
        return [_latest(reader) or SoftwareTask(state="not_started", message="", code=0)]

    def create(self, change: Change, values: dict[str, Any]) -> SoftwareTask:
        """Order a download."""
        session = change.session
        if values["then_update"]:
            require_slots(session)
        require_idle(session)
        name = posixpath.basename(urlsplit(values["url"]).path)
        if _stored_version(session, name):
            text = f'Package image with the same name already exists: "{name}".'
            raise errors.conflict(text, "url", SAME_NAME)
        task = SoftwareTask(
            action=DOWNLOAD,
            url=values["url"],
            username=values.get("username", ""),
            password=values.get("password", ""),
            then_update=values["then_update"],
            message="Package download in progress.",
        )
        change.add(task)
        return task


def take_uploaded(change: Change) -> SoftwareTask:
    """Order that the package which was uploaded be looked at and kept. Raises ApiError."""
    require_idle(change.session)
    task = SoftwareTask(action=DOWNLOAD, url=UPLOADED, message="The uploaded package is looked at.")
    change.add(task)
    return task


def _stored_version(session: Session, name: str) -> str:
    """Return the release in the stored package that came as a file of this name, '' for none."""
    done = select(SoftwareTask).filter_by(action=DOWNLOAD, state=SUCCESS)
    for task in session.scalars(done):
        same = posixpath.basename(urlsplit(task.url).path) == name
        if same and is_stored(session, task.version):
            return task.version
    return ""
