"""Whatever strangers send, the targets go on serving, and the kernel finds no fault in itself.

The machines' health after the module shows the latter (`allowed-messages`).
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from provisioned import ISCSI_PORTAL, NVME_PORTAL

from lab.administrator import Administrator, Record
from lab.initiator import Iscsi, Nvme
from lab.station import Station

PROGRAM = ("wire.py", "nvme_pdus.py", "iscsi_pdus.py", "play.py")
CASES = int(os.environ.get("SANSTONE_STRANGERS") or 300)
"""Of each seed."""


@pytest.fixture(scope="module")
def play(machines: Station) -> str:
    """The command on the host that plays cases."""
    host, folder = machines.host(), "/run/strangers"
    host.run(f"mkdir -p {folder}")
    for name in PROGRAM:
        host.run(f"cat > {folder}/{name}", stdin=Path(__file__).with_name(name).read_bytes())
    return f"python3 {folder}/play.py"


@pytest.fixture
def places(
    admin: Administrator, iscsi: Iscsi, nvme: Nvme, lun: Record, namespace: Record
) -> dict[str, list[str]]:
    """The targets' addresses and names, and the hosts that they admit."""
    service = admin.api.get(f"protocols/san/iscsi/services/{lun['svm']['uuid']}")
    return {
        "nvme": [NVME_PORTAL, namespace["nqn"], nvme.name],
        "iscsi": [ISCSI_PORTAL, service["target"]["name"], iscsi.name],
    }


@pytest.mark.parametrize("seed", range(4))
def test_targets_serve_whatever_strangers_send(
    seed: int, play: str, places: dict[str, list[str]], machines: Station
) -> None:
    output = machines.host().run(f"{play} {seed} {CASES} '{json.dumps(places)}'")
    assert output == f"{CASES} cases\n"
