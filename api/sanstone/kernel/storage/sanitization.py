"""Sanitizing, in the words that NVMe, SCSI and ATA disks share.

A disk that is sanitized makes all that was ever written to it unreadable, blocks that it has set
aside among it, by one command, and by itself:

* `crypto_erase`: it forgets the key by which all of it is encrypted, in seconds;
* `block_erase`: it erases its flash memory, in seconds to minutes;
* `overwrite`: it overwrites all of it, for hours where it rotates.

Once started it cannot be stopped. A disk whose power was cut goes on with it when it is back, and
until it is done it refuses to be read or written. One that fails at it refuses that for good: until
it is sanitized with success, or is ordered to leave that state, with the data that is left then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sanstone.kernel.host import Host, HostError

CRYPTO_ERASE, BLOCK_ERASE, OVERWRITE = "crypto_erase", "block_erase", "overwrite"
METHODS = (CRYPTO_ERASE, BLOCK_ERASE, OVERWRITE)
"""The quickest first."""
RUNNING, FAILED = "running", "failed"


class SanitizeError(HostError):
    """A disk refuses an order about its sanitization; the text gives its answer."""


@dataclass(frozen=True)
class Progress:
    """Where a disk is: `state` is RUNNING, FAILED or '', `percent` is None unless it is running."""

    state: str = ""
    percent: int | None = None

    @staticmethod
    def running(parts: int) -> Progress:
        """Return the progress of a running one; `parts` of 65536 are done."""
        return Progress(RUNNING, min(99, 100 * parts // 65536))


class CommandSet(Protocol):
    """How disks of one kind are sanitized. All raise HostError; `path` is that of the disk."""

    def methods(self, host: Host, path: str) -> tuple[str, ...]:
        """Return the methods that the disk has and that erase nothing besides it."""

    def progress(self, host: Host, path: str) -> Progress:
        """Return where the disk is."""

    def start(self, host: Host, path: str, method: str) -> None:
        """Have the disk sanitize itself; return once it has started."""

    def leave_failure(self, host: Host, path: str) -> None:
        """Have a disk that failed at it be read and written again."""
