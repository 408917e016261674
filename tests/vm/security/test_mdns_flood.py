"""A flood of multicast DNS: who asks afterwards is answered, by the process that was flooded."""

from __future__ import annotations

import pytest
from announced import announced, announcements

from lab.patience import eventually
from lab.station import Array, Host

LEG, LIF = "10.10.1.101", "10.10.1.2"
UNIT = "sanstone-announcer"
PROCESS = f"systemctl show --value --property MainPID {UNIT}"
# Each packet of both kinds of sender: those that know multicast, and those that know DNS alone.
FLOOD = r"""
import random, socket, struct, sys
own, group = socket.inet_aton(sys.argv[1]), socket.inet_aton("224.0.0.251")
to, numbers = ("224.0.0.251", 5353), random.Random(5353)
name = b"\x0a_nvme-disc\x04_tcp\x05local\x00"

def sender(port):
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    udp.bind(("", port))
    udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
    udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
    return udp

def query(body, questions=0, known=0):
    return struct.pack("!6H", 7, 0, questions, known, 0, 0) + body

def record(owner, data, kind=16):
    return owner + struct.pack("!HHIH", kind, 1, 1, len(data)) + data

question = name + struct.pack("!HH", 12, 1)
chain = b"\x01a\0\0" + b"".join(
    struct.pack("!H", 0xC000 | 23 + (2 * at if at > 1 else 0)) for at in range(1, 2000)
)
end = struct.pack("!H", 0xC000 | 23 + len(chain) - 2)
packets = [
    query(question, 1),
    query(question + b"".join(b"\xc0\x0c" + struct.pack("!HH", k, 1) for k in range(1400)), 1401),
    query(b"\xc0\x0c\x00\x0c\x00\x01", 1),
    query(b"\x01a\xc0\x0c\x00\x0c\x00\x01", 1),
    query(record(b"\0", chain) + record(end, b"", 1) * 380, 0, 381),
    query(question, 65535, 65535),
    query(question + bytes(60000), 1),
    query((b"\x3f" + b"a" * 63) * 100, 1),
]
senders = sender(5353), sender(0)
for turn in range(1500):
    for packet in packets:
        torn = bytearray(packet)
        for _ in range(8):
            torn[numbers.randrange(min(len(torn), 60))] = numbers.randrange(256)
        for each in senders:
            each.sendto(packet, to)
            each.sendto(torn[: numbers.randrange(len(torn) + 1)], to)
"""


def events_of_memory(array: Array) -> dict[str, int]:
    """Return how often the announcer came to a limit of memory, by the limit's name."""
    group = array.run(f"systemctl show --value --property ControlGroup {UNIT}").strip()
    words = array.run(f"cat /sys/fs/cgroup{group}/memory.events").split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


@pytest.mark.usefixtures("namespace")
def test_the_announcer_answers_after_a_flood(array: Array, host: Host) -> None:
    eventually(lambda: announcements(host, LEG) == announced(LIF))
    process = array.run(PROCESS)
    host.run(f"cat > flood.py << 'end'\n{FLOOD}\nend")
    host.run(f"python3 flood.py {LEG}")

    eventually(lambda: announcements(host, LEG) == announced(LIF))
    assert array.run(PROCESS) == process
    assert not any(events_of_memory(array).values())
    assert "Traceback" not in array.run(f"journalctl --boot --unit {UNIT} --output cat")
