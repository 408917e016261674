"""The kernel's log of the fake machine."""

from __future__ import annotations

from sanstone.kernel.host import FileError, KernelLog, LogRecord


class FakeLog:
    """See `host.KernelLog`. It holds only the messages that tests put there."""

    def __init__(self) -> None:
        self.failure: FileError | None = None
        """Raised by the next calls."""
        self._records: list[LogRecord] = []
        self._read = 0
        self._boots = 1

    def boot(self) -> str:
        """See `host.KernelLog`."""
        return f"b0070000-0000-4000-8000-{self._boots:012}"

    def say(self, text: str, seconds: float = 100.0) -> None:
        """Let the kernel write a message, at this uptime."""
        self._records.append(LogRecord(len(self._records), seconds, text))

    def open_again(self) -> None:
        """Begin with the oldest record, as a new process does."""
        self._read = 0

    def reboot(self) -> None:
        """Begin a new log."""
        self._records.clear()
        self._read = 0
        self._boots += 1

    def read_new(self) -> list[LogRecord]:
        """See `host.KernelLog`."""
        new = self.read_from(self._read)
        self._read += len(new)
        return new

    def read_from(self, number: int) -> list[LogRecord]:
        """Return the records from this one on."""
        if self.failure:
            raise self.failure
        return self._records[number:]

    def another_reader(self) -> KernelLog:
        """See `host.KernelLog`."""
        return _Reader(self)


class _Reader:
    """Somebody else who reads the log; each boot has a reader of its own."""

    def __init__(self, log: FakeLog) -> None:
        self._log = log
        self._read = 0

    def boot(self) -> str:
        """See `host.KernelLog`."""
        return self._log.boot()

    def read_new(self) -> list[LogRecord]:
        """See `host.KernelLog`."""
        new = self._log.read_from(self._read)
        self._read += len(new)
        return new

    def another_reader(self) -> KernelLog:
        """See `host.KernelLog`."""
        return self._log.another_reader()
