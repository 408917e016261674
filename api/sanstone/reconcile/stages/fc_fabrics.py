"""The fabrics that the machine's Fibre Channel ports are in, and what these tell of themselves.

A thread asks them (`tasks.fabric_asker`). A fabric's report counts until its next one, or until no
port is in it any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from sanstone.model.observations import FC_FABRICS
from sanstone.model.observations import FC_SWITCHES as SWITCHES
from sanstone.model.observations import FC_ZONES as ZONES
from sanstone.reconcile.results import FabricsSeen, FibreChannelUp
from sanstone.reconcile.stages.fibre_channel import FibreChannelMemory
from sanstone.reconcile.tasks.fabric_asker import FabricReport, FabricsMemory
from sanstone.reconcile.turn import Turn


def observe(turn: Turn, _ports: FibreChannelUp) -> FabricsSeen:
    """Tell the thread which fabrics there are, and take in their reports."""
    if not turn.looks:
        return FabricsSeen(turn.outcomes)
    memory = turn.memory.of(FabricsMemory)
    ports = defaultdict(list)
    for port in turn.memory.of(FibreChannelMemory).ports.values():
        if port.fabric:
            ports[port.fabric].append(port.wwpn)
    memory.ports_by_fabric = {
        fabric: tuple(sorted(wwpns)) for fabric, wwpns in sorted(ports.items())
    }
    reports = {fabric: each for fabric, each in memory.reports.items() if fabric in ports}
    former = turn.seen.every(FC_FABRICS)
    turn.seen[FC_FABRICS] = {
        fabric: _facts(reports.get(fabric), former.get(fabric, {}), wwpns) | {"ports": list(wwpns)}
        for fabric, wwpns in memory.ports_by_fabric.items()
    }
    if reports != memory.observed:
        _take_in(turn, reports)
        memory.observed = reports
    return FabricsSeen(turn.outcomes)


def _take_in(turn: Turn, reports: Mapping[str, FabricReport]) -> None:
    """Observe switches and zones, which may be many: of fabrics with a new report."""
    for kind in (SWITCHES, ZONES):
        turn.seen[kind] = {
            key: facts
            for key, facts in turn.seen.every(kind).items()
            if facts["fabric"] in turn.seen[FC_FABRICS] and facts["fabric"] not in reports
        }
    for fabric, each in reports.items():
        for switch in each.switches:
            ports = [
                asdict(port) | {"attached": list(port.attached), "addresses": dict(port.attached)}
                for port in switch.ports
            ]
            facts = {"fabric": fabric, **asdict(switch), "ports": ports}
            turn.seen[SWITCHES][f"{fabric}/{switch.wwn}"] = facts
        for zone in each.zone_set.zones if each.zone_set else ():
            members = [asdict(member) for member in zone.members]
            facts = {"fabric": fabric, "name": zone.name, "members": members}
            turn.seen[ZONES][f"{fabric}/{zone.name}"] = facts


def _facts(
    report: FabricReport | None, former: Mapping[str, Any], ports: Collection[str]
) -> dict[str, Any]:
    """Return the facts of a fabric's report, or those that a former process had."""
    if report is None:
        return {name: former[name] for name in ("zone_set", "links", "time") if name in former}
    return {
        "zone_set": report.zone_set.name if report.zone_set else "",
        "links": {
            wwpn: [switch.wwn, port.wwpn]
            for switch in report.switches
            for port in switch.ports
            for wwpn in port.attached
            if wwpn in ports
        },
        "time": report.time,
    }
