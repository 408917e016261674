"""`cluster/schedules`: times at which snapshots are taken and aggregates scrubbed.

A schedule goes by the clock or by an interval.

A schedule by the clock is like a line of crontab(5), in the array's time zone: every field that is
set must match; if both days and weekdays are set, one of them must. ONTAP's built-in schedules
exist here too, with the same identity on every array.
"""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import WRITE, Field, Getter, Resource, constant
from sanstone.core.declaration.types import Choice, Text, Type, Uuid
from sanstone.model.aggregates import Aggregate
from sanstone.model.built_in import built_in_uuid
from sanstone.model.cluster import Schedule, seconds
from sanstone.model.policies import SnapshotPolicyCopy

CRON = {
    "minutes": (0, 59),
    "hours": (0, 23),
    "days": (1, 31),
    "months": (1, 12),
    "weekdays": (0, 6),
}
"""Fields of the clock with their ranges; weekday 0 is Sunday."""


class Interval(Text):
    """An ISO 8601 duration of a minute or more, without months and years."""

    good: tuple[Any, ...] = ("PT7M30S", "P1D", "P1DT2H")

    def __init__(self) -> None:
        super().__init__(32, 2)
        self.bad += ("hourly", "PT0S", "P", "PT30S", "P1Y")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        if seconds(text) < 60:
            raise ValidationError("This must be an ISO 8601 duration of a minute or more: PT15M.")
        return text


class Moments(Type):
    """Numbers of one field of the clock, sorted and unique."""

    schema: ClassVar[dict[str, Any]] = {"type": "array", "items": {"type": "integer"}}

    def __init__(self, minimum: int, maximum: int) -> None:
        super().__init__()
        self.minimum, self.maximum = minimum, maximum
        self.good = ([minimum], [minimum, maximum])
        self.bad = ({"a": 1}, 7, "x", True, [maximum + 1], ["x"], [True])

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> list[int]:
        if not isinstance(value, list) or not all(self._fits(number) for number in value):
            text = f"This must be a list of numbers from {self.minimum} to {self.maximum}."
            raise ValidationError(text)
        return sorted(set(value))

    def _fits(self, number: Any) -> bool:
        plain = isinstance(number, int) and not isinstance(number, bool)
        return plain and self.minimum <= number <= self.maximum


def _cron(name: str) -> Getter:
    return lambda row, _: row.cron.get(name)


class ScheduleResource(Resource[Schedule]):
    """Schedules."""

    path = "cluster/schedules"
    doc = (
        "Schedules are moments at which snapshots are taken and aggregates scrubbed, by the clock "
        "or by an interval."
    )
    model = Schedule
    searched = ("name",)
    fields = (
        Field("uuid", Uuid(), "Identity of the schedule."),
        Field(
            "name",
            Text(256, 1, r"[A-Za-z0-9_.-]+", "letters, digits, _ . -"),
            "Name of the schedule.",
            access=WRITE,
            required=True,
        ),
        *(
            Field(
                f"cron.{name}",
                Moments(*limits),
                f"Which {name}; all when not given.",
                access=WRITE,
                get=_cron(name),
            )
            for name, limits in CRON.items()
        ),
        Field(
            "interval",
            Interval(),
            "Time between two moments, instead of the clock.",
            access=WRITE,
            get=lambda row, _: row.interval or None,
        ),
        Field(
            "type",
            Choice("cron", "interval"),
            "Whether it follows a calendar or an interval.",
            get=lambda row, _: "interval" if row.interval else "cron",
        ),
        Field("scope", Choice("cluster"), "Where it is known.", get=constant("cluster")),
    )

    def create(self, change: Change, values: dict[str, Any]) -> Schedule:
        """Add a schedule."""
        _check_name(change.session, values["name"])
        cron, interval = _clock(values), values.get("interval", "")
        if bool(cron) == bool(interval):
            raise errors.invalid("Give either cron or interval.", "cron", errors.EXCLUSIVE)
        row = Schedule(name=values["name"], cron=cron, interval=interval)
        change.add(row)
        return row

    def update(self, change: Change, row: Schedule, values: dict[str, Any]) -> None:
        """Change a schedule; it stays one by the clock or by an interval."""
        if values.get("name", row.name) != row.name:
            _check_name(change.session, values["name"])
            if row.uuid == built_in_uuid(row.kind, row.name):
                raise errors.conflict(f'Schedule "{row.name}" is built in.', "name")
        cron = _clock(values)
        if (cron and row.interval) or ("interval" in values and not row.interval):
            text = "A schedule stays one by the clock or by an interval."
            raise errors.invalid(text, "cron", errors.EXCLUSIVE)
        row.name = values.get("name", row.name)
        row.interval = values.get("interval", row.interval)
        row.cron = row.cron | cron

    def delete(self, change: Change, row: Schedule, options: dict[str, Any]) -> None:
        """Delete a schedule that no policy and no aggregate goes by."""
        used = (
            select(SnapshotPolicyCopy.schedule_uuid).filter_by(schedule_uuid=row.uuid),
            select(Aggregate.uuid).filter_by(scrub_schedule_uuid=row.uuid),
        )
        is_used = any(change.session.scalar(query.limit(1)) for query in used)
        if row.uuid == built_in_uuid(row.kind, row.name) or is_used:
            text = (
                f'Schedule "{row.name}" is built in, or snapshot policies or scrubs of aggregates '
                "go by it."
            )
            raise errors.conflict(text)
        change.delete(row)


def _clock(values: dict[str, Any]) -> dict[str, list[int]]:
    return {name: values[f"cron.{name}"] for name in CRON if values.get(f"cron.{name}")}


def _check_name(session: Session, name: str) -> None:
    if session.scalar(select(Schedule.uuid).filter_by(name=name)):
        raise errors.conflict(f'A schedule named "{name}" already exists.', "name", errors.EXISTS)
