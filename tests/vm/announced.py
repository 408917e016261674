"""The answers that a host gets when it looks for discovery of NVMe by multicast DNS."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator

from lab.station import Host

GROUP, TYPE = "224.0.0.251", "_nvme-disc._tcp.local"
A, PTR, TXT, SRV = 1, 12, 16, 33
NQN = "nqn.2014-08.org.nvmexpress.discovery"
# Asks thrice, as a question may be lost, and prints each answer with its sender.
ASK = """
import json, socket, struct, sys, time
leg, name = sys.argv[1:]
question = struct.pack("!6H", 0, 0, 1, 0, 0, 0)
question += b"".join(bytes([len(label)]) + label for label in name.encode().split(b"."))
question += struct.pack("!BHH", 0, 12, 1)
own, group = socket.inet_aton(leg), socket.inet_aton("224.0.0.251")
ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
ear.bind(("224.0.0.251", 5353))
ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group + own)
ear.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
ear.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
messages = []
for _ in range(3):
    ear.sendto(question, ("224.0.0.251", 5353))
    end = time.monotonic() + 2
    while (left := end - time.monotonic()) > 0:
        ear.settimeout(left)
        try:
            message, sender = ear.recvfrom(9000)
            messages.append((sender[0], message.hex()))
        except TimeoutError:
            break
print(json.dumps(messages))
"""


def name_at(message: bytes, place: int) -> tuple[str, int]:
    """Return the name at a place of a message, and the place after it."""
    labels = []
    while size := message[place]:
        assert size < 64, "the array does not compress"
        labels.append(message[place + 1 : place + 1 + size].decode())
        place += 1 + size
    return ".".join(labels), place + 1


def records(message: bytes) -> Iterator[tuple[str, int, str]]:
    """Yield name, type and content of each record of an answer that is not taken back."""
    _, flags, questions, *counts = struct.unpack_from("!6H", message)
    assert (flags & 0x8000, questions) == (0x8000, 0)
    place = 12
    for _ in range(sum(counts)):
        name, place = name_at(message, place)
        kind, _, ttl, length = struct.unpack_from("!HHIH", message, place)
        place += 10
        data = message[place : place + length]
        content = data.hex()
        if kind == PTR:
            content, _ = name_at(message, place)
        elif kind == SRV:
            port = int.from_bytes(data[4:6], "big")
            content = f"{name_at(message, place + 6)[0]} {port}"
        elif kind == TXT:
            content = name_at(data + b"\0", 0)[0]
        elif kind == A:
            content = socket.inet_ntoa(data)
        if ttl:
            yield name, kind, content
        place += length


def announcements(host: Host, leg: str) -> set[tuple[str, str, str, str]]:
    """Return the services that a host finds on a network: sender, text, port and address."""
    host.run(f"cat > ask.py << 'end'\n{ASK}\nend")
    services = set()
    for sender, message in json.loads(host.run(f"python3 ask.py {leg} {TYPE}")):
        every = list(records(bytes.fromhex(message)))
        contents = {(name, kind): content for name, kind, content in every}
        for service in (c for name, kind, c in every if (name, kind) == (TYPE, PTR)):
            target, port = contents[service, SRV].split(" ")
            services.add((sender, contents[service, TXT], port, contents[target, A]))
    return services


def announced(*addresses: str) -> set[tuple[str, str, str, str]]:
    """Return the services of these LIFs, as a host finds them."""
    return {(each, f"p=tcp.nqn={NQN}", "8009", each) for each in addresses}
