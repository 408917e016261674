"""`cluster/software/images`: the two slots of the system disk, as ONTAP's `system image show` has.

ONTAP's REST API has no such list, its command line has. An array that runs live from its medium, or
in the lab, has no slots: the list is empty and an update is refused.

The array can go back to the release in the slot that does not run, as it is: without a package and
without writing anything, if that release has served before and knows the database.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database import store
from sanstone.core.declaration.resource import Field, Reader, Resource, seen
from sanstone.core.declaration.types import Boolean, Choice, Text, Timestamp
from sanstone.core.observed import Observed, shown
from sanstone.model.observations import SOFTWARE_IMAGES
from sanstone.rules.cluster.node import node_fields

NAMES = {"a": "image1", "b": "image2"}
GOOD, BAD, TRIAL = "good", "bad", "on_trial"


def require_slots(session: Session) -> None:
    """Raise ApiError when no slot can be written: there is none, or a release is on trial."""
    slots = session.scalars(select(Observed).where(shown(SOFTWARE_IMAGES))).all()
    if not slots:
        raise errors.conflict(
            "This array was not started from a system disk, so there is no image to update: "
            "install it first."
        )
    if any(slot.data["is_current"] and slot.data["trial"] for slot in slots):
        text = "The release that runs is still on trial: the other image is the way back from it."
        raise errors.conflict(text)


def is_held(session: Session, version: str) -> bool:
    """Return whether the array can go back to a release, which the other slot holds."""
    revision = store.revision(session)
    slots = session.scalars(select(Observed).where(shown(SOFTWARE_IMAGES)))
    return any(slot.data["version"] == version and _is_way_back(slot, revision) for slot in slots)


def _is_way_back(slot: Observed, revision: str) -> bool:
    """Return whether a slot does not run, may be booted, and knows the database's revision."""
    may_be_booted = slot.data["good"] and not slot.data["trial"] and not slot.data["is_current"]
    return may_be_booted and revision in (slot.data.get("schema") or ())


def _state(row: Observed, _reader: Reader) -> str:
    if row.data["trial"]:
        return TRIAL
    return GOOD if row.data["good"] else BAD


class SoftwareImageResource(Resource[Observed]):
    """Images of the system."""

    path = SOFTWARE_IMAGES
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
        Field(
            "can_go_back",
            Boolean(),
            "Whether the array can go back to it without a package: it does not run, has served, "
            "and knows the configuration as it is now.",
            get=lambda row, reader: _is_way_back(row, reader.once(store.revision)),
        ),
    )

    def select(self) -> Select[Any]:
        """Return the statement that yields the slots."""
        return select(Observed).where(shown(SOFTWARE_IMAGES))
