"""The real form of `host.KernelLog`: /dev/kmsg.

Each read(2) returns one record: `<priority>,<sequence>,<microseconds>,<flags>;<text>`, then a line
break and lines about the device that it concerns (devkmsg_read() in kernel/printk/printk.c). Who
opens the file begins with the oldest record, so it stays open from one call to the next. To open it
takes CAP_SYSLOG where the kernel restricts dmesg.
"""

from __future__ import annotations

import errno
import os
import re

from sanstone.kernel.host import FileError, LogRecord
from sanstone.kernel.real.files import RealFiles

PATH = "/dev/kmsg"
BOOT = "/proc/sys/kernel/random/boot_id"
MOST = 5000
"""Records that one call returns at most: a turn must not last as long as somebody writes."""
_LONGEST = 8192
"""Bytes of a record, for which the kernel has a buffer of 2 KiB (PRINTK_MESSAGE_MAX)."""
_RECORD = re.compile(r"(?P<priority>\d+),(?P<sequence>\d+),(?P<time>\d+),[^;]*;(?P<text>[^\n]*)")
_FACILITY_BITS = 3
"""The priority is 8 times the facility, 0 for the kernel itself, plus the severity."""


class RealLog:
    """The log of the kernel that we run on."""

    def __init__(self) -> None:
        self._files = RealFiles()
        self._log: int | None = None

    def boot(self) -> str:
        """See `host.KernelLog`."""
        return self._files.read(BOOT)

    def read_new(self) -> list[LogRecord]:
        """See `host.KernelLog`."""
        records: list[LogRecord] = []
        try:
            if self._log is None:
                self._log = os.open(PATH, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            for _ in range(MOST):
                content = self._next(self._log)
                if content is None:
                    break
                if record := parsed(content):
                    records.append(record)
        except OSError as error:
            raise FileError("read", PATH, error.errno or errno.EIO) from error
        return records

    def another_reader(self) -> RealLog:
        """See `host.KernelLog`."""
        return RealLog()

    @staticmethod
    def _next(log: int) -> bytes | None:
        """Return the next record, b'' for one that was overwritten, None when there is none yet."""
        try:
            return os.read(log, _LONGEST)
        except BlockingIOError:
            return None
        except BrokenPipeError:
            return b""


def parsed(content: bytes) -> LogRecord | None:
    """Return a record as /dev/kmsg has it; None for a program's message and for other content."""
    match = _RECORD.match(content.decode("utf-8", "backslashreplace"))
    if match is None or int(match["priority"]) >> _FACILITY_BITS:
        return None
    return LogRecord(int(match["sequence"]), int(match["time"]) / 1e6, match["text"])
