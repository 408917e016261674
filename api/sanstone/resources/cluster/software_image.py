"""`cluster/software/images`: the two slots of the system disk, as ONTAP's `system image show` has.

ONTAP's REST API has no such list, its command line has. An array that runs live from its medium, or
in the lab, has no slots: the list is empty and an update is refused.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.observed import Observed
from sanstone.core.resource import Field, Reader, Resource, seen
from sanstone.core.types import Boolean, Choice, Text, Timestamp
from sanstone.resources.cluster.node import node_fields

KIND = "cluster/software/images"
NAMES = {"a": "image1", "b": "image2"}
GOOD, BAD, TRIAL = "good", "bad", "on_trial"


def require_slots(session: Session) -> None:
    """Raise ApiError when no slot can be written: there is none, or a release is on trial."""
    slots = session.scalars(select(Observed).filter_by(kind=KIND)).all()
    if not slots:
        raise errors.conflict(
            "This array was not started from a system disk, so there is no image to update: "
            "install it first."
        )
    if any(slot.data["is_current"] and slot.data["trial"] for slot in slots):
        text = "The release that runs is still on trial: the other image is the way back from it."
        raise errors.conflict(text)


def _state(row: Observed, _reader: Reader) -> str:
    if row.data["trial"]:
        return TRIAL
    return GOOD if row.data["good"] else BAD


class SoftwareImageResource(Resource[Observed]):
    """Images of the system."""

    path = KIND
    doc = "The two slots of the system disk: one runs, an update is written to the other."
    model = Observed
    keys = ("image",)
    order = ("key",)
    methods = frozenset({"GET"})
    fields = (
        Field("image", Text(), "Name of the slot.", get=lambda row, _: NAMES[row.key]),
        *node_fields(),
        Field("is_default", Boolean(), "Whether the next boot is of it.", get=seen("is_default")),
        Field("is_current", Boolean(), "Whether it runs.", get=seen("is_current")),
        Field(
            "version",
            Text(),
            "Release in it; absent when none is.",
            get=lambda row, _: row.data["version"] or None,
        ),
        Field(
            "install_date",
            Timestamp(),
            "When an update wrote it; absent where the installer did.",
            get=seen("install_time"),
        ),
        Field(
            "state",
            Choice(GOOD, BAD, TRIAL),
            "Whether it may be booted; one on trial has not yet proved itself.",
            get=_state,
        ),
    )

    def select(self) -> Select[Any]:
        """Return the statement that yields the slots."""
        return select(Observed).filter_by(kind=KIND)
