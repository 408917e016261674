"""Where connections go whose destination a user, or a server that a user named, has given.

They go to other machines. What listens on this one believes whoever comes from it; what is
link-local answers machines about themselves, as the metadata service of clouds does at
169.254.169.254. So a name is resolved here, each address is looked at, and the connection is made
to that very address: what the name means a moment later does not matter.
"""

from __future__ import annotations

import socket
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

FORBIDDEN = tuple(
    ip_network(text)
    for text in (
        *("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3"),
        *("::/127", "fe80::/10", "ff00::/8"),
    )
)
"""This host and network, loopback, link-local, multicast, reserved and broadcast (RFC 6890, RFC
4291)."""
Place = tuple[Any, ...]
"""An address as the socket module has it; host and port come first."""


class Forbidden(OSError):
    """A destination is not to be connected to; the text says why."""


def connect(host: str, port: int, patience: float) -> socket.socket:
    """Return a TCP connection, `patience` seconds at most for each try. Raises OSError."""
    failure: OSError | None = None
    for family, place in resolved(host, port, socket.SOCK_STREAM):
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(patience)
            connection.connect(place)
            return connection
        except OSError as error:
            connection.close()
            failure = error
    raise failure or OSError(f"{host} has no address")


def resolved(host: str, port: int, kind: socket.SocketKind) -> list[tuple[int, Place]]:
    """Return family and address of each place that a name and port stand for. Raises OSError.

    One that is forbidden is enough to refuse them all: whoever has such a name does not mean well.
    """
    try:
        found = socket.getaddrinfo(host, port, type=kind)
    except UnicodeError as error:
        raise OSError(f"{host} is no name of a host: {error}") from error
    places: list[tuple[int, Place]] = [(family, place) for family, _, _, _, place in found]
    for family, place in places:
        require_elsewhere(family, place)
    return places


def require_elsewhere(family: int, place: Place) -> None:
    """Raise Forbidden for an address that is not one of another machine, or is link-local."""
    text = str(place[0])
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if any(address in network for network in FORBIDDEN):
        raise Forbidden(f"{text} is an address to which the array does not connect")
    if _is_own(family, place):
        raise Forbidden(f"{text} is an address of the array's own")


def _is_own(family: int, place: Place) -> bool:
    """Return whether an address is one of this machine, which has it as the sender's then, too.

    To connect a socket of UDP is to choose the sender's address, and sends nothing.
    """
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(place)
        except OSError:
            # No way leads there, as will be seen.
            return False
        return bool(probe.getsockname()[0] == place[0])
