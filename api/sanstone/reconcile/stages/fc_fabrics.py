"""The fabrics that the machine's Fibre Channel ports are in, and what these tell of themselves.

A thread asks them (`tasks.fabric_asker`). What one told stays known until it tells something else,
or no port is in it any more.
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
from sanstone.reconcile.tasks.fabric_asker import FabricsMemory, FabricTold
from sanstone.reconcile.turn import Turn


def observe(turn: Turn, _ports: FibreChannelUp) -> FabricsSeen:
    """Say which fabrics there are, and take in what they told."""
    if not turn.looks:
        return FabricsSeen(turn.outcomes)
    memory = turn.memory.of(FabricsMemory)
    ports = defaultdict(list)
    for port in turn.memory.of(FibreChannelMemory).ports.values():
        if port.fabric:
            ports[port.fabric].append(port.wwpn)
    memory.wanted = {fabric: tuple(sorted(wwpns)) for fabric, wwpns in sorted(ports.items())}
    told = {fabric: each for fabric, each in memory.told.items() if fabric in ports}
    former = turn.seen.every(FC_FABRICS)
    turn.seen[FC_FABRICS] = {
        fabric: _facts(told.get(fabric), former.get(fabric, {}), wwpns) | {"ports": list(wwpns)}
        for fabric, wwpns in memory.wanted.items()
    }
    if told != memory.observed:
        _take_in(turn, told)
        memory.observed = told
    return FabricsSeen(turn.outcomes)


def _take_in(turn: Turn, told: Mapping[str, FabricTold]) -> None:
    """Observe switches and zones, which may be many: of fabrics that told them anew."""
    for kind in (SWITCHES, ZONES):
        turn.seen[kind] = {
            key: facts
            for key, facts in turn.seen.every(kind).items()
            if facts["fabric"] in turn.seen[FC_FABRICS] and facts["fabric"] not in told
        }
    for fabric, each in told.items():
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
    told: FabricTold | None, former: Mapping[str, Any], ports: Collection[str]
) -> dict[str, Any]:
    """Return what a fabric told, or what it told a former process."""
    if told is None:
        return {name: former[name] for name in ("zone_set", "links", "time") if name in former}
    return {
        "zone_set": told.zone_set.name if told.zone_set else "",
        "links": {
            wwpn: [switch.wwn, port.wwpn]
            for switch in told.switches
            for port in switch.ports
            for wwpn in port.attached
            if wwpn in ports
        },
        "time": told.time,
    }
