"""A socket of multicast DNS on one link, for IPv4 or IPv6.

It is bound to the group, so that it receives the group's packets and no others (ip(7) and ipv6(7)
on Linux), and to the link. Neither needs a privilege (net/core/sock.c, sock_setbindtodevice: since
Linux 5.7 a socket without a link may be given one). What it sends has the source address of its
own, whatever other addresses are on the link.
"""

from __future__ import annotations

import socket
import struct
from ipaddress import IPv4Address, IPv6Address, ip_address

from sanstone.kernel.network.multicast_dns import GROUPS, PORT

_HOPS = 255
"""Of all that multicast DNS sends (RFC 6762, 11)."""
_LARGEST = 9000
"""Bytes of a message at most (RFC 6762, 17)."""
_IP_PKTINFO, _IP_MULTICAST_ALL = 8, 49
"""Options of linux/in.h that Python does not name."""


class MulticastSocket:
    """Sends from `source` on `link`; `index` is the link's number in the kernel.

    Raises OSError: EADDRINUSE where another program answers on the link, ENODEV where it is gone.
    """

    def __init__(self, link: str, index: int, source: str) -> None:
        address = ip_address(source)
        self._group = GROUPS[address.version]
        family = socket.AF_INET if address.version == 4 else socket.AF_INET6
        self._socket = socket.socket(family, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, link.encode())
            if isinstance(address, IPv4Address):
                self._join_4(index)
                packet_info = struct.pack("@i4s4s", index, address.packed, b"")
                self._from = (socket.IPPROTO_IP, _IP_PKTINFO, packet_info)
            else:
                self._join_6(index)
                packet_info = struct.pack("@16sI", address.packed, index)
                self._from = (socket.IPPROTO_IPV6, socket.IPV6_PKTINFO, packet_info)
        except OSError:
            self.close()
            raise

    def _join_4(self, index: int) -> None:
        membership = struct.pack("@4s4si", IPv4Address(self._group).packed, b"", index)
        for option, value in (
            (socket.IP_ADD_MEMBERSHIP, membership),
            (socket.IP_MULTICAST_IF, membership),
            (socket.IP_MULTICAST_TTL, _HOPS),
            (socket.IP_MULTICAST_LOOP, 0),
            (_IP_MULTICAST_ALL, 0),
            (socket.IP_TTL, _HOPS),
        ):
            self._socket.setsockopt(socket.IPPROTO_IP, option, value)
        self._socket.bind((self._group, PORT))

    def _join_6(self, index: int) -> None:
        membership = struct.pack("@16sI", IPv6Address(self._group).packed, index)
        for option, value in (
            (socket.IPV6_V6ONLY, 1),
            (socket.IPV6_JOIN_GROUP, membership),
            (socket.IPV6_MULTICAST_IF, index),
            (socket.IPV6_MULTICAST_HOPS, _HOPS),
            (socket.IPV6_MULTICAST_LOOP, 0),
            (socket.IPV6_UNICAST_HOPS, _HOPS),
        ):
            self._socket.setsockopt(socket.IPPROTO_IPV6, option, value)
        self._socket.bind((self._group, PORT, 0, index))

    def fileno(self) -> int:
        """Return the descriptor, by which one waits for messages."""
        return self._socket.fileno()

    def receive(self) -> tuple[bytes, str, int]:
        """Return a message, and from which address and port it came. Raises OSError."""
        message, sender = self._socket.recvfrom(_LARGEST)
        return message, sender[0].partition("%")[0], sender[1]

    def send(self, message: bytes, address: str = "", port: int = PORT) -> None:
        """Send a message to the group, or to one host on the link. Raises OSError.

        EINVAL is that the source is no address of the array's any more.
        """
        self._socket.sendmsg([message], [self._from], 0, (address or self._group, port))

    def close(self) -> None:
        """Leave the group."""
        self._socket.close()
