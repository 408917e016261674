"""The message of one event to a receiver, whatever the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

TIMEOUT = 5.0
"""Seconds to wait for each answer of a receiver; other receivers get the message after it."""


@dataclass(frozen=True)
class Message:
    """One event: `name` and `severity` are those of the event log, `host` is the node's name.

    `remedy` is what to do about it, '' for nothing, `record` the event as REST shows it.
    """

    time: datetime
    host: str
    name: str
    severity: str
    text: str
    remedy: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)
