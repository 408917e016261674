"""`storage/disks`: the array's disks, as observed by the reconciler.

A disk is a spare, and may become part of an aggregate, only if it is empty and its identity is
unique. A disk with data that is not ours is `foreign`; `content` describes the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, selectinload

from sanstone.core.change import Removal
from sanstone.core.getters import Observation
from sanstone.core.resource import Field, Items, Reader, Resource, constant
from sanstone.core.session_value import SessionValue
from sanstone.core.types import Boolean, Choice, Integer, Size, Text, Uuid
from sanstone.model.aggregates import Aggregate, Disk
from sanstone.resources.cluster.node import node_fields
from sanstone.resources.without_effect import fixed

FAULTY = "faulty"
"""The kernel's state of a member that it has removed from its array."""


class DiskKind(NamedTuple):
    """A kind of disk in ONTAP's terms: a disk's type, its class, an aggregate's disk type."""

    type: str
    disk_class: str
    aggregate_type: str


VIRTUAL = DiskKind("vmdisk", "virtual", "vm_disk")
NVME = DiskKind("ssd_nvm", "solid_state", "nvme_ssd")
SSD = DiskKind("ssd", "solid_state", "ssd")
UNKNOWN = DiskKind("unknown", "unknown", "scsi")
NETWORK = DiskKind("lun", "array", "lun")
ROTATING = {
    "sas": DiskKind("sas", "performance", "sas"),
    "fc": DiskKind("fcal", "performance", "fc"),
    "sata": DiskKind("ata", "capacity", "sata"),
    "ata": DiskKind("ata", "capacity", "sata"),
}
KINDS = (VIRTUAL, NVME, SSD, UNKNOWN, NETWORK, *ROTATING.values())
TYPES = tuple(dict.fromkeys(kind.type for kind in KINDS))
CLASSES = tuple(dict.fromkeys(kind.disk_class for kind in KINDS))


def disk_kind(facts: dict[str, Any]) -> DiskKind:
    """Return the kind of a disk; what a virtual one reports about rotation is meaningless."""
    transport = facts.get("transport", "")
    if transport == "virtio":
        return VIRTUAL
    if transport == "iscsi":
        return NETWORK
    if facts.get("rotational", True):
        return ROTATING.get(transport, UNKNOWN)
    return NVME if transport == "nvme" else SSD


def _being_cleared(session: Session) -> set[str]:
    """Return the disks that aggregates left and that are not cleared yet."""
    going = session.scalars(select(Removal).where(Removal.what.in_(("aggregate", "disk"))))
    return {uid for removal in going for group in removal.data["groups"] for uid in group}


_clearing = SessionValue(_being_cleared)


def condition(row: Disk, reader: Reader) -> str:
    """Return `removed`, `broken`, `zeroing` (it is being cleared) or `present`."""
    facts = row.facts(reader)
    if not facts.get("present"):
        return "removed"
    if row.uid in _clearing.of(reader.session):
        return "zeroing"
    if row.member:
        groups = reader.seen("storage/aggregates", row.member.aggregate_uuid).get("raid", ())
        faulty = (m["device"] for g in groups for m in g.get("members", ()) if m["state"] == FAULTY)
        if facts["path"] in faulty:
            return "broken"
    return "present"


def container_type(row: Disk, reader: Reader) -> str:
    """Return the use of the disk, in ONTAP's terms."""
    facts = row.facts(reader)
    if condition(row, reader) == "broken":
        return "broken"
    if row.member:
        return "aggregate"
    if not facts.get("present"):
        return "unknown"
    if facts["identity_conflict"]:
        return "unsupported"
    if row.uid in _clearing.of(reader.session):
        return "spare"
    return "foreign" if facts["content"] else "spare"


def is_spare(row: Disk, reader: Reader) -> bool:
    """Return whether the disk may become part of an aggregate now."""
    return container_type(row, reader) == "spare" and condition(row, reader) == "present"


USAGE = Text(512)
"""An aggregate's name, which may have 255 characters, and the words around it."""


def usage(row: Disk, reader: Reader) -> str:
    """Describe who uses the disk, or why nobody may; '' for a spare."""
    facts = row.facts(reader)
    if row.member:
        return f'aggregate "{row.member.aggregate.name}"'
    if facts.get("identity_conflict"):
        return "another disk claims the same identity"
    if row.uid in _clearing.of(reader.session):
        return "it is being cleared"
    return str(facts.get("content", ""))


def _aggregates(row: Disk, _reader: Reader) -> Iterable[Aggregate]:
    return [row.member.aggregate] if row.member else []


def _fact(key: str) -> Callable[[Disk, Reader], Any]:
    return lambda row, reader: row.facts(reader).get(key)


def _kind(row: Disk, reader: Reader) -> DiskKind:
    return disk_kind(row.facts(reader))


class DiskResource(Resource[Disk]):
    """Disks."""

    path = "storage/disks"
    doc = "The array's disks, what they are and what each is used for."
    model = Disk
    keys = ("name",)
    order = ("name",)
    methods = frozenset({"GET"})
    searched = ("name", "uid", "serial_number")
    fields = (
        Field("name", Text(64), "Name of the disk, kept while the array lives."),
        Field("uid", Text(), "The disk's own identity: its WWN, or its model and serial number."),
        Field("serial_number", Text(), "Serial number.", get=Observation("serial", str, by="uid")),
        Field("vendor", Text(), "Vendor.", get=_fact("vendor")),
        Field("model", Text(), "Model.", get=_fact("model")),
        Field("firmware_version", Text(), "Version of its firmware.", get=_fact("firmware")),
        Field("type", Choice(*TYPES), "Type.", get=lambda row, reader: _kind(row, reader).type),
        Field(
            "effective_type",
            Choice(*TYPES),
            "Type by which it is chosen for an aggregate.",
            get=lambda row, reader: _kind(row, reader).type,
        ),
        Field(
            "class",
            Choice(*CLASSES),
            "Class.",
            get=lambda row, reader: _kind(row, reader).disk_class,
        ),
        Field(
            "container_type",
            Choice("aggregate", "broken", "foreign", "spare", "unknown", "unsupported"),
            "What it is used for; foreign disks hold data that is not the array's.",
            get=container_type,
        ),
        Field("content", USAGE, "Who uses it, or what is on it; empty for a spare.", get=usage),
        Field(
            "state", Choice("present", "zeroing", "broken", "removed"), "Its state.", get=condition
        ),
        Field("usable_size", Size(), "Size in bytes.", get=_fact("size")),
        Field("bytes_per_sector", Integer(), "Logical sector in bytes.", get=_fact("sector_size")),
        Field(
            "rpm",
            Integer(),
            "Revolutions per minute: 0 for a disk that does not rotate, else absent.",
            get=lambda row, reader: None if row.facts(reader).get("rotational", True) else 0,
        ),
        Field("rotational", Boolean(), "Whether it says that it rotates.", get=_fact("rotational")),
        Field("transport", Text(), "How it is attached.", get=_fact("transport")),
        Field("path", Text(), "The kernel's device; it may change.", get=_fact("path")),
        Field("pool", Choice("pool0"), "Pool of ONTAP's mirrors.", get=constant("pool0")),
        fixed("shelf.uid", Text(), "Absent: the array does not know in which shelf it is."),
        fixed("bay", Integer(), "Absent: nor in which bay."),
        fixed("rated_life_used_percent", Integer(), "Absent: its wear is not read."),
        *node_fields(),
        *node_fields("home_node"),
        Items(
            "aggregates",
            (
                Field("name", Text(), "Name of the aggregate."),
                Field("uuid", Uuid(), "Identity of the aggregate."),
            ),
            "The aggregate that it is part of.",
            get=_aggregates,
        ),
    )

    def select(self) -> Select[Any]:
        """Load the membership of all disks at once."""
        return select(Disk).options(selectinload(Disk.member))
