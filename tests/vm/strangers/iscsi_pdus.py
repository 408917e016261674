"""PDUs of iSCSI, right and wrong, and cases of them. Layouts are those of RFC 7143."""

from __future__ import annotations

import random
import struct

from wire import EDGES, LARGE, Connection, spoiled


def basic_header(opcode: int, flags: int, size: int, fields: bytes) -> bytes:
    """Return a header of iSCSI; `fields` from byte 8 on."""
    return (struct.pack(">BBxxI", opcode, flags, size & 0xFFFFFF) + fields).ljust(48, b"\0")[:48]


def padded(data: bytes) -> bytes:
    """Return a data segment with its padding."""
    return data + bytes(-len(data) % 4)


def login(text: bytes, flags: int = 0x87, number: int = 0, size: int | None = None) -> bytes:
    """Return a login request with this text."""
    fields = struct.pack(">6sHIHHII", b"\x80\0\0\x0f\0\0", 0, 1, 0, 0, number, 0)
    length = len(text) if size is None else size
    return basic_header(0x43, flags, length, fields) + padded(text)


def keys(pairs: list[tuple[str, str]]) -> bytes:
    """Return the text of keys and their values."""
    return b"".join(f"{key}={value}\0".encode() for key, value in pairs)


TEXT_KEYS = (
    *("AuthMethod", "HeaderDigest", "DataDigest", "MaxConnections", "SendTargets", "TargetName"),
    *(
        "InitiatorName",
        "InitiatorAlias",
        "SessionType",
        "InitialR2T",
        "ImmediateData",
        "MaxBurstLength",
    ),
    *("FirstBurstLength", "MaxRecvDataSegmentLength", "DefaultTime2Wait", "DefaultTime2Retain"),
    *("MaxOutstandingR2T", "DataPDUInOrder", "DataSequenceInOrder", "ErrorRecoveryLevel"),
    *("IFMarker", "OFMarker", "IFMarkInt", "CHAP_A", "CHAP_N", "CHAP_R", "CHAP_I", "CHAP_C"),
    *("RDMAExtensions", "TargetRecvDataSegmentLength", "X-org.example", "NotAKey", ""),
)
TEXT_VALUES = (
    *(
        "",
        "Yes",
        "No",
        "None",
        "CHAP",
        "CHAP,None",
        "CRC32C",
        "CRC32C,None",
        "0",
        "1",
        "2",
        "5",
        "7",
    ),
    *(
        "65535",
        "16777215",
        "16777216",
        "4294967296",
        "-1",
        "0x",
        "0xffffffffffffffffff",
        "0b",
        "0b====",
    ),
    *(
        "NotUnderstood",
        "Reject",
        "Irrelevant",
        "Discovery",
        "Normal",
        "=",
        ",",
        ",,,",
        "1~2",
        "~",
        "x" * 300,
    ),
)


def text_of(draw: random.Random) -> bytes:
    """Return keys and values, some of them malformed."""
    pairs = [(draw.choice(TEXT_KEYS), draw.choice(TEXT_VALUES)) for _ in range(draw.randrange(12))]
    text = keys(pairs)
    return draw.choice(
        (text, text, text, text[:-1], text.replace(b"=", b"", 1), draw.randbytes(64))
    )


def text_request(tag: int, transfer: int, text: bytes) -> bytes:
    """Return an immediate text request, the last one of its command."""
    fields = bytes(8) + struct.pack(">IIII", tag, transfer, 1, 0)
    return basic_header(0x44, 0x80, len(text), fields) + padded(text)


def step(number: int, draw: random.Random) -> bytes:
    """Return a PDU that an initiator may send in any phase, with any numbers in it."""
    tag = draw.choice((0, 1, number, 0xFFFFFFFF))
    transfer = draw.choice((0xFFFFFFFF, 0, 1, 2, tag))
    sizes = draw.choice((*EDGES, *LARGE)) & 0xFFFFFFFF
    data = draw.randbytes(draw.choice((0, 4, 512, 4096, 8192)))
    length = draw.choice((len(data), len(data), len(data), draw.choice(EDGES), 0xFFFFFF))
    lun = struct.pack(">HHI", draw.choice((0, 0, 1, 0x4000, 0xFFFF)), 0, 0)
    kind = draw.randrange(7)
    if kind == 0:
        flags = draw.choice((0x87, 0x81, 0x04, 0x40, 0xC7, draw.randrange(256)))
        return login(text_of(draw), flags, number, draw.choice((None, None, *EDGES)))
    if kind == 1:
        block = draw.choice(
            (b"\x2a", b"\x28", b"\x8a", b"\x12", b"\xa0", b"\x5f", b"\x41", b"\x42")
        )
        cdb = (block + draw.randbytes(15))[:16]
        fields = lun + struct.pack(">IIII", number, sizes, number, 0) + cdb
        return basic_header(
            0x01, draw.choice((0x80, 0xA1, 0xC1, 0x21, 0x61)), length, fields
        ) + padded(data)
    if kind == 2:
        fields = lun + struct.pack(
            ">IIIIIII", tag, transfer, 0, 0, 0, draw.choice((0, 1, 0xFFFFFFFF)), sizes
        )
        return basic_header(0x05, draw.choice((0x80, 0x00)), length, fields) + padded(data)
    if kind == 3:
        text = draw.choice((keys([("SendTargets", "All")]), text_of(draw)))
        fields = lun + struct.pack(">IIII", tag, transfer, number, 0)
        return basic_header(0x04, draw.choice((0x80, 0x40, 0xC0)), len(text), fields) + padded(text)
    if kind == 4:
        fields = lun + struct.pack(">IIIIII", tag, transfer, number, 0, tag, 0)
        return basic_header(draw.choice((0x02, 0x42)), 0x80 | draw.randrange(16), 0, fields)
    if kind == 5:
        fields = struct.pack(">QIIII", 0, tag, transfer, number, 0)
        return basic_header(
            draw.choice((0x00, 0x40, 0x06, 0x10)), 0x80 | draw.randrange(128), length, fields
        ) + padded(data)
    return draw.randbytes(draw.choice((1, 47, 48, 49, 512)))


SETTLED = (
    *(("HeaderDigest", "None"), ("DataDigest", "None"), ("MaxConnections", "1")),
    *(("InitialR2T", "No"), ("ImmediateData", "Yes"), ("MaxRecvDataSegmentLength", "8192")),
    *(("MaxBurstLength", "262144"), ("FirstBurstLength", "65536"), ("DefaultTime2Wait", "2")),
    *(("DefaultTime2Retain", "0"), ("MaxOutstandingR2T", "1"), ("ErrorRecoveryLevel", "0")),
    *(("IFMarker", "No"), ("OFMarker", "No"), ("DataPDUInOrder", "Yes")),
    ("DataSequenceInOrder", "Yes"),
)
"""All that an initiator has to say before the full feature phase."""


def answered(connection: Connection, request: bytes) -> None:
    """Send a login request and read its response. Raises Closed, OSError and ValueError."""
    connection.send(request)
    response = connection.read(48)
    connection.read(len(padded(bytes(int.from_bytes(response[5:8])))))
    if response[0] & 0x3F != 0x23 or response[36]:
        raise ValueError(f"a login is refused: {response.hex()}")


def logged_in(where: list[str], draw: random.Random) -> Connection:
    """Return a connection on which an initiator has logged in. Raises as `answered` does."""
    address, target, name = where
    kind = draw.choice(("Normal", "Normal", "Normal", "Discovery"))
    begin = [("InitiatorName", name), ("SessionType", kind), ("TargetName", target)]
    connection = Connection(address, 3260)
    answered(connection, login(keys([*begin, ("AuthMethod", "None")]), 0x81))
    answered(connection, login(keys(list(SETTLED)), 0x87))
    return connection


def arrived(where: list[str], draw: random.Random) -> Connection:
    """Return a connection on which an initiator, or nobody, may have tried to log in."""
    address, target, name = where
    connection = Connection(address, 3260)
    who = draw.choice((name, name, name, "iqn.2026-11.org.example:stranger"))
    kind = draw.choice(("Normal", "Normal", "Discovery"))
    begin = [("InitiatorName", who), ("SessionType", kind), ("TargetName", target)]
    text = keys([*begin, ("AuthMethod", "None")]) + draw.choice((b"", text_of(draw)))
    first = login(text, draw.choice((0x81, 0x81, 0x87, 0x00)))
    for each in (first, login(text_of(draw) if draw.random() < 0.3 else b"", 0x87)):
        for piece in spoiled(each, draw) if draw.random() < 0.3 else [each]:
            connection.send(piece)
        connection.receive()
    return connection


def case(where: list[str], draw: random.Random) -> None:
    """Play a case against the iSCSI target. Raises Closed, OSError and ValueError."""
    connection = logged_in(where, draw) if draw.random() < 0.5 else arrived(where, draw)
    try:
        for number in range(1, 1 + draw.randrange(12)):
            pdu = step(number, draw)
            for piece in spoiled(pdu, draw) if draw.random() < 0.3 else [pdu]:
                connection.send(piece)
            connection.receive()
    finally:
        connection.close()


def discover(where: list[str]) -> None:
    """Log in to discovery as an initiator does. Raises as `answered` does."""
    connection = Connection(where[0], 3260)
    answered(connection, login(keys([("InitiatorName", where[2]), ("SessionType", "Discovery")])))
    connection.close()
