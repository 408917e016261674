"""A text request of a stranger's goes on with no command but one that waits for that."""

from __future__ import annotations

from pathlib import Path

import pytest
from provisioned import ISCSI_PORTAL

from lab.station import Array, Host

MODULES = ("wire.py", "iscsi_pdus.py")
ASK = f"""
import iscsi_pdus as iscsi
from wire import Closed, Connection

connection = Connection("{ISCSI_PORTAL}", 3260)
who = [("InitiatorName", "iqn.2026-11.org.example:stranger"), ("SessionType", "Discovery")]
iscsi.answered(connection, iscsi.login(iscsi.keys([*who, ("AuthMethod", "None")]), 0x81))
iscsi.answered(connection, iscsi.login(iscsi.keys(list(iscsi.SETTLED)), 0x87))
try:
    for tag in (0xFFFFFFFF, 1, 0xFFFFFFFF):
        connection.send(iscsi.text_request(1, tag, iscsi.keys([("SendTargets", "All")])))
        connection.receive(5)
except Closed:
    print("closed")
iscsi.discover(["{ISCSI_PORTAL}", "", "iqn.2026-11.org.example:stranger"])
"""


@pytest.mark.usefixtures("lun")
def test_a_command_does_not_start_twice(array: Array, host: Host) -> None:
    if not array.has_product_kernel:
        pytest.skip("runs Debian's kernel, where a processor then does nothing else")
    for name in MODULES:
        host.run(f"cat > /run/{name}", stdin=Path(__file__).with_name(name).read_bytes())
    assert host.run("cd /run && python3 -", stdin=ASK.encode()).strip() == "closed"
