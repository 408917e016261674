"""Fibre Channel: observes its ports, and reports that nothing is exported over it yet."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import select

from sanstone import protocols
from sanstone.core.events import NOTICE, Condition
from sanstone.kernel.network import fc
from sanstone.model.san import FcpService
from sanstone.reconcile.turn import Turn
from sanstone.resources.network.fc_port import KIND


def observe(turn: Turn) -> None:
    """Observe the ports, and report enabled services, over which nothing is exported."""
    if turn.looks:
        turn.seen[KIND] = {port.wwpn: _observation(port) for port in fc.ports(turn.host)}
    if any(protocol.allowed_by == FcpService.protocol for protocol in protocols.PROTOCOLS):
        return
    for service in turn.session.scalars(select(FcpService).filter_by(enabled=True)):
        text = (
            f'SVM "{service.svm.name}" has a Fibre Channel service, but LUNs are not exported over '
            "Fibre Channel yet: no host reaches it."
        )
        condition = f"fcp.not_served:{service.svm_uuid}"
        turn.conditions[condition] = Condition(NOTICE, "fcp.not_served", text, service.owner)


def _observation(port: fc.Port) -> dict[str, object]:
    """Return what is observed of a port."""
    over_ethernet = port.driver in fc.OVER_ETHERNET
    return asdict(port) | {
        "physical_protocol": "ethernet" if over_ethernet else "fibre_channel",
        "supported_protocols": list(fc.TARGETS.get(port.driver, ())),
    }
