"""Restore a volume from a snapshot, and clone a volume.

A restore keeps the identity and the maps of each LUN and namespace: its device changes content
while hosts use it. Objects that were not in the volume at that moment are deleted with their maps,
and those deleted since are restored, unmapped. What was converted since is of its former kind
again, unmapped. All snapshots stay, later ones too.

A clone is a separate volume in which every object has a new identity and is unmapped. It shares
blocks with its parent's snapshot, which must stay until the clone is split: ONTAP's clients expect
that, although thin volumes do not depend on each other. For that reason a split takes no time.
"""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Field
from sanstone.core.declaration.types import Text, Uuid
from sanstone.model.nvme import Namespace
from sanstone.model.san import Lun
from sanstone.model.volumes import Snapshot, SnapshotMember, Volume, VolumeClone
from sanstone.resources.storage import device_conversion, thin_copy
from sanstone.rules.cluster import node_memory
from sanstone.rules.storage import snapshots
from sanstone.rules.storage.snapshots import NOT_ONLINE, UNKNOWN

KINDS: dict[str, Any] = {Lun.kind: Lun, Namespace.kind: Namespace}
UNKNOWN_PARENT = "524601"
RESTORE_OPTIONS = tuple(
    Field(f"restore_to.snapshot.{part}", kind, f"{word} of the snapshot to go back to.")
    for part, kind, word in (("name", Text(255, 1), "Name"), ("uuid", Uuid(), "Identity"))
)


def restore_target(values: dict[str, Any]) -> dict[str, str]:
    """Return the name, the UUID or both of the snapshot that a request restores."""
    identity = ((part, values[f"restore_to.snapshot.{part}"]) for part in ("name", "uuid"))
    return {part: text for part, text in identity if text}


def snapshot_named(change: Change, volume: Volume, **named: str) -> Snapshot:
    """Return a volume's snapshot by `name`, `uuid` or both. Raises ApiError."""
    query = select(Snapshot).filter_by(volume_uuid=volume.uuid, **named)
    snapshot = change.session.scalars(query).one_or_none()
    if snapshot is None:
        text = f'snapshot "{" ".join(named.values())}" of volume "{volume.name}"'
        raise errors.unknown_reference(text, "restore_to.snapshot", UNKNOWN)
    return snapshot


def restore(change: Change, volume: Volume, snapshot: Snapshot) -> None:
    """Restore a volume's content from a snapshot."""
    if volume.state != "online":
        text = f'Volume "{volume.name}" is not online.'
        raise errors.conflict(text, code=NOT_ONLINE)
    then = {member.device_uuid: member for member in snapshot.members}
    for device in volume.devices:
        member = then.get(device.uuid)
        if member is None:
            device.hide(change)
            device.release(change)
        elif member.device_kind != device.kind:
            device.hide(change)
            kind = KINDS[member.device_kind]
            own = {n: v for n, v in member.described.items() if not hasattr(device, n)}
            device_conversion.become(change, device, kind, own)
    change.session.expire(volume, ["luns", "namespaces"])
    now = {device.uuid: device for device in volume.devices}
    node_memory.require(change.session, len(then.keys() - now.keys()))
    # A name may have moved from one device to another since, and must be free before it is set.
    for device in now.values():
        device.name = f"/vol/{volume.name}/{device.uuid}"
    change.session.flush()
    for uuid, member in then.items():
        if uuid in now:
            now[uuid].name = f"/vol/{volume.name}/{member.base_name}"
            thin_copy.overwrite(change, now[uuid], thin_copy.of_member(member))
        else:
            _make(change, volume, member, _identity(change, member))
    change.session.expire(volume, ["luns", "namespaces"])


def _identity(change: Change, member: SnapshotMember) -> dict[str, Any]:
    """Return the columns of identity of a device to be restored.

    One that has moved to another volume, of whichever kind it is now, keeps its identity there:
    here a new one is created.
    """
    if any(change.session.get(kind, member.device_uuid) for kind in KINDS.values()):
        return {}
    serial = {n: v for n, v in member.described.items() if n == "serial_number"}
    return {"uuid": member.device_uuid} | serial


def _make(change: Change, volume: Volume, member: SnapshotMember, identity: dict[str, Any]) -> None:
    """Add a device with the content of one in a snapshot."""
    described = {n: v for n, v in member.described.items() if n != "serial_number"}
    change.add(
        KINDS[member.device_kind](
            name=f"/vol/{volume.name}/{member.base_name}",
            volume_uuid=volume.uuid,
            svm_uuid=volume.svm_uuid,
            **described,
            **thin_copy.of_member(member).content(volume),
            **identity,
        )
    )


def clone(change: Change, volume: Volume, parent: Volume, named: str | None) -> None:
    """Fill a new volume with clones of the members of its parent's snapshot.

    If no snapshot is named, a new one is taken.
    """
    if named is None:
        name = f"clone_{volume.name}.{time.strftime('%Y-%m-%d_%H%M%S', time.gmtime())}"
        snapshots.check(change.session, parent, name)
        snapshot = snapshots.take(change, [parent], name)[0]
        change.session.expire(snapshot, ["members"])
    else:
        snapshot = snapshot_named(change, parent, name=named)
    node_memory.require(change.session, len(snapshot.members))
    for member in snapshot.members:
        _make(change, volume, member, {})
    change.add(VolumeClone(volume_uuid=volume.uuid, snapshot_uuid=snapshot.uuid))


def check_deletable(volume: Volume) -> None:
    """Raise ApiError when a volume is in a group, or others are clones of its snapshots."""
    if volume.membership:
        group = volume.membership.group
        raise errors.conflict(f'Volume "{volume.name}" is in consistency group "{group.name}".')
    for snapshot in volume.snapshots:
        snapshots.check_deletable(snapshot)


def delete_all(change: Change, volume: Volume) -> None:
    """Delete a volume's content and snapshots, after `check_deletable`."""
    for device in volume.devices:
        device.release(change)
    for snapshot in list(volume.snapshots):
        snapshot.release(change)
    split(change, volume)


def split(change: Change, volume: Volume) -> None:
    """Release a clone's hold on its parent's snapshot."""
    if volume.clone:
        change.delete(volume.clone)
        change.session.expire(volume, ["clone"])
