"""Asks Fibre Channel fabrics for their switches and zones, beside the turns.

That takes a question for each port of each switch, and a fabric that does not answer is waited for,
so no turn may ask. A thread does, and leaves what it hears in the memory for the stage
`fc_fabrics`. A fabric is asked through one of the ports in it, the next one if that cannot: drivers
other than qla2xxx send no such questions, or only some (lpfc_bsg_request(), fc_lport_bsg_request()
in libfc). Where none can, nothing is told and nothing is wrong.
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
"""Seconds after which a fabric is asked again. One that another port joined is asked at once."""
log = logging.getLogger("sanstone.reconciler")


class FabricTold(NamedTuple):
    """What a fabric told of itself, and when, in seconds since 1970."""

    zone_set: ZoneSet | None
    switches: tuple[Switch, ...]
    time: float


@dataclass
class FabricsMemory(StageMemory):
    """What Fibre Channel fabrics told. A thread writes it, see `tasks.fabric_asker`."""

    wanted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By name of the fabrics that there are: the ports in it (WWPNs), to be asked through."""
    told: dict[str, FabricTold] = field(default_factory=dict)
    """By name of a fabric. The thread writes it."""
    observed: Mapping[str, FabricTold] | None = None
    """What of that was observed last; None before the first time."""


class FabricAsker:
    """Asks the fabrics of `memory` that are due."""

    def __init__(self, host: Host, memory: FabricsMemory) -> None:
        self._host, self._memory = host, memory
        self._due: dict[str, tuple[tuple[str, ...], float]] = {}
        """By fabric: the ports that it was asked through, and when it is to be asked again."""

    def ask(self) -> None:
        """Ask the fabrics that are due, and forget those that are gone."""
        wanted, told = self._memory.wanted, self._memory.told
        for gone in (told.keys() | self._due.keys()) - wanted.keys():
            told.pop(gone, None)
            self._due.pop(gone, None)
        for fabric, ports in wanted.items():
            before, due = self._due.get(fabric, ((), 0.0))
            if ports != before or time.monotonic() >= due:
                if answer := self._told(fabric, ports):
                    told[fabric] = answer
                self._due[fabric] = ports, time.monotonic() + PERIOD

    def _told(self, fabric: str, ports: Sequence[str]) -> FabricTold | None:
        """Return what a fabric tells through the first port that can ask it, None if none can."""
        try:
            adapters = fc.adapters(self._host)
        except HostError as error:
            log.info("fabric %s cannot be queried: %s", fabric, error)
            return None
        for port in ports:
            if port in adapters:
                try:
                    return _told(self._host, adapters[port])
                except HostError as error:
                    log.info("fabric %s cannot be queried through %s: %s", fabric, port, error)
        return None


def _told(host: Host, adapter: str) -> FabricTold:
    """Return what a fabric tells through a port. Raises HostError."""
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
    return FabricTold(zone_set, tuple(switches), time.time())
