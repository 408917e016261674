"""Common part of the REST resources of LUNs and namespaces (see `thin_device`).

A path, `/vol/<volume>/<name>`, and a location, volume and name, are two forms of the same; a
request may set either, or both if they agree. Moving to another path moves no data, so the object
stays on its aggregate. Sizes are rounded up to whole sectors of every kind of disk, 4 KiB.

A new object is empty, or a copy: a clone of a LUN or namespace, or of one in a snapshot of its
volume (`/vol/<volume>/.snapshot/<snapshot>/<name>`), or, to the same effect, a `copy`. A copy
shares its blocks with the source until either is written to, and does not depend on it. It is on
the same aggregate and has an identity of its own. Or it takes over the data of an object of the
other kind, which is no more then (see `device_conversion`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Field, Reader, Resource
from sanstone.core.declaration.types import Boolean
from sanstone.model.svm import Svm
from sanstone.model.volumes import ThinDevice, Volume, usable
from sanstone.resources import qos_assignment
from sanstone.resources.storage import thin_copy
from sanstone.resources.storage.device_conversion import Conversion
from sanstone.resources.storage.thin_copy import Source
from sanstone.resources.storage.thin_device_fields import Codes, rounded
from sanstone.rules.cluster import node_memory
from sanstone.rules.storage import sector_size
from sanstone.rules.storage.thin_devices import check_online, next_thin_id
from sanstone.rules.storage.volume_space import taken_in

SVM_STOPPED = "5374893"
QOS = "qos_policy"
Device = TypeVar("Device", bound=ThinDevice)


class ThinDeviceResource(Resource[Device]):
    """Base of the LUN and the namespace resource: paths, sizes and life of a thin device.

    `leaf` is the field with a path's last part, `own` are columns that only this kind has, and
    `by_os_type` the values of their fields that a new object gets by the system of its hosts.
    """

    codes: ClassVar[Codes]
    conversion: ClassVar[Conversion]
    leaf: ClassVar[str]
    own: ClassVar[tuple[tuple[str, str], ...]] = ()
    by_os_type: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    options = (
        Field(
            "allow_delete_while_mapped",
            Boolean(),
            "Whether a mapped object may be deleted, its maps with it.",
            default=False,
        ),
    )

    def select(self) -> Select[Any]:
        """Load each device with its SVM and volume."""
        model: Any = self.model
        owners = (joinedload(model.svm, innerjoin=True), joinedload(model.volume, innerjoin=True))
        return select(model).options(*owners)

    def create(self, change: Change, values: dict[str, Any]) -> Device:
        """Add a device; its thin volume is created in the pool of the volume's aggregate.

        One that is converted has the thin volume of its former kind.
        """
        reader = Reader(change.session)
        svm: Svm = values["svm"]
        if svm.state != "running":
            text = f'SVM "{svm.name}" is stopped.'
            change.refuse(errors.conflict(text, "svm", SVM_STOPPED))
        if named := self.conversion.named(values):
            self._check_alone(values)
            row: Device = self.conversion.run(change, svm, named)
            return row
        volume, path = self._place(change.session, svm, values)
        with change.collecting():
            check_online(reader, volume)
        with change.collecting():
            node_memory.require(change.session)
        if _path_taken(change.session, svm, path):
            text = f'"{path}" already exists.'
            change.refuse(errors.conflict(text, "name", self.codes.taken))
        source = thin_copy.find(change.session, self.model, svm, values, self.codes)
        described = self._described(values, source)
        if source:
            source.check_aggregate(volume)
        with change.collecting():
            _check_blocks(reader, volume, described)
        size = source.size if source else rounded(values["space.size"])
        reserved = values["space.guarantee.requested"]
        with change.collecting():
            self._check_room(change.session, volume, size if reserved else 0)
        policy = qos_assignment.assigned(change.session, values, QOS)
        if policy:
            with change.collecting():
                qos_assignment.check_device(change.session, volume, policy, QOS)
        change.settle()
        content = source.content(volume) if source else {"thin_id": next_thin_id(volume)}
        model: Any = self.model
        row = model(
            name=path,
            comment=values.get("comment", source.described["comment"] if source else ""),
            enabled=values["enabled"],
            reserved=reserved,
            volume_uuid=volume.uuid,
            svm_uuid=svm.uuid,
            qos_policy_uuid=policy,
            **{"size": size} | content | described,
        )
        change.add(row)
        return row

    def update(self, change: Change, row: Device, values: dict[str, Any]) -> None:
        """Change a device: path, size (never smaller), reservation and description."""
        volume, path = self._place(change.session, row.svm, values, row)
        if volume.aggregate_uuid != row.volume.aggregate_uuid:
            text = f'Volume "{volume.name}" is on another aggregate than "{row.name}". '
            text += thin_copy.BY_A_HOST
            raise errors.invalid(text, "location.volume")
        if path != row.name and _path_taken(change.session, row.svm, path):
            raise errors.conflict(f'"{path}" already exists.', "name", self.codes.rename_taken)
        source = thin_copy.find(change.session, self.model, row.svm, values, self.codes)
        if source:
            self._check_overwriting(row, volume, values, source)
        size = source.size if source else self._new_size(row, values)
        reserved = values.get("space.guarantee.requested", row.reserved)
        more = size > row.size or volume.uuid != row.volume_uuid or not row.reserved
        if reserved and more:
            self._check_room(change.session, volume, size, row.uuid)
        policy = qos_assignment.assigned(change.session, values, QOS, row.qos_policy_uuid)
        if policy != row.qos_policy_uuid or volume.uuid != row.volume_uuid:
            qos_assignment.check_device(change.session, volume, policy, QOS)
        row.qos_policy_uuid = policy
        row.name, row.volume_uuid = path, volume.uuid
        row.size, row.reserved = size, reserved
        if source:
            thin_copy.overwrite(change, row, source)
        for name, column in (("comment", "comment"), ("enabled", "enabled"), *self.own):
            if name in values:
                setattr(row, column, values[name])

    def delete(self, change: Change, row: Device, options: dict[str, Any]) -> None:
        """Delete a device and its data; a mapped one only if the request allows that."""
        if row.mappings and not options["allow_delete_while_mapped"]:
            text = f'"{row.name}" is mapped; unmap it first or set allow_delete_while_mapped.'
            change.refuse(errors.conflict(text, code=self.codes.mapped))
        row.hide(change)
        row.release(change)

    def _check_alone(self, values: dict[str, Any]) -> None:
        """Raise ApiError when a request to convert gives anything else that is not a default."""
        source = self.conversion.source
        for node in self.fields:
            value, default = values.get(node.name), getattr(node, "default", None)
            if value not in (None, default) and not node.name.startswith(("svm", f"{source}.")):
                text = f'Field "{node.name}" cannot be used with field "{source}".'
                raise errors.invalid(text, node.name, errors.EXCLUSIVE)

    def _described(self, values: dict[str, Any], source: Source | None) -> dict[str, Any]:
        """Return the columns that hosts see; a copy has its source's."""
        if source is None:
            for name in ("os_type", "space.size"):
                if name not in values:
                    raise errors.missing(name, self.codes.required)
            effective = {**self.by_os_type.get(values["os_type"], {}), **values}
            own = {column: effective[name] for name, column in self.own if name in effective}
            return {"os_type": values["os_type"], **own}
        for name in ("os_type", "space.size", "space.block_size"):
            if name in values:
                text = f'"{name}" cannot be given for a copy; it is that of the source.'
                raise errors.invalid(text, name, self.codes.not_with_source)
        kept = {column: source.described[column] for _, column in self.own}
        return {"os_type": source.described["os_type"], **kept}

    def _place(
        self, session: Session, svm: Svm, values: dict[str, Any], row: Device | None = None
    ) -> tuple[Volume, str]:
        """Return the volume and the path in a request. Raises ApiError."""
        volume: Volume | None = values.get("location.volume")
        base: str | None = values.get(self.leaf)
        if volume is not None and volume.svm_uuid != svm.uuid:
            text = f'volume "{volume.name}" in SVM "{svm.name}"'
            raise errors.unknown_reference(text, "location.volume", self.codes.volume_unknown)
        if "name" not in values:
            volume = volume or (row.volume if row else None)
            base = base or (row.base_name if row else None)
            if volume is None:
                raise errors.missing("location.volume", self.codes.no_volume)
            if base is None:
                raise errors.missing(self.leaf, self.codes.no_name)
            return volume, f"/vol/{volume.name}/{base}"
        _, _, volume_name, base_name = values["name"].split("/")
        by_path = session.scalar(select(Volume).filter_by(svm_uuid=svm.uuid, name=volume_name))
        if by_path is None:
            text = f'volume "{volume_name}" in SVM "{svm.name}"'
            raise errors.unknown_reference(text, "name", self.codes.volume_unknown)
        if (volume or by_path) is not by_path or (base or base_name) != base_name:
            raise errors.invalid("name and location differ.", "name", self.codes.mismatch)
        return by_path, values["name"]

    def _check_overwriting(
        self, row: Device, volume: Volume, values: dict[str, Any], source: Source
    ) -> None:
        source.check_aggregate(volume)
        if "space.size" in values:
            text = "The size of a copy is that of its source."
            raise errors.invalid(text, "space.size", self.codes.not_with_source)
        if source.device == row.uuid:
            raise errors.invalid(f'"{row.name}" cannot be copied to itself.', "clone.source")
        if source.described.get("block_size", 0) != getattr(row, "block_size", 0):
            text = "The source has blocks of another size."
            raise errors.invalid(text, "clone.source", self.codes.not_with_source)

    def _new_size(self, row: Device, values: dict[str, Any]) -> int:
        if "space.size" not in values:
            return row.size
        size = rounded(values["space.size"])
        if size == row.size and self.codes.same_size:
            text = "New LUN size is the same as the old LUN size."
            raise errors.invalid(text, "space.size", self.codes.same_size)
        if size < row.size:
            text = f'"{row.name}" cannot become smaller: hosts would lose the data at its end.'
            raise errors.invalid(text, "space.size", self.codes.shrink)
        return size

    def _check_room(self, session: Session, volume: Volume, size: int, without: str = "") -> None:
        if not size:
            return
        room = usable(volume.size, volume.snapshot_reserve_percent)
        taken = taken_in(session, [volume.uuid], without=without).get(volume.uuid, 0)
        free = max(0, room - taken)
        if size > free:
            text = f'Volume "{volume.name}" has {free} bytes left; {size} cannot be reserved in it.'
            raise errors.conflict(text, "space.size", self.codes.too_large)


def _check_blocks(reader: Reader, volume: Volume, described: dict[str, Any]) -> None:
    """Raise ApiError when hosts would see larger blocks than those of `described`."""
    sectors = sector_size.of_aggregate(volume.aggregate, reader)
    if (blocks := described.get("block_size", sectors)) < sectors:
        text = (
            f'Aggregate "{volume.aggregate.name}" has sectors of {sectors} bytes, and no device on '
            f"it can have blocks of {blocks}."
        )
        raise errors.invalid(text, "space.block_size")


def _path_taken(session: Session, svm: Svm, path: str) -> bool:
    """Return whether a LUN or a namespace of the SVM has this path; both share one set of paths."""
    kinds: list[Any] = ThinDevice.__subclasses__()
    return any(
        session.scalar(select(kind.uuid).filter_by(svm_uuid=svm.uuid, name=path)) for kind in kinds
    )
