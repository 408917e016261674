"""Who only connects keeps no host from logging in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from provisioned import ISCSI_PORTAL

from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Array, Host

SILENT, INCOMPLETE, GARBAGE = 256, 64, 64
FLOOD = f"""
import selectors, socket, struct, time

# A login request (RFC 7143, 11.12) that announces 512 bytes of text, and sends some of them.
HEADER = struct.pack(">BBBBI6sHIHHII", 0x43, 0x81, 0, 0, 512, b"strngr", 0, 1, 0, 0, 1, 0)
PARTIAL = HEADER.ljust(48, b"\\0") + b"InitiatorName=iqn.2026-11.org.example:stranger\\0"
KINDS = [b""] * {SILENT} + [PARTIAL] * {INCOMPLETE} + [b"\\xff" * 48] * {GARBAGE}
waiting = selectors.DefaultSelector()

def connect(text):
    with_array = socket.create_connection(("{ISCSI_PORTAL}", 3260))
    with_array.sendall(text)
    waiting.register(with_array, selectors.EVENT_READ, text)

for text in KINDS:
    connect(text)
open("/run/strangers", "w").close()
while True:
    time.sleep(1)
    for key, _ in waiting.select():
        try:
            ended = not key.fileobj.recv(4096)
        except ConnectionError:
            ended = True
        if ended:
            waiting.unregister(key.fileobj)
            key.fileobj.close()
            connect(key.data)
"""


@pytest.fixture
def strangers(host: Host) -> Iterator[None]:
    """Connections of all kinds to one portal, each opened again when it is closed."""
    unit = "systemd-run --unit strangers --property LimitNOFILE=4096"
    host.run(f'{unit} python3 -c "$(cat)"', stdin=FLOOD.encode())
    eventually(lambda: host.attempt("test -e /run/strangers").status == 0)
    yield
    host.run("systemctl stop strangers; rm /run/strangers")


@pytest.mark.usefixtures("strangers")
def test_hosts_log_in_among_strangers(array: Array, host: Host, iscsi: Iscsi, disk: str) -> None:
    if not array.has_product_kernel:
        pytest.skip("runs Debian's kernel, in which a login waits for those before it")
    for _ in range(4):
        targets = iscsi.discover(ISCSI_PORTAL)
        assert ISCSI_PORTAL in [address for address, _ in targets]
        [session] = [s for s in _sessions(host) if f" {ISCSI_PORTAL}:" in s]
        number = session.partition("[")[2].partition("]")[0]
        host.run(f"iscsiadm --mode session --sid {number} --logout")
        iscsi.log_in_at(ISCSI_PORTAL, "default")
    eventually(lambda: len(iscsi.path_devices(disk)) == len(_sessions(host)))


def _sessions(host: Host) -> list[str]:
    return host.run("iscsiadm --mode session").splitlines()
