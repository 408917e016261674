"""A scenario of questions to a fabric that a port cannot ask.

On a machine it is a program: `python3 fabric_scenario.py` prints the lines, as root, with
`sanstone` on the path, on a machine that has one Fibre Channel port, of libfc's software driver,
which is in no fabric. No port in the lab can ask a fabric.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from sanstone.kernel.host import Host, HostError
from sanstone.kernel.network import fc, fc_services


def run(host: Host) -> Iterator[str]:
    """Go through the scenario."""
    adapters = fc.adapters(host)
    yield f"adapters: {len(adapters)}"
    (port,) = fc.ports(host)
    yield f"its fabric: {port.fabric or 'none'}"
    yield f"virtual ports: {port.virtual_in_use} of {port.virtual_maximum}"
    adapter = adapters[port.wwpn]
    for what, ask in (
        ("zones", lambda: fc_services.active_zone_set(host, adapter)),
        ("switches", lambda: fc_services.switches(host, adapter)),
        ("of no port", lambda: fc_services.switches(host, "nobody")),
    ):
        try:
            yield f"{what}: {ask()}"
        except HostError as error:
            yield f"{what}: " + re.sub(r"fc_host\d+", "fc_host", str(error))


if __name__ == "__main__":
    from sanstone.kernel.real import real_host

    for line in run(real_host()):
        sys.stdout.write(f"{line}\n")
