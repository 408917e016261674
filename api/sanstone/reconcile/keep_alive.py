"""Notifications of progress to systemd, which restarts a reconciler that hangs.

Whatever takes long is a long job. A turn consists of steps that take a second at most, but of many:
a boot with thousands of LUNs has a hundred thousand. So progress is reported between stages and
between steps, and the watchdog's time (`WatchdogSec=`) applies to one step. Until the first turn is
over, when `READY=1` reports that hosts are served, the same time is requested as an extension of
the start (sd_notify(3), EXTEND_TIMEOUT_USEC).

Only progress may be reported: a thread that notified systemd by itself would keep a loop alive that
hangs.
"""

from __future__ import annotations

import os
import socket
import time

PAUSE = 1.0
"""Minimum number of seconds between two notifications."""
DEFAULT = 30_000_000
"""Microseconds between notifications if systemd sets no WATCHDOG_USEC."""


class KeepAlive:
    """Notifies systemd's watchdog; without NOTIFY_SOCKET it does nothing."""

    def __init__(self) -> None:
        self._is_ready = False
        self._notified = float("-inf")

    def progress(self) -> None:
        """Report that a step was done since the last call."""
        now = time.monotonic()
        if now < self._notified + PAUSE:
            return
        self._notified = now
        if self._is_ready:
            _notify("WATCHDOG=1")
        else:
            limit = os.environ.get("WATCHDOG_USEC", str(DEFAULT))
            _notify(f"EXTEND_TIMEOUT_USEC={limit}")

    def ready(self) -> None:
        """Report that the first turn is over."""
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
