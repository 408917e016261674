"""Preparation of the kernel before the first turn: the targets' modules, and reservations.

What serves ports of adapters is loaded with the first such port (`stages.fibre_channel`).
"""

from __future__ import annotations

from sanstone import protocols
from sanstone.kernel.host import Host
from sanstone.kernel.target import reservations


def prepare(host: Host) -> None:
    """Load the targets' modules and set the directory of reservations. Raises HostError."""
    modules = dict.fromkeys(
        module
        for protocol in protocols.PROTOCOLS
        if protocol.addressing == "ip"
        for module in protocol.modules
    )
    host.commands.run(["modprobe", "--all", *modules])
    reservations.prepare(host)
