"""Frames of FCoE's initialization protocol (FIP) reach a port of the array while it comes up."""

from __future__ import annotations

import pytest

from lab.fc_ports import join, leave
from lab.station import Station

PORT = "e0c"
ROUNDS = 20
# To all VN2VN ports (fcoe_all_vn2vn in drivers/scsi/fcoe/fcoe_ctlr.c), of a subcode that no port
# answers.
FLOOD = """
import socket, time
frame = bytes.fromhex("011018010004" "025254000001" "8914" "1000000500ff00000000") + bytes(50)
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as line:
    line.bind(("d1", 0x8914))
    while True:
        for _ in range(20):
            line.send(frame)
        time.sleep(0.001)
"""


def test_a_port_comes_up_amid_frames_of_others(machines: Station) -> None:
    array, host = machines.array, machines.host()
    if not array.has_product_kernel:
        pytest.skip("Debian's kernel dies of it (board/common/patches)")
    host.run('systemd-run --quiet --unit=flood python3 -c "$(cat)"', stdin=FLOOD.encode())
    for _ in range(ROUNDS):
        join(array, PORT)
        leave(array, PORT)
    host.run("systemctl stop flood")
