"""Reads what the management controller (BMC) measures and has logged, beside the turns.

A BMC answers slowly, and one that starts anew not at all for some minutes, so no turn may ask it. A
thread does, where there is one, and leaves the answers in the memory for the stage `sensors`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from sanstone.kernel.hardware import sensors, system_event_log
from sanstone.kernel.hardware.sensors import Sensor
from sanstone.kernel.hardware.system_event_log import LogEntry
from sanstone.kernel.host import Host, HostError
from sanstone.reconcile.memory import StageMemory

SENSORS_PERIOD, LOG_PERIOD = 60.0, 300.0
"""Seconds after which sensors, and the log, are read again."""
Answer = TypeVar("Answer")
log = logging.getLogger("sanstone.reconciler")


class ControllerReadings(NamedTuple):
    """The last readings of the machine's management controller (BMC); None for those not read yet.

    `silences` is how often in a row it did not answer.
    """

    present: bool = True
    sensors: tuple[Sensor, ...] | None = None
    entries: tuple[LogEntry, ...] | None = None
    silences: int = 0


@dataclass
class ControllerMemory(StageMemory):
    """The management controller. A thread reads it, see `tasks.sensor_reader`."""

    readings: ControllerReadings | None = None
    """The thread writes it; None until it has looked whether there is one."""
    taken_in: ControllerReadings | None = None
    """The readings that were taken in last."""


class SensorReader:
    """Reads the BMC's sensors and log when they are due, into `memory`."""

    def __init__(self, host: Host, memory: ControllerMemory) -> None:
        self._host, self._memory = host, memory
        self._sensors_due = self._log_due = 0.0
        self._error = ""
        """Why the BMC did not answer last."""

    def read(self) -> str:
        """Read sensors and log where due. Return why the BMC did not answer last, '' if it did."""
        if not sensors.has_controller(self._host):
            self._memory.readings = ControllerReadings(present=False)
            return ""
        before = self._memory.readings
        readings = before if before and before.present else ControllerReadings()
        if time.monotonic() >= self._sensors_due:
            measured = self._answer(sensors.read)
            if measured is None:
                readings = readings._replace(silences=readings.silences + 1)
            else:
                readings = readings._replace(sensors=tuple(measured), silences=0)
            self._sensors_due = time.monotonic() + SENSORS_PERIOD
        if readings.silences == 0 and time.monotonic() >= self._log_due:
            entries = self._answer(system_event_log.read)
            if entries is not None:
                readings = readings._replace(entries=tuple(entries))
            self._log_due = time.monotonic() + LOG_PERIOD
        self._memory.readings = readings
        return self._error

    def _answer(self, ask: Callable[[Host], Sequence[Answer]]) -> Sequence[Answer] | None:
        """Return the BMC's answer, None when there is none."""
        try:
            answer = ask(self._host)
        except HostError as error:
            self._error = f"the management controller is not read: {error}"
            log.warning("%s", self._error)
            return None
        self._error = ""
        return answer
