"""Sources of copies of LUNs and namespaces.

A source is a LUN or namespace, or one in a snapshot. A copy is on the same aggregate, since thin
volumes can share blocks only within one pool.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Access, Field, constant
from sanstone.core.declaration.types import Text, Uuid
from sanstone.model.svm import Svm
from sanstone.model.volumes import Snapshot, SnapshotMember, ThinDevice, Volume
from sanstone.resources.storage.thin_device_fields import Codes
from sanstone.rules.storage.snapshots import describe
from sanstone.rules.storage.thin_devices import next_thin_id
from sanstone.security import confinement

_IN_SNAPSHOT = re.compile(r"/vol/([^/]+)/\.snapshot/([^/]+)/([^/]+)")


BY_A_HOST = "Data goes to another aggregate by way of a host: create a device there and copy to it."
"""The refusal of a copy or a move that would leave its aggregate."""


class Source(NamedTuple):
    """Content to be copied; `device` is the UUID of its exported device, '' for none."""

    aggregate: str
    size: int
    thin_id: int
    device: str
    described: dict[str, Any]

    def check_aggregate(self, volume: Volume) -> None:
        """Raise ApiError when a copy cannot be in this volume."""
        if volume.aggregate_uuid != self.aggregate:
            text = f'Volume "{volume.name}" is on another aggregate than the source. {BY_A_HOST}'
            raise errors.invalid(text, "location.volume")

    def content(self, volume: Volume) -> dict[str, Any]:
        """Return the columns of a device for the content, with a new thin id."""
        return {
            "size": self.size,
            "thin_id": next_thin_id(volume),
            "source_thin_id": self.thin_id,
            "source_device": self.device,
        }


def of_device(device: ThinDevice) -> Source:
    """Return a LUN or namespace as a source."""
    aggregate = device.volume.aggregate_uuid
    return Source(aggregate, device.size, device.thin_id, device.uuid, describe(device))


def of_member(member: SnapshotMember) -> Source:
    """Return a member of a snapshot as a source."""
    aggregate = member.snapshot.volume.aggregate_uuid
    return Source(aggregate, member.size, member.thin_id, "", member.described)


def source_fields(action: str, access: Access = WRITE) -> tuple[Field, ...]:
    """Return the fields by which a request names the source of a `clone` or `copy`."""
    doc = "of what the content is taken from; never shown."
    nothing = constant(None)
    return (
        Field(f"{action}.source.name", Text(1024, 1), f"Path {doc}", access, get=nothing),
        Field(f"{action}.source.uuid", Uuid(), f"Identity {doc}", access, get=nothing),
        *(
            Field(f"{action}.source.svm.{part}", kind, f"SVM {doc}", CREATE & access, get=nothing)
            for part, kind in (("name", Text(47, 1)), ("uuid", Uuid()))
            if action == "copy"
        ),
    )


def find(
    session: Session, model: Any, svm: Svm, values: dict[str, Any], codes: Codes
) -> Source | None:
    """Return the source in a request, or None. Raises ApiError."""
    source = None
    for action in ("clone", "copy"):
        prefix = f"{action}.source."
        requested = {n.removeprefix(prefix): v for n, v in values.items() if n.startswith(prefix)}
        if requested and source:
            text = 'Field "clone.source" cannot be used with field "copy.source".'
            raise errors.invalid(text, "copy.source", errors.EXCLUSIVE)
        if requested:
            owner = _svm(session, svm, requested)
            source = _find(session, model, owner, requested, f"{action}.source", codes)
    return source


def _svm(session: Session, svm: Svm, requested: dict[str, Any]) -> Svm:
    named = {
        key: requested.pop(f"svm.{key}") for key in ("name", "uuid") if f"svm.{key}" in requested
    }
    if not named:
        return svm
    query = confinement.narrow(session, Svm, select(Svm).filter_by(**named))
    owner: Svm | None = session.scalars(query).one_or_none()
    if owner is None:
        text = " ".join(named.values())
        raise errors.unknown_reference(f'SVM "{text}"', "copy.source.svm", "2621462")
    return owner


def _find(
    session: Session,
    model: Any,
    svm: Svm,
    requested: dict[str, Any],
    target: str,
    codes: Codes,
) -> Source:
    name = requested.get("name", "")
    if in_snapshot := _IN_SNAPSHOT.fullmatch(name):
        member = session.scalars(
            select(SnapshotMember)
            .join(Snapshot)
            .join(Volume)
            .where(
                Volume.svm_uuid == svm.uuid,
                Volume.name == in_snapshot[1],
                Snapshot.name == in_snapshot[2],
                SnapshotMember.base_name == in_snapshot[3],
                SnapshotMember.device_kind == model.kind,
            )
        ).one_or_none()
        if member is not None:
            return of_member(member)
    elif requested:
        row = session.scalars(select(model).filter_by(svm_uuid=svm.uuid, **requested)).one_or_none()
        if row is not None:
            return of_device(row)
    shown = " ".join(str(text) for text in requested.values())
    code = codes.source_by_uuid if "uuid" in requested and not name else codes.source_by_name
    raise errors.unknown_reference(f'"{shown}"', target, code)


def overwrite(change: Change, device: ThinDevice, source: Source) -> None:
    """Replace a device's content by a source's; its identity stays, its old content is removed."""
    former = device.former_content(device.thin_id)
    for column, value in source.content(device.volume).items():
        setattr(device, column, value)
    change.add(former)
