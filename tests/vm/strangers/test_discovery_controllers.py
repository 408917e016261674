"""Who only asks takes no more of the array than there is for strangers."""

from __future__ import annotations

from pathlib import Path

import pytest
from provisioned import NVME_PORTAL

from lab.initiator import Nvme
from lab.station import Array, Host

STRANGERS = 40
MODULES = ("wire.py", "nvme_pdus.py")
ASK = f"""
import nvme_pdus as nvme
from wire import Connection

def admitted():
    connection = Connection("{NVME_PORTAL}", 4420)
    connection.send(nvme.icreq())
    connection.read(128)
    connection.send(nvme.connect(nvme.DISCOVERY, nvme.STRANGER, keep_alive=1))
    kept.append(connection)
    return not int.from_bytes(connection.read(24)[22:], "little") >> 1

kept = []
print(sum([admitted() for _ in range({STRANGERS})]))
"""


@pytest.mark.usefixtures("namespace")
def test_a_stranger_has_few_discovery_controllers(array: Array, host: Host, nvme: Nvme) -> None:
    if not array.has_product_kernel:
        pytest.skip("runs Debian's kernel, which has as many as anybody likes")
    for name in MODULES:
        host.run(f"cat > /run/{name}", stdin=Path(__file__).with_name(name).read_bytes())
    # As many as one address has where nobody knows the host (board/common/patches).
    assert host.run(f"cd /run && python3 -c '{ASK}'").strip() == "16"
    assert nvme.discover(NVME_PORTAL, "4420")
