"""PDUs of NVMe/TCP, right and wrong, and cases of them.

Layouts are those of the NVMe/TCP Transport Specification and the NVM Express Base Specification.
"""

from __future__ import annotations

import random
import struct

from wire import EDGES, LARGE, Connection, spoiled

DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery"
STRANGER = "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-4000-8000-00000000000f"


def icreq(digest: int = 0) -> bytes:
    """Return an Initialize Connection Request."""
    return struct.pack("<BBBBIHBBI", 0, 0, 128, 0, 128, 0, 0, digest, 0).ljust(128, b"\0")


def capsule(command: bytes, data: bytes = b"") -> bytes:
    """Return a command capsule with its data in it."""
    pdo = 72 if data else 0
    return struct.pack("<BBBBI", 4, 0, 72, pdo, 72 + len(data)) + command + data


def h2c_data(ttag: int, offset: int, data: bytes, size: int | None = None) -> bytes:
    """Return an H2CData PDU."""
    length = len(data) if size is None else size
    header = struct.pack("<BBBBI", 6, 4, 24, 24, 24 + len(data))
    return header + struct.pack("<HHIII", 0, ttag, offset, length & 0xFFFFFFFF, 0) + data


def command(
    opcode: int,
    number: int,
    size: int = 0,
    *,
    inline: bool = False,
    namespace: int = 0,
    words: bytes = b"",
) -> bytes:
    """Return a submission queue entry with an SGL for its data; `words` are from dword 10 on."""
    kind = 0x01 if inline else 0x5A
    head = struct.pack("<BBHI", opcode, 0x40, number & 0xFFFF, namespace & 0xFFFFFFFF)
    sgl = struct.pack("<QI3xB", 0, size & 0xFFFFFFFF, kind)
    return (head.ljust(24, b"\0") + sgl + words.ljust(24, b"\0"))[:64]


def fabrics(
    kind: int, number: int, size: int = 0, *, inline: bool = False, words: bytes = b""
) -> bytes:
    """Return a command of fabrics, of type `kind`."""
    entry = bytearray(command(0x7F, number, size, inline=inline, words=words))
    entry[4] = kind
    return bytes(entry)


def connect(
    subsystem: str,
    host: str,
    queue: int = 0,
    size: int = 31,
    controller: int = 0xFFFF,
    keep_alive: int = 0,
) -> bytes:
    """Return the capsule that connects a queue of `size` + 1 entries."""
    words = struct.pack("<HHHBxI", 0, queue, size, 0, keep_alive)
    data = bytes(15) + b"\x0f" + struct.pack("<H", controller)
    data = data.ljust(256, b"\0") + subsystem.encode().ljust(256, b"\0")
    data = (data + host.encode().ljust(256, b"\0")).ljust(1024, b"\0")
    return capsule(fabrics(0x01, 1, 1024, inline=True, words=words), data)


def negotiate(number: int, draw: random.Random) -> bytes:
    """Return the capsule that begins DH-HMAC-CHAP, right or wrong in its counts."""
    halen, dhlen = draw.choice((1, 3, 30, 31, 60, 255)), draw.choice((1, 6, 30, 31, 255))
    protocol = struct.pack("<BBBB", 1, 0, halen, dhlen) + draw.randbytes(60)
    count = draw.choice((0, 1, 1, 1, 2, 255))
    data = struct.pack("<BBHHBB", 0, 0, 0, draw.randrange(1 << 16), 0, count) + protocol
    data = data[: draw.choice((len(data), 8, 12, 9, 1))]
    length = draw.choice((len(data), len(data), *EDGES))
    words = struct.pack("<BBBBI", 0, draw.choice((1, 0)), 1, draw.choice((0xE9, 0)), length)
    return capsule(fabrics(0x05, number, len(data), inline=True, words=words), data)


def property_of(number: int, draw: random.Random) -> bytes:
    """Return a capsule that gets or sets a property."""
    words = struct.pack(
        "<BxxxIQ", draw.randrange(8), draw.choice((0, 8, 20, 28, *EDGES)), draw.getrandbits(64)
    )
    return capsule(fabrics(draw.choice((0x00, 0x04)), number, words=words))


def step(number: int, draw: random.Random) -> bytes:
    """Return a PDU that a host may send on a queue, with any numbers in it."""
    kind = draw.randrange(8)
    if kind == 0:
        return property_of(number, draw)
    if kind == 1:
        return negotiate(number, draw)
    if kind == 2:
        length = draw.choice((*EDGES, *LARGE)) & 0xFFFFFFFF
        words = struct.pack("<BBBBI", 0, 1, 1, 0xE9, length)
        return capsule(fabrics(0x06, number, draw.choice(EDGES), words=words))
    if kind == 3:
        data = draw.randbytes(draw.choice((1, 4, 512, 1024, 4096)))
        return h2c_data(
            draw.choice((0, 1, 2, 63, 64, 65535)),
            draw.choice((0, 0, *EDGES)),
            data,
            draw.choice((None, None, 0, len(data) + 1)),
        )
    opcode = draw.choice(
        (
            0x00,
            0x01,
            0x02,
            0x05,
            0x06,
            0x08,
            0x09,
            0x0A,
            0x0C,
            0x0D,
            0x0E,
            0x11,
            0x15,
            0x18,
            0x79,
            0x7D,
            0x7F,
            draw.randrange(256),
        )
    )
    inline = draw.random() < 0.4
    size = draw.choice((*EDGES, *LARGE)) if draw.random() < 0.7 else 4096
    data = draw.randbytes(draw.choice((0, min(size, 8192)))) if inline else b""
    words = b"".join(
        struct.pack("<I", draw.choice((0, 1, 2, 7, *EDGES, 0xFFFFFFFF))) for _ in range(6)
    )
    namespace = draw.choice((0, 1, 1, 2, 0xFFFFFFFF))
    return capsule(
        command(opcode, number, size, inline=inline, namespace=namespace, words=words), data
    )


def connected(
    address: str, subsystem: str, host: str, queue: int = 0, controller: int = 0xFFFF
) -> tuple[Connection, int]:
    """Return a connection of a host for a queue, and the number of its controller.

    Raises Closed, OSError, and ValueError where the host is refused.
    """
    connection = Connection(address, 4420)
    connection.send(icreq())
    connection.read(128)
    connection.send(connect(subsystem, host, queue, controller=controller))
    result, status = struct.unpack_from("<I10xH", connection.read(24), 8)
    if status >> 1:
        connection.close()
        raise ValueError(f"{subsystem} refuses {host}: {status:#x}")
    return connection, result & 0xFFFF


def let_in(where: list[str], draw: random.Random) -> list[Connection]:
    """Return the connections of a host; the last one is to be used.

    They are of an enabled controller, in half of the cases with an I/O queue.
    """
    address, subsystem, host = where
    name = draw.choice((DISCOVERY, subsystem, subsystem))
    admin, controller = connected(address, name, host)
    # CC: enabled, with entries of 64 and 16 bytes
    words = struct.pack("<BxxxIQ", 0, 0x14, 0x460001)
    admin.send(capsule(fabrics(0x00, 2, words=words)))
    admin.read(24)
    if name == DISCOVERY or draw.random() < 0.5:
        return [admin]
    return [admin, connected(address, name, host, 1, controller)[0]]


def arrived(where: list[str], draw: random.Random) -> Connection:
    """Return a connection on which a host, or nobody, may have tried to connect."""
    address, subsystem, host = where
    connection = Connection(address, 4420)
    steps = [icreq(draw.choice((0, 0, 0, 1, 2, 3)))] if draw.random() < 0.95 else []
    name = draw.choice((DISCOVERY, subsystem, "nqn.x", "x" * 256))
    who = draw.choice((host, host, STRANGER, ""))
    queue, size = draw.choice((0, 0, 0, 1, 65535)), draw.choice((31, 0, 63, 64, 127, 1023, 65535))
    if draw.random() < 0.9:
        kept = draw.choice((0, 5000, 0xFFFFFFFF))
        steps.append(connect(name, who, queue, size, keep_alive=kept))
    for each in steps:
        for piece in spoiled(each, draw) if draw.random() < 0.4 else [each]:
            connection.send(piece)
        connection.receive()
    return connection


def case(where: list[str], draw: random.Random) -> None:
    """Play a case against the NVMe target. Raises Closed, OSError and ValueError."""
    connections = let_in(where, draw) if draw.random() < 0.5 else [arrived(where, draw)]
    try:
        for number in range(3, 3 + draw.randrange(12)):
            pdu = step(number, draw)
            for piece in spoiled(pdu, draw) if draw.random() < 0.4 else [pdu]:
                connections[-1].send(piece)
            connections[-1].receive()
    finally:
        for each in connections:
            each.close()


def discover(where: list[str]) -> None:
    """Connect to discovery as a host does. Raises Closed, OSError and ValueError."""
    connected(where[0], DISCOVERY, where[2])[0].close()
