"""Destinations of connections that a user, or a server that a user named, chose.

They go to other machines. A service on this one believes its own processes; a link-local one
answers machines about themselves, as the metadata service of clouds does at 169.254.169.254. So a
name is resolved here, each address is looked at, and the connection goes to that very address: the
name's meaning a moment later does not matter.

All that the array connects to at a user's word goes by this list: what a request names is looked at
by `require_permitted` (`rules.destinations`), where a name leads by `resolved`, when one
connects. Two programs look names up themselves: ldapsearch, after us (`kernel.directory.ldap`), and
chrony, which takes no list of forbidden servers.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
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


def connect(host: str, port: int, patience: float, source: str = "") -> socket.socket:
    """Return a TCP connection, `patience` seconds at most for each try. Raises OSError.

    It comes from the address `source`, where that is given.
    """
    failure: OSError | None = None
    for family, place in resolved(host, port, socket.SOCK_STREAM):
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(patience)
            if source:
                connection.bind((source, 0))
            connection.connect(place)
            return connection
        except OSError as error:
            connection.close()
            failure = error
    raise failure or OSError(f"{host} has no address")


def resolved(host: str, port: int, kind: socket.SocketKind) -> list[tuple[int, Place]]:
    """Return family and address of each place that a name and port stand for. Raises OSError.

    One that is forbidden is enough to refuse them all: the owner of such a name does not mean well.
    """
    try:
        infos = socket.getaddrinfo(host, port, type=kind)
    except UnicodeError as error:
        raise OSError(f"{host} is no name of a host: {error}") from error
    places: list[tuple[int, Place]] = [(family, place) for family, _, _, _, place in infos]
    for family, place in places:
        require_elsewhere(family, place)
    return places


def literal(host: str) -> IPv4Address | IPv6Address | None:
    """Return a text as an address, None for a name. No name is looked up.

    It may be in any form that connecting takes: 127.1 and 0x7f000001 are 127.0.0.1, too.
    """
    try:
        infos = socket.getaddrinfo(host, None, type=socket.SOCK_DGRAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return None
    return _address(str(infos[0][4][0]))


def require_permitted(host: str) -> None:
    """Raise Forbidden for a text that is an address of `FORBIDDEN`, or a name of this machine.

    Other names are looked up when one connects. `localhost` and names below it are loopback
    everywhere (RFC 6761, 6.3).
    """
    address, name = literal(host), host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost") or _is_forbidden(address):
        raise Forbidden(f"{host} is an address to which the array does not connect")


def require_elsewhere(family: int, place: Place) -> None:
    """Raise Forbidden for an address that is not one of another machine, or is link-local."""
    text = str(place[0])
    if _is_forbidden(_address(text)):
        raise Forbidden(f"{text} is an address to which the array does not connect")
    if _is_own(family, place):
        raise Forbidden(f"{text} is an address of the array's own")


def _address(text: str) -> IPv4Address | IPv6Address:
    """Return an address without its zone; one of IPv4 wrapped in IPv6 (RFC 4291, 2.5.5.2) bare."""
    address = ip_address(text.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _is_forbidden(address: IPv4Address | IPv6Address | None) -> bool:
    return address is not None and any(address in network for network in FORBIDDEN)


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
