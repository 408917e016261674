"""Reads what the machine tells of errors, beside the turns: the kernel's log, what rasdaemon has
recorded, and the links of PCIe devices.

To read a database may take long after many errors, and a device that fails may hold up reads in
sysfs, so no turn may. A thread does, and leaves its findings in the memory for the stage
`hardware_errors`.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from sanstone.kernel.hardware import error_records, pcie_links
from sanstone.kernel.hardware.error_records import Errors
from sanstone.kernel.hardware.kernel_complaints import Complaint, complaints
from sanstone.kernel.hardware.pcie_links import Link
from sanstone.kernel.host import Host, HostError
from sanstone.reconcile.memory import StageMemory

RECORDS_PERIOD, LINKS_PERIOD = 15.0, 60.0
"""Seconds after which rasdaemon's records, and links, are read again. The kernel's log is read at
each wake-up."""
Found = TypeVar("Found")
log = logging.getLogger("sanstone.reconciler")


class ErrorReadings(NamedTuple):
    """The machine's last reports of errors; None for those not read yet."""

    records: tuple[Errors, ...] | None = None
    links: tuple[Link, ...] | None = None


@dataclass
class ErrorsMemory(StageMemory):
    """Errors of the hardware and the kernel. A thread reads them, see `tasks.error_reader`."""

    readings: ErrorReadings | None = None
    """The thread writes it."""
    taken_in: ErrorReadings | None = None
    """The readings that were taken in last."""
    complaints: deque[Complaint] = field(default_factory=deque)
    """The kernel's complaints in its log, oldest first. The thread adds them, the stage takes them
    out."""


class ErrorReader:
    """Reads all sources that are due, into `memory`."""

    def __init__(self, host: Host, memory: ErrorsMemory) -> None:
        self._host, self._memory = host, memory
        self._log = host.log.another_reader()
        self._records_due = self._links_due = 0.0
        self._refused: dict[str, str] = {}
        """Why something could not be read the last time, so that it is logged once."""

    def read(self) -> str:
        """Read all that are due. Return why some cannot be read, '' if all can."""
        new = self._found("the kernel's log", lambda _host: list(complaints(self._log.read_new())))
        self._memory.complaints.extend(new or ())
        readings = self._memory.readings or ErrorReadings()
        if time.monotonic() >= self._records_due:
            records = self._found("what rasdaemon recorded", error_records.read)
            if records is not None:
                readings = readings._replace(records=tuple(records))
            self._records_due = time.monotonic() + RECORDS_PERIOD
        if time.monotonic() >= self._links_due:
            links = self._found("links of PCIe", pcie_links.read)
            if links is not None:
                readings = readings._replace(links=tuple(links))
            self._links_due = time.monotonic() + LINKS_PERIOD
        self._memory.readings = readings
        return "; ".join(f"{what} cannot be read: {why}" for what, why in self._refused.items())

    def _found(self, what: str, read: Callable[[Host], Sequence[Found]]) -> Sequence[Found] | None:
        """Return the errors of a source, None where it cannot be read."""
        try:
            errors = read(self._host)
        except HostError as error:
            if self._refused.get(what) != str(error):
                log.warning("%s cannot be read: %s", what, error)
            self._refused[what] = str(error)
            return None
        self._refused.pop(what, None)
        return errors
