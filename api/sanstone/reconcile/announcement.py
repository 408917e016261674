"""The announcements on the data networks: a file from the reconciler to `sanstone-announcer`.

It lies in memory, one announcement a line, and is not there while nothing is announced: systemd
starts the announcer when it comes (sanstone-announcer.path), which ends when it goes.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass

from sanstone.core import places


@dataclass(frozen=True, order=True)
class Announcement:
    """A service at a LIF.

    `type` is DNS-SD's (RFC 6763, 4.1.2), such as `_nvme-disc._tcp`; `text` are its attributes, each
    `key=value`.
    """

    link: str
    address: str
    prefix_length: int
    interface_uuid: str
    interface_name: str
    type: str
    port: int
    text: tuple[str, ...]


def path() -> str:
    """Return the path of the file."""
    return f"{places.run_directory()}/announcements"


def to_text(announcements: Collection[Announcement]) -> str:
    """Return the content of the file, '' for none."""
    return "".join(json.dumps(asdict(each)) + "\n" for each in sorted(announcements))


def from_text(text: str) -> tuple[Announcement, ...]:
    """Return the announcements in the file's content."""
    rows = (json.loads(line) for line in text.splitlines())
    return tuple(Announcement(**row | {"text": tuple(row["text"])}) for row in rows)
