"""The fabrics that the machine's Fibre Channel ports are in."""

from __future__ import annotations

from collections import defaultdict

from sanstone.reconcile.turn import Turn
from sanstone.resources.network.fc_fabric import KIND


def observe(turn: Turn) -> None:
    """Observe the fabrics."""
    if not turn.looks:
        return
    ports = defaultdict(list)
    for port in turn.memory.fibre_channel.ports.values():
        if port.fabric:
            ports[port.fabric].append(port.wwpn)
    turn.seen[KIND] = {fabric: {"ports": sorted(wwpns)} for fabric, wwpns in ports.items()}
