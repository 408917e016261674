"""`storage/volumes/{volume.uuid}/snapshots`: the content of a volume at one moment.

A snapshot holds each LUN and namespace of its volume, all as of the same moment: its content in a
separate thin volume that is never exported, and its row, so that both can be restored after the
object itself is deleted. When one can be taken and deleted is in `rules.storage.snapshots`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Reference, Resource
from sanstone.core.declaration.types import Choice, Size, Strings, Text, Timestamp, Uuid
from sanstone.model.observations import SNAPSHOTS_TAKEN
from sanstone.model.svm import Svm
from sanstone.model.volumes import Snapshot, Volume
from sanstone.rules.storage.snapshot_space import held_by
from sanstone.rules.storage.snapshots import BAD_NAME, EXISTS, UNKNOWN, check, check_deletable, take

NAME = Text(255, 1, r"[A-Za-z0-9_.+:=@~-]+", "letters, digits, _ . + : = @ ~ -")


class SnapshotResource(Resource[Snapshot]):
    """Snapshots of a volume."""

    path = "storage/volumes/{volume.uuid}/snapshots"
    doc = "A snapshot holds a volume as it was at one moment."
    model = Snapshot
    keys = ("volume.uuid", "uuid")
    order = ("create_time", "uuid")
    asynchronous = True
    searched = ("name", "comment")
    unknown_code = UNKNOWN
    fields = (
        Field("uuid", Uuid(), "Identity of the snapshot."),
        Field("name", NAME, "Name in the volume.", access=WRITE, required=True, code=BAD_NAME),
        Reference("volume", Volume, "The volume."),
        Reference(
            "svm",
            Svm,
            "The SVM of the volume.",
            access=CREATE,
            get=lambda row, _: row.volume.svm,
        ),
        Field("comment", Text(255), "Comment.", access=WRITE, default=""),
        Field(
            "snapmirror_label",
            Text(31, 1),
            "Label for replication, which the array does not do; kept.",
            access=WRITE,
            get=lambda row, _: row.snapmirror_label or None,
        ),
        Field(
            "expiry_time",
            Timestamp(),
            "Until when it cannot be deleted.",
            access=WRITE,
        ),
        Field("create_time", Timestamp(), "Time of the request."),
        Field(
            "owners",
            Strings(),
            "Who needs it: volume_clone where volumes are clones of it, else absent.",
            get=lambda row, _: ["volume_clone"] if row.clones else None,
        ),
        Field(
            "size",
            Size(),
            "Bytes that it holds and neither the volume nor a newer snapshot has any more. As last "
            "measured, about a minute ago; absent until that is done, and while it has to be done "
            "again since a newer one is deleted.",
            get=held_by,
        ),
        Field(
            "state",
            Choice("valid", "unknown"),
            "Whether it can be used: valid, or unknown as long as it is not taken.",
            get=lambda row, reader: (
                "valid" if reader.seen(SNAPSHOTS_TAKEN, row.uuid) else "unknown"
            ),
        ),
        Field("version_uuid", Uuid(), "Identity of its content.", attribute="uuid"),
        Field(
            "logical_size",
            Size(),
            "Bytes of all LUNs and namespaces in it.",
            get=lambda row, _: sum(member.size for member in row.members),
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> Snapshot:
        """Take a snapshot; I/O of hosts is suspended meanwhile, for some milliseconds."""
        volume = values["volume"]
        if values.get("svm", volume.svm) is not volume.svm:
            raise errors.unknown_reference(f'volume "{volume.name}" in the SVM', "svm", UNKNOWN)
        check(change.session, volume, values["name"])
        kept = ("comment", "snapmirror_label", "expiry_time")
        properties = {name: values[name] for name in kept if name in values}
        return take(change, [volume], values["name"], **properties)[0]

    def update(self, change: Change, row: Snapshot, values: dict[str, Any]) -> None:
        """Change the name and the descriptive fields."""
        name = values.get("name", row.name)
        taken = select(Snapshot.uuid).filter_by(volume_uuid=row.volume_uuid, name=name)
        if name != row.name and change.session.scalar(taken):
            text = f'A snapshot named "{name}" already exists in the volume.'
            raise errors.conflict(text, "name", EXISTS)
        for field in ("name", "comment", "snapmirror_label", "expiry_time"):
            if field in values:
                setattr(row, field, values[field])

    def delete(self, change: Change, row: Snapshot, options: dict[str, Any]) -> None:
        """Delete a snapshot and the blocks that it alone holds."""
        check_deletable(row)
        row.release(change)
