"""Asks an iSNS server over TCP, from an address of ours; none where one may not connect."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable

from sanstone.kernel.network import isns
from sanstone.kernel.network.isns import Entity
from sanstone.kernel.web import destination

TIMEOUT = 5.0
"""Seconds to wait for the connection, and for each part of the answer."""


def register(server: str, source: str, entity: Entity, *, replaces: bool) -> None:
    """Register an entity; see `isns.registration`.

    Raises OSError, isns.BadMessage and isns.Refused.
    """
    _ask(server, source, lambda it: isns.registration(entity, it, replaces=replaces))


def deregister(server: str, source: str, name: str, target: str) -> None:
    """Take an entity back; one that the server does not know is gone already.

    Raises OSError, isns.BadMessage and isns.Refused.
    """
    _ask(server, source, lambda it: isns.deregistration(name, target, it))


def _ask(server: str, source: str, message: Callable[[int], bytes]) -> None:
    transaction = secrets.randbelow(1 << 16)
    request = message(transaction)
    with destination.connect(server, isns.PORT, TIMEOUT, source) as connection:
        connection.sendall(request)
        header = _receive(connection, isns.HEADER_BYTES)
        answer = isns.parse(header + _receive(connection, isns.payload_length(header)))
    if answer.transaction != transaction:
        raise isns.BadMessage("the answer is to another question")
    if answer.status:
        raise isns.Refused(answer.status)


def _receive(connection: socket.socket, size: int) -> bytes:
    received = b""
    while len(received) < size:
        more = connection.recv(size - len(received))
        if not more:
            raise isns.BadMessage("the server ended the connection")
        received += more
    return received
