"""The environment and the ports of others' programs, and waiting for them."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable

SECONDS = 180.0
HIDDEN = ("proxy", "ca_bundle")


def direct() -> dict[str, str]:
    """Return this environment without variables that set a proxy or add authorities."""
    return {n: v for n, v in os.environ.items() if not any(each in n.lower() for each in HIDDEN)}


def free_port() -> int:
    """Return a port of 127.0.0.1 at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def until(condition: Callable[[], bool], report: Callable[[], str]) -> None:
    """Wait until a condition is true. Raises AssertionError with the report where it never is."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, report()
        time.sleep(0.2)
