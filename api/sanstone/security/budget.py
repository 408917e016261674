"""What a source may do per time: a token bucket for each, in memory and of bounded size.

A bucket begins full, and fills again at a steady rate. Each process has its own, so that gunicorn's
two workers together grant twice what one does. Of all buckets only those used last are kept:
whoever comes from more sources than that has as many full ones anyway.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from threading import Lock

MOST = 4096
_NETWORK = 64
"""Bits of an IPv6 address that name a network, of which one host may use every address (RFC 4291,
2.5.1)."""


def source(address: str) -> str:
    """Return what counts as one source: an IPv4 address, or the network of an IPv6 address."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        # '' for this machine's own console, and a name where sshd was told to look for one.
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), _NETWORK), strict=False))


class Budget:
    """Buckets of `burst` tokens, which fill by `rate` tokens a second."""

    def __init__(self, burst: float, rate: float, most: int = MOST) -> None:
        self._burst, self._rate, self._most = burst, rate, most
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def wait(self, key: str) -> float:
        """Return the seconds until there is a token, 0 where there is one."""
        with self._lock:
            return max(0.0, (1.0 - self._level(key)) / self._rate)

    def take(self, key: str, tokens: int = 1) -> None:
        """Take tokens, which may make debts: whatever costs several waits for them afterwards."""
        self._add(key, -tokens)

    def give_back(self, key: str, tokens: int = 1) -> None:
        """Give back what was taken for something that turned out to be allowed."""
        self._add(key, tokens)

    def _add(self, key: str, tokens: int) -> None:
        with self._lock:
            level = min(self._burst, self._level(key) + tokens)
            self._buckets[key] = (level, time.monotonic())
            self._buckets.move_to_end(key)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)

    def _level(self, key: str) -> float:
        now = time.monotonic()
        level, then = self._buckets.get(key, (self._burst, now))
        return min(self._burst, level + (now - then) * self._rate)
