"""A connection on which whatever is drawn may be sent, and ways to spoil it."""

from __future__ import annotations

import random
import select
import socket

PATIENCE = 600.0
LISTENING = 0.05
"""Seconds for which an answer is waited for."""
EDGES = (0, 1, 3, 4, 63, 64, 127, 128, 255, 256, 1023, 1024, 4095, 4096, 8191, 8192, 8193, 65535)
LARGE = (1 << 20, (1 << 22) - 1, 1 << 22, (1 << 22) + 1, 1 << 24, (1 << 31) - 1, (1 << 32) - 1)


class Closed(Exception):
    """The target has ended the connection."""


class Connection:
    """A connection to a target, on which whatever is drawn may be sent."""

    def __init__(self, address: str, port: int) -> None:
        self._socket = socket.create_connection((address, port), timeout=PATIENCE)

    def send(self, data: bytes) -> None:
        """Send bytes. Raises Closed."""
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise Closed from error

    def receive(self, seconds: float = LISTENING) -> bytes:
        """Return the bytes that have come, up to 64 KiB, b'' for none. Raises Closed."""
        if not select.select([self._socket], [], [], seconds)[0]:
            return b""
        try:
            data = self._socket.recv(65536)
        except OSError as error:
            raise Closed from error
        if not data:
            raise Closed
        return data

    def read(self, size: int) -> bytes:
        """Return exactly so many bytes. Raises Closed and TimeoutError."""
        data = b""
        while len(data) < size:
            more = self._socket.recv(size - len(data))
            if not more:
                raise Closed
            data += more
        return data

    def close(self) -> None:
        """Leave."""
        self._socket.close()


def spoiled(pdu: bytes, draw: random.Random) -> list[bytes]:
    """Return a PDU as it is, or spoiled in some way, as the pieces in which it is sent."""
    way = draw.randrange(10)
    if way == 0:
        wrong = bytearray(pdu)
        for _ in range(draw.randrange(1, 4)):
            wrong[draw.randrange(min(len(wrong), 128))] = draw.randrange(256)
        return [bytes(wrong)]
    if way == 1:
        return [pdu[: draw.randrange(len(pdu)) + 1]]
    if way == 2:
        return [pdu, pdu]
    if way == 3:
        wrong = bytearray(pdu)
        place = draw.randrange(min(len(wrong), 8))
        wrong[place] = draw.choice((0, 1, 24, 72, 127, 128, 255))
        return [bytes(wrong)]
    if way == 4:
        cut = draw.randrange(len(pdu))
        return [pdu[:cut], pdu[cut:]]
    return [pdu]
