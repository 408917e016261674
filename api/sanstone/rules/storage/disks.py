"""Disks: the kind of each, its condition, and who may use it.

A disk is a spare, and may become part of an aggregate, only if it is empty and its identity is
unique. A disk with data that is not ours is `foreign`; `content` describes the data.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core.database.change import AGGREGATE, DISK, ERASURE, Removal
from sanstone.core.database.session_value import SessionValue
from sanstone.core.declaration.resource import Reader
from sanstone.kernel.storage.sanitization import FAILED, RUNNING
from sanstone.model.aggregates import Disk

SANITIZE = "sanitize"
"""A key of a disk's observation: how it sanitizes itself."""
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
    """Return the disks that aggregates left, or that are to be erased, and are not cleared yet."""
    kinds = AGGREGATE, DISK, ERASURE
    going = session.scalars(select(Removal).where(Removal.kind.in_(kinds)))
    return {uid for removal in going for group in removal.data["groups"] for uid in group}


_clearing = SessionValue(_being_cleared)


def condition(row: Disk, reader: Reader) -> str:
    """Return `removed`, `broken`, `zeroing` (it is being cleared) or `present`.

    One that is out of service is broken until somebody says otherwise. One that sanitizes itself is
    being cleared, by whatever order; one that failed at it is broken.
    """
    facts = row.facts(reader)
    if not facts.get("present"):
        return "removed"
    if row.failure:
        return "broken"
    if row.uid in _clearing.of(reader.session) or sanitized(row, reader) == RUNNING:
        return "zeroing"
    if sanitized(row, reader) == FAILED:
        return "broken"
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
    if condition(row, reader) == "zeroing":
        return "spare"
    return "foreign" if facts["content"] else "spare"


def is_spare(row: Disk, reader: Reader) -> bool:
    """Return whether the disk may become part of an aggregate now."""
    return container_type(row, reader) == "spare" and condition(row, reader) == "present"


def usage(row: Disk, reader: Reader) -> str:
    """Describe who uses the disk, or why nobody may; '' for a spare."""
    facts = row.facts(reader)
    if row.member:
        return f'aggregate "{row.member.aggregate.name}"'
    if row.failure:
        return f"it is out of service: {row.failure}"
    if facts.get("identity_conflict"):
        return "another disk claims the same identity"
    if row.uid in _clearing.of(reader.session):
        return "it is being cleared"
    if state := sanitized(row, reader):
        return _SANITIZED[state]
    return str(facts.get("content", ""))


_SANITIZED = {RUNNING: "it sanitizes itself", FAILED: "it has failed to sanitize itself"}


def sanitized(row: Disk, reader: Reader) -> str:
    """Return where a disk is in sanitizing itself: running, failed, or ''."""
    return str(row.facts(reader).get(SANITIZE, {}).get("state") or "")
