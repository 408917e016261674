"""The array as a whole: its identity, its time servers, its schedules."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import JSON
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core.database.change import COUNTER, Owned
from sanstone.core.database.session_value import SessionValue
from sanstone.core.database.statements import every
from sanstone.core.database.store import Base, Identified

_INTERVAL = re.compile(r"P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)S)?)?")


class Cluster(Owned, Identified, Base):
    """The array. `serial_number` (32 hexadecimal digits) is in its target names and never changes.

    `next_number` gives endpoints and SVMs numbers that are never reused. `shell_timeout` is for how
    many minutes a shell stays without any key, 0 for ever.

    An aggregate that fewer spare disks than `min_spare_count` fit has an alert. Spare disks take
    the place of those that failed where `replaces_failed`, and of those that predict it where
    `copies_failing`.
    """

    __tablename__ = "cluster"
    kind = "cluster"

    name: Mapped[str]
    serial_number: Mapped[str]
    contact: Mapped[str] = mapped_column(default="")
    location: Mapped[str] = mapped_column(default="")
    name_servers: Mapped[list[str]] = mapped_column(JSON, default=list)
    dns_domains: Mapped[list[str]] = mapped_column(JSON, default=list)
    timezone: Mapped[str] = mapped_column(default="Etc/UTC")
    shell_timeout: Mapped[int] = mapped_column(default=30)
    min_spare_count: Mapped[int] = mapped_column(default=1)
    replaces_failed: Mapped[bool] = mapped_column(default=True)
    copies_failing: Mapped[bool] = mapped_column(default=True)
    next_number: Mapped[int] = mapped_column(default=1, info={COUNTER: 1 << 8})
    create_time: Mapped[float] = mapped_column(default=time.time)


def the_cluster(session: Session) -> Cluster:
    """Return the array's row, which is looked up once per session."""
    return _the_cluster.of(session)


_the_cluster: SessionValue[Cluster] = SessionValue(
    lambda session: session.scalars(every(Cluster)).one()
)


class NtpServer(Owned, Identified, Base):
    """A time server, by its name or address."""

    __tablename__ = "ntp_server"
    kind = "cluster/ntp/servers"

    server: Mapped[str] = mapped_column(unique=True)

    @property
    def key(self) -> str:
        """Return the name or address."""
        return self.server


class Schedule(Owned, Identified, Base):
    """A schedule: `interval` in ISO 8601, or '' and the clock's fields in `cron`."""

    __tablename__ = "schedule"
    kind = "cluster/schedules"

    name: Mapped[str] = mapped_column(unique=True)
    interval: Mapped[str] = mapped_column(default="")
    cron: Mapped[dict[str, Any]] = mapped_column(default=dict)

    def last(self, now: datetime) -> datetime:
        """Return the latest moment of the schedule that is not after `now`.

        A clock that matches no moment within a year, such as 30 February, yields its beginning.
        """
        if self.interval:
            every = seconds(self.interval)
            return datetime.fromtimestamp(now.timestamp() // every * every, now.tzinfo)
        moment = now.replace(second=0, microsecond=0)
        end = moment - timedelta(days=366)
        while moment > end:
            if not self._fits_day(moment):
                moment = moment.replace(hour=0, minute=0) - timedelta(minutes=1)
            elif not self._fits("hours", moment.hour):
                moment = moment.replace(minute=0) - timedelta(minutes=1)
            elif not self._fits("minutes", moment.minute):
                moment -= timedelta(minutes=1)
            else:
                return moment
        return end

    def _fits(self, field: str, value: int) -> bool:
        return field not in self.cron or value in self.cron[field]

    def _fits_day(self, moment: datetime) -> bool:
        if not self._fits("months", moment.month):
            return False
        day = self._fits("days", moment.day)
        weekday = self._fits("weekdays", moment.isoweekday() % 7)
        both = "days" in self.cron and "weekdays" in self.cron
        return day or weekday if both else day and weekday


def seconds(interval: str) -> int:
    """Return the seconds of an ISO 8601 duration without months and years, 0 for none."""
    match = _INTERVAL.fullmatch(interval)
    parts = [int(part or 0) for part in match.groups()] if match else [0, 0, 0, 0]
    return ((parts[0] * 24 + parts[1]) * 60 + parts[2]) * 60 + parts[3]
