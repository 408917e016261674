"""Telling systemd that the reconciler makes progress, so that one that hangs is started anew.

What takes long is a long job; a turn consists of steps that take a second at most, but of many: a
boot with thousands of LUNs has a hundred thousand. So progress is told between stages and between
steps, and the watchdog's time (`WatchdogSec=`) is for one of them. Until the first turn is over,
when `READY=1` says that hosts are served, the same time is asked for as an extension of the start
(sd_notify(3), EXTEND_TIMEOUT_USEC).

Nothing but progress may tell: a thread that did would keep a loop that hangs alive.
"""

from __future__ import annotations

import os
import socket
import time

PAUSE = 1.0
"""Seconds between two messages at least."""
DEFAULT = 30_000_000
"""Microseconds between signs of life, where systemd does not say."""


class KeepAlive:
    """The watchdog's side of a process; without NOTIFY_SOCKET nobody listens."""

    def __init__(self) -> None:
        self._is_ready = False
        self._told = float("-inf")

    def progress(self) -> None:
        """Tell that something was done since the last time."""
        now = time.monotonic()
        if now < self._told + PAUSE:
            return
        self._told = now
        if self._is_ready:
            _notify("WATCHDOG=1")
        else:
            limit = os.environ.get("WATCHDOG_USEC", str(DEFAULT))
            _notify(f"EXTEND_TIMEOUT_USEC={limit}")

    def ready(self) -> None:
        """Tell that the first turn is over."""
        if not self._is_ready:
            self._is_ready = True
            _notify("READY=1")


def _notify(message: str) -> None:
    """Send a message to systemd (sd_notify(3))."""
    path = os.environ.get("NOTIFY_SOCKET")
    if path:
        address = "\0" + path[1:] if path.startswith("@") else path
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(message.encode(), address)
