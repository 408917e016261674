"""Asks Fibre Channel fabrics for their switches and zones, beside the turns.

That takes a question for each port of each switch, and a fabric that does not answer is waited for,
so no turn may ask. A thread does, and leaves the reports in the memory for the stage `fc_fabrics`.
Questions go through one of the ports in a fabric, the next one if that cannot: drivers other than
qla2xxx send no such questions, or only some (lpfc_bsg_request(), fc_lport_bsg_request() in libfc).
Where none can, there is no report and nothing is wrong.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sanstone.kernel.host import Host, HostError
from sanstone.kernel.network import fc, fc_services
from sanstone.kernel.network.fc_services import BadAnswer, Rejected, Switch, ZoneSet
from sanstone.reconcile.memory import StageMemory

PERIOD = 600.0
"""Seconds between reports of a fabric. One that another port joined reports at once."""
log = logging.getLogger("sanstone.reconciler")


class FabricReport(NamedTuple):
    """A fabric's zones and switches, and when it reported them, in seconds since 1970."""

    zone_set: ZoneSet | None
    switches: tuple[Switch, ...]
    time: float


@dataclass
class FabricsMemory(StageMemory):
    """The reports of Fibre Channel fabrics. A thread writes it, see `tasks.fabric_asker`."""

    ports_by_fabric: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The ports (WWPNs) of existing fabrics; questions can go through each."""
    reports: dict[str, FabricReport] = field(default_factory=dict)
    """By name of a fabric. The thread writes it."""
    observed: Mapping[str, FabricReport] | None = None
    """The reports that were observed last; None before the first time."""


class FabricAsker:
    """Asks the fabrics of `memory` that are due."""

    def __init__(self, host: Host, memory: FabricsMemory) -> None:
        self._host, self._memory = host, memory
        self._due: dict[str, tuple[tuple[str, ...], float]] = {}
        """By fabric: its ports at the last question, and the time of the next one."""

    def ask(self) -> None:
        """Ask the fabrics that are due, and forget those that are gone."""
        fabrics, reports = self._memory.ports_by_fabric, self._memory.reports
        for removed in (reports.keys() | self._due.keys()) - fabrics.keys():
            reports.pop(removed, None)
            self._due.pop(removed, None)
        for fabric, ports in fabrics.items():
            before, due = self._due.get(fabric, ((), 0.0))
            if ports != before or time.monotonic() >= due:
                if answer := self._report(fabric, ports):
                    reports[fabric] = answer
                self._due[fabric] = ports, time.monotonic() + PERIOD

    def _report(self, fabric: str, ports: Sequence[str]) -> FabricReport | None:
        """Return a fabric's report through the first port that can ask for it, None if none can."""
        try:
            adapters = fc.adapters(self._host)
        except HostError as error:
            log.info("fabric %s cannot be queried: %s", fabric, error)
            return None
        for port in ports:
            if port in adapters:
                try:
                    return _report_through(self._host, adapters[port])
                except HostError as error:
                    log.info("fabric %s cannot be queried through %s: %s", fabric, port, error)
        return None


def _report_through(host: Host, adapter: str) -> FabricReport:
    """Return a fabric's report through a port. Raises HostError."""
    zone_set: ZoneSet | None = None
    switches: Sequence[Switch] = ()
    try:
        zone_set = fc_services.active_zone_set(host, adapter)
    except (Rejected, BadAnswer) as error:
        log.info("%s: the fabric does not tell its zones: %s", adapter, error)
    try:
        switches = fc_services.switches(host, adapter)
    except (Rejected, BadAnswer) as error:
        log.info("%s: the fabric does not tell its switches: %s", adapter, error)
    return FabricReport(zone_set, tuple(switches), time.time())
