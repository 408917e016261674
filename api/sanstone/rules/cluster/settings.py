"""Values of the array's settings, which become those of other programs: types that parse them."""

from __future__ import annotations

from sanstone.core.declaration.types import DomainName, ListOf, Text
from sanstone.rules.destinations import DestinationAddress, DestinationHost

ARRAY_NAME = Text(44, 1, r"[A-Za-z][A-Za-z0-9_-]*", "a letter, then letters, digits, _ -")
CONTACT, LOCATION = Text(255), Text(255)
DOMAINS = ListOf(DomainName(), 6)
NAME_SERVERS = ListOf(DestinationAddress(), 3)
"""As many as programs query (MAXNS, resolv.conf(5))."""
NTP_SERVERS = ListOf(DestinationHost(), 10)
"""Most servers of an array, as in ONTAP."""
