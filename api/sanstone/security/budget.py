"""Rate limits for sources: one token bucket each, in memory, in bounded number.

A bucket starts full and refills at a steady rate. Each process has its own buckets, so that
gunicorn's two workers together grant twice as much as one. Only the most recently used buckets are
kept: an attacker with more sources than that has as many full buckets anyway.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from threading import Lock

MOST = 4096
_NETWORK = 64
"""Prefix length of an IPv6 network; one host may use all of its addresses (RFC 4291, 2.5.1)."""


def source(address: str) -> str:
    """Return the source of an address: an IPv4 address, or the network of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        # '' for this machine's console, and a host name where sshd is configured to look it up.
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed), _NETWORK), strict=False))


class Budget:
    """Buckets of `burst` tokens, which refill at `rate` tokens a second."""

    def __init__(self, burst: float, rate: float, most: int = MOST) -> None:
        self._burst, self._rate, self._most = burst, rate, most
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def wait(self, key: str) -> float:
        """Return the seconds until a token is available, 0 if one is."""
        with self._lock:
            return max(0.0, (1.0 - self._level(key)) / self._rate)

    def take(self, key: str, tokens: int = 1) -> None:
        """Take tokens. The balance may become negative: a request for several waits afterwards."""
        self._add(key, -tokens)

    def give_back(self, key: str, tokens: int = 1) -> None:
        """Return tokens that were taken for a request that turned out to be legitimate."""
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
