"""`storage/volumes`: containers of LUNs and namespaces (see `model.volumes`)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.getters import Sole
from sanstone.core.declaration.resource import (
    CREATE,
    MODIFY,
    WRITE,
    Field,
    Node,
    Reader,
    Reference,
    References,
    Resource,
    constant,
)
from sanstone.core.declaration.types import (
    MIB,
    Boolean,
    Choice,
    Integer,
    Size,
    Text,
    Timestamp,
    Uuid,
)
from sanstone.model.aggregates import Aggregate
from sanstone.model.policies import NONE, SnapshotPolicy
from sanstone.model.svm import Svm
from sanstone.model.volumes import Volume, usable
from sanstone.resources import without_effect
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.resources.cluster.svm import UNKNOWN as UNKNOWN_SVM
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.qos_assignment import assigned, check_container, qos_reference
from sanstone.resources.storage import (
    volume_autodelete,
    volume_autosize,
    volume_content,
    volume_properties,
)
from sanstone.resources.storage.snapshot_policy import PolicyReference, policy_of
from sanstone.resources.storage.space_forecast import forecast_fields
from sanstone.rules.storage import aggregates
from sanstone.rules.storage.autosize import LARGEST
from sanstone.rules.storage.snapshot_space import held_in
from sanstone.rules.storage.snapshots import MOST
from sanstone.rules.storage.volume_promises import largest_size, promised
from sanstone.rules.storage.volume_space import shown_as_taken, taken_in

NAME_TAKEN, NAME_LONG, NAME_BAD = "917526", "917886", "917887"
AGGREGATE_UNKNOWN, NO_AGGREGATE, ONE_AGGREGATE = "917508", "787140", "918242"
UNKNOWN_SNAPSHOT_POLICY = "917551"
TOO_SMALL, RESERVE_BAD, NO_SPACE = "917534", "917835", "917536"
QOS = "qos.policy"
SMALLEST = 20 * MIB
"""ONTAP's smallest volume, in bytes."""


def _for_devices(row: Volume, _reader: Reader) -> int:
    return usable(row.size, row.snapshot_reserve_percent)


def _available(row: Volume, reader: Reader) -> int:
    return max(0, _for_devices(row, reader) - shown_as_taken(row, reader))


def _used_percent(row: Volume, reader: Reader) -> int:
    """Return the share in use of what devices may take, 0 where they may take nothing."""
    room = _for_devices(row, reader)
    return round(100 * shown_as_taken(row, reader) / room) if room else 0


def _honored(row: Volume, reader: Reader) -> bool:
    if row.guarantee != "volume":
        return True
    size: int = row.aggregate.facts(reader).get("size", 0)
    return reader.once(promised)[row.aggregate_uuid] <= size


def _name_code(raw: Any) -> str:
    return NAME_LONG if isinstance(raw, str) and len(raw) > 203 else NAME_BAD


def _size_field(name: str) -> Field:
    doc, kind = "Size in bytes.", Size(SMALLEST, LARGEST)
    return Field(name, kind, doc, access=WRITE, code=TOO_SMALL, attribute="size")


def _snapshot_policy(session: Session, svm: Svm, values: dict[str, Any]) -> str:
    """Return the UUID of a new volume's policy. Raises ApiError when its SVM cannot have it."""
    requested: SnapshotPolicy | None = values.get("snapshot_policy")
    name = svm.properties.get("snapshot_policy.name", NONE)
    policy = requested or policy_of(session, svm, name)
    if policy is None or policy.svm_uuid not in (None, svm.uuid):
        text = f'snapshot policy "{policy.name if policy else name}" in the SVM'
        raise errors.unknown_reference(text, "snapshot_policy", UNKNOWN_SNAPSHOT_POLICY)
    return policy.uuid


def _clone_fields() -> tuple[Node, ...]:
    def parent(row: Volume, _reader: Reader) -> Any:
        return row.clone.snapshot.volume if row.clone else None

    return (
        Field(
            "clone.is_flexclone",
            Boolean(),
            "Whether it is a clone that is not split off.",
            access=CREATE,
            get=lambda row, _: row.clone is not None,
        ),
        Reference(
            "clone.parent_volume",
            Volume,
            "The volume that it was cloned from.",
            access=CREATE,
            get=parent,
            scope=("svm",),
            unknown_code=volume_content.UNKNOWN_PARENT,
        ),
        Field(
            "clone.parent_snapshot.name",
            Text(255, 1),
            "Which snapshot it was cloned from; a new one when not given.",
            access=CREATE,
            get=lambda row, _: row.clone.snapshot.name if row.clone else None,
        ),
        Field(
            "clone.parent_snapshot.uuid",
            Uuid(),
            "Identity of that snapshot.",
            get=lambda row, _: row.clone.snapshot.uuid if row.clone else None,
        ),
        Reference(
            "clone.parent_svm",
            Svm,
            "The SVM of the volume that it was cloned from: its own.",
            access=CREATE,
            get=lambda row, _: row.svm if row.clone else None,
            unknown_code=UNKNOWN_SVM,
        ),
        Field(
            "clone.split_initiated",
            Boolean(),
            "Splits it off, which is done at once.",
            access=MODIFY,
            get=constant(False),
        ),
    )


def _parent(svm: Svm, values: dict[str, Any]) -> Volume | None:
    """Return the parent of a new volume's clone, None if it is not a clone. Raises ApiError."""
    parent: Volume | None = values.get("clone.parent_volume")
    if parent is None:
        if values.get("clone.is_flexclone"):
            raise errors.missing("clone.parent_volume", volume_content.UNKNOWN_PARENT)
        return None
    if parent.svm_uuid != svm.uuid or values.get("clone.parent_svm", svm) is not svm:
        text = f'Volume "{parent.name}" is in another SVM.'
        raise errors.invalid(text, "clone.parent_volume", volume_content.UNKNOWN_PARENT)
    aggregates: list[Aggregate] = values.get("aggregates", [])
    if any(aggregate.uuid != parent.aggregate_uuid for aggregate in aggregates):
        text = f'A clone is on the aggregate of its parent, "{parent.aggregate.name}".'
        raise errors.invalid(text, "aggregates", ONE_AGGREGATE)
    return parent


class VolumeResource(Resource[Volume]):
    """Volumes."""

    path = "storage/volumes"
    doc = "Volumes hold LUNs and namespaces; each is on one aggregate and belongs to one SVM."
    model = Volume
    asynchronous = True
    searched = ("name", "comment")
    options = (
        Field(
            "force",
            Boolean(),
            "Accepted; there is no recovery queue, and mapped LUNs and namespaces are never "
            "deleted with it.",
            default=False,
        ),
        *volume_content.RESTORE_OPTIONS,
    )
    fields = (
        Field("uuid", Uuid(), "Identity of the volume."),
        Field(
            "name",
            Text(203, 1, r"[A-Za-z_][A-Za-z0-9_]*", "a letter or _, then letters, digits, _"),
            "Name of the volume, unique in its SVM; it is part of its LUNs' and namespaces' paths.",
            access=WRITE,
            required=True,
            code=_name_code,
        ),
        svm_reference(),
        References(
            "aggregates",
            Aggregate,
            "The aggregate that it is on; the one with most space where none is given.",
            access=CREATE,
            get=Sole("aggregate"),
            unknown_code=AGGREGATE_UNKNOWN,
        ),
        _size_field("size"),
        _size_field("space.size"),
        Field("space.used", Size(), "Bytes used or reserved in it.", get=shown_as_taken),
        Field("space.available", Size(), "Bytes left in it.", get=_available),
        Field(
            "space.percent_used",
            Integer(),
            "Share of `space.afs_total` that is used or reserved; more than 100 is possible.",
            get=_used_percent,
        ),
        Field(
            "space.afs_total",
            Size(),
            "Bytes that LUNs and namespaces may take: the size without the share for snapshots.",
            get=_for_devices,
        ),
        Field(
            "space.snapshot.reserve_percent",
            Integer(0, 90),
            "Share that is kept for snapshots.",
            access=WRITE,
            default=0,
            attribute="snapshot_reserve_percent",
            code=RESERVE_BAD,
        ),
        Field(
            "space.snapshot.used",
            Size(),
            "Bytes that its snapshots hold and its LUNs and namespaces do not have any more; they "
            "count in no other figure of the volume. As last measured, about a minute ago; absent "
            "until that is done, and while it has to be done again since one is deleted.",
            get=held_in,
        ),
        Field(
            "space.logical_space.used", Size(), "Bytes used or reserved in it.", get=shown_as_taken
        ),
        Field(
            "guarantee.type",
            Choice("none", "volume"),
            "Whether its size is set aside in the aggregate.",
            access=WRITE,
            default="none",
            attribute="guarantee",
        ),
        Field(
            "guarantee.honored",
            Boolean(),
            "Whether the aggregate has all the space that is set aside in it or taken.",
            get=_honored,
            costly=True,
        ),
        Field(
            "state",
            Choice("online", "offline"),
            "Hosts reach nothing in a volume that is offline.",
            access=WRITE,
            default="online",
        ),
        PolicyReference(
            "snapshot_policy",
            SnapshotPolicy,
            "When snapshots are taken; as its SVM says when not given.",
            access=WRITE,
            unknown_code=UNKNOWN_SNAPSHOT_POLICY,
        ),
        qos_reference(QOS),
        Field("comment", Text(1023), "Comment.", access=WRITE, default=""),
        Field("create_time", Timestamp(), "When the volume was created."),
        *forecast_fields(),
        Field(
            "snapshot_count",
            Integer(0, MOST),
            "Number of its snapshots.",
            get=lambda row, _: len(row.snapshots),
        ),
        *_clone_fields(),
        *volume_autosize.FIELDS,
        *volume_autodelete.FIELDS,
        *volume_properties.KEPT,
        *volume_properties.OFF,
        *volume_properties.FIXED,
        *statistics_fields(),
    )

    def select(self) -> Select[Any]:
        """Load each volume with its SVM and aggregate."""
        owners = (joinedload(Volume.svm, innerjoin=True), joinedload(Volume.aggregate))
        return select(Volume).options(*owners)

    def create(self, change: Change, values: dict[str, Any]) -> Volume:
        """Add a volume on the requested aggregate, or else on the one with most space."""
        reader = Reader(change.session)
        svm, name = values["svm"], values["name"]
        with change.collecting():
            _check_name(change.session, svm, name)
        parent = _parent(svm, values)
        size = _size(values) or (parent.size if parent else None)
        if size is None:
            raise errors.missing("size")
        aggregate = parent.aggregate if parent else _aggregate(reader, svm, values)
        with change.collecting():
            _check_guarantee(reader, aggregate, name, size, values["guarantee.type"])
        change.settle()
        row = Volume(
            name=name,
            svm_uuid=svm.uuid,
            aggregate_uuid=aggregate.uuid,
            size=size,
            guarantee=values["guarantee.type"],
            snapshot_reserve_percent=values["space.snapshot.reserve_percent"],
            comment=values["comment"],
            snapshot_policy_uuid=_snapshot_policy(change.session, svm, values),
            qos_policy_uuid=assigned(change.session, values, QOS),
            state=values["state"],
            **volume_autosize.columns(values, size),
            **volume_autodelete.columns(values),
            properties=without_effect.kept_values(volume_properties.KEPT, values),
        )
        change.add(row)
        if parent:
            volume_content.clone(change, row, parent, values.get("clone.parent_snapshot.name"))
            _check_reservations(row, size, row.snapshot_reserve_percent)
        return row

    def update(self, change: Change, row: Volume, values: dict[str, Any]) -> None:
        """Change a volume; a new name changes the paths of its LUNs and namespaces too."""
        reader = Reader(change.session)
        if to := volume_content.restore_target(values):
            snapshot = volume_content.snapshot_named(change, row, **to)
            volume_content.restore(change, row, snapshot)
        name = values.get("name", row.name)
        if name != row.name:
            _check_name(change.session, row.svm, name)
        size = _size(values) or row.size
        guarantee = values.get("guarantee.type", row.guarantee)
        reserve = values.get("space.snapshot.reserve_percent", row.snapshot_reserve_percent)
        shrinks = usable(size, reserve) < usable(row.size, row.snapshot_reserve_percent)
        taken = taken_in(change.session, [row.uuid]).get(row.uuid, 0) if shrinks else 0
        if shrinks and usable(size, reserve) < taken:
            text = f'Volume "{row.name}" has more in it than the size would hold.'
            raise errors.invalid(text, "size", TOO_SMALL)
        if size > row.size or guarantee != row.guarantee:
            _check_guarantee(reader, row.aggregate, name, size, guarantee, without=row)
        if to:
            _check_reservations(row, size, reserve)
        if "snapshot_policy" in values:
            row.snapshot_policy_uuid = _snapshot_policy(change.session, row.svm, values)
        policy = assigned(change.session, values, QOS, row.qos_policy_uuid)
        if policy != row.qos_policy_uuid:
            check_container(change.session, row, policy, QOS)
        row.qos_policy_uuid = policy
        _rename(row, name)
        if values.get("state", row.state) != row.state:
            for device in row.devices:
                change.touch(device.owner)
        volume_autosize.change(row, values, size)
        volume_autodelete.change(row, values)
        row.size, row.guarantee, row.snapshot_reserve_percent = size, guarantee, reserve
        row.state = values.get("state", row.state)
        row.comment = values.get("comment", row.comment)
        if values.get("clone.split_initiated"):
            volume_content.split(change, row)
        row.properties = row.properties | without_effect.kept_values(volume_properties.KEPT, values)

    def delete(self, change: Change, row: Volume, options: dict[str, Any]) -> None:
        """Delete a volume with its snapshots and content, which must not be mapped."""
        mapped = [device for device in row.devices if device.mappings]
        for device in mapped:
            text = f'"{device.name}" in the volume is mapped; unmap it first.'
            change.refuse(errors.conflict(text))
        volume_content.check_deletable(row)
        for device in mapped:
            device.hide(change)
        volume_content.delete_all(change, row)
        change.delete(row)


def _check_name(session: Session, svm: Svm, name: str) -> None:
    if session.scalar(select(Volume.uuid).filter_by(svm_uuid=svm.uuid, name=name)):
        text = f'A volume named "{name}" already exists in SVM "{svm.name}".'
        raise errors.conflict(text, "name", NAME_TAKEN)


def _check_reservations(row: Volume, size: int, reserve: int) -> None:
    """Raise ApiError when a snapshot restores more reservations than the volume can hold.

    Keeping them would promise space that does not exist; dropping them would go unnoticed.
    """
    reserved = sum(device.size for device in row.devices if device.reserved)
    lacking = reserved - usable(size, reserve)
    if lacking > 0:
        text = (
            f'What the snapshot holds reserves {reserved} bytes, for which volume "{row.name}" has '
            f"no room. Make it {-(-lacking * 100 // (100 - reserve))} bytes larger."
        )
        raise errors.conflict(text, "size", TOO_SMALL)


def _size(values: dict[str, Any]) -> int | None:
    sizes = {values[name] for name in ("size", "space.size") if name in values}
    if len(sizes) > 1:
        raise errors.invalid("size and space.size differ.", "size", errors.EXCLUSIVE)
    return sizes.pop() if sizes else None


def _aggregate(reader: Reader, svm: Svm, values: dict[str, Any]) -> Aggregate:
    """Return the aggregate of a new volume. Raises ApiError unless it can be used."""
    requested: list[Aggregate] = values.get("aggregates", [])
    if len(requested) > 1:
        text = "A volume is on exactly one aggregate."
        raise errors.invalid(text, "aggregates", ONE_AGGREGATE)
    candidates = requested or svm.aggregates or list(reader.session.scalars(select(Aggregate)))
    online = [row for row in candidates if aggregates.state(row, reader) == "online"]
    if not online:
        names = ", ".join(f'"{row.name}"' for row in candidates)
        text = (
            f"No aggregate that could be used is online ({names})."
            if names
            else ("There is no aggregate to put the volume on.")
        )
        raise errors.conflict(text, "aggregates", NO_AGGREGATE)
    return max(online, key=lambda row: (row.facts(reader).get("available", 0), row.name))


def _check_guarantee(
    reader: Reader,
    aggregate: Aggregate,
    name: str,
    size: int,
    guarantee: str,
    without: Volume | None = None,
) -> None:
    """Raise ApiError when the aggregate cannot set aside the size of a guaranteed volume.

    The text is ONTAP's, since clients search for it.
    """
    if guarantee != "volume":
        return
    available = largest_size(reader, aggregate, without)
    if size > available:
        text = (
            f'Request to create or grow volume "{name}" failed because there is not enough space '
            f'in aggregate "{aggregate.name}". Either create {size - available} bytes of free '
            f"space in the aggregate or select a size of at most {available} bytes for the volume."
        )
        raise errors.conflict(text, "size", NO_SPACE)


def _rename(row: Volume, name: str) -> None:
    if name != row.name:
        for device in row.devices:
            device.name = f"/vol/{name}/{device.base_name}"
        row.name = name
