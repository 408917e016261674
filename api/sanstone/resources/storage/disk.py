"""`storage/disks`: the array's disks, as observed by the reconciler.

What a disk does not tell of its health, and where no shelf tells its place, is absent. The locate
light goes off by itself after `LIT`, so that nobody is led by a light that was forgotten to the
wrong disk.

A disk that nothing uses is erased by a PATCH of `erase`, and is a spare then. The request states
the disk's content, `erase.content`: so its author has seen it; a disk with any other content is
refused.

Disks that can sanitize themselves tell how, in `sanitize.methods`. They cannot be stopped at it,
not by a loss of power either, and are no spares until they are done. To cancel the job, or to set
`sanitize.action` to `abort`, only has the array wait no more. One that failed at it is broken until
it is sanitized again, or `sanitize.action` is `release`.

A failed disk that a spare replaced stays broken until somebody sets `outage.persistently_failed` to
false. Its data of the aggregate are still on it then: it is foreign, and can be erased.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import selectinload

from sanstone.core import errors
from sanstone.core.database.change import ERASURE, Change
from sanstone.core.declaration.getters import Observation
from sanstone.core.declaration.resource import MODIFY, Field, Items, Reader, Resource, constant
from sanstone.core.declaration.types import (
    Boolean,
    Choice,
    Integer,
    Size,
    Strings,
    Text,
    Timestamp,
    Uuid,
)
from sanstone.core.long_jobs import unfinished
from sanstone.kernel.storage import sanitization
from sanstone.kernel.storage.disk_erasure import DISCARD, LABELS, RELEASE, ZEROES
from sanstone.kernel.storage.sanitization import FAILED, RUNNING
from sanstone.model.aggregates import Aggregate, Disk
from sanstone.resources.without_effect import fixed
from sanstone.rules.cluster.node import node_fields
from sanstone.rules.storage.disks import (
    CLASSES,
    SANITIZE,
    TYPES,
    DiskKind,
    condition,
    container_type,
    disk_kind,
    sanitized,
    usage,
)

ON, OFF = "on", "off"
ERASE = "erase"
ABORT = "abort"
OUT_OF_SERVICE = "outage.persistently_failed"
METHODS = (LABELS, DISCARD, ZEROES, *sanitization.METHODS)
LIT = 1800.0
"""Seconds after which a locate light goes off."""


USAGE = Text(512)
"""An aggregate's name, which may have 255 characters, and the words around it."""


def _aggregates(row: Disk, _reader: Reader) -> Iterable[Aggregate]:
    return [row.member.aggregate] if row.member else []


def _fact(key: str) -> Callable[[Disk, Reader], Any]:
    return lambda row, reader: row.facts(reader).get(key)


def _health(key: str) -> Callable[[Disk, Reader], Any]:
    return lambda row, reader: row.facts(reader).get("health", {}).get(key)


def _sanitize(key: str) -> Callable[[Disk, Reader], Any]:
    return lambda row, reader: row.facts(reader).get(SANITIZE, {}).get(key)


def _reading(key: str) -> Callable[[Disk, Reader], Any]:
    return lambda row, reader: row.facts(reader).get("readings", {}).get(key)


def _kind(row: Disk, reader: Reader) -> DiskKind:
    return disk_kind(row.facts(reader))


class DiskResource(Resource[Disk]):
    """Disks."""

    path = "storage/disks"
    doc = "The array's disks: what they are, where, how they are, and what each is used for."
    model = Disk
    keys = ("name",)
    order = ("name",)
    methods = frozenset({"GET", "PATCH"})
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
        fixed("protection_mode", Text(), "Absent: disks' own encryption is not managed."),
        Field(
            "class",
            Choice(*CLASSES),
            "Class.",
            get=lambda row, reader: _kind(row, reader).disk_class,
        ),
        Field(
            "container_type",
            Choice("aggregate", "broken", "foreign", "spare", "unknown", "unsupported"),
            "Its use; foreign disks hold data that is not the array's.",
            get=container_type,
        ),
        Field("content", USAGE, "Its user, or its content; empty for a spare.", get=usage),
        Field(
            "state", Choice("present", "zeroing", "broken", "removed"), "Its state.", get=condition
        ),
        Field(
            f"{ERASE}.content",
            USAGE,
            "Erases it: its content, as `content` shows it. All of that is lost. Never shown.",
            access=MODIFY,
            get=constant(None),
        ),
        Field(
            f"{ERASE}.method",
            Choice(*METHODS),
            "How it is erased: labels alone, what was written stays readable for tools; discard, "
            "all blocks are discarded, too; zeroes, each block is overwritten, for "
            "hours. By those of `sanitize.methods` the disk makes all that was ever on it "
            "unreadable, and cannot be stopped: crypto_erase, it forgets its key; block_erase, it "
            "erases its flash memory; overwrite, it overwrites all, for hours where it rotates. "
            "Without it discard, or labels where the disk cannot discard. Never shown.",
            access=MODIFY,
            get=constant(None),
        ),
        Field(
            f"{SANITIZE}.supported",
            Boolean(),
            "Whether it can sanitize itself, or is at it, or has failed at it.",
            get=lambda row, reader: any(_sanitize(k)(row, reader) for k in ("methods", "state")),
        ),
        Field(
            f"{SANITIZE}.methods",
            Strings(),
            "How it can sanitize itself, of crypto_erase, block_erase, overwrite; the quickest "
            "first. Absent for a disk that cannot, or is at it.",
            get=lambda row, reader: _sanitize("methods")(row, reader) or None,
        ),
        Field(
            f"{SANITIZE}.state",
            Choice(RUNNING, FAILED),
            "Whether it is at sanitizing itself, or has failed at it, as it tells; else absent.",
            get=lambda row, reader: _sanitize("state")(row, reader) or None,
        ),
        Field(
            f"{SANITIZE}.percent",
            Integer(0, 99),
            "How far it is with it.",
            get=_sanitize("percent"),
        ),
        Field(
            f"{SANITIZE}.action",
            Choice(ABORT, RELEASE),
            "Ends it. abort: the array waits no more, as when its job is cancelled; the disk goes "
            "on where it has started. release: one that has failed at it can be used again, with "
            "the data left on it. Never shown.",
            access=MODIFY,
            get=constant(None),
        ),
        Field(
            "discards",
            Boolean(),
            "Whether erasing it can discard its content.",
            get=_fact("discards"),
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
        Field(
            "shelf.uid",
            Text(),
            "Shelf that it is in, or was last; absent for a disk that no shelf tells of.",
            get=lambda row, reader: row.facts(reader).get("shelf") or None,
        ),
        Field("bay", Integer(), "Its bay; absent where nothing tells.", get=_fact("bay")),
        Field(
            "location_led",
            Choice(ON, OFF),
            "Its locate light, which goes off by itself after half an hour; absent for none.",
            access=MODIFY,
            get=_fact("light"),
        ),
        Field(
            "health.passed",
            Boolean(),
            "Whether it says that it is in order; false when it predicts that it will fail.",
            get=_health("passed"),
        ),
        Field(
            "health.message",
            Text(4096),
            "Why it will fail, or why nothing is known of its health.",
            get=lambda row, reader: _health("message")(row, reader) or None,
        ),
        Field(
            "health.last_checked",
            Timestamp(),
            "When it was read last; absent for a disk that is never read, as a virtual one.",
            get=_reading("time"),
        ),
        Field(
            "rated_life_used_percent",
            Integer(),
            "Percent of the writes that it is specified for; more than 100 is possible.",
            get=_health("life_used"),
        ),
        Field("temperature", Integer(), "Temperature in °C.", get=_reading("temperature")),
        Field(
            "temperature_limit",
            Integer(),
            "Temperature in °C from which it may be damaged.",
            get=_health("temperature_limit"),
        ),
        Field(
            "stats.power_on_hours",
            Integer(),
            "Hours for which it has run.",
            get=_reading("power_on_hours"),
        ),
        Field(
            "media_errors",
            Integer(),
            "Number of errors that it could not correct.",
            get=_health("media_errors"),
        ),
        Field(
            "reallocated_sectors",
            Integer(),
            "Number of its sectors that it has replaced.",
            get=_health("reallocated"),
        ),
        Field(
            "pending_sectors",
            Integer(),
            "Number of its sectors that cannot be read and wait to be replaced.",
            get=_health("pending"),
        ),
        Field(
            OUT_OF_SERVICE,
            Boolean(),
            "Whether it is out of service, since it failed in an aggregate or was about to. It is "
            "no spare then, whatever it says of itself, until this is set to false.",
            access=MODIFY,
            get=lambda row, _: bool(row.failure),
        ),
        Field(
            "outage.reason.message",
            Text(512),
            "Why it is out of service; absent for a disk that is not.",
            get=lambda row, _: row.failure or None,
        ),
        Field(
            "raid_group",
            Integer(),
            "Number of its RAID group in its aggregate, from 0.",
            get=lambda row, _: row.member.raid_group if row.member else None,
        ),
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

    def update(self, change: Change, row: Disk, values: dict[str, Any]) -> None:
        """Order the locate light to be on for a while, or off, or the disk to be erased.

        Or have one that was out of service be as any other.
        """
        if OUT_OF_SERVICE in values:
            _set_in_service(row, values[OUT_OF_SERVICE])
        if values.keys() & {f"{ERASE}.content", f"{ERASE}.method"}:
            _erase(change, row, values)
        if action := values.get(f"{SANITIZE}.action"):
            (_abort if action == ABORT else _release)(change, row)
        light = values.get("location_led")
        if light is None:
            return
        shown, now = Reader(change.session).seen(row.kind, row.uid).get("light"), time.time()
        if shown is None:
            raise errors.invalid("This disk has no locate light.", "location_led")
        if light == ON:
            row.locate_until = now + LIT
        elif shown == ON or (row.locate_until or 0.0) > now:
            row.locate_until = 0.0


def _set_in_service(row: Disk, is_out: bool) -> None:
    """Have a disk be in service again. Raises ApiError where it is to be taken out of it."""
    if is_out and not row.failure:
        text = "A disk is taken out of service by the array alone, when a spare takes its place."
        raise errors.invalid(text, OUT_OF_SERVICE)
    if not is_out:
        row.failure = ""


def _erase(change: Change, row: Disk, values: dict[str, Any]) -> None:
    """Order a disk to be erased. Raises ApiError while anything uses it."""
    reader = Reader(change.session)
    facts = row.facts(reader)
    has_failed = condition(row, reader) == "broken" and sanitized(row, reader) == FAILED
    if row.member or (container_type(row, reader) not in ("foreign", "spare") and not has_failed):
        reason = usage(row, reader) or "it is not there"
        raise errors.conflict(f'Disk "{row.name}" cannot be erased: {reason}.')
    if condition(row, reader) == "zeroing":
        raise errors.conflict(f'Disk "{row.name}" is being cleared.')
    # A failed disk cannot be read, whoever used it before.
    if (busy := facts.get("busy")) and not has_failed:
        raise errors.conflict(f'Disk "{row.name}" cannot be erased: {busy}.')
    content = usage(row, reader)
    if f"{ERASE}.content" not in values:
        raise errors.missing(f"{ERASE}.content")
    if values[f"{ERASE}.content"] != content:
        text = f'The content of disk "{row.name}" is "{content}".'
        raise errors.conflict(text, f"{ERASE}.content")
    method = _method(row, reader, values.get(f"{ERASE}.method"), has_failed=has_failed)
    order = {"groups": [[row.uid]], "method": method, "content": content}
    change.remove(ERASURE, row.owner, **order)
    change.touch(row.owner)


def _method(row: Disk, reader: Reader, requested: str | None, *, has_failed: bool) -> str:
    """Return how a disk is to be erased. Raises ApiError where it lacks the requested method.

    One that failed to sanitize itself may do that again, by which method it need not tell.
    """
    discards = row.facts(reader).get("discards", False)
    method = requested or (DISCARD if discards else LABELS)
    if has_failed:
        if method not in sanitization.METHODS:
            text = f'Disk "{row.name}" has failed to sanitize itself; only that can be done again.'
            raise errors.conflict(text, f"{ERASE}.method")
    elif method in sanitization.METHODS:
        if method not in (_sanitize("methods")(row, reader) or ()):
            text = f'Disk "{row.name}" cannot sanitize itself by {method}.'
            raise errors.invalid(text, f"{ERASE}.method")
    elif method == DISCARD and not discards:
        raise errors.invalid(f'Disk "{row.name}" cannot discard.', f"{ERASE}.method")
    return method


def _abort(change: Change, row: Disk) -> None:
    """Have the array wait no more for a disk that is erased. Raises ApiError where it does not."""
    steps = unfinished(change.session, [row.owner])
    if not steps:
        raise errors.conflict(f'Disk "{row.name}" is not being erased.', f"{SANITIZE}.action")
    for step in steps:
        step.cancel = True


def _release(change: Change, row: Disk) -> None:
    """Order a disk that failed to sanitize itself to be used again. Raises ApiError."""
    reader = Reader(change.session)
    if row.member or condition(row, reader) != "broken" or sanitized(row, reader) != FAILED:
        text = f'Disk "{row.name}" is no spare that has failed to sanitize itself.'
        raise errors.conflict(text, f"{SANITIZE}.action")
    order = {"groups": [[row.uid]], "method": RELEASE, "content": usage(row, reader)}
    change.remove(ERASURE, row.owner, **order)
    change.touch(row.owner)
