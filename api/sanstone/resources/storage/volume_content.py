"""What a volume holds, made of a snapshot: going back to one, and cloning a volume.

Going back keeps the identity of each LUN and namespace, and its maps: its device changes content
under the hosts. What was not in the volume at that moment is deleted with its maps, and what has
been deleted since comes back, unmapped. Snapshots stay, later ones too.

A clone is a volume of its own in which everything has a new identity and is unmapped. It shares
blocks with its parent's snapshot, which must stay until the clone is split off: an agreement with
ONTAP's clients only, since thin volumes depend on nothing. Splitting takes no time for that reason.
"""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.change import Change
from sanstone.core.resource import Field
from sanstone.core.types import Text, Uuid
from sanstone.model.nvme import Namespace
from sanstone.model.san import Lun
from sanstone.model.volumes import Snapshot, SnapshotMember, Volume, VolumeClone
from sanstone.resources.cluster import node_memory
from sanstone.resources.storage import snapshot as snapshots
from sanstone.resources.storage import thin_copy

KINDS: dict[str, Any] = {Lun.kind: Lun, Namespace.kind: Namespace}
UNKNOWN_PARENT = "524601"
RESTORE_OPTIONS = tuple(
    Field(f"restore_to.snapshot.{part}", kind, f"{word} of the snapshot to go back to.")
    for part, kind, word in (("name", Text(255, 1), "Name"), ("uuid", Uuid(), "Identity"))
)


def restore_target(values: dict[str, Any]) -> dict[str, str]:
    """Return the name, the UUID or both of the snapshot that a request says to go back to."""
    given = ((part, values[f"restore_to.snapshot.{part}"]) for part in ("name", "uuid"))
    return {part: text for part, text in given if text}


def snapshot_named(change: Change, volume: Volume, **named: str) -> Snapshot:
    """Return a volume's snapshot by `name`, `uuid` or both. Raises ApiError."""
    query = select(Snapshot).filter_by(volume_uuid=volume.uuid, **named)
    found = change.session.scalars(query).one_or_none()
    if found is None:
        text = f'snapshot "{" ".join(named.values())}" of volume "{volume.name}"'
        raise errors.unknown_reference(text, "restore_to.snapshot", snapshots.UNKNOWN)
    return found


def restore(change: Change, volume: Volume, snapshot: Snapshot) -> None:
    """Make a volume hold what it held when a snapshot was taken."""
    if volume.state != "online":
        text = f'Volume "{volume.name}" is not online.'
        raise errors.conflict(text, code=snapshots.NOT_ONLINE)
    then = {member.device_uuid: member for member in snapshot.members}
    for device in volume.devices:
        if device.uuid not in then:
            device.hide(change)
            device.release(change)
    change.session.expire(volume, ["luns", "namespaces"])
    now = {device.uuid: device for device in volume.devices}
    node_memory.require(change.session, len(then.keys() - now.keys()))
    # A name may have gone from one device to another since, and must be free before it is taken.
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
    """Return the columns with which a device comes back as the one that it was.

    One that has moved to another volume stays what it is there: here a new one is made.
    """
    if change.session.get(KINDS[member.device_kind], member.device_uuid):
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
    """Fill a new volume with clones of what is in a snapshot of its parent.

    Without the name of a snapshot, one is taken for it.
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
    """Delete what is in a volume and its snapshots; `check_deletable` allowed it."""
    for device in volume.devices:
        device.release(change)
    for snapshot in list(volume.snapshots):
        snapshot.release(change)
    split(change, volume)


def split(change: Change, volume: Volume) -> None:
    """Let a clone no longer hold its parent's snapshot."""
    if volume.clone:
        change.delete(volume.clone)
        change.session.expire(volume, ["clone"])
