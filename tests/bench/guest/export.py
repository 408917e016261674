"""Runs in the array: exports one device over iSCSI and NVMe/TCP as Sanstone would, nothing else.

    export.py DEVICE ADDRESS INITIATOR HOST

It goes through Sanstone's own drivers, so what is measured has the settings that users get. The
reconciler must be stopped; it takes this away when it starts again. Prints the names as JSON.
"""

from __future__ import annotations

import json
import sys

from sanstone.kernel import plan
from sanstone.kernel.real import real_host
from sanstone.kernel.target import configfs, lio, nvmet

TARGET = "iqn.2026-11.org.sanstone.lab:target"
SUBSYSTEM = "nqn.2026-11.org.sanstone.lab:subsystem"
SERIAL = "5a5a5a5a5a5a"


def main(device: str, address: str, initiator: str, host_nqn: str) -> None:
    """Make the exports."""
    backstore = lio.Backstore("bench", device, SERIAL)
    acl = lio.Acl(initiator, luns={0: 0})
    group = lio.PortalGroup(1, ((address, 3260),), {0: "bench"}, (acl,))
    namespace = nvmet.Namespace(1, device, f"{SERIAL[:8]}-5a5a-4a5a-8a5a-{SERIAL}", "5a" * 16)
    subsystem = nvmet.Subsystem(
        SUBSYSTEM, "5a5a5a5a", hosts=(host_nqn,), namespaces=(namespace,), ports=(1,)
    )
    host = real_host()
    for known, wanted in (
        (lio.read(host), lio.render([backstore], [lio.ScsiTarget(TARGET, groups=(group,))])),
        (
            nvmet.read(host),
            nvmet.render([subsystem], [nvmet.AllowedHost(host_nqn)], [nvmet.Port(1, address)]),
        ),
    ):
        failures = plan.apply(host, configfs.plan(known, wanted))
        if failures:
            sys.exit("\n".join(map(str, failures)))
    print(json.dumps({"target": TARGET, "subsystem": SUBSYSTEM}))


main(*sys.argv[1:])
