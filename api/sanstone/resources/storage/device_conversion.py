"""A LUN becomes a namespace, or a namespace a LUN: a row of another kind for the same data.

The thin device stays as it is, and so does what a host has written: nothing is copied. The new
object has the UUID of the old one. The exported device is named after that, with its layers and the
counters of its I/O, and copies and snapshots refer to it by that. So the machine has nothing to do,
and there is no moment at which two devices have one content, or none has it. Hosts see a new device
nevertheless: SCSI knows it by its serial number, which is new, NVMe by the UUID, which LUNs do not
show. Figures of what hosts do begin anew.

What the other kind cannot have is a reason to refuse, and so is whatever is not finished: then the
change could be built on one that is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from sanstone import protocols
from sanstone.core import errors, jobs
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, Field, Reader, constant
from sanstone.core.declaration.types import Text, Uuid
from sanstone.core.errors import ApiError
from sanstone.model.svm import Svm
from sanstone.model.volumes import ThinDevice
from sanstone.resources.cluster.svm import NOT_ALLOWED
from sanstone.resources.storage.thin_device_fields import Codes
from sanstone.rules.storage import sector_size
from sanstone.rules.storage.thin_devices import check_online

NOT_KEPT = frozenset({"create_time"})
"""Columns that both kinds have, and a conversion sets anew."""


@dataclass(frozen=True)
class Conversion:
    """How objects of the kind `into` are created from those of `origin`, called `word` in the API.

    `noun` is a person's word for one of `into`, `family` the targets that serve it, `os_types` the
    ones that it can have, `own` the values of columns that only its kind has, by the bytes of a
    logical sector of the aggregate. `codes` are the origin's.
    """

    into: type[ThinDevice]
    origin: type[ThinDevice]
    word: str
    noun: str
    family: str
    os_types: tuple[str, ...]
    codes: Codes
    own: Callable[[int], Mapping[str, Any]] = lambda _sector_size: {}

    @property
    def source(self) -> str:
        """Return the object in a request that names the one to convert."""
        return f"convert.{self.word}"

    @property
    def fields(self) -> tuple[Field, Field]:
        """Return the fields by which a request names the object to convert."""
        doc = f"of the object that becomes this {self.noun}, with its data; never shown."
        nothing = constant(None)
        return (
            Field(f"{self.source}.name", Text(1024, 1), f"Path {doc}", CREATE, get=nothing),
            Field(f"{self.source}.uuid", Uuid(), f"Identity {doc}", CREATE, get=nothing),
        )

    def named(self, values: dict[str, Any]) -> dict[str, str]:
        """Return the name, the UUID or both of what a request converts; {} if it does not."""
        texts = {part: values.get(f"{self.source}.{part}") for part in ("name", "uuid")}
        return {part: text for part, text in texts.items() if text}

    def run(self, change: Change, svm: Svm, named: dict[str, str]) -> Any:
        """Convert an object of the SVM, and return the new row. Raises ApiError."""
        model: Any = self.origin
        query = select(model).filter_by(svm_uuid=svm.uuid, **named)
        row: ThinDevice | None = change.session.scalars(query).one_or_none()
        if row is None:
            by_name, by_uuid = self.codes.source_by_name, self.codes.source_by_uuid
            text = " ".join(f'"{text}"' for text in named.values())
            code = by_name if "name" in named else by_uuid
            raise errors.unknown_reference(text, self.source, code)
        with change.collecting():
            check_online(Reader(change.session), row.volume)
        sectors = sector_size.of_aggregate(row.volume.aggregate, Reader(change.session))
        for refusal in self._refusals(change, row, sectors):
            change.refuse(refusal)
        change.settle()
        return become(change, row, self.into, self.own(sectors))

    def _refusals(self, change: Change, row: ThinDevice, sectors: int) -> Iterator[ApiError]:
        """Yield the obstacles to a conversion."""
        if row.mappings:
            text = f'"{row.name}" is mapped; unmap it first.'
            yield errors.conflict(text, self.source, self.codes.mapped)
        if row.os_type not in self.os_types:
            text = f'A {self.noun} cannot be for {row.os_type} hosts, as "{row.name}" is.'
            yield errors.conflict(text, self.source)
        if own := row.bound_to_kind(sectors):
            text = f'"{row.name}" has {own}, which a {self.noun} cannot have.'
            yield errors.conflict(text, self.source)
        if row.volume.membership:
            group = row.volume.membership.group.name
            text = f'"{row.name}" is in consistency group "{group}".'
            yield errors.conflict(text, self.source)
        switches = {p.allowed_by for p in protocols.PROTOCOLS if p.family == self.family}
        if not any(row.svm.allows(switch) for switch in switches):
            text = f'SVM "{row.svm.name}" is not allowed to serve a {self.noun}.'
            yield errors.invalid(text, "svm", NOT_ALLOWED)
        if not _is_settled(change, row):
            text = f'"{row.name}" is still being changed; try again when its jobs have ended.'
            yield errors.conflict(text, self.source)


def _is_settled(change: Change, row: ThinDevice) -> bool:
    """Return whether the data is in place, and no job concerns the object or its maps."""
    in_place = Reader(change.session).seen(row.kind, row.key).get("thin_id") == row.thin_id
    touched = (owner for job in jobs.waiting(change.session) for owner in job.touched)
    return in_place and not any(row.uuid in owner for owner in touched)


def become(change: Change, row: ThinDevice, into: type[ThinDevice], own: Mapping[str, Any]) -> Any:
    """Put a row of another kind in the place of one that is not mapped, and return it.

    `own` are values of columns that its former kind does not have.
    """
    before: Any = type(row)
    model: Any = into
    common = set(before.__table__.columns.keys()) & set(model.__table__.columns.keys())
    kept = {column: getattr(row, column) for column in common - NOT_KEPT}
    row.shed(change, f"{into.kind}:{row.uuid}")
    successor = model(**kept, **own)
    change.replace(row, successor)
    return successor
