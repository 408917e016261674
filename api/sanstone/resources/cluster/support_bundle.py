"""`support/bundles`: files with all that a support engineer needs to know of the array.

ONTAP has no such resource; its AutoSupport sends as much to NetApp. A long job creates a bundle,
and it is downloaded from `support/bundles/{uuid}/file`. It never has a secret in it: no password or
hash of one, no key of CHAP or DH-HMAC-CHAP, no private key.
"""

from __future__ import annotations

import re
import shutil
import time
from typing import Any

from marshmallow import ValidationError
from sqlalchemy import func, select

from sanstone.core import errors, places
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, Field, Items, Reader, Resource
from sanstone.core.declaration.types import Choice, Size, Text, Timestamp, Uuid
from sanstone.model.support import AVAILABLE, CREATING, LARGEST, SupportBundle

LOST = "lost"
MOST = 5
"""Bundles that are kept at a time."""
RESERVE = 256 << 20
"""Bytes that a bundle leaves free, for the database and the journal."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class BundleName(Text):
    """A name that is a file's as well."""

    good = ("support-20260102-030405", "case_4711")

    def __init__(self) -> None:
        super().__init__(64, 1)
        self.bad += ("../passwd", "a b", ".hidden", 'a"b')

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        if not _NAME.fullmatch(text):
            raise ValidationError("Use letters, digits, '.', '_' and '-'; the first no sign.")
        return text


def _state(row: SupportBundle, reader: Reader) -> str:
    return LOST if reader.seen(row.kind, row.uuid).get("lost") else row.state


class SupportBundleResource(Resource[SupportBundle]):
    """Support bundles."""

    path = SupportBundle.kind
    doc = (
        "Files for support, each with the array's journal, configuration, figures of the last days "
        "and state of the kernel, and without any secret. The array keeps 5. Download one from "
        "support/bundles/{uuid}/file."
    )
    model = SupportBundle
    order = ("create_time", "uuid")
    asynchronous = True
    methods = frozenset({"GET", "POST", "DELETE"})
    fields = (
        Field("uuid", Uuid(), "Identity."),
        Field(
            "name",
            BundleName(),
            "Name, and that of the file that is downloaded; by default the time, in UTC.",
            access=CREATE,
        ),
        Field(
            "state",
            Choice(CREATING, AVAILABLE, LOST),
            "Whether it can be downloaded; of a lost one there is no file, since the configuration "
            "was restored without it.",
            get=_state,
        ),
        Field("size", Size(), "Bytes of the file; absent until it is complete."),
        Field("create_time", Timestamp(), "Time of the request."),
        Items(
            "missing",
            (
                Field(
                    "part", Text(), "The part that is missing.", get=lambda each, _: each["part"]
                ),
                Field("reason", Text(), "Why.", get=lambda each, _: each["reason"]),
            ),
            "Parts that could not be collected.",
            get=lambda row, _: row.missing or [],
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> SupportBundle:
        """Order a bundle."""
        session = change.session
        if session.scalar(select(SupportBundle.uuid).filter_by(state=CREATING)):
            text = "A support bundle is being created; wait for it, or cancel its job."
            change.refuse(errors.conflict(text))
        if (session.scalar(select(func.count()).select_from(SupportBundle)) or 0) >= MOST:
            text = f"There are {MOST} support bundles, which is as many as are kept; delete one."
            change.refuse(errors.conflict(text))
        room = shutil.disk_usage(places.state_directory()).free - RESERVE
        if room < LARGEST:
            text = (
                f"A support bundle may need {LARGEST >> 20} MiB, and the system disk has room for "
                f"{max(0, room) >> 20} MiB: delete bundles or packages first."
            )
            change.refuse(errors.conflict(text))
        moment = time.strftime("support-%Y%m%d-%H%M%S", time.gmtime())
        row = SupportBundle(name=values.get("name") or moment)
        taken = session.scalar(select(SupportBundle.uuid).filter_by(name=row.name))
        if taken:
            text = f'A support bundle named "{row.name}" already exists.'
            change.refuse(errors.conflict(text, "name", errors.EXISTS))
        change.settle()
        change.add(row)
        return row

    def delete(self, change: Change, row: SupportBundle, options: dict[str, Any]) -> None:
        """Delete a bundle; its file goes with the next turn."""
        if row.state == CREATING:
            text = f'Support bundle "{row.name}" is being created; cancel its job instead.'
            raise errors.conflict(text, code=errors.IN_USE)
        change.delete(row)
