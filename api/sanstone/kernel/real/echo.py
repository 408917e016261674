"""Echoes (ICMP) of this machine: which hosts answer a packet that nobody on the way may cut.

The socket is raw and bound to the address that asks, so that the source rule of that address routes
its packets (`kernel.network.net`), and only answers to that address come. Sockets for pings need a
group of users that may open them (net.ipv4.ping_group_range), which the array has not.

`PROBE` sets "don't fragment" and takes no account of what the kernel believes of the path (ip(7),
ipv6(7), IP_PMTUDISC_PROBE): a packet leaves whole or, where the link itself is too small, not at
all. Hosts cut their answers where their own link is smaller. The kernel puts the parts together and
tells that there were any (IP_RECVFRAGSIZE): such an answer does not count.
"""

from __future__ import annotations

import errno
import secrets
import selectors
import socket
import struct
import time
from collections.abc import Sequence
from ipaddress import ip_address

from sanstone.kernel.host import RequestError

TRIES = 3
PATIENCE = 1.0
"""Seconds to wait for the answers to one try."""
_IN_FLIGHT = 64 << 10
"""Bytes of answers to request at once. A received packet takes about twice its size in the kernel,
of the 208 KiB that a socket has (net.core.rmem_default); more would be dropped there."""
_HEADERS = {4: 28, 6: 48}
"""By version of IP: bytes before the payload, those of ICMP's own 8 included."""
_TYPES = {4: (8, 0), 6: (128, 129)}
"""By version of IP: the types of request and answer (RFC 792, RFC 4443)."""
_MTU_DISCOVER = {4: (socket.IPPROTO_IP, 10), 6: (socket.IPPROTO_IPV6, 23)}
_PROBE = 3
_PARTS = {4: (socket.IPPROTO_IP, 25), 6: (socket.IPPROTO_IPV6, 77)}
"""By version of IP: the option that reports the size of parts (include/uapi/linux/in.h, in6.h)."""
_TOKEN_BYTES = 8
_CONTROL_BYTES = socket.CMSG_SPACE(4)
_NO_WAY = (errno.EMSGSIZE, errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EACCES, errno.EPERM)
"""Errors of sending that concern one destination: it cannot be reached, or not by this size."""


def answering(source: str, destinations: Sequence[str], size: int) -> list[str]:
    """Return the destinations that answer packets of `size` bytes. See `host.Network.echo`."""
    at_once = max(1, _IN_FLIGHT // size)
    addresses: list[str] = []
    with _socket(source) as asking:
        for start in range(0, len(destinations), at_once):
            addresses += _answering(asking, destinations[start : start + at_once], size)
    return addresses


def _socket(source: str) -> socket.socket:
    version = ip_address(source).version
    request = f"echo from {source}"
    family, protocol = (
        (socket.AF_INET, socket.IPPROTO_ICMP)
        if version == 4
        else (socket.AF_INET6, socket.IPPROTO_ICMPV6)
    )
    try:
        raw = socket.socket(family, socket.SOCK_RAW, protocol)
    except OSError as error:
        raise RequestError(request, error.errno or 0) from error
    try:
        raw.bind((source, 0))
        raw.setsockopt(*_MTU_DISCOVER[version], _PROBE)
        raw.setsockopt(*_PARTS[version], 1)
        raw.setblocking(False)
    except OSError as error:
        raw.close()
        raise RequestError(request, error.errno or 0) from error
    return raw


def _answering(asking: socket.socket, destinations: Sequence[str], size: int) -> list[str]:
    version = 4 if asking.family == socket.AF_INET else 6
    waiting = {ip_address(each): each for each in destinations}
    addresses: list[str] = []
    token = secrets.token_bytes(_TOKEN_BYTES)
    identity = secrets.randbits(16)
    for number in range(TRIES):
        message = request(version, identity, number, token, size)
        for address, text in list(waiting.items()):
            if not _send(asking, message, text):
                del waiting[address]
        end = time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(asking, selectors.EVENT_READ)
            while waiting and (remaining := end - time.monotonic()) > 0:
                if selector.select(remaining):
                    packet, parts, _, sender = asking.recvmsg(1 << 16, _CONTROL_BYTES)
                    address = ip_address(sender[0].partition("%")[0])
                    if answers(version, packet, identity, token, size) and address in waiting:
                        text = waiting.pop(address)
                        addresses += [] if parts else [text]
        if not waiting:
            break
    return addresses


def _send(asking: socket.socket, message: bytes, address: str) -> bool:
    """Send a message, and return whether there is a way for it."""
    try:
        asking.sendto(message, (address, 0))
    except BlockingIOError:
        # The queue to the link is full. The next try asks again.
        return True
    except OSError as error:
        if error.errno not in _NO_WAY:
            raise RequestError(f"echo to {address}", error.errno or 0) from error
        return False
    return True


def request(version: int, identity: int, number: int, token: bytes, size: int) -> bytes:
    """Return an echo request whose packet has `size` bytes with its IP header."""
    payload = token.ljust(size - _HEADERS[version], b"\0")
    head = struct.Struct("!BBHHH")
    kind = _TYPES[version][0]
    # Of IPv6 the kernel fills it in (RFC 3542, 3.1).
    total = checksum(head.pack(kind, 0, 0, identity, number) + payload) if version == 4 else 0
    return head.pack(kind, 0, total, identity, number) + payload


def answers(version: int, packet: bytes, identity: int, token: bytes, size: int) -> bool:
    """Return whether a received packet answers requests of this identity, token and size."""
    if version == 4 and packet:
        # Of IPv4 the header comes along (raw(7)).
        packet = packet[(packet[0] & 15) * 4 :]
    if len(packet) != size - _HEADERS[version] + 8:
        return False
    kind, code, _, echoed, _ = struct.unpack_from("!BBHHH", packet)
    return (kind, code, echoed) == (_TYPES[version][1], 0, identity) and packet[8:].startswith(
        token
    )


def checksum(message: bytes) -> int:
    """Return the Internet checksum of a message (RFC 1071)."""
    padded = message + b"\0" * (len(message) % 2)
    words: tuple[int, ...] = struct.unpack(f"!{len(padded) // 2}H", padded)
    total = sum(words)
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF
