"""Alerts of disks' own health reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sanstone.core.events import ALERT, ERROR, NOTICE, Condition
from sanstone.model.aggregates import Disk

WORN_OUT, NEARLY_WORN_OUT = 100, 90
"""Percent of the use that a disk is specified for."""


def conditions(row: Disk, facts: dict[str, Any]) -> Iterator[tuple[str, Condition]]:
    """Yield the conditions of a disk that is present, with their keys."""
    health = facts.get("health") or {}
    where = f"Disk {row.name} ({_place(facts)})"
    if row.failure:
        text = f"{where} is out of service: {row.failure}. Take it out."
        yield f"disk.failed:{row.uid}", Condition(ERROR, "disk.failed", text, row.owner)
        return
    if health.get("passed") is False:
        why = f": {health['message']}" if health.get("message") else ""
        text = f"{where} predicts that it will fail{why}."
        yield (
            f"disk.failure.predicted:{row.uid}",
            Condition(ALERT, "disk.failure.predicted", text, row.owner),
        )
    used = health.get("life_used") or 0
    if used >= NEARLY_WORN_OUT:
        worn_out = used >= WORN_OUT
        text = f"{where} has used {used} % of the writes that its vendor rates it for."
        severity = ERROR if worn_out else NOTICE
        yield f"disk.wear:{row.uid}", Condition(severity, "disk.wear", text, row.owner)
    if health.get("too_hot"):
        text = f"{where} is too hot."
        limit = health.get("temperature_limit")
        if limit is not None:
            text = f"{where} is too hot: it may be damaged from {limit} °C."
        yield f"disk.temperature:{row.uid}", Condition(ALERT, "disk.temperature", text, row.owner)


def _place(facts: dict[str, Any]) -> str:
    """Return where a disk is, and its serial number or label there."""
    serial = f"serial number {facts.get('serial', '')}"
    if facts.get("bay") is None:
        return serial
    shelf = f"shelf {facts['shelf']}, " if facts.get("shelf") else ""
    return f"{shelf}bay {facts['bay']}, {serial}"
