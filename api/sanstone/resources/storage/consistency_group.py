"""`application/consistency-groups`: volumes with snapshots that are taken at one moment.

A group consists of volumes of one SVM, which exist or are created with it; a volume is in at most
one group. The same request may create LUNs and namespaces in them (`consistency_group_devices`); a
volume of theirs that does not exist is created in their size. Deleting a group keeps its volumes
and their snapshots. Its snapshot policy is for snapshots of the whole group; that of each volume
goes on beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Items, Resource, constant
from sanstone.core.declaration.types import Choice, Size, Text, Timestamp, Uuid
from sanstone.core.declaration.values import parse
from sanstone.model.policies import NONE_UUID, SnapshotPolicy
from sanstone.model.svm import Svm
from sanstone.model.volumes import ConsistencyGroup, ConsistencyGroupVolume, Volume
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.storage import consistency_group_devices as devices
from sanstone.resources.storage import volume_content
from sanstone.resources.storage.snapshot_policy import PolicyReference
from sanstone.resources.storage.volume import SMALLEST, UNKNOWN_SNAPSHOT_POLICY, VolumeResource
from sanstone.rules.storage import snapshots

NAME_TAKEN, UNKNOWN, UNKNOWN_VOLUME = "53411860", "53411842", "53411861"
ACTION = "provisioning_options.action"
ADD, MAKE, REMOVE = "add", "create", "remove"


def _volume(change: Change, svm: Svm, item: dict[str, Any]) -> Volume:
    """Return the volume that an entry names; create it where the entry says so."""
    volume = _new(change, svm, item) if item[ACTION] == MAKE else _existing(change, svm, item)
    if item.get("space.size", volume.size) != volume.size:
        text = f'Volume "{volume.name}" exists; change its size by itself.'
        raise errors.invalid(text, "volumes.space.size")
    return volume


def _new(change: Change, svm: Svm, item: dict[str, Any]) -> Volume:
    """Make a volume of the size that an entry gives, where there is most space."""
    named = {"name": "name", "space.size": "size"}
    for name in named:
        if name not in item:
            raise errors.missing(f"volumes.{name}")
    body = {field: item[name] for name, field in named.items()}
    volumes = VolumeResource()
    parsed = parse(change.session, volumes.fields, body, CREATE, {"svm": svm})
    return volumes.create(change, parsed)


def _volumes_of_devices(
    change: Change, svm: Svm, values: dict[str, Any], members: Iterable[Volume]
) -> list[Volume]:
    """Make the volumes that LUNs and namespaces of a request name and that do not exist.

    Raises ApiError for one that exists and is none of the group's `members`.
    """
    volumes = []
    names = {volume.name for volume in members}
    for name, size in devices.sizes(values).items():
        if name in names:
            continue
        if change.session.scalar(select(Volume.uuid).filter_by(svm_uuid=svm.uuid, name=name)):
            text = f'Volume "{name}" is not in the consistency group.'
            raise errors.invalid(text, "volumes", UNKNOWN_VOLUME)
        volumes.append(_new(change, svm, {"name": name, "space.size": max(size, SMALLEST)}))
    return volumes


def _existing(change: Change, svm: Svm, item: dict[str, Any]) -> Volume:
    identity = {key: item[key] for key in ("name", "uuid") if key in item}
    query = select(Volume).filter_by(svm_uuid=svm.uuid, **identity)
    volume = change.session.scalars(query).one_or_none() if identity else None
    if volume is None:
        text = f'volume "{" ".join(identity.values())}" in SVM "{svm.name}"'
        raise errors.unknown_reference(text, "volumes", UNKNOWN_VOLUME)
    return volume


def _policy(svm: Svm, policy: SnapshotPolicy) -> str:
    """Return the UUID of a group's policy. Raises ApiError when its SVM cannot have it."""
    if policy.svm_uuid not in (None, svm.uuid):
        text = f'snapshot policy "{policy.name}" in the SVM'
        raise errors.unknown_reference(text, "snapshot_policy", UNKNOWN_SNAPSHOT_POLICY)
    return policy.uuid


class ConsistencyGroupResource(Resource[ConsistencyGroup]):
    """Consistency groups."""

    path = "application/consistency-groups"
    doc = "Consistency groups are volumes with snapshots that are taken at one moment."
    model = ConsistencyGroup
    asynchronous = True
    searched = ("name",)
    unknown_code = UNKNOWN
    options = volume_content.RESTORE_OPTIONS
    fields = (
        Field("uuid", Uuid(), "Identity of the group."),
        Field(
            "name",
            Text(203, 1, r"[A-Za-z0-9_][A-Za-z0-9_.-]*", "letters, digits, _ . -"),
            "Name within the SVM.",
            access=WRITE,
            required=True,
        ),
        svm_reference(),
        Field("create_time", Timestamp(), "When the group was created."),
        Field("state", Choice("online"), "Whether it can be used.", get=constant("online")),
        PolicyReference(
            "snapshot_policy",
            SnapshotPolicy,
            "When snapshots of the whole group are taken, all of one moment; none if not given. "
            "Its volumes go on by their own policies.",
            access=WRITE,
            unknown_code=UNKNOWN_SNAPSHOT_POLICY,
        ),
        Items(
            "volumes",
            (
                Field("name", Text(203, 1), "Name of the volume.", WRITE),
                Field("uuid", Uuid(), "Identity of the volume.", WRITE),
                Field(
                    "space.size",
                    Size(),
                    "Its size in bytes; required for a new one.",
                    access=WRITE,
                    attribute="size",
                ),
                Field(
                    ACTION,
                    Choice(ADD, MAKE, REMOVE),
                    "Whether to add or remove a volume that exists, or to create one in the group.",
                    access=WRITE,
                    default=ADD,
                    get=constant(None),
                ),
            ),
            "Its volumes.",
            access=WRITE,
            attribute="volumes",
        ),
        *(kind.field for kind in devices.KINDS),
    )

    def create(self, change: Change, values: dict[str, Any]) -> ConsistencyGroup:
        """Add a group of existing and new volumes."""
        svm, session = values["svm"], change.session
        _check_name(session, svm, values["name"])
        policy = values.get("snapshot_policy")
        volumes = [_volume(change, svm, item) for item in values.get("volumes", ())]
        volumes += _volumes_of_devices(change, svm, values, volumes)
        if not volumes:
            raise errors.missing("volumes")
        _check_free(volumes)
        row = ConsistencyGroup(
            name=values["name"],
            svm_uuid=svm.uuid,
            snapshot_policy_uuid=_policy(svm, policy) if policy else NONE_UUID,
        )
        change.add(row)
        _join(change, row, volumes)
        devices.make(change, svm, values)
        return row

    def update(self, change: Change, row: ConsistencyGroup, values: dict[str, Any]) -> None:
        """Change the name, the policy and the volumes, or restore all volumes to a snapshot."""
        session = change.session
        if values.get("name", row.name) != row.name:
            _check_name(session, row.svm, values["name"])
        if "snapshot_policy" in values:
            row.snapshot_policy_uuid = _policy(row.svm, values["snapshot_policy"])
        actions = [(_volume(change, row.svm, i), i[ACTION]) for i in values.get("volumes", ())]
        new = [v for v, action in actions if action != REMOVE and v not in row.volumes]
        removed = {v.uuid for v, action in actions if action == REMOVE}
        kept = [v for v in (*row.volumes, *new) if v.uuid not in removed]
        new += _volumes_of_devices(change, row.svm, values, kept)
        _check_free(new)
        row.name = values.get("name", row.name)
        for member in [m for m in row.members if m.volume_uuid in removed]:
            change.delete(member)
        _join(change, row, new)
        devices.make(change, row.svm, values)
        if named := volume_content.restore_target(values):
            for volume in row.volumes:
                snapshot = _snapshot(change, row, volume, named)
                volume_content.restore(change, volume, snapshot)

    def delete(self, change: Change, row: ConsistencyGroup, options: dict[str, Any]) -> None:
        """Delete a group; its volumes and their snapshots stay."""
        for part in (*row.members, *row.snapshots):
            change.delete(part)
        change.session.expire(row, ["members", "snapshots"])
        change.delete(row)


def _snapshot(
    change: Change, group: ConsistencyGroup, volume: Volume, named: dict[str, str]
) -> Any:
    """Return a volume's snapshot that belongs to a snapshot of its group. Raises ApiError.

    Its name is ignored: it may have been renamed, and another snapshot may have its name.
    """
    taken = next(
        (s for s in group.snapshots if all(getattr(s, k) == v for k, v in named.items())), None
    )
    if taken is None:
        text = f'snapshot "{" ".join(named.values())}" of consistency group "{group.name}"'
        raise errors.unknown_reference(text, "restore_to.snapshot", snapshots.UNKNOWN)
    return volume_content.snapshot_named(change, volume, taken_with=taken.uuid)


def _check_name(session: Session, svm: Svm, name: str) -> None:
    if session.scalar(select(ConsistencyGroup.uuid).filter_by(svm_uuid=svm.uuid, name=name)):
        text = f'A consistency group named "{name}" already exists in the SVM.'
        raise errors.conflict(text, "name", NAME_TAKEN)


def _check_free(volumes: Iterable[Volume]) -> None:
    for volume in volumes:
        if volume.membership:
            text = f'Volume "{volume.name}" is in a consistency group already.'
            raise errors.conflict(text, "volumes", errors.IN_USE)


def _join(change: Change, group: ConsistencyGroup, volumes: Iterable[Volume]) -> None:
    for uuid in dict.fromkeys(volume.uuid for volume in volumes):
        change.add(ConsistencyGroupVolume(volume_uuid=uuid, group_uuid=group.uuid))
    change.session.expire(group, ["members"])
