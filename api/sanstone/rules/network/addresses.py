"""Addresses of LIFs, and gateways on their networks."""

from __future__ import annotations

import ipaddress
from typing import Any, ClassVar

from marshmallow import ValidationError

from sanstone.core import errors
from sanstone.core.declaration.types import IpAddress, NetworkAddress
from sanstone.model.network import IpInterface

BAD_PREFIX = "1966269"
Network = ipaddress.IPv4Interface | ipaddress.IPv6Interface


def checked_network(address: str, prefix_length: int) -> Network:
    """Return an address in its network. Raises ApiError when no host can have it."""
    plain = ipaddress.ip_address(address)
    if not 1 <= prefix_length <= plain.max_prefixlen:
        text = f"The prefix of {address} must have 1 to {plain.max_prefixlen} bits."
        raise errors.invalid(text, "ip.netmask", BAD_PREFIX)
    network = ipaddress.ip_interface(f"{address}/{prefix_length}")
    # A zone may be of any characters (RFC 4007, 11.2), which programs that read it take for more.
    special = isinstance(plain, ipaddress.IPv6Address) and (plain.ipv4_mapped or plain.scope_id)
    if (
        plain.is_loopback
        or plain.is_link_local
        or special
        or (plain.version == 4 and plain.is_reserved)
    ):
        raise errors.invalid(f"{address} is not an address for an interface.", "ip.address")
    ends = (network.network.network_address, network.network.broadcast_address)
    if prefix_length < plain.max_prefixlen - 1 and plain in ends[: 2 if plain.version == 4 else 1]:
        text = f"{address} stands for the network {network.network} or for all of it."
        raise errors.invalid(text, "ip.address")
    return network


class Destination(NetworkAddress):
    """The address of a network, or address and prefix length in one: `10.0.0.0/8`."""

    schema: ClassVar[dict[str, Any]] = {}
    good = ("10.20.0.0", "10.20.0.0/16")
    bad = (*NetworkAddress.bad, "10.20.0.1/16", "fd00::%a/64")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        if not isinstance(value, str) or "/" not in value:
            return super()._deserialize(value, attr, data, **kw)
        text = "This must be a network such as 10.0.0.0/8."
        if "%" in value:
            # Python takes a zone of any characters for part of a network's address.
            raise ValidationError(text)
        try:
            return str(ipaddress.ip_network(value))
        except ValueError as error:
            raise ValidationError(text) from error


GATEWAY, DESTINATION = IpAddress(), Destination()


def on_link(lif: IpInterface, svm_uuid: str | None, gateway: str) -> bool:
    """Return whether a LIF is the SVM's and a gateway is on its network."""
    network = ipaddress.ip_interface(f"{lif.address}/{lif.prefix_length}").network
    return lif.svm_uuid == svm_uuid and ipaddress.ip_address(gateway) in network
